"""What a model is told: data as JSON, from what stays the same to what changes with every call."""

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import replace

from memci.engines.claude.values import Prompt
from memci.engines.model.phases import render_system
from memci.model import ScopeSnapshot, Topic
from memci.transcript import Signal, Turn

# What is longer is shown by its beginning; guards judge against the whole.
_MAX_BODY = 4_000
# About 100,000 tokens: a scope of 200 topics of median size.
_MAX_MATERIAL = 250_000
# A chunk of messages stays below the size at which the small model costs more.
MAX_CHUNK = 120_000
_MAX_MESSAGE = 4_000


# An operation as the model wrote it, the guard that refused it, and why.
Refusal = tuple[object, str, str]


def name_topics(scope: ScopeSnapshot) -> dict[str, Topic]:
    """Give every topic that may be changed an id; a reply can name nothing else."""
    return {f"t{number}": topic for number, topic in enumerate(scope.topics, 1)}


def write_consolidation(scope: ScopeSnapshot, signals: Sequence[Signal], now: dt.datetime) -> Prompt:
    """Return the prompt of one scope."""
    topics = [_show(name, topic) for name, topic in name_topics(scope).items()]
    size = sum(len(json.dumps(topic)) for topic in topics)
    if size > _MAX_MATERIAL:
        # Names and descriptions are enough to say which topic is meant.
        topics = [{**topic, "body": str(topic["body"])[:400]} for topic in topics]
    material = _dump({"scope": scope.scope.id, "topics": topics})
    last = _dump({"today": now.date().isoformat(), "signals": [_tell(signal) for signal in signals]})
    return Prompt(render_system("consolidate"), material, last)


def write_repair(prompt: Prompt, refused: Sequence[Refusal], signals: Sequence[Signal]) -> Prompt:
    """Return the prompt that asks once more for what was refused; all but its end is the same."""
    told = [{"operation": shown, "guard": guard, "why": why} for shown, guard, why in refused]
    return replace(prompt, last=_dump({"refused": told, "signals": [_tell(signal) for signal in signals]}))


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
    messages = [
        {"message": number, "said": turn.text[:_MAX_MESSAGE], "where": turn.place.value}
        for number, turn in chunk.items()
    ]
    return Prompt(render_system("gather"), "", _dump({"messages": messages}))


def drop_oldest(prompt: Prompt) -> Prompt | None:
    """Return the prompt without the older half of its messages or signals; None if there is nothing left to drop."""
    told = json.loads(prompt.last)
    for key in ("messages", "signals"):
        if len(told.get(key, ())) > 1:
            told[key] = told[key][len(told[key]) // 2 :]
            return replace(prompt, last=_dump(told))
    return None


def _show(name: str, topic: Topic) -> dict[str, object]:
    return {
        "file": name,
        "name": topic.name,
        "description": topic.description,
        "type": topic.type_text,
        "pinned": topic.pinned,
        "body": topic.body[:_MAX_BODY],
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


def _dump(value: object) -> str:
    # One line per entry would let a text break out of its line in a reader's eyes; JSON escapes it.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
