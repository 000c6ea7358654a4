"""Reads what surrounds a date: words in its sentence, and lines below dated headings."""

import bisect
import re
from collections.abc import Iterable

from memci.patterns import LazyPattern
from memci.prose.dates.find import AbsoluteDate


def list_marks(pattern: LazyPattern, text: str, spans: Iterable[range]) -> list[int]:
    """Return where the pattern occurs in the spans; each character is read once, since a text may be all dates."""
    marks: list[int] = []
    seen = 0
    for span in spans:
        marks += [match.start() for match in pattern.finditer(text, max(seen, span.start), max(seen, span.stop))]
        seen = max(seen, span.stop)
    return marks


def any_in(positions: list[int], span: range) -> bool:
    """Whether one of the sorted positions lies in the span."""
    index = bisect.bisect_left(positions, span.start)
    return index < len(positions) and positions[index] < span.stop


def list_anchored_lines(text: str, dates: tuple[AbsoluteDate, ...]) -> set[int]:
    """Return the lines below a dated heading and those that begin with a date: they are entries of a log."""
    dated = {date.line: date for date in reversed(dates)}
    anchored = set()
    # The dated headings that are open here, by level.
    open_levels: set[int] = set()
    for number, line in enumerate(text.split("\n"), 1):
        heading = re.match(r"(#{1,6})[ \t]", line)
        if heading:
            level = len(heading[1])
            open_levels = {other for other in open_levels if other < level}
            if number in dated:
                open_levels.add(level)
        first = dated.get(number)
        if open_levels or (first and not line[: first.column - 1].strip(" \t-*+>#|([_")):
            anchored.add(number)
    return anchored
