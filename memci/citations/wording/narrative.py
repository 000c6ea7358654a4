"""Accounts: what tells of one day or of one piece of work. It names things as they were then.

Of 539 findings in public memories that were judged by hand, 95 % of those outside of accounts were right, and 65 % of
those about names and lines inside. Paths of code with a directory age better: a date beside them says nothing.
"""

import bisect
import enum
import functools
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.citations.extract.text_blocks import TextSection, split_sections
from memci.citations.wording.cue_phrases import find_phrase, split_words
from memci.citations.wording.cue_sentences import MASK, mask_names, sentence_bounds
from memci.citations.wording.cues import (
    ENDED,
    FINISHED,
    ISSUES,
    PAPERS,
    PASSIVES,
    PAST,
    PLANS,
    REASONS,
    REMOVED,
    REPORTS,
    STANDARDS,
    UNITS,
    UPDATES,
)
from memci.patterns import LazyPattern
from memci.prose.markdown import parse_regions

# How much of the first paragraph, or of any block, is read to classify it.
_MAX_TOP = 400
_MAX_BLOCK = 20_000
INDEX = "MEMORY.md"
# Of the findings that nothing else left alone 21 of 29 were right in longer topics, and 107 of 112 in others; 59 of 70
# in topics with a date, and 69 of 71 in those without.
_MAX_NOTE = 6_000


class Account(enum.IntEnum):
    """How far a part of a text is an account."""

    NONE = 0
    DATED = 1
    # It names a commit, a ticket or a stage of work, or reports that work is finished.
    OF_WORK = 2


@dataclass(frozen=True, slots=True)
class Accounts:
    """The accounts in one text."""

    text: str
    # Where each line begins.
    lines: Sequence[int]
    sections: Sequence[TextSection]
    starts: Sequence[int]
    # Where the text behind the frontmatter begins.
    body: int
    whole: Account
    # An index lives on, whatever its entries are about.
    index: bool

    def find(self, line: int, column: int) -> Account:
        """Classify the text at a place by its sentence, its block and the headings above it."""
        position = self._offset(line, column)
        if position < 0:
            return self.whole
        section = self._section_at(position)
        titles = (_weigh_title(title, kept_up=self.index) for title in section.heading.split("\n"))
        above = max(self.whole, *titles)
        if section.fence:
            return above
        block = self._read(section)
        low, high = sentence_bounds(block, position - section.start)
        low = max(low, min(self.body, position) - section.start)
        return max(above, _weigh_block(block), _weigh_sentence(mask_names(block[low:high])))

    def is_dated(self, line: int, column: int) -> bool:
        """Whether the block at a place, a heading above it, or the whole text is about one day or piece of work."""
        position = self._offset(line, column)
        if position < 0 or self.whole is not Account.NONE:
            return self.whole is not Account.NONE
        section = self._section_at(position)
        above = max(map(_weigh_title, section.heading.split("\n")))
        return above is not Account.NONE or _DATE.search(self._read(section)) is not None

    def is_of_issues(self, line: int, column: int) -> bool:
        """Whether a heading or introduction above a place announces a list of faults."""
        position = self._offset(line, column)
        above = self._section_at(position).heading if position >= 0 else ""
        return not set(ISSUES.split()).isdisjoint(word.text for word in split_words(above))

    def measure(self, line: int, column: int) -> int:
        """Return the length of the block at a place; 0 for code and for a row of a table."""
        position = self._offset(line, column)
        section = self._section_at(position) if position >= 0 else None
        prose = section is not None and not section.fence and not self._read(section).lstrip().startswith("|")
        # Without a blank line behind it the frontmatter is a part of the first block.
        return section.end - max(section.start, self.body) if section and prose else 0

    @property
    def is_record(self) -> bool:
        """Whether a topic has a date anywhere, also in its name, or is as long as only minutes of work are."""
        if self.index or self.whole is not Account.NONE or len(self.text) - self.body > _MAX_NOTE:
            return not self.index
        return _DATE.search(self.text, self.body) is not None

    def follows(self, line: int, column: int) -> str:
        """Return the character at a place; "" if there is none."""
        position = self._offset(line, column)
        return self.text[position : position + 1] if position >= 0 else ""

    def mentions(self, line: int, column: int, path: str, cited: str) -> bool:
        """Whether the block at a place names a path, at least by its last two parts, besides what is cited there."""
        position = self._offset(line, column)
        if position < 0:
            return False
        return "/".join(path.split("/")[-2:]) in self._read(self._section_at(position)).replace(cited, "")

    def _offset(self, line: int, column: int) -> int:
        return self.lines[line - 1] + column - 1 if self.starts and 0 < line <= len(self.lines) else -1

    def _section_at(self, position: int) -> TextSection:
        return self.sections[max(0, bisect.bisect_right(self.starts, position) - 1)]

    def _read(self, section: TextSection) -> str:
        return self.text[section.start : min(section.end, section.start + _MAX_BLOCK)]


def read_accounts(path: PurePosixPath, rows: Sequence[str]) -> Accounts:
    """Read a memory file with its frontmatter."""
    text = "\n".join(rows)
    lines = [0, *itertools.accumulate(len(row) + 1 for row in rows)][: len(rows)]
    sections = split_sections(text, parse_regions(text))
    end = next((number for number, row in enumerate(rows[1:], 1) if row.rstrip() == "---"), 0)
    body = lines[end] + 1 if rows and rows[0].rstrip() == "---" and end else 0
    whole = Account.NONE
    if path.name != INDEX:
        above = [row[:_MAX_TOP] for row in rows[1:end] if body and row.startswith(("name:", "title:", "description:"))]
        whole = max([_weigh_name(path.stem), *map(_weigh_title, above), _weigh_top(text, sections, body)])
        titles = (title for section in sections for title in section.heading.split("\n"))
        whole = Account.OF_WORK if any(map(_is_of_plan, dict.fromkeys(titles))) else whole
    return Accounts(text, lines, sections, [section.start for section in sections], body, whole, path.name == INDEX)


def _weigh_name(stem: str) -> Account:
    """Weigh the name of a file: `story-493-cost-breakdown`, `review_2026_03_10`."""
    words = re.split(r"[-_ .]", re.sub(r"20\d\d[-_.]?\d\d(?:[-_.]?\d\d)?", "", stem.lower()))
    if {words[0], words[-1]} & set(PAPERS.split()) or _is_one_of_many(words):
        return Account.OF_WORK
    return max(_weigh_title(" ".join(words)), Account.DATED if _DATE.search(stem) else Account.NONE)


def _is_one_of_many(words: Sequence[str]) -> bool:
    """Whether a name has the number of a ticket, version or stage: `ss42-login`, `login-v2-8-6`; one digit is none."""
    numbers = filter(None, map(_NUMBERED.fullmatch, words))
    return sum(len(number[1]) for number in numbers) > 1


def _weigh_top(text: str, sections: Sequence[TextSection], body: int) -> Account:
    """Classify the first paragraph; "Last updated" means that a text is maintained."""
    blocks = (text[max(body, one.start) : min(one.end, one.start + _MAX_TOP)] for one in sections if one.end > body)
    # Text right below a heading belongs to that heading's block.
    bare = (re.sub(r"^#[^\n]*\n?", "", block).strip() for block in blocks)
    top = next(filter(None, bare), "")
    if not _DATE.search(top) or find_phrase(top, UPDATES) >= 0:
        return Account.NONE
    # "Date: 2026-03-10" dates the whole text; any other date may be one of many.
    return Account.OF_WORK if _DATED_LABEL.match(top) else Account.DATED


@functools.lru_cache(maxsize=512)
def _weigh_title(title: str, *, kept_up: bool = False) -> Account:
    """Classify a heading or list introduction; in a maintained text a month only tells since when it applies."""
    if any(mark.search(title) for mark in (_UNIT, _TICKET, _FINISHED, _COMMIT)) or _REASON.match(title):
        return Account.OF_WORK
    words = {word.text for word in split_words(title)}
    if words & set(ENDED.split()):
        return Account.OF_WORK
    if not _DATE.search(title):
        return Account.NONE
    if words & set(REPORTS.split()):
        return Account.OF_WORK
    return Account.NONE if kept_up and not _DAY.search(title) else Account.DATED


def _is_of_plan(title: str) -> bool:
    return find_phrase(title, PLANS) >= 0


@functools.lru_cache(maxsize=512)
def _weigh_block(block: str) -> Account:
    if _COMMIT.search(block) or _FINISHED.search(block) or _TICKET.search(mask_names(block)):
        return Account.OF_WORK
    if _REASON.match(block):
        return Account.OF_WORK
    if not _DATE.search(block):
        return Account.NONE
    # "`a.py` — 100 % (2026-02-22)" was measured that day.
    return Account.OF_WORK if re.search(r"\(20\d\d[-/.]\d\d[-/.]\d\d", block) else Account.DATED


@functools.lru_cache(maxsize=512)
def _weigh_sentence(masked: str) -> Account:
    """Classify a sentence without its names; past tense, or news, describes the time of writing."""
    before = ""
    for word in split_words(masked):
        # A participle that opens a sentence may as well describe: "Added columns", but not "Added `column`".
        opens = not before and masked[word.end :].lstrip(" *_:")[:1] != MASK
        passive = word.text.endswith("ed") and (opens or before in _passive())
        if (word.text in _past() and not passive) or (word.text in _removed() and before in ("is", "are")):
            return Account.OF_WORK
        before = word.text
    if _EASTERN_PAST.search(masked):
        return Account.OF_WORK
    return Account.DATED if "→" in masked or "->" in masked else Account.NONE


def _date_source() -> str:
    months = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
    return rf"(?<!\d)20\d\d[-/._年] ?\d{{1,2}}(?!\d)|\b(?:{months})[a-z]{{0,6}}\.? (?:\d{{1,2}},? )?20\d\d(?!\d)"


_DATE = LazyPattern(_date_source)


_DAY = LazyPattern(r"20\d\d([-/._]|年 ?)\d{1,2}([-/._]|月 ?)\d|[A-Z][a-z]{2,8}\.? \d{1,2},? 20\d\d")


_DATED_LABEL = LazyPattern(r"\W{0,9}(?:date|datum|fecha|data|дата|日期|日付|날짜)\W{1,6}\d", re.IGNORECASE)


def _unit_source() -> str:
    # "Phase 3", "Story #493", "EPIC-05", "этап 2"; a release, "v0.8.5".
    units = "|".join(UNITS.split())
    return rf"(?<!\w)(?:{units})[ #№-]{{0,3}}(?!20\d\d)\d|^\W{{0,9}}v\d{{1,3}}\.\d"


_UNIT = LazyPattern(_unit_source, re.IGNORECASE)


def _ticket_source() -> str:
    # "#12", "PR", "ABC-123", but not "UTF-8".
    key = rf"(?<![\w/-])(?!(?:{'|'.join(STANDARDS.split())})-)[A-Z]{{2,8}}-[A-Z]{{0,2}}\d{{1,5}}(?![\w]|\.\d)"
    return rf"(?<![\w&#/])#\d{{1,6}}(?!\w)|(?<!\w)PRs?(?!\w)|{key}"


_TICKET = LazyPattern(_ticket_source)


_COMMIT = LazyPattern(r"(?<![\w#/.@:-])(?=[a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,40}(?![\w/.@-])")


_FINISHED = LazyPattern(lambda: rf"✅|☑|✔|(?<![^\W_])(?:{'|'.join(FINISHED.split())})(?![^\W_])")


# "42", "ss42", "m5", but not "e2e" or "oauth2".
_NUMBERED = LazyPattern(r"(?:[a-z]{1,2}(?=\d)|[a-z]{1,6}(?=\d\d))?(\d{1,9})")


# A paragraph that explains a rule: "**Why:** the deploy of May failed".
_REASON = LazyPattern(lambda: rf"[\s>*_-]{{0,9}}(?:{'|'.join(REASONS.split())})[^\w\n]{{0,3}}[:：]", re.IGNORECASE)


@functools.cache
def _past() -> frozenset[str]:
    return frozenset(PAST.split())


@functools.cache
def _passive() -> frozenset[str]:
    return frozenset(PASSIVES.split())


@functools.cache
def _removed() -> frozenset[str]:
    return frozenset(REMOVED.split())


# Endings of verbs: Japanese, Korean, Chinese and Russian.
_EASTERN_PAST = LazyPattern(
    r"[しっいえけめれ]た(?=[。、，,)）\s]|が|ため|ので|まま|$)|[했됐었았였졌렸](?:다|음|고|으|는|지)|了(?=[。，,；;)）\s]|$)"
    r"|(?<!\w)был[аои]?(?!\w)|[а-я]{2}[аиеяы]ли(?!\w)"
)
