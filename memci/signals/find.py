"""Which of the things that people said are worth remembering."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from memci.model.memory import TopicType
from memci.model.session import Origin, Place, Signal, Turn, TurnedDown
from memci.prose.sentences import TYPED_END
from memci.redaction.secrets import REDACTED
from memci.signals.dating import date_words
from memci.signals.foreign import find_foreign_rules
from memci.signals.passages import Passage, read_message
from memci.signals.retract import drop_taken_back


@dataclass(frozen=True, slots=True)
class FoundSignals:
    """What was found, and what was turned down although it looked like it."""

    signals: tuple[Signal, ...] = ()
    turned_down: tuple[TurnedDown, ...] = ()


def find_signals(turns: Iterable[Turn]) -> FoundSignals:
    """Find the signals in what people typed; turns of other origins say nothing."""
    signals: list[Signal] = []
    down: list[TurnedDown] = []
    spoken = say_once(turns)
    for turn in spoken:
        read = read_message(turn.typed, turn.place)
        down += (_refuse(turn, words, why) for words, why in find_foreign_rules(turn))
        if turn.place is Place.COMMAND:
            down += (_refuse(turn, turn.text[p.start : p.end], "the argument of a command") for p in read.passages)
            continue
        down += (_refuse(turn, refused.text, refused.reason) for refused in read.refused)
        for passage in read.passages:
            objection = find_objection(turn, passage.start, passage.end)
            if objection:
                down.append(_refuse(turn, turn.text[passage.start : passage.end], objection))
            else:
                signals.append(_make_signal(turn, passage))
    kept, back = drop_taken_back(signals, spoken)
    return FoundSignals(kept, (*down, *back))


def find_objection(turn: Turn, start: int, end: int) -> str:
    """Return why a stretch of a message is no source of a memory, whoever points at it; "" if it may be."""
    if not turn.is_typed(start, end):
        return "not all of it is the person's own words"
    # The secret may stand in a part of the sentence that is not typed.
    first = max((found.end() for found in TYPED_END.finditer(turn.text, 0, start)), default=0)
    last = TYPED_END.search(turn.text, max(start, end - 1))
    return "held a secret" if REDACTED in turn.text[first : last.end() if last else len(turn.text)] else ""


def _make_signal(turn: Turn, passage: Passage) -> Signal:
    day = turn.timestamp.astimezone(dt.UTC).date() if turn.timestamp else None
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


def say_once(turns: Iterable[Turn]) -> list[Turn]:
    """Return what people said, by session and time; the same words queued and sent count once."""
    earliest = dt.datetime.min.replace(tzinfo=dt.UTC)
    spoken = [turn for turn in turns if turn.origin in {Origin.PERSON, Origin.LOG}]
    # Without a time, the order in which they come is all there is.
    spoken.sort(key=lambda turn: (turn.session, turn.timestamp or earliest, turn.uuid if turn.timestamp else ""))
    kept: list[Turn] = []
    places: dict[tuple[str, str], Place] = {}
    for turn in spoken:
        before = places.setdefault((turn.session, " ".join(turn.text.split())), turn.place)
        if before is turn.place or Place.QUEUED not in {before, turn.place}:
            kept.append(turn)
    return kept


def _refuse(turn: Turn, text: str, reason: str) -> TurnedDown:
    return TurnedDown(turn.session, turn.uuid, turn.timestamp, turn.origin, text, reason)
