"""Searches messages with a model: it quotes sentences, and code decides whether a person stated them."""

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from memci.engines.claude.calls import Failure
from memci.engines.model.phases import gather_phase
from memci.engines.model.prompts import drop_oldest, write_chunks
from memci.engines.model.replies import Model
from memci.model.memory import TopicType
from memci.model.session import Place, Signal, SignalKind, Turn, TurnedDown
from memci.redaction.injection import find_injections
from memci.signals.context import Judged, judge_all
from memci.signals.cues import Cue
from memci.signals.dating import date_words
from memci.signals.find import find_objection
from memci.signals.units import split_units

# A shorter quotation is not understandable on its own.
_MIN_QUOTE = 12
# The maximum length of a statement with its "why" and "how".
_MAX_SENTENCES = 6
# A sentence with one of these cues is no statement of the person. A model may judge how long a statement is valid,
# but not whether it is one.
_NOT_STATED = {
    Cue.QUESTION: "a question",
    Cue.SUPPOSE: "a supposition",
    Cue.SARCASM: "meant ironically",
    Cue.STORY: "about other people or another place",
    Cue.DICTATE: "dictated text",
    Cue.RETRACT: "taken back",
    Cue.ONCE: "only for this time",
}
_WITHDRAWS = frozenset((Cue.FORGET, Cue.REVERSE))

# New signals, quotations that were turned down, and failures.
More = tuple[list[Signal], list[TurnedDown], list[str]]


def find_more(turns: Sequence[Turn], known: Sequence[Signal], model: Model) -> More:
    """Ask a model for the signals that were not found without it."""
    asked = [turn for turn in turns if turn.place is not Place.COMMAND]
    found: list[Signal] = []
    down: list[TurnedDown] = []
    failures: list[str] = []
    for prompt, chunk in write_chunks(asked):
        reply = model.ask(gather_phase(), prompt, shorten=drop_oldest)
        if isinstance(reply, Failure):
            failures.append(f"gather: {reply}")
            continue
        entries = reply.value["signals"]
        for told in entries if isinstance(entries, list) else ():
            signal = _read(told, chunk)
            if isinstance(signal, TurnedDown):
                down.append(signal)
            elif not any(_overlaps(signal, other) for other in (*known, *found)):
                found.append(signal)
    return found, down, failures


def _read(told: Mapping[str, Any], chunk: Mapping[int, Turn]) -> Signal | TurnedDown:
    """Return a signal of the quoted sentences, or why they are no statement of the person."""
    turn = chunk.get(told["message"])
    if turn is None:
        return TurnedDown("", "", None, next(iter(chunk.values())).origin, "", "the model named no message")
    judged = judge_all(turn.typed, split_units(turn.typed), turn.place)
    parts = {part: _match_sentences(turn.typed, told[part].strip(), judged) for part in ("quote", "why", "how")}
    rule = parts["quote"]
    said = [place for part in parts.values() for place in part]
    if max(said, default=0) - min(said, default=0) >= _MAX_SENTENCES:
        # An explanation that far away belongs to something else.
        parts, said = {**parts, "why": [], "how": []}, rule
    passage = judged[min(said) : max(said) + 1] if rule else []
    objection = _object(told, turn, passage) if rule else "not what the person typed, word for word"
    if objection:
        return TurnedDown(turn.session, turn.uuid, turn.timestamp, turn.origin, told["quote"][:200], objection)
    texts = {
        part: " ".join(judged[place][0].text for place in places if part == "quote" or place not in rule)
        for part, places in parts.items()
    }
    return _make_signal(told, turn, passage, texts)


def _match_sentences(text: str, quote: str, judged: Sequence[Judged]) -> list[int]:
    """Return the positions of the quoted sentences; none if a quoted word is outside of them."""
    start = text.find(quote) if len(quote) >= _MIN_QUOTE else -1
    while start >= 0:
        end = start + len(quote)
        touched = [place for place, (unit, _) in enumerate(judged) if unit.start < end and start < unit.end]
        borders = [start, *(at for place in touched for at in (judged[place][0].start, judged[place][0].end)), end]
        gaps = (text[borders[at] : borders[at + 1]] for at in range(0, len(borders), 2))
        if touched and not any(character.isalnum() for gap in gaps for character in gap):
            return touched
        start = text.find(quote, start + 1)
    return []


def _object(told: Mapping[str, Any], turn: Turn, passage: Sequence[Judged]) -> str:
    """Return why sentences are no statement, regardless of the model; "" if they are one."""
    cues = {cue for unit, _ in passage for cue in unit.cues}
    # For a lasting sentence the cues have been weighed already.
    doubtful = {cue for unit, found in passage if not found.lasts for cue in unit.cues}
    for cue, objection in _NOT_STATED.items():
        if cue in doubtful:
            return objection
    start, end = passage[0][0].start, passage[-1][0].end
    if objection := find_objection(turn, start, end):
        return objection
    if not told["own"]:
        return "the model does not take it for the person's own"
    if find_injections(turn.text[start:end]):
        return "gives orders to a model"
    if told["kind"] == SignalKind.FORGET and Cue.FORGET not in cues:
        return "nobody asked to forget this"
    return ""


def _make_signal(told: Mapping[str, Any], turn: Turn, passage: Sequence[Judged], texts: Mapping[str, str]) -> Signal:
    day = turn.timestamp.astimezone(dt.UTC).date() if turn.timestamp else None
    kind = TopicType(told["type"])
    event = kind is TopicType.PROJECT
    return Signal(
        turn.session,
        turn.uuid,
        turn.timestamp,
        turn.origin,
        SignalKind(told["kind"]),
        kind,
        turn.text[passage[0][0].start : passage[-1][0].end],
        date_words(texts["quote"], day, event=event),
        date_words(texts["why"], day, event=event),
        date_words(texts["how"], day, event=event),
        "found by the model",
        turn.agent,
        # Decided by cues, not by the model, because it removes old rules.
        any(unit.cues & _WITHDRAWS for unit, _ in passage),
    )


def _overlaps(one: Signal, other: Signal) -> bool:
    same = (one.session, one.uuid) == (other.session, other.uuid)
    return same and (one.text in other.text or other.text in one.text)
