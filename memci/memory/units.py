"""Splits a body into the units that a draft keeps, moves or replaces; joined again, they are the same bytes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memci.memory.apply_edits import split_lines
from memci.patterns import LazyPattern

_ITEM = LazyPattern(r"(\s*(?:[-*+•]|\d{1,9}[.)])\s+)(?=\S)")
_LABEL = LazyPattern(r"\s*(\*\*[^*\n]{1,40}[:：]\*\*|\*\*[^*\n]{1,40}\*\*[:：])\s*")
_BLOCK = LazyPattern(r"\s{0,3}(?:#{1,6}\s|>|\||```|~~~|[-*+•]\s|\d{1,9}[.)]\s|\*\*[^*\n]{1,40}[:：]?\*\*)")
_FENCE = LazyPattern(r"\s{0,8}(`{3,}|~{3,})")
# A line after one of these begins another statement; otherwise it goes on with a wrapped one.
_ENDS = (".", "!", "?", "。", "！", "？", ":", "：", "  ")


# Headings, tables and fences begin on a line of their own.
_OWN_LINE = ("#", "|", "```", "~~~")


@dataclass(slots=True, eq=False)
class BodyUnit:
    """One paragraph, list item, heading, table or fence; two units with equal texts are different units."""

    text: str
    # The blank lines above it.
    gap: str = ""
    # The line end below it.
    end: str = "\n"
    # The unit that it was written behind.
    behind: "BodyUnit | None" = None

    @property
    def mark(self) -> str:
        """The indent and the mark of a list item; "" for anything else."""
        found = _ITEM.match(self.text)
        return found[1] if found else ""

    @property
    def label(self) -> str:
        """A label such as `**Why:**` at the start; "" if there is none."""
        found = _LABEL.match(self.text[len(self.mark) :])
        return found[1] if found else ""

    @property
    def words(self) -> str:
        """The text without list mark and label, as one line."""
        rest = self.text[len(self.mark) :]
        found = _LABEL.match(rest)
        return " ".join((rest[found.end() :] if found else rest).split())


def split_units(body: str) -> tuple[list[BodyUnit], str]:
    """Return the units of a body, and the blank lines below the last one."""
    units: list[BodyUnit] = []
    gap = ""
    for rows in _group_rows(split_lines(body)):
        whole = "".join(rows)
        if not whole.strip():
            gap += whole
            continue
        text = whole.rstrip("\r\n")
        units.append(BodyUnit(text, gap, whole[len(text) :], units[-1] if units else None))
        gap = ""
    return units, gap


def join_units(units: Sequence[BodyUnit], tail: str) -> str:
    """Return the body with these units; a paragraph behind another one than before has a blank line above it."""
    written: list[str] = []
    for place, unit in enumerate(units):
        plain = not (unit.mark or unit.label or unit.text.startswith(_OWN_LINE))
        moved = place > 0 and unit.behind is not units[place - 1]
        glued = plain and moved and not unit.gap and not units[place - 1].text.startswith("#")
        end = unit.end if place == len(units) - 1 else unit.end or "\n"
        written.append(f"{chr(10) if glued else unit.gap}{unit.text}{end}")
    return "".join(written) + tail


def _group_rows(rows: Sequence[str]) -> Iterator[list[str]]:
    """Yield the rows of each unit; blank rows alone."""
    group: list[str] = []
    fence = ""
    for row in rows:
        bare = row.strip()
        opened = _FENCE.match(row)
        if fence:
            group.append(row)
            if bare.startswith(fence) and not bare.strip(fence[0]):
                fence = ""
                yield group
                group = []
            continue
        if group and not (bare and _continues(group[-1], row)):
            yield group
            group = []
        if not bare:
            yield [row]
            continue
        group.append(row)
        fence = opened[1] if opened else ""
    if group:
        yield group


def _continues(above: str, row: str) -> bool:
    bare = row.strip()
    if bare.startswith("|"):
        return above.strip().startswith("|")
    if _BLOCK.match(row) or above.lstrip().startswith(("#", "|")):
        return False
    return not above.rstrip("\r\n").endswith(_ENDS) or row[:1] in {" ", "\t"}


def place_unit(words: str, label: str, old: BodyUnit | None = None, above: BodyUnit | None = None) -> BodyUnit:
    """Return new words as a unit in the style of the one that it replaces, or of the one above it."""
    if old:
        kept = old.label if label and old.label else label
        return BodyUnit(f"{old.mark}{kept}{' ' if kept else ''}{words}", old.gap, old.end or "\n")
    if above and above.mark and not label and not above.label:
        # Numbered lists would need new numbers, so a bullet is added below them.
        mark = above.mark if not any(map(str.isdigit, above.mark)) else "- "
        return BodyUnit(f"{mark}{words}")
    # A paragraph has a blank line above it, except at the beginning.
    return BodyUnit(f"{label}{' ' if label else ''}{words}", "\n" if above else "")
