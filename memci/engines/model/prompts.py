"""Prompts: data as JSON, ordered from constant to variable parts."""

import datetime as dt
import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from memci.engines.claude.calls import Prompt
from memci.engines.model.phases import render_system
from memci.model.memory import ScopeSnapshot, Topic
from memci.model.session import PartKind, Signal, Turn
from memci.redaction.hidden import strip_hidden

# Characters of each topic that are shown: the first size that fits. Guards always read whole topics.
_BODIES = (4_000, 400, 0)
# About 100,000 tokens: a scope of 200 topics of median size.
_MAX_MATERIAL = 250_000
# Below the size at which the small model costs more.
MAX_CHUNK = 120_000
_MAX_MESSAGE = 4_000
# Pasted text is shown only as context of the typed text.
_MAX_FOREIGN = 400


# Removes what must not leave this machine.
Clean = Callable[[str], str]
# An operation as the model wrote it, the guard that refused it, and why.
Refusal = tuple[object, str, str]


def name_topics(scope: ScopeSnapshot) -> dict[str, Topic]:
    """Return the topics by id; a reply can refer to nothing else."""
    return {f"t{number}": topic for number, topic in enumerate(scope.topics, 1)}


def write_consolidation(
    scope: ScopeSnapshot, signals: Sequence[Signal], now: dt.datetime, clean: Clean = str
) -> Prompt:
    """Return the prompt of one scope."""
    material = _write_material(scope, clean)
    last = {"today": now.date().isoformat(), "signals": [_tell(signal) for signal in signals]}
    return Prompt(render_system("consolidate"), material, _dump(_clean_all(last, clean)))


def _write_material(scope: ScopeSnapshot, clean: Clean) -> str:
    named = name_topics(scope)
    shown: list[dict[str, object]] = []
    for most in _BODIES:
        shown = [_show(name, topic, most, clean) for name, topic in named.items()]
        material = _dump({"scope": clean(scope.scope.id), "topics": shown})
        if len(material) <= _MAX_MATERIAL:
            return material
    # If not even the names fit, the embedded engine handles the remaining topics.
    sizes = itertools.accumulate(len(_dump(topic)) + 1 for topic in shown)
    fitting = sum(size <= _MAX_MATERIAL for size in sizes)
    return _dump({"scope": clean(scope.scope.id), "topics": shown[:fitting], "not_shown": len(shown) - fitting})


def write_repair(prompt: Prompt, refused: Sequence[Refusal], signals: Sequence[Signal], clean: Clean = str) -> Prompt:
    """Return the prompt that asks to correct refused operations; only its end differs."""
    told = [{"operation": shown, "guard": guard, "why": why} for shown, guard, why in refused]
    last = {"refused": told, "signals": [_tell(signal) for signal in signals]}
    return replace(prompt, last=_dump(_clean_all(last, clean)))


def write_chunks(turns: Sequence[Turn]) -> list[tuple[Prompt, dict[int, Turn]]]:
    """Return the prompts that search messages, each with the messages it numbers."""
    chunks: list[dict[int, Turn]] = [{}]
    size = 0
    for number, turn in enumerate(turns, 1):
        length = min(len(turn.text), _MAX_MESSAGE) + 60
        if size + length > MAX_CHUNK and chunks[-1]:
            chunks.append({})
            size = 0
        chunks[-1][number] = turn
        size += length
    return [(_write_chunk(chunk), chunk) for chunk in chunks if chunk]


def _write_chunk(chunk: dict[int, Turn]) -> Prompt:
    # Secrets were redacted when the messages were read.
    messages = [
        {"message": number, "said": _show_parts(turn), "where": turn.place.value} for number, turn in chunk.items()
    ]
    return Prompt(render_system("gather"), "", _dump({"messages": messages}))


def _show_parts(turn: Turn) -> object:
    """Return the parts of a message, those that were not typed marked as such."""
    parts = [
        (part.kind, strip_hidden(turn.text[part.start : min(part.end, _MAX_MESSAGE)]))
        for part in turn.parts
        if part.start < _MAX_MESSAGE and turn.text[part.start : part.end].strip()
    ]
    if all(kind is PartKind.TYPED for kind, _ in parts):
        return strip_hidden(turn.text[:_MAX_MESSAGE])
    return [words if kind is PartKind.TYPED else {kind.value: words[:_MAX_FOREIGN]} for kind, words in parts]


def drop_oldest(prompt: Prompt) -> Prompt | None:
    """Return the prompt without the older half of its messages or signals; None if there is nothing left to drop."""
    told = json.loads(prompt.last)
    for key in ("messages", "signals"):
        if len(told.get(key, ())) > 1:
            told[key] = told[key][len(told[key]) // 2 :]
            return replace(prompt, last=_dump(told))
    return None


def _show(name: str, topic: Topic, most: int, clean: Clean) -> dict[str, object]:
    return {
        "file": name,
        "name": clean(topic.name),
        "description": clean(topic.description),
        "type": clean(topic.type_text),
        "pinned": topic.pinned,
        # Before truncation: half a secret is not recognised.
        "body": clean(topic.body)[:most],
    }


def _tell(signal: Signal) -> dict[str, object]:
    return {
        "signal": signal.id,
        "kind": signal.kind.value,
        "type": signal.type.value,
        "said": signal.text,
        "on": signal.timestamp.date().isoformat() if signal.timestamp else "",
        "times": signal.strength,
        "reverses": signal.reverses,
        "with_dates": " ".join(part for part in (signal.rule, signal.why, signal.how) if part),
    }


def _clean_all(value: object, clean: Clean) -> object:
    match value:
        case str():
            return clean(value)
        case list():
            return [_clean_all(part, clean) for part in value]
        case dict():
            return {key: _clean_all(part, clean) for key, part in value.items()}
    return value


def _dump(value: object) -> str:
    # JSON escapes line ends, so no text can pretend to be another entry.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
