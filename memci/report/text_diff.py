"""Compares two texts by words, or by lines and their words, in bounded time for any input."""

import difflib
import enum
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memci.memory.apply_edits import split_lines
from memci.report.escape import shorten

# Comparing takes the product of both sides: beyond this the whole block counts as replaced.
_MAX_PRODUCT = 250_000
# Unchanged lines that are shown around a change, as git does.
_CONTEXT = 3
# Ours: a longer line, or a longer difference, is not read on a page. What is left out is counted.
_MAX_LINE = 2_000
_MAX_ROWS = 400
# How many lines further down the new form of an old line is looked for, and how many of their words must be shared.
_REACH = 8
_LEAST_SHARED = 0.4


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


# Of a paragraph in which little changed, a reader needs the sentence.
_LONG = 300
_AROUND = 120


def show_change(new: str, old: str) -> tuple[str, str]:
    """Return both texts without what they share far before and far behind the change, if they are long."""
    if not old or not new or max(len(old), len(new)) <= _LONG:
        return new, old
    least = min(len(old), len(new))
    head = next((at for at in range(least) if old[at] != new[at]), least)
    tail = next((at for at in range(least - head) if old[-1 - at] != new[-1 - at]), least - head)
    start = new.rfind(" ", 0, max(0, head - _AROUND)) + 1
    end = new.find(" ", len(new) - max(0, tail - _AROUND))
    left_out = len(new) - end if end >= 0 else 0
    before, behind = "… " * bool(start), " …" * bool(left_out)
    return (
        f"{before}{new[start : len(new) - left_out]}{behind}",
        f"{before}{old[start : len(old) - left_out]}{behind}",
    )


class DiffPiece(NamedTuple):
    """A part of a line, and whether it is what differs."""

    text: str
    changed: bool


class DiffRow(NamedTuple):
    """One line of a difference: `same`, `gone`, `new`, `change` (both sides), or `skip` for lines not shown."""

    kind: str
    # Line numbers from 1, 0 on the side where there is none; for a skip, `old` is the number of skipped lines.
    old: int
    new: int
    left: tuple[DiffPiece, ...] = ()
    right: tuple[DiffPiece, ...] = ()


def compare_texts(old: str, new: str) -> tuple[DiffRow, ...]:
    """Compare two texts; what is equal is shown only around what is not."""
    rows = list(_compare(split_lines(old), split_lines(new))) if old != new else []
    if len(rows) > _MAX_ROWS:
        rows = [*rows[:_MAX_ROWS], DiffRow("skip", len(rows) - _MAX_ROWS, 1)]
    return tuple(rows)


def _compare(before: Sequence[str], after: Sequence[str]) -> Iterator[DiffRow]:
    blocks = find_blocks(before, after)
    for at, block in enumerate(blocks):
        numbers, others = (range(side.start, side.stop) for side in (block.old, block.new))
        if not block.same:
            yield from _replace(before, after, numbers, others)
            continue
        rows = [DiffRow("same", k + 1, n + 1, *2 * (_show(before[k]),)) for k, n in zip(numbers, others, strict=True)]
        # Nothing is before the first block, and nothing behind the last one.
        head = _CONTEXT if at else 0
        tail = max(head, len(rows) - (_CONTEXT if at + 1 < len(blocks) else 0))
        yield from rows[:head]
        if tail > head:
            yield DiffRow("skip", tail - head, 0)
        yield from rows[tail:]


def _replace(before: Sequence[str], after: Sequence[str], numbers: range, others: range) -> Iterator[DiffRow]:
    """Pair each old line with its new form, if there is one near, in order."""
    words = {k: set(map(str.strip, _split(after[k]))) for k in others}
    at = others.start
    for number in numbers:
        mine = set(map(str.strip, _split(before[number])))
        near = range(at, min(at + _REACH, others.stop))
        found = next((k for k in near if 2 * len(mine & words[k]) > _LEAST_SHARED * len(mine | words[k])), None)
        if found is None:
            yield DiffRow("gone", number + 1, 0, left=_show(before[number]))
            continue
        yield from (DiffRow("new", 0, k + 1, right=_show(after[k])) for k in range(at, found))
        yield DiffRow("change", number + 1, found + 1, *_compare_words(before[number], after[found]))
        at = found + 1
    yield from (DiffRow("new", 0, k + 1, right=_show(after[k])) for k in range(at, others.stop))


def _compare_words(old: str, new: str) -> tuple[tuple[DiffPiece, ...], tuple[DiffPiece, ...]]:
    one, other = _split(old), _split(new)
    left, right = [], []
    for block in find_blocks(one, other):
        left.append(DiffPiece("".join(one[block.old]), not block.same))
        right.append(DiffPiece("".join(other[block.new]), not block.same))
    return tuple(filter(lambda piece: piece.text, left)), tuple(filter(lambda piece: piece.text, right))


def _split(line: str) -> list[str]:
    # A blank belongs to the word before it, so that neighbours that changed are one piece.
    return re.findall(r"\w+\s*|[^\w\s]\s*|^\s+", _show(line)[0].text)


def _show(line: str) -> tuple[DiffPiece]:
    whole = line[:-1] if line.endswith("\n") else f"{line} [no line end]"
    return (DiffPiece(shorten(whole, _MAX_LINE), changed=False),)
