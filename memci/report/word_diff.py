"""Compares two texts by lines or words, in bounded time for any input."""

import difflib
import enum
import itertools
from collections.abc import Sequence
from typing import NamedTuple

# Comparing takes the product of both sides: beyond this the whole block counts as replaced.
_MAX_PRODUCT = 250_000


class DiffBlock(NamedTuple):
    """A run of items that both sides share, or that one has instead of the other's."""

    same: bool
    old: slice
    new: slice


class DiffPart(enum.StrEnum):
    """What happened to a run of words."""

    SAME = "same"
    GONE = "gone"
    COME = "come"


def find_blocks(old: Sequence[str], new: Sequence[str]) -> list[DiffBlock]:
    """Return the blocks of two sequences in order; long ones are compared from both ends only."""
    least = min(len(old), len(new))
    head = next((at for at in range(least) if old[at] != new[at]), least)
    tail = next((k for k in range(least - head) if old[-1 - k] != new[-1 - k]), least - head)
    ends = len(old) - tail, len(new) - tail
    middle, other = old[head : ends[0]], new[head : ends[1]]
    codes = [("replace", 0, len(middle), 0, len(other))]
    if len(middle) * len(other) <= _MAX_PRODUCT:
        codes = [*difflib.SequenceMatcher(None, middle, other, autojunk=False).get_opcodes()]
    blocks = [
        DiffBlock(same=True, old=slice(0, head), new=slice(0, head)),
        *(DiffBlock(tag == "equal", slice(head + a, head + b), slice(head + c, head + d)) for tag, a, b, c, d in codes),
        DiffBlock(same=True, old=slice(ends[0], len(old)), new=slice(ends[1], len(new))),
    ]
    return [block for block in blocks if old[block.old] or new[block.new]]


def diff_words(old: str, new: str) -> list[tuple[DiffPart, str]]:
    """Return the words of both texts in runs, in an order that reads well."""
    before, after = old.split(), new.split()
    parts: list[tuple[DiffPart, list[str]]] = []
    for block in find_blocks(before, after):
        if block.same:
            parts.append((DiffPart.SAME, before[block.old]))
        else:
            parts += ((DiffPart.GONE, before[block.old]), (DiffPart.COME, after[block.new]))
    return [(part, " ".join(words)) for part, words in parts if words]


def shorten_same(parts: Sequence[tuple[DiffPart, str]], words: int) -> list[tuple[DiffPart, str]]:
    """Keep only so many words beside what changed."""
    short: list[tuple[DiffPart, str]] = []
    for place, (part, text) in enumerate(parts):
        said = text.split()
        if part is not DiffPart.SAME or len(said) <= 2 * words + 1:
            short.append((part, text))
            continue
        head = said[:words] if place else []
        tail = said[-words:] if place + 1 < len(parts) else []
        short.append((part, " ".join(itertools.chain(head, ["…"], tail))))
    return short
