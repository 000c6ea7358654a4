"""Locates lines that a memory cites in the current text, from the old and the new text alone."""

import enum
from collections.abc import Sequence
from typing import NamedTuple

# Among more equal blocks than this the intended one is unknown; the limit also bounds the search.
_MAX_EQUAL = 50


class BlockState(enum.StrEnum):
    """What became of a cited block of lines."""

    SAME = "same place"
    MOVED = "moved"
    CHANGED = "changed"
    # The file has become shorter than the citation.
    TOO_SHORT = "file too short"
    # There is more than one such block now, or the block is blank.
    AMBIGUOUS = "ambiguous"
    # The file did not have these lines when they were cited either.
    NEVER = "never there"


class Block(NamedTuple):
    """What became of a cited block, and its first and last line now if they are known."""

    state: BlockState
    lines: tuple[int, int] = (0, 0)


def find_block(old: str, new: str, first: int, last: int) -> Block:
    """Find the lines `first` to `last` of the old text in the new one, exactly or but for white space."""
    before, after = _split(old), _split(new)
    if not 1 <= first <= last <= len(before):
        return Block(BlockState.NEVER)
    size = last - first + 1
    ambiguous = False
    for form in (str, _squeeze):
        then, now = [form(line) for line in before], [form(line) for line in after]
        block = then[first - 1 : last]
        if now[first - 1 : last] == block:
            return Block(BlockState.SAME, (first, last))
        if not any(map(str.strip, block)):
            return Block(BlockState.AMBIGUOUS)
        starts = _find_starts(now, block)
        # Equal blocks keep their order: the second of three then is the second of three now.
        origins = _find_starts(then, block) if len(starts) > 1 else [first]
        if starts and len(starts) == len(origins) <= _MAX_EQUAL:
            start = starts[origins.index(first)]
            return Block(BlockState.MOVED if start != first else BlockState.SAME, (start, start + size - 1))
        ambiguous = ambiguous or bool(starts)
    if ambiguous:
        return Block(BlockState.AMBIGUOUS)
    return Block(BlockState.TOO_SHORT if last > len(after) else BlockState.CHANGED)


def _split(text: str) -> list[str]:
    """Return the lines of a text; the end of the last one starts no further line."""
    return text.removesuffix("\n").split("\n") if text else []


def _squeeze(line: str) -> str:
    return " ".join(line.split())


def _find_starts(lines: Sequence[str], block: Sequence[str]) -> list[int]:
    """Return the line numbers at which the block begins, at most one more than `_MAX_EQUAL`."""
    # As one string, because searching that is linear however often the lines repeat.
    text, wanted = "\n".join(("", *lines, "")), "\n".join(("", *block, ""))
    starts: list[int] = []
    line, counted = 1, 0
    place = text.find(wanted)
    while place >= 0 and len(starts) <= _MAX_EQUAL:
        line += text.count("\n", counted, place)
        counted = place
        starts.append(line)
        place = text.find(wanted, place + 1)
    return starts
