"""How a sentence speaks of a name in it: as there, or as gone, planned, absent, forbidden or possible."""

import functools
import re

from memci.citations.extract.text_blocks import DONE, is_done
from memci.citations.wording.cues import ACCOUNTS, AFTER, BANNERS, BEFORE, HEADINGS
from memci.citations.wording.paragraph import (
    MAX_PHRASE,
    Paragraph,
    classify_before,
    classify_behind,
    mask_names,
    read_paragraph,
    read_table,
    split_words,
)
from memci.model.citation import Wording
from memci.patterns import LazyPattern

# A label applies to at most this much text.
_MAX_LABELLED = 2_000
_DATED = LazyPattern(r"[\s\-*+#>\[(|]{0,9}(?:\d{1,3}[.)]\s)?[\s*_\[(]{0,9}\d{4}[-/.年]\s?\d{1,2}(?:[-/.月]\s?\d{1,2})?")
# "Session of 2026-10-02" is the title of an entry in a log.
_ENTRY = LazyPattern(
    r"\W{0,9}(?:sessions?|log|run|day|week|standup|updates?|changes|release|status|daily|journal)\b.{0,80}20\d\d-\d\d",
    re.IGNORECASE,
)
# "- ❌ Create `src/` before …"
_BANNED = LazyPattern(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+[*_]{0,3}[❌🚫⛔]")
# An arrow leads from one thing to another; behind a dash something else is told, but "`x` — removed" is about `x`.
_ARROW = LazyPattern("→|⟶|⇒|->|=>")
_DASH = LazyPattern(r"(?<=\w)\s(?:—|–|--?)\s")


def _account_source() -> str:
    # What was seen once, what caused it, and what was done about it on a day.
    marks = r"[\s\-*+#>|]{0,9}(?:\d{1,3}[.)]\s{1,3})?[*_]{0,3}"
    done = "reviewed|approved|shipped|merged|fixed|completed|landed|deployed|released|implemented|closed|ran"
    day = rf"(?:{done})(?: (?:and|&) \w{{1,20}})?[\s*_:]{{1,4}}(?:on )?\(?\d{{4}}-\d\d-\d\d"
    return rf"{marks}(?:(?:{ACCOUNTS})(?: \([^()\n]{{1,60}}\))?[*_]{{0,3}}[:：]|{day})"


_ACCOUNT = LazyPattern(_account_source, re.IGNORECASE)
# A quote or bold type that opens with such a word, but "Resolved issues" is the name of something.
_BANNER = LazyPattern(
    lambda: (
        rf"(?:>[\s!]{{0,3}}(?:\[!\w{{1,12}}\][\s>]{{0,4}})?|\*\*)[^\w`]{{0,9}}"
        rf"(?:(?:status|state|note|update)\b[:：*\s]{{1,4}})?[^\w`]{{0,4}}(?:{'|'.join(BANNERS.split())})"
        r"\s*(?:$|\n|[^\w\s`]|\d|(?:by|since|on|in|as|and|with|for|now)\b)"
    ),
    re.IGNORECASE,
)


def classify_wording(block: str, start: int, end: int, heading: str = "") -> Wording:
    """Return how a paragraph describes the name at `start` to `end`.

    `heading` holds what is above it, one heading or list introduction per line.
    """
    for wording in (_classify_block(block, start), _classify_heading(heading)):
        if wording is not Wording.PLAIN:
            return wording
    return _classify_near(read_paragraph(block), block, start, end)


def _classify_block(block: str, start: int) -> Wording:
    """Classify a whole block by its beginning: a date, a label, or a checkbox."""
    labelled = block.rfind("\n**", max(0, start - _MAX_LABELLED), start) + 1
    if is_done(block) or _DATED.match(block) or _ACCOUNT.match(block, labelled):
        return Wording.HISTORICAL
    if block[:80].lstrip()[:5] in ("- [ ]", "* [ ]", "+ [ ]"):
        return Wording.PLANNED
    return Wording.PROHIBITED if _BANNED.match(block) else Wording.PLAIN


@functools.lru_cache(maxsize=512)
def _classify_heading(heading: str) -> Wording:
    found = (_classify_title(line[:200]) for line in heading.split("\n"))
    return next((wording for wording in found if wording is not Wording.PLAIN), Wording.PLAIN)


def _classify_title(line: str) -> Wording:
    if line == DONE or _DATED.match(line) or _ENTRY.match(line):
        return Wording.HISTORICAL
    known = read_table(HEADINGS)
    # A name in a heading is what the section is about, whatever it is called.
    for part in re.split(r"[()\[\]:|/—–]|\s-\s", mask_names(line)):
        words = [word.text for word in split_words(part)]
        for count in range(1, min(len(words), MAX_PHRASE) + 1):
            # "Deleted files", "Decision archive", but not "How deleted rows are kept".
            for phrase in (" ".join(words[:count]), " ".join(words[-count:])):
                if phrase in known:
                    return known[phrase][0]
    return Wording.PLAIN


def _classify_near(read: Paragraph, block: str, start: int, end: int) -> Wording:
    if block.count("~~", 0, start) % 2 and "~~" in block[end:]:
        return Wording.STRUCK
    low, high = read.sentence(start)
    start, end = read.widen(start, end)
    if next_arrow := _ARROW.search(read.masked, end, high):
        high = next_arrow.start()
    low = max([low, *(found.end() for cut in (_ARROW, _DASH) for found in cut.finditer(read.masked, low, start))])
    wording = classify_before(read.words_between(low, start), BEFORE)
    return wording if wording is not Wording.PLAIN else classify_behind(read.words_between(end, high), AFTER)


def is_banner(block: str) -> bool:
    """Whether a block, set apart from the text below it, opens by calling all of that history."""
    return _BANNER.match(block) is not None
