"""Which of the things that people said are worth remembering."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from memci.model import TopicType
from memci.signals.dating import date_words
from memci.signals.passages import Passage, Read, read_message
from memci.transcript import Origin, Place, Signal, Turn, TurnedDown


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, and what was turned down although it looked like it."""

    signals: tuple[Signal, ...] = ()
    turned_down: tuple[TurnedDown, ...] = ()


def find_signals(turns: Iterable[Turn]) -> Found:
    """Find the signals in what people said; turns of other origins say nothing."""
    signals: list[Signal] = []
    down: list[TurnedDown] = []
    for said in _by_session(turns):
        kept: list[tuple[Turn, list[Signal]]] = []
        for turn in said:
            read = read_message(turn.text, turn.place)
            if turn.place is Place.COMMAND:
                down += (_refuse(turn, turn.text[p.start : p.end], "the argument of a command") for p in read.passages)
                continue
            if read.retracts and kept:
                before, taken = kept.pop()
                down += (_refuse(before, signal.text, "taken back later in the session") for signal in taken)
            down += (_refuse(turn, refused.text, refused.reason) for refused in read.refused)
            kept.append((turn, make_signals(turn, read)))
        signals += (signal for _, found in kept for signal in found)
    return Found(tuple(signals), tuple(down))


def make_signals(turn: Turn, read: Read) -> list[Signal]:
    """Return the statements of a message as signals."""
    day = turn.timestamp.astimezone(dt.UTC).date() if turn.timestamp else None
    return [_make_signal(turn, passage, day) for passage in read.passages]


def _make_signal(turn: Turn, passage: Passage, day: dt.date | None) -> Signal:
    event = passage.type is TopicType.PROJECT
    return Signal(
        session=turn.session,
        uuid=turn.uuid,
        timestamp=turn.timestamp,
        origin=turn.origin,
        kind=passage.kind,
        type=passage.type,
        text=turn.text[passage.start : passage.end],
        rule=date_words(passage.rule, day, event=event),
        why=date_words(passage.why, day, event=event),
        how=date_words(passage.how, day, event=event),
        reason=passage.because,
        agent=turn.agent,
        reverses=passage.reverses,
    )


def _by_session(turns: Iterable[Turn]) -> list[list[Turn]]:
    """Return what people said, by session and time; the same words queued and sent count once."""
    earliest = dt.datetime.min.replace(tzinfo=dt.UTC)
    spoken = [turn for turn in turns if turn.origin in {Origin.PERSON, Origin.LOG}]
    # Without a time, the order in which they come is all there is.
    spoken.sort(key=lambda turn: (turn.session, turn.timestamp or earliest, turn.uuid if turn.timestamp else ""))
    sessions: dict[str, list[Turn]] = {}
    places: dict[tuple[str, str], Place] = {}
    for turn in spoken:
        before = places.setdefault((turn.session, " ".join(turn.text.split())), turn.place)
        if before is not turn.place and Place.QUEUED in {before, turn.place}:
            continue
        sessions.setdefault(turn.session, []).append(turn)
    return list(sessions.values())


def _refuse(turn: Turn, text: str, reason: str) -> TurnedDown:
    return TurnedDown(turn.session, turn.uuid, turn.timestamp, turn.origin, text, reason)
