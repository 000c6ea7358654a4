"""Compares two texts by lines and words, in bounded time for any input."""

import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memci.memory.apply_edits import split_lines
from memci.report.escape import shorten

# Unchanged lines that are shown around a change, as git does.
_CONTEXT = 3
# Ours: a longer line, or a longer difference, is not read on a page. What is left out is counted.
_MAX_LINE = 2_000
_MAX_ROWS = 400
# Comparing takes the product of both sides: beyond these the whole block counts as replaced.
_MAX_PRODUCT = 250_000
_MAX_WORDS = 500
# How many lines further down the new form of an old line is looked for, and how many of their words must be shared.
_REACH = 8
_LEAST_SHARED = 0.4
# Of a long line that differs far behind its beginning so much is shown before the difference.
_LEAD = 80


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
    before, after = split_lines(old), split_lines(new)
    rows = list(_fold(_compare(before, after)))
    if len(rows) > _MAX_ROWS:
        rows = [*rows[:_MAX_ROWS], DiffRow("skip", len(rows) - _MAX_ROWS, 1)]
    return tuple(rows)


def _compare(before: Sequence[str], after: Sequence[str]) -> Iterator[DiffRow]:
    head, tail = _count_common(before, after)
    yield from (_same(before[at], at, at) for at in range(head))
    middle, other = before[head : len(before) - tail], after[head : len(after) - tail]
    for tag, i1, i2, j1, j2 in _list_blocks(middle, other):
        if tag == "equal":
            yield from (_same(middle[i1 + k], head + i1 + k, head + j1 + k) for k in range(i2 - i1))
        else:
            yield from _replace(middle[i1:i2], other[j1:j2], head + i1, head + j1)
    for k in range(tail, 0, -1):
        yield _same(before[-k], len(before) - k, len(after) - k)


def _count_common(one: Sequence[str], other: Sequence[str]) -> tuple[int, int]:
    """Return how many items both sides share at the beginning and, of the rest, at the end."""
    least = min(len(one), len(other))
    head = next((at for at in range(least) if one[at] != other[at]), least)
    tail = next((k for k in range(least - head) if one[-1 - k] != other[-1 - k]), least - head)
    return head, tail


def _list_blocks(one: Sequence[str], other: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    if not one and not other:
        return []
    if len(one) * len(other) > _MAX_PRODUCT:
        return [("replace", 0, len(one), 0, len(other))]
    return difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes()


def _same(line: str, old: int, new: int) -> DiffRow:
    shown = (DiffPiece(_show(line), changed=False),)
    return DiffRow("same", old + 1, new + 1, shown, shown)


def _replace(before: Sequence[str], after: Sequence[str], old: int, new: int) -> Iterator[DiffRow]:
    """Pair each old line with its new form, if there is one near, in order."""
    if len(before) + len(after) > _MAX_ROWS:
        yield from (_removed(line, old + number) for number, line in enumerate(before))
        yield from (_added(line, new + number) for number, line in enumerate(after))
        return
    words = [Counter(_split(line[:_MAX_LINE])) for line in after]
    at = 0
    for number, line in enumerate(before):
        mine = Counter(_split(line[:_MAX_LINE]))
        near = range(at, min(at + _REACH, len(after)))
        found = next((k for k in near if _share(mine, words[k]) >= _LEAST_SHARED), None)
        if found is None:
            yield _removed(line, old + number)
            continue
        yield from (_added(after[k], new + k) for k in range(at, found))
        yield DiffRow("change", old + number + 1, new + found + 1, *_compare_words(line, after[found]))
        at = found + 1
    yield from (_added(after[k], new + k) for k in range(at, len(after)))


def _removed(line: str, number: int) -> DiffRow:
    return DiffRow("gone", number + 1, 0, left=(DiffPiece(_show(line), changed=False),))


def _added(line: str, number: int) -> DiffRow:
    return DiffRow("new", 0, number + 1, right=(DiffPiece(_show(line), changed=False),))


def _share(one: Counter[str], other: Counter[str]) -> float:
    """Return how much of their words two lines share, white space not counted."""
    counts = [sum(count for word, count in words.items() if not word.isspace()) for words in (one, other)]
    both = sum(count for word, count in (one & other).items() if not word.isspace())
    return 2 * both / max(1, sum(counts))


def _compare_words(old: str, new: str) -> tuple[tuple[DiffPiece, ...], tuple[DiffPiece, ...]]:
    old, new = (_strip_end(line) for line in (old, new))
    if max(len(old), len(new)) > _MAX_LINE:
        head, _ = _count_common(old, new)
        cut = max(0, head - _LEAD)
        old, new = (f"[{cut:,} characters ...] {line[cut:]}" if cut else line for line in (old, new))
    one, other = (_split(shorten(line, _MAX_LINE)) for line in (old, new))
    head, tail = _count_common(one, other)
    middle, rest = one[head : len(one) - tail], other[head : len(other) - tail]
    if max(len(middle), len(rest)) > _MAX_WORDS:
        blocks: Sequence[tuple[str, int, int, int, int]] = [("replace", 0, len(middle), 0, len(rest))]
    else:
        blocks = _list_blocks(middle, rest)
    left, right = [DiffPiece("".join(one[:head]), changed=False)], [DiffPiece("".join(other[:head]), changed=False)]
    for tag, i1, i2, j1, j2 in blocks:
        left.append(DiffPiece("".join(middle[i1:i2]), tag != "equal"))
        right.append(DiffPiece("".join(rest[j1:j2]), tag != "equal"))
    end = len(one) - tail
    left.append(DiffPiece("".join(one[end:]), changed=False))
    right.append(DiffPiece("".join(one[end:]), changed=False))
    return _join(left), _join(right)


def _join(pieces: Sequence[DiffPiece]) -> tuple[DiffPiece, ...]:
    """Put neighbours of one kind together; a blank between two changes belongs to them."""
    joined: list[DiffPiece] = []
    for number, piece in enumerate(pieces):
        if not piece.text:
            continue
        follows = any(later.changed and later.text for later in pieces[number + 1 : number + 2])
        blank = piece.text.isspace() and bool(joined) and joined[-1].changed and follows
        changed = piece.changed or blank
        if joined and joined[-1].changed == changed:
            joined[-1] = DiffPiece(joined[-1].text + piece.text, changed)
        else:
            joined.append(DiffPiece(piece.text, changed))
    return tuple(joined)


def _split(line: str) -> list[str]:
    return re.findall(r"\w+|\s+|[^\w\s]", line)


def _show(line: str) -> str:
    return shorten(_strip_end(line), _MAX_LINE)


def _strip_end(line: str) -> str:
    return line[:-1] if line.endswith("\n") else f"{line} [no line end]"


def _fold(rows: Iterator[DiffRow]) -> Iterator[DiffRow]:
    """Replace unchanged lines far from any change with a row that counts them."""
    every = list(rows)
    near = {at + step for at, row in enumerate(every) if row.kind != "same" for step in range(-_CONTEXT, _CONTEXT + 1)}
    left_out = 0
    for at, row in enumerate(every):
        if at not in near:
            left_out += 1
            continue
        if left_out:
            yield DiffRow("skip", left_out, 0)
            left_out = 0
        yield row
    if left_out and near:
        yield DiffRow("skip", left_out, 0)
