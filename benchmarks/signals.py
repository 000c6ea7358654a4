"""Measure recall, precision and speed of the signals in labelled messages.

Run as `python -m benchmarks.signals tests/data/messages.yml …`. A file is a list of messages: `say`, and what should be
remembered of it as `lasts` (a `type` and words it `has`), or nothing; `place` and `at` as in a transcript.
"""

import datetime as dt
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from memci.model.session import Origin, Place, Signal, Turn
from memci.sessions.typed_parts import split_parts
from memci.signals.find import FoundSignals, find_signals

NOON = "2026-11-12T12:00:00+00:00"


def read_turn(message: dict[str, Any], number: int) -> Turn:
    at = dt.datetime.fromisoformat(str(message.get("at", NOON)))
    return Turn(
        "s",
        f"u{number}",
        at,
        Origin.PERSON,
        Place(message.get("place", "prompt")),
        message["say"],
        parts=split_parts(message["say"]),
    )


def holds(signal: Signal, wanted: dict[str, str]) -> bool:
    return wanted["has"] in f"{signal.text}\n{signal.rule}\n{signal.why}\n{signal.how}"


class Count(NamedTuple):
    """Statements that should last, those that were found, and signals, with those that say such a statement."""

    wanted: int
    hit: int
    typed: int
    signals: int
    right: int
    noisy: int


def count(messages: Sequence[dict[str, Any]], found: Sequence[FoundSignals]) -> Count:
    wanted = hit = typed = signals = right = noisy = 0
    for message, result in zip(messages, found, strict=True):
        lasts = message.get("lasts", [])
        matching = [[signal for signal in result.signals if holds(signal, one)] for one in lasts]
        wanted += len(lasts)
        hit += sum(map(bool, matching))
        kinds = zip(lasts, matching, strict=True)
        typed += sum(any(one.get("type") in {None, str(signal.type)} for signal in match) for one, match in kinds)
        signals += len(result.signals)
        right += sum(any(signal in match for match in matching) for signal in result.signals)
        noisy += bool(result.signals and not lasts)
    return Count(wanted, hit, typed, signals, right, noisy)


def show(messages: Sequence[dict[str, Any]], found: Sequence[FoundSignals]) -> None:
    for message, result in zip(messages, found, strict=True):
        lasts = message.get("lasts", [])
        matching = [[signal for signal in result.signals if holds(signal, one)] for one in lasts]
        for one, match in zip(lasts, matching, strict=True):
            if not match:
                print(f"missed: {one['has']}")
        for signal in result.signals:
            if not any(signal in match for match in matching):
                print(f"wrong ({signal.reason}): {signal.text}")
    wanted, hit, typed, signals, right, noisy = count(messages, found)
    print(f"messages {len(messages)}, statements {wanted}, signals {signals}, noise taken for a statement {noisy}")
    share = typed / max(1, hit)
    print(f"recall {hit / max(1, wanted):.3f}, precision {right / max(1, signals):.3f}, type right {share:.3f}")


def main(paths: Sequence[str]) -> None:
    for path in paths:
        messages = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
        turns = [read_turn(message, number) for number, message in enumerate(messages)]
        find_signals(turns[:1])
        start = time.process_time()
        found = [find_signals([turn]) for turn in turns]
        spent = time.process_time() - start
        print(path)
        show(messages, found)
        size = sum(len(turn.text) for turn in turns)
        print(f"CPU {1000 * spent:.0f} ms for {size} characters")


if __name__ == "__main__":
    main(sys.argv[1:])
