"""The labelled messages of tests/data/messages.yml and messages_2.yml, one by one."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
import yaml

from memci.model.session import Origin, Place, Turn
from memci.sessions.typed_parts import split_parts
from memci.signals.find import FoundSignals, find_signals

DATA = Path(__file__).parents[1] / "data"
MESSAGES: list[dict[str, Any]] = [
    message
    for name in ("messages.yml", "messages_2.yml")
    for message in yaml.safe_load((DATA / name).read_text(encoding="utf-8"))
]


def find(message: dict[str, Any]) -> FoundSignals:
    at = dt.datetime.fromisoformat(message.get("at", "2026-11-12T10:00:00Z"))
    return find_signals(
        [
            Turn(
                "s",
                "u",
                at,
                Origin.PERSON,
                Place(message.get("place", "prompt")),
                message["say"],
                parts=split_parts(message["say"]),
            )
        ]
    )


@pytest.mark.parametrize("message", [one for one in MESSAGES if "noise" in one], ids=lambda one: one["say"][:40])
def test_noise_is_left_alone(message: dict[str, Any]) -> None:
    assert find(message).signals == ()


@pytest.mark.parametrize("message", [one for one in MESSAGES if "lasts" in one], ids=lambda one: one["say"][:40])
def test_statements_are_found_and_nothing_else_of_the_message(message: dict[str, Any]) -> None:
    signals = find(message).signals
    assert len(signals) == len(message["lasts"])
    for signal, wanted in zip(signals, message["lasts"], strict=True):
        assert wanted["has"] in f"{signal.rule}\n{signal.why}\n{signal.how}"
        assert signal.text in message["say"]
        assert not any(words in signal.text for words in message.get("leave", []))


def test_types_are_nearly_always_right() -> None:
    pairs = [(one, find(one).signals) for one in MESSAGES if "lasts" in one]
    typed = [(wanted, signal) for one, found in pairs for wanted, signal in zip(one["lasts"], found, strict=True)]
    wrong = [wanted["has"] for wanted, signal in typed if wanted.get("type") not in {None, str(signal.type)}]
    assert len(wrong) <= 2, wrong
