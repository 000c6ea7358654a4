"""Locates code, comments and link targets in Markdown in one linear pass."""

import bisect
import enum
import functools
import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

from memci.patterns import LazyPattern

# Longer link targets do not occur; the bound keeps a line of unclosed links linear.
MAX_TARGET = 1_000


class RegionKind(enum.StrEnum):
    """What a region is."""

    FENCE = "fence"
    CODE = "code"
    COMMENT = "comment"
    TARGET = "target"
    URL = "url"


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the text, without the marks around it (comments: with them)."""

    kind: RegionKind
    start: int
    end: int


_INLINE = LazyPattern(r"\\.|`+|<!--|\]\(|https?://[^\s<>()\"'`]*")
_FENCE = LazyPattern(r" {0,3}(?:[-*+] {1,3})?(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_BACKTICKS = LazyPattern("`+")
_EMPTY_LINES = LazyPattern(r"\n++")


# Most rules ask for the regions of the same texts, one rule after the other.
@functools.lru_cache(maxsize=2048)
def parse_regions(text: str) -> tuple[Region, ...]:
    """Return code, comments and link targets from first to last."""
    return tuple(_scan(text))


def _scan(text: str) -> Iterator[Region]:
    position = 0
    while position < len(text):
        end = _line_end(text, position)
        fence = _FENCE.match(text, position, end)
        if fence:
            close, after = _close_fence(text, end + 1, fence[1])
            yield Region(RegionKind.FENCE, min(end + 1, len(text)), close)
            position = after
        elif position == end:
            # Runs of empty lines are skipped without checking for fences.
            run = _EMPTY_LINES.match(text, position)
            position = run.end() if run else end + 1
        elif text[position:end].isspace():
            position = end + 1
        else:
            block_end = _block_end(text, end)
            position = yield from _scan_block(text, position, block_end)


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _close_fence(text: str, position: int, mark: str) -> tuple[int, int]:
    """Return where the fenced text ends and where the line behind the fence begins."""
    while position < len(text):
        end = _line_end(text, position)
        line = text[position:end].strip()
        if len(line) >= len(mark) and not line.strip(mark[0]):
            return position, end + 1
        position = end + 1
    return len(text), len(text)


def _block_end(text: str, position: int) -> int:
    """Return the end of the paragraph whose first line ends at `position`."""
    while position < len(text):
        end = _line_end(text, position + 1)
        line = text[position + 1 : end].strip()
        # The cheap test first: a paragraph may have 30,000 lines.
        if not line or (("```" in line or "~~~" in line) and _FENCE.match(text, position + 1, end)):
            return position
        position = end
    return len(text)


def _scan_block(text: str, start: int, end: int) -> Generator[Region, None, int]:
    """Yield the regions of one paragraph; return where to continue (a comment may extend beyond the paragraph)."""
    runs: dict[int, list[int]] | None = None
    position = start
    while found := _INLINE.search(text, position, end):
        mark, position = found[0], found.end()
        if mark == "<!--":
            close = text.find("-->", position)
            stop = len(text) if close < 0 else close + 3
            yield Region(RegionKind.COMMENT, found.start(), stop)
            if stop >= end:
                return stop
            position = stop
        elif mark[0] == "`":
            runs = _backticks(text, start, end) if runs is None else runs
            close = _next(runs.get(len(mark), []), position)
            if close >= 0:
                yield Region(RegionKind.CODE, position, close)
                position = close + len(mark)
        elif mark == "](":
            close = text.find(")", position, min(position + MAX_TARGET, end))
            if close >= 0 and "\n" not in text[position:close]:
                yield Region(RegionKind.TARGET, position, close)
                position = close + 1
        elif mark[0] == "h":
            yield Region(RegionKind.URL, found.start(), position)
    return end


def _backticks(text: str, start: int, end: int) -> dict[int, list[int]]:
    runs: dict[int, list[int]] = {}
    for found in _BACKTICKS.finditer(text, start, end):
        runs.setdefault(len(found[0]), []).append(found.start())
    return runs


def _next(positions: list[int], position: int) -> int:
    place = bisect.bisect_left(positions, position)
    return positions[place] if place < len(positions) else -1


def list_comments(text: str) -> list[tuple[int, int]]:
    """Return start and end of every HTML comment outside code; an unclosed one runs to the end."""
    return [(region.start, region.end) for region in parse_regions(text) if region.kind is RegionKind.COMMENT]


def mask_code(text: str) -> str:
    """Blank out code, comments, link targets and addresses; every other character keeps its place."""
    return mask(text, parse_regions(text))


def mask(text: str, regions: Iterable[Region]) -> str:
    """Replace the regions with blanks, keeping line ends."""
    parts = []
    position = 0
    for region in regions:
        parts.append(text[position : region.start])
        inside = text[region.start : region.end]
        parts.append("\n".join(" " * len(line) for line in inside.split("\n")))
        position = region.end
    parts.append(text[position:])
    return "".join(parts)
