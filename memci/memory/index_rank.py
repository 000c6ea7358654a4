"""Shortens an index to what the client loads: which lines may be removed, and in which order."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from memci.memory.client_limit import MAX_BYTES, MAX_LINES
from memci.memory.pointers import keep_in_topic
from memci.model.finding import Edit
from memci.model.memory import Index, IndexLine, IndexLineKind, Topic, TopicType

# Corrections and people outrank project notes: they change what an agent does, not only what it knows.
_RANKS = {TopicType.FEEDBACK: 0, TopicType.USER: 1, TopicType.REFERENCE: 2, TopicType.PROJECT: 3}


class Fitted(NamedTuple):
    """The edits that make an index fit, and the pointers that were removed."""

    edits: tuple[Edit, ...]
    dropped: tuple[str, ...]


def rank(topic: Topic) -> int:
    """Return the rank of a topic: 0 is removed last, a topic without a type first."""
    return _RANKS[topic.type] if topic.type else len(_RANKS)


def fit(
    index: Index,
    topics: Mapping[PurePosixPath, Topic],
    reserved: Sequence[str] = (),
    used: Mapping[PurePosixPath, int] | None = None,
) -> Fitted | None:
    """Shorten an index, with the reserved lines, to both limits; None if it fits, or if that is not enough.

    Blank lines are removed first, then plain pointers to these topics, lowest rank first. Within a rank those leave
    first whose topics were `used` in the fewest sessions, and of these the upper ones, because new pointers, and so
    corrections, are appended. The text of a hook is kept in its topic.
    """
    lines = len(index.lines) + len(reserved)
    size = sum(len(text.encode("utf-8", "replace")) for text in (index.text, *reserved))
    if lines <= MAX_LINES and size <= MAX_BYTES:
        return None
    removed: list[IndexLine] = []
    dropped: list[str] = []
    edits: list[Edit] = []
    for line in _candidates(index, topics, used or {}):
        if lines <= MAX_LINES and size <= MAX_BYTES:
            break
        removed.append(line)
        lines -= 1
        size -= len(line.whole.encode("utf-8", "replace"))
        if line.pointers:
            pointer = line.pointers[0]
            dropped.append(pointer.target)
            kept = keep_in_topic(topics[pointer.path], pointer.hook) if pointer.path else None
            edits += [kept] if kept else []
    if lines > MAX_LINES or size > MAX_BYTES:
        return None
    edits += [Edit(index.path, line.line, line.whole, "") for line in removed]
    return Fitted(tuple(edits), tuple(dropped))


def _candidates(
    index: Index, topics: Mapping[PurePosixPath, Topic], used: Mapping[PurePosixPath, int]
) -> Iterable[IndexLine]:
    yield from (line for line in index.lines if line.kind is IndexLineKind.BLANK)
    pointers = [(line, topics.get(line.pointers[0].path or index.path)) for line in index.lines if line.plain]
    movable = [(line, topic) for line, topic in pointers if topic and not topic.pinned]
    movable.sort(key=lambda pair: (-rank(pair[1]), used.get(pair[1].path, 0), pair[0].line))
    yield from (line for line, _ in movable)
