"""The lines of what a person typed: prose, list items and headings."""

import enum
import re
from typing import NamedTuple

from memci.patterns import LazyPattern


class LineKind(enum.StrEnum):
    """What a line of a message is."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    BLANK = "blank"


# A named tuple: a message may be 60,000 empty lines, and a frozen dataclass takes five times as long to make.
class MessageLine(NamedTuple):
    """A line of a message: where its words start (behind a list mark) and end."""

    start: int
    end: int
    kind: LineKind


_ITEM = LazyPattern(r"\s*(?:[-*+•–—]|\(?\d{1,2}[.)]|[a-e][.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")


# What `_ITEM` matches begins with one of these, or with a digit.
_LIST_MARKS = frozenset("-*+•–—(abcde")


def split_lines(text: str) -> list[MessageLine]:
    """Return the lines of a message with what they are."""
    lines: list[MessageLine] = []
    position = 0
    for row in text.split("\n"):
        # Runs of empty lines are one.
        if row.strip() or not lines or lines[-1].kind is not LineKind.BLANK:
            lines.append(_classify(row, position))
        position += len(row) + 1
    return lines


def _classify(row: str, start: int) -> MessageLine:
    end = start + len(row)
    mark = row.strip()
    if not mark:
        return MessageLine(start, end, LineKind.BLANK)
    if (mark[0] in _LIST_MARKS or mark[0].isdigit()) and (item := _ITEM.match(row)):
        return MessageLine(start + item.end(), end, LineKind.ITEM)
    first = start + len(row) - len(row.lstrip(" \t"))
    return MessageLine(first, end, LineKind.HEADING if re.match(r"#{1,6}\s", mark) else LineKind.PROSE)
