"""Searching messages with a model: every finding is a passage of a message, found again word for word by code."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from memci.engines.claude.values import Failure
from memci.engines.model.asking import Model
from memci.engines.model.phases import gather_phase
from memci.engines.model.prompts import drop_oldest, write_chunks
from memci.model import TopicType
from memci.signals.dating import date_words
from memci.transcript import Place, Signal, SignalKind, Turn

# A quotation of fewer characters cannot be understood alone.
_MIN_QUOTE = 12


def find_more(turns: Sequence[Turn], known: Sequence[Signal], model: Model) -> tuple[list[Signal], list[str]]:
    """Return the signals that were not known yet, and what did not work."""
    asked = [turn for turn in turns if turn.place is not Place.COMMAND]
    found: list[Signal] = []
    failures: list[str] = []
    for prompt, chunk in write_chunks(asked):
        reply = model.ask(gather_phase(), prompt, shorten=drop_oldest)
        if isinstance(reply, Failure):
            failures.append(f"gather: {reply}")
            continue
        entries = reply.value["signals"]
        for told in entries if isinstance(entries, list) else ():
            signal = _read(told, chunk)
            if signal and not any(_overlaps(signal, other) for other in (*known, *found)):
                found.append(signal)
    return found, failures


def _read(told: Mapping[str, Any], chunk: Mapping[int, Turn]) -> Signal | None:
    """Return a signal whose words are all the person's; None if the quotation does not stand in the message."""
    turn = chunk.get(told["message"])
    quote = told["quote"].strip()
    if turn is None or len(quote) < _MIN_QUOTE or quote not in turn.text:
        return None
    day = turn.timestamp.astimezone(dt.UTC).date() if turn.timestamp else None
    kind = TopicType(told["type"])
    why, how = (part.strip() if part.strip() in turn.text else "" for part in (told["why"], told["how"]))
    event = kind is TopicType.PROJECT
    return Signal(
        turn.session,
        turn.uuid,
        turn.timestamp,
        turn.origin,
        SignalKind(told["kind"]),
        kind,
        quote,
        date_words(quote, day, event=event),
        date_words(why, day, event=event),
        date_words(how, day, event=event),
        "found by the model",
        turn.agent,
        bool(told["reverses"]),
    )


def _overlaps(one: Signal, other: Signal) -> bool:
    same = (one.session, one.uuid) == (other.session, other.uuid)
    return same and (one.text in other.text or other.text in one.text)
