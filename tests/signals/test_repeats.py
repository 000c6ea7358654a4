"""Repeated signals."""

import datetime as dt
import itertools

import pytest

from memci.model.session import Origin, Place, Signal, Turn
from memci.sessions.typed_parts import split_parts
from memci.signals.find import find_signals
from memci.signals.repeats import group_repeated


def signals(*texts: str) -> list[Signal]:
    days = (dt.datetime(2026, 11, day, tzinfo=dt.UTC) for day in itertools.count(1))
    turns = [
        Turn(f"s{number}", f"u{number}", day, Origin.PERSON, Place.PROMPT, text, parts=split_parts(text))
        for number, (text, day) in enumerate(zip(texts, days, strict=False))
    ]
    return list(find_signals(turns).signals)


@pytest.mark.parametrize(
    "texts",
    [
        ("always use tabs in the sql files", "i changed my mind: never use tabs in the sql files"),
        ("staging deploys always go out from main", "prod deploys always go out from main"),
        ("never mock the database in tests", "never log the request body"),
        ("keep functions under 40 lines from now on", "keep functions under 60 lines from now on"),
    ],
)
def test_different_or_opposite_rules_stay_apart(texts: tuple[str, ...]) -> None:
    assert len(group_repeated(signals(*texts))) == 2


def test_the_same_rule_becomes_one_signal_in_its_fullest_wording() -> None:
    said = signals(
        "again: never use inline styles in the templates",
        "please never use inline styles in the templates, we have css modules for that",
        "i said never use inline styles in templates!! third time",
    )
    (signal,) = group_repeated(said)
    assert "css modules" in signal.rule
    assert signal.session == "s1"
    assert [mention.session for mention in signal.repeated] == ["s0", "s2"]
    assert signal.strength == 3


def test_grouping_is_stable_and_does_not_depend_on_order() -> None:
    said = signals("always squash the commits before merging", "always squash commits before merging, please")
    once = group_repeated(said)
    assert len(once) == 1
    assert group_repeated(reversed(said)) == once
    assert group_repeated(once) == once


def test_a_rule_inside_another_sentence_is_the_same_rule() -> None:
    said = signals(
        "commit messages must always say why, the diff already shows what",
        "no! commit messages must always say why",
    )
    (one,) = group_repeated(said)
    assert one.strength == 2


def test_rules_with_the_same_reason_stay_apart() -> None:
    said = signals(
        "never mock the ledger, the auditors never accept mocked numbers",
        "never skip the reconciliation job, the auditors never accept mocked numbers",
    )
    assert len(group_repeated(said)) == 2
