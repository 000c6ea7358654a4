"""Which lines of a message the person wrote as prose, and which are pasted, quoted or code."""

import enum
import functools
import itertools
import operator
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memci.text.markdown import Region, RegionKind, find_regions


class LineKind(enum.StrEnum):
    """What a line of a message is."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    BLANK = "blank"
    QUOTE = "a quotation"
    MACHINE = "pasted output or code"


# A named tuple: a message may be 60,000 empty lines, and a frozen dataclass takes five times as long to make.
class Line(NamedTuple):
    """A line of a message: where its words start (behind a list mark) and end."""

    start: int
    end: int
    kind: LineKind


# The client puts machine text into such elements; people paste them along with their own words.
_ELEMENT = re.compile(r"<([a-z][a-z0-9]{0,20}(?:-[a-z0-9]{1,20}){0,4})(?:\s[^<>\n]{0,200})?>")
# A long line is data: the longest sentence that anybody types is far shorter.
_MAX_LINE = 4_000
# So much of what was turned down tells what it was.
_MAX_SHOWN = 200


@functools.cache
def _machine() -> re.Pattern[str]:
    """Match the beginning of lines that no person types."""
    return re.compile(
        # Nothing below begins with a blank.
        r"\s*+(?:"
        r"[\[(]?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[\[(]?\d\d:\d\d:\d\d\b|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d"
        r"|[\[<(]?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|CRITICAL|NOTICE|SEVERE|ERR!?|FAIL|FAILED|PASS"
        r"|OK)[\]>)]?[\s:|!]"
        r"|(?:npm|yarn|pnpm|pip|cargo|gradle|mvn|docker|git|brew|apt) (?:WARN|ERR!?|error|warning|notice|info|verb)\b"
        r"|(?:error|warning|fatal|panic|remote|hint|make|gcc|clang|rustc|ld|bash|sh|zsh|fatal error|exception"
        r"|stderr|stdout|caused by"
        r"|deprecationwarning|usage|tip)(?:\[[A-Z]?\w+\]|\([^)\n]{1,20}\)| TS\d+|\[\d+\])?:\s"
        r"|Traceback \(most|File \"[^\"\n]{1,300}\", line \d|at [\w.$<>]{1,100}\(|goroutine \d"
        r"|thread '[^'\n]{1,50}' panicked"
        r"|#\d+ +0x|={3,}|-{5,}|\^+\s*$|~+\^|\.{3} \d+ more|\d+ \| |\d+\s+passed|\d+\s+failed"
        r"|[A-Za-z_][\w.]{0,80}(?:Error|Exception|Warning|Panic|Interrupt): |E   |>>> |In \[\d+\]:"
        r"|(?:\$|❯|➜|%) +\S|[\w.-]{1,40}@[\w.-]{1,60}[:~ ][^$#\n]{0,80}[$#] "
        r"|diff --git |index [0-9a-f]{6,}|@@ |\+\+\+ |--- a/|[+-]{1}\s{2,}\S|[+-](?![\s\d])\S*[({=;]"
        r"|(?:def|class|func|fn|function|const|let|var|import|export|public|private|static|return|assert"
        r"|package|namespace|#include|SELECT|INSERT|UPDATE"
        r"|CREATE)\s+[\w\"'({*<]{1,80}[^\n.?!]{0,200}[({;=:,)\"]?\s*$(?<=[({;=:,)\"])"
        r"|//|/\*|\*/|<!--|</?[a-zA-Z][\w-]*(?:\s[^>\n]{0,200})?>\s*$|[{}\[\]()]+[,;]?\s*$|\"[\w.-]{1,60}\"\s*:"
        r"|[\w.]{1,60}+\s?+=\s?+[\"'\d{\[(]"
        r"|(?:Human|Assistant|User|System|AI|From|Subject|To|Date|Reviewer|Bot|Title|Author):\s"
        r"|(?:import|from) [\w.]{1,80} import\b|\|.{0,400}\|\s*$"
        # What went wrong, and why, and why that.
        r"|(?:[Ff]ailed|[Uu]nable|[Cc]ould not|[Cc]annot)(?: to)? [^:\n]{3,80}: [^:\n]{3,120}: "
        r")"
    )


@functools.cache
def _weak() -> re.Pattern[str]:
    """Match what is output only beside other output."""
    return re.compile(r"\s+\S|[A-Z][\w ]{0,30}:\s|[A-Z*+=\[({<✓✗✔✘●⚠-]")


@functools.cache
def _item() -> re.Pattern[str]:
    return re.compile(r"\s*(?:[-*+•–—]|\(?\d{1,2}[.)]|[a-e][.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")


# What `_item` matches begins with one of these, or with a digit.
_LIST_MARKS = frozenset("-*+•–—(abcde")


# Units and pasted parts are looked for one after the other.
@functools.lru_cache(maxsize=4)
def split_lines(text: str) -> tuple[Line, ...]:
    """Return the lines of a message with what they are."""
    blanked = _blank_elements(text)
    fenced = _find_fenced(text)
    lines: list[Line] = []
    position = place = 0
    for row in blanked.split("\n"):
        end = position + len(row)
        if not row and lines and lines[-1].kind is LineKind.BLANK:
            # Runs of empty lines are one.
            position = end + 1
            continue
        while place < len(fenced) and fenced[place].end <= position:
            place += 1
        inside = place < len(fenced) and fenced[place].start <= position < fenced[place].end
        lines.append(Line(position, end, LineKind.MACHINE) if inside else _classify(row, position))
        position = end + 1
    return tuple(_quote(list(_spread(lines, blanked)), blanked))


def _find_fenced(text: str) -> list[Region]:
    # Most messages have none of these marks.
    if not any(mark in text for mark in ("```", "~~~", "<!--")):
        return []
    return [region for region in find_regions(text) if region.kind in {RegionKind.FENCE, RegionKind.COMMENT}]


@functools.cache
def _rules() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:always|never|from now on|remember|must|immer|niemals|toujours|jamais|siempre|nunca|sempre)\b"
        r"|всегда|никогда|以后|必须|不要|必ず|今後|항상|절대",
        re.IGNORECASE,
    )


def find_pasted(text: str) -> Iterator[tuple[str, LineKind]]:
    """Yield the quotations and pasted parts that hold words of rules, shortened."""
    for kind, run in itertools.groupby(split_lines(text), key=operator.attrgetter("kind")):
        if kind is LineKind.QUOTE or kind is LineKind.MACHINE:
            lines = list(run)
            words = text[lines[0].start : lines[-1].end]
            if _has_rule(words[:_MAX_LINE]):
                yield words[:_MAX_SHOWN], kind


def _has_rule(words: str) -> bool:
    low = words.lower()
    # Where case is simple, looking for the words alone is many times faster.
    return (not low.isascii() or any(word in low for word in _ASCII_RULES)) and bool(_rules().search(words))


_ASCII_RULES = (
    "always", "never", "from now on", "remember", "must", "immer", "niemals", "toujours", "jamais", "siempre", "nunca",
    "sempre",
)  # fmt: skip


def is_document(lines: Sequence[Line], text: str) -> bool:
    """Tell a pasted plan, report or review, with headings and much text, from what a person types."""
    # Nobody types that much with headings in it; a list of ground rules is shorter.
    if len(text) < 1_200:
        return False
    bold = sum(text.startswith("**", line.start) for line in lines)
    return bold + sum(line.kind is LineKind.HEADING for line in lines) >= 3


def _blank_elements(text: str) -> str:
    """Blank out elements with a hyphen in their name, which hold text of programs."""
    if "<" not in text:
        return text
    parts: list[str] = []
    position = 0
    unclosed: set[str] = set()
    for found in _ELEMENT.finditer(text):
        if found.start() < position or "-" not in found[1] or found[1] in unclosed:
            continue
        close = text.find(f"</{found[1]}>", found.end())
        if close < 0:
            # Nor will it be closed further on.
            unclosed.add(found[1])
            continue
        end = close + len(found[1]) + 3
        parts += (text[position : found.start()], re.sub(r"[^\n]", " ", text[found.start() : end]))
        position = end
    return "".join((*parts, text[position:]))


def _classify(row: str, start: int) -> Line:
    end = start + len(row)
    mark = row.strip()
    if not mark or (mark.startswith((">", "&gt;")) and not mark.startswith(">>>")):
        return Line(start, end, LineKind.QUOTE if mark else LineKind.BLANK)
    if len(row) > _MAX_LINE:
        return Line(start, end, LineKind.MACHINE)
    # A list mark and a removed line of a diff look alike; words with blanks between them are a list.
    listed = mark[0] in _LIST_MARKS or mark[0].isdigit()
    if listed and (item := _item().match(row)) and not _machine().match(row, item.end()):
        return Line(start + item.end(), end, LineKind.ITEM)
    indent = len(row) - len(row.lstrip(" \t"))
    first = start + indent
    deep = indent >= 4 or row.startswith("\t")
    # Most of what is pasted is indented code; matching all else that no person types takes longer.
    code = deep and bool(_code().search(mark))
    heading = mark[0] == "#" and re.match(r"#{1,6}\s", mark)
    if (code and not heading) or mark.startswith(("```", "~~~")) or _machine().match(row):
        return Line(first, end, LineKind.MACHINE)
    return Line(first, end, LineKind.HEADING if heading else LineKind.PROSE)


@functools.cache
def _code() -> re.Pattern[str]:
    return re.compile(r"[={};()<>\[\]]")


@functools.cache
def _introduces() -> re.Pattern[str]:
    """Match a line that announces the words of somebody else."""
    verbs = (
        r"(?:got|received|here'?s|here (?:is|are)|this is|saw|found|pasted?|copied|forwarded|below|says?|said"
        r"|wrote|writes|from)"
    )
    things = (
        r"(?:e-?mail|mail|message|slack|review|reviewer|comment|ticket|issue|output|reply|response|vendor"
        r"|customer|client"
        r"|support|docs?|article|readme|thread|post|chat|transcript|spec|notes?|wiki|letter|announcement|bot|weird)"
    )
    return re.compile(
        rf"(?:^|.*\b){verbs}\b.{{0,40}}\b(?:{things}|from (?!(?:me|us|my|our)\b)\w+)\b.{{0,40}}:\s*$"
        rf"|.*\bfrom (?!(?:me|us|my|our)\b)\w+:\s*$",
        re.IGNORECASE,
    )


def _quote(lines: list[Line], text: str) -> Iterator[Line]:
    """Let a line that announces a quotation reach over the paragraph behind it."""
    opened = begun = False
    for line in lines:
        if line.kind is LineKind.BLANK:
            opened, begun = opened and not begun, False
        elif opened and line.kind in {LineKind.PROSE, LineKind.ITEM}:
            begun = True
            yield Line(line.start, line.end, LineKind.QUOTE)
            continue
        elif line.kind is LineKind.PROSE:
            # Announcements are short, and end in a colon.
            announced = line.end - line.start < 120 and text[line.start : line.end].rstrip().endswith(":")
            opened = announced and bool(_introduces().match(text, line.start, line.end))
        yield line


def _spread(lines: list[Line], text: str) -> Iterator[Line]:
    """Let output reach over the lines beside it that do not look typed."""
    shown = False
    for line in lines:
        if line.kind is LineKind.MACHINE:
            shown = True
        elif line.kind is LineKind.BLANK:
            shown = False
        elif shown and line.kind in {LineKind.PROSE, LineKind.ITEM}:
            start = text.rfind("\n", 0, line.start) + 1
            if (
                _weak().match(text, start, line.end)
                and text[line.start : line.end].upper() != text[line.start : line.end]
            ):
                yield Line(line.start, line.end, LineKind.MACHINE)
                continue
            shown = False
        yield line
