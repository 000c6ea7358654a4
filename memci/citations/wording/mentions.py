"""How a sentence speaks of a name in it: as there, or as gone, planned, absent, forbidden or possible."""

import functools
import re
from collections.abc import Iterator

from memci.citations.extract.text_blocks import DONE, is_done
from memci.citations.wording.cue_phrases import find_phrase, heading_phrases, match_signs, plain_phrases, split_words
from memci.citations.wording.cue_reach import classify_near, mask_names, read_paragraph, set_of
from memci.citations.wording.cues import ACCOUNTS, BANNERS, CLOSED, LOG_WORDS
from memci.model.citation import Wording
from memci.patterns import LazyPattern

# Strongest first: a sentence that both forbids a name and calls it gone is history.
_PRIORITY = (
    Wording.STRUCK, Wording.HISTORICAL, Wording.PLANNED, Wording.NEGATED, Wording.PROHIBITED, Wording.HEDGED,
)  # fmt: skip
# A label applies to at most this much text.
_MAX_LABELLED = 2_000
# Behind the word that makes a banner: its end, a mark, a date, or what it came about by.
_BEHIND_BANNER = r"\s*(?:$|\n|[^\w\s`]|\d|(?:by|since|on|in|as|and|with|for|now)\b)"


def classify_wording(line: str, start: int, end: int, heading: str = "") -> Wording:
    """Return how `line`, which may be a whole paragraph, describes the name at `start` to `end`.

    `heading` holds what stands above, one heading or list introduction per line.
    """
    found = {
        *_whole_line(line, start),
        _heading_wording(heading),
        *classify_near(read_paragraph(line), start, end),
    }
    return _strongest(found)


def _strongest(found: set[Wording]) -> Wording:
    return next((wording for wording in _PRIORITY if wording in found), Wording.PLAIN)


_DATED = LazyPattern(r"[\s\-*+#>\[(|]{0,9}(?:\d{1,3}[.)]\s)?[\s*_\[(]{0,9}\d{4}[-/.年]\s?\d{1,2}(?:[-/.月]\s?\d{1,2})?")


def _any_date_source() -> str:
    months = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
    return rf"\b\d{{4}}-\d\d|\b(?:{months})[a-z]{{0,6}}\.? \d{{4}}"


_ANY_DATE = LazyPattern(_any_date_source, re.IGNORECASE)


def _account_source() -> str:
    # What was seen once, what caused it, and what was done about it on a day.
    marks = r"[\s\-*+#>|]{0,9}(?:\d{1,3}[.)]\s{1,3})?[*_]{0,3}"
    labels = "|".join(part.strip() for line in ACCOUNTS.split("\n") for part in line.split("|") if part.strip())
    done = "reviewed|approved|shipped|merged|fixed|completed|landed|deployed|released|implemented|closed|ran"
    day = rf"(?:{done})(?: (?:and|&) \w{{1,20}})?[\s*_:]{{1,4}}(?:on )?\(?\d{{4}}-\d\d-\d\d"
    return rf"{marks}(?:(?:{labels})(?: \([^()\n]{{1,60}}\))?[*_]{{0,3}}[:：]|{day})"


_ACCOUNT = LazyPattern(_account_source, re.IGNORECASE)


def _whole_line(line: str, start: int) -> tuple[Wording, ...]:
    """Classify a whole line by its beginning: a date, a label, or a checkbox."""
    labelled = line.rfind("\n**", max(0, start - _MAX_LABELLED), start) + 1
    head = line[:80].lstrip()[:5].lower()
    if head in ("- [ ]", "* [ ]", "+ [ ]"):
        return (Wording.PLANNED,)
    if _BANNED.match(line):
        return (Wording.PROHIBITED,)
    if is_done(line) or _DATED.match(line) or _ACCOUNT.match(line, labelled):
        return (Wording.HISTORICAL,)
    return ()


# "- ❌ Create `src/` before …"
_BANNED = LazyPattern(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+[*_]{0,3}[❌🚫⛔]")


@functools.lru_cache(maxsize=512)
def _heading_wording(heading: str) -> Wording:
    return _strongest({wording for line in heading.split("\n") for wording in _one_heading(line[:200])})


def _one_heading(line: str) -> Iterator[Wording]:
    if line == DONE or _DATED.match(line) or (_ANY_DATE.search(line) and 0 <= find_phrase(line, LOG_WORDS) < 4):
        yield Wording.HISTORICAL
    if line.strip("# *:").lower() in ("todo", "todos"):
        yield Wording.PLANNED
    # A name in a heading is what the section is about, whatever it is called.
    for part in re.split(r"[()\[\]:|/—–]|\s-\s", mask_names(line)):
        words = split_words(part)
        # "SEC-2 (fixed)", but not "Fixed widths".
        if len(words) == 1 and words[0].text in set_of(CLOSED):
            yield Wording.HISTORICAL
        for sign in match_signs(words, part, heading_phrases()):
            # "Deleted files", "Decision archive", but not "How deleted rows are kept".
            if sign.start == words[0].start or sign.end == words[-1].end:
                yield sign.cues[0].wording


def is_banner(block: str) -> bool:
    """Whether a block, set apart from the text below it, opens by calling all of that history."""
    opened = _BANNER.match(block)
    if not opened:
        return False
    rest = block[opened.end() : opened.end() + 80]
    sign = next(match_signs(split_words(rest), rest, plain_phrases(BANNERS)), None)
    # "Resolved issues" is the name of something, "Resolved in May" is not.
    return sign is not None and sign.start == 0 and re.match(_BEHIND_BANNER, rest[sign.end :]) is not None


def _banner_source() -> str:
    # A quote, bold or capital letters; a sentence that begins with "Removed" is no banner.
    apart = r"(?:>[\s!]{0,3}(?:\[!\w{1,12}\][\s>]{0,4})?|\*\*|(?=\W{0,4}[A-Z]{5}))"
    return rf"{apart}[^\w`]{{0,9}}(?:(?i:status|state|note|update)\b[:：*\s]{{1,4}})?[^\w`]{{0,4}}"


_BANNER = LazyPattern(_banner_source)
