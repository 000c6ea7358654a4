"""The blocks of a text (paragraphs, list items, table rows, fences), with the headings and introductions above each."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memci.patterns import LazyPattern
from memci.prose.markdown import Region, RegionKind

# A longer line that ends in a colon is a statement of its own.
_MAX_LEAD_WORDS = 9
# Deeper lists than this are not for people, and each level is repeated for every line below it.
_MAX_LEADS = 8


class TextSection(NamedTuple):
    """One block; `heading` has the headings and list introductions above it, one per line."""

    start: int
    end: int
    heading: str
    fence: bool = False


@dataclass(slots=True)
class _Above:
    """The headings and list introductions above the next line."""

    headings: list[tuple[int, str]] = field(default_factory=list)
    # Indent and text; a paragraph that introduces a list has the indent -1.
    leads: list[tuple[int, str]] = field(default_factory=list)

    def text(self) -> str:
        return "\n".join(text for _, text in (*self.headings, *self.leads))


_MARK = LazyPattern(r"([ \t]*)(?:(#{1,6})[ \t]|([-*+]|\d{1,3}[.)])[ \t]|(\|))")


_ADVICE = LazyPattern(r"[*_]{0,3}(?:recommendations?|suggestions?|proposals?)[*_]{0,3}:", re.IGNORECASE)


# Stands above what belongs to an item that is done.
DONE = "✅"


# "- [x] Task", "7. ~~Task~~ ✅", "- ✅ **Task** (done on 2026-07-23)"; "~~`a.py`~~ `b.py`" only replaces a name.
_DONE = LazyPattern(
    r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[xX]\]|[*_]{0,3}~~(?!`[^`]*`~~)"
    r"|[*_]{0,3}[✅☑✔][^\n]{0,200}?(?:20\d\d-\d\d-\d\d|\d{1,2}[/.]\d\d[/.]20\d\d))"
)


def is_done(block: str) -> bool:
    """Whether a block begins as an item that is struck out or checked off: it tells what was done then."""
    return _DONE.match(block) is not None


def split_sections(text: str, regions: Sequence[Region]) -> list[TextSection]:
    """Return the blocks of a text from first to last."""
    fences = {region.start: region.end for region in regions if region.kind is RegionKind.FENCE}
    return list(_scan(text, fences))


def _scan(text: str, fences: dict[int, int]) -> Iterator[TextSection]:
    above = _Above()
    opened: TextSection | None = None
    position = 0
    while position < len(text):
        if position in fences and fences[position] > position:
            end = fences[position]
            if opened:
                yield opened
            opened = None
            yield TextSection(position, end, above.text(), fence=True)
            position = end
            continue
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        line = text[position:end]
        mark = _MARK.match(line)
        if opened and (not line.strip() or mark):
            yield opened
            opened = None
        if line.strip():
            heading = opened.heading if opened else _enter(above, line, mark)
            opened = TextSection(opened.start if opened else position, end, heading)
            _note_lead(above, line, mark)
        position = end + 1
    if opened:
        yield opened


def _enter(above: _Above, line: str, mark: re.Match[str] | None) -> str:
    """Return the headings above a new block, and drop those that it ends."""
    if mark and mark[2]:
        level = len(mark[2])
        above.headings = [*(item for item in above.headings if item[0] < level), (level, line[mark.end() :][:200])]
        above.leads = []
    elif mark and mark[3]:
        indent = len(mark[1])
        above.leads = [lead for lead in above.leads if lead[0] < indent]
    elif not mark and not line.startswith((" ", "\t")):
        above.leads = []
    return above.text()


def _note_lead(above: _Above, line: str, mark: re.Match[str] | None) -> None:
    bare = line.strip().rstrip("*_")
    if mark and (mark[2] or mark[4]):
        return
    if mark and is_done(line) and len(above.leads) < _MAX_LEADS:
        above.leads.append((len(mark[1]), DONE))
        return
    if mark and mark[3] and _ADVICE.match(line, mark.end()) and len(above.leads) < _MAX_LEADS:
        # What follows in the same list is advice, too.
        above.leads.append((len(mark[1]) - 1, "Recommendations"))
    introduces = bare.endswith((":", "：")) or (line.strip().startswith("**") and line.strip().endswith("**"))
    if introduces and len(bare.split()) <= _MAX_LEAD_WORDS and len(bare) <= 120 and len(above.leads) < _MAX_LEADS:
        above.leads.append((len(mark[1]) if mark else -1, bare))
