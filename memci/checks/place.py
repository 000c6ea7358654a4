"""Where in a text something was found: its line and its column, from 1."""

from collections.abc import Iterable
from typing import Protocol, TypeVar


class _Found(Protocol):
    @property
    def start(self) -> int: ...


_T = TypeVar("_T", bound=_Found)


def group_by_line(text: str, found: Iterable[_T]) -> dict[int, list[_T]]:
    """Return what was found, which is in order, by its lines."""
    lines: dict[int, list[_T]] = {}
    line, done = 1, 0
    for one in found:
        line += text.count("\n", done, one.start)
        done = one.start
        lines.setdefault(line, []).append(one)
    return lines


def column_of(text: str, start: int) -> int:
    """Return the column of a position."""
    return start - text.rfind("\n", 0, start)
