"""A message as units: sentences and list items, each with its place and what stands around it."""

import bisect
import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memci.patterns import LazyPattern
from memci.prose.dates.words import MONTHS, SHORT_MONTHS
from memci.prose.fold import plain
from memci.signals.cues import Cue, find_cues
from memci.signals.fold import fold, is_wordless
from memci.signals.lines import LineKind, MessageLine, split_lines

# Nobody types that many sentences; what is longer is a document, and its ends are where people add their own words.
MAX_UNITS = 160
# Nor a sentence of that length.
_MAX_UNIT = 800
# Nor a message of that length: the longest that were seen have a third of it.
_MAX_CHARACTERS = 12_000
# A line that fills the window was wrapped by it; shorter ones end where the person ended them.
_WRAPPED = 60
_ABBREVIATIONS = frozenset(
    ("e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "z.b", "d.h", "bzw", "ca", "p.ex", "p.ej", "incl", "approx", "no",
     "nr", "resp", "max", "min", "т.д", "т.е", "u.a")
)  # fmt: skip
_SHORTENED = tuple(_ABBREVIATIONS)


_Place = tuple[int, int, int, int, MessageLine, str]


# Named tuples here and below: there are as many as sentences, and making a frozen dataclass takes four times as long.
class Unit(NamedTuple):
    """One sentence, or one list item, of a message."""

    start: int
    end: int
    text: str
    # In the form of the cue tables.
    folded: str
    cues: frozenset[Cue]
    # The paragraph and the line it stands in, counted from 0; a list item is a line of its own.
    block: int
    line: int
    item: bool
    # The line that introduces the list, folded and as written; "" if there is none.
    label: str = ""
    label_text: str = ""


# Beginning with all that can end a sentence, and not with a choice, makes the search several times faster.
_ENDS = LazyPattern(
    r"[.!?…;。！？｡；](?:(?<=[.!?…])(?<![.!?…].)[.!?…]*+[\"')\]*_”’»]{0,4}(?=\s|$)"
    r"|(?<=[。！？｡])[。！？｡]*+[」』”’）)]{0,3}|(?<=;)(?=\s)|(?<=；))"
)
# Where a sentence turns from the task to a rule.
_JOINTS = LazyPattern(
    r"(?:,| and| but| -| –| —|, and|, but|\)) (?:and |also |oh |btw |so |please |pls ){0,2}"
    r"(?=(?:from (?:now|here) on|going forward|in general[,:]|for the future|in future|btw|by the way"
    r"|remember[,: ]"
    r"|(?:please|pls|also|just) (?:always|never|dont ever|don't ever|stop \w+ing)|ab (?:jetzt|sofort)"
    r"|désormais|dorénavant|while (?:we're|were|you're|youre) at it|in general|generally|as a rule"
    r"|keep in mind|whenever you"
    r"|a partir de (?:ahora|agora)|с этого момента|впредь)\b)"
    r"|[，,](?=以后|今后|从现在)|、(?=今後)|, ?(?=앞으로)"
)


def _announces() -> str:
    """Match what only announces the statement behind it: "while you look:", "some context first:"."""
    count = (
        r"(?:a|an|one|some|two|few|couple of|another|quick|small|short|last|final|little|tiny|more|important"
        r"|bit of|my|other|side)"
    )
    thing = (
        r"(?:things?|notes?|request|ask|point|context|background|remark|reminder|rule|correction|comment|info"
        r"|word|heads[- ]?up|update)"
    )
    return (
        r"(?:(?:and|oh|ok|okay|hey|hi|so|also|btw|ah|but|well|just)[,!]? ){0,3}(?:"
        r"(?:while|before|since|as) (?:you|we|i|that|this|it|the [\w']+)(?:'re|'m|'s|re|m|s)? (?:[\w']+ ?){1,4}"
        rf"|(?:{count} ){{1,4}}{thing}(?: (?:first|though|here|from me|before we start|for (?:you|later"
        rf"|next time|the future)"
        r"|(?:about|on|regarding) (?:[\w']+ ?){1,3}))?"
        r"|(?:some )?(?:context|background|note|info)(?: first| for you| for later)?"
        r"|(?:please )?keep (?:doing|up) (?:that|this|it)|more of (?:that|this)|do (?:that|this) again"
        r"|(?:[\w']+ ){0,6}exactly what i (?:mean|meant|want)"
        r")\s?(?::|\s[–—-]{1,2})\s+(?=\S+ \S+ \S)"
    )


ANNOUNCES = LazyPattern(_announces)


def split_units(text: str) -> list[Unit]:
    """Return the sentences and list items of what the person typed, in order."""
    places = [
        (first, last, block, number, line, label)
        for block, (lines, label) in enumerate(_find_blocks(split_lines(text), text))
        for number, (line, end) in lines
        for first, last in _find_sentences(text, line.start, end)
    ]
    trimmed = [place for place in map(functools.partial(_trim, text), _cut_middle(places)) if place]
    folded = [fold(text[place[0] : place[1]]) for place in trimmed]
    rows = zip(trimmed, folded, find_cues(folded), strict=True)
    return [_read_announced(_make_unit(text, place, low, cues)) for place, low, cues in rows]


def _read_announced(unit: Unit) -> Unit:
    """Read what stands behind an announcement as a sentence, beside what the announcement says."""
    if not any(mark in unit.text for mark in ":–—-"):
        return unit
    found = ANNOUNCES.match(plain(unit.text))
    if not found or is_wordless(unit.text[found.end() :]):
        return unit
    rest = fold(unit.text[found.end() :])
    (cues,) = find_cues([rest])
    return unit._replace(folded=rest, cues=unit.cues | cues)


def _cut_middle(places: list[_Place]) -> list[_Place]:
    """Keep the beginning and the end of what is longer than anybody types."""
    places = [place for place in places if place[1] - place[0] <= _MAX_UNIT]
    if len(places) > MAX_UNITS:
        places = [*places[: MAX_UNITS // 2], *places[-MAX_UNITS // 2 :]]
    sizes = list(itertools.accumulate(place[1] - place[0] for place in places))
    if not sizes or sizes[-1] <= _MAX_CHARACTERS:
        return places
    first = bisect.bisect_right(sizes, _MAX_CHARACTERS // 2)
    last = bisect.bisect_left(sizes, sizes[-1] - _MAX_CHARACTERS // 2)
    return [*places[:first], *places[max(first, last) + 1 :]]


_Block = tuple[list[tuple[int, tuple[MessageLine, int]]], str]


def _trim(text: str, place: _Place) -> _Place | None:
    """Return a place without the blanks around it; None if there is nothing to read."""
    start, end, block, number, line, label = place
    raw = text[start:end]
    said = raw.strip()
    if len(said) < 2 or is_wordless(said):
        return None
    start += len(raw) - len(raw.lstrip())
    return start, start + len(said), block, number, line, label


def _make_unit(text: str, place: _Place, folded: str, cues: frozenset[Cue]) -> Unit:
    start, end, block, number, line, label = place
    item = line.kind is LineKind.ITEM
    shown = label if item else ""
    low = fold(shown) if shown else ""
    return Unit(start, end, text[start:end], folded, cues, block, number, item, low, shown.strip())


def _find_blocks(lines: Sequence[MessageLine], text: str) -> Iterator[_Block]:
    """Yield paragraphs as numbered lines with their ends, wrapped ones joined, and the label of the list in them."""
    block: list[tuple[int, tuple[MessageLine, int]]] = []
    label = ""
    for number, line in enumerate(lines):
        if line.kind in {LineKind.PROSE, LineKind.ITEM}:
            if block and _is_wrapped(block[-1][1], line, text):
                block[-1] = (block[-1][0], (block[-1][1][0], line.end))
                continue
            if line.kind is LineKind.PROSE and text[line.start : line.end].rstrip("*_ \r").endswith((":", "：")):
                if block:
                    yield block, label
                    block = []
                label = text[line.start : line.end]
            elif line.kind is LineKind.PROSE and not (block and block[-1][1][0].kind is LineKind.ITEM):
                label = ""
            block.append((number, (line, line.end)))
            continue
        if block:
            yield block, label
        block = []
        if line.kind is LineKind.HEADING:
            label = text[line.start : line.end].lstrip("# ")
    if block:
        yield block, label


def _is_wrapped(last: tuple[MessageLine, int], line: MessageLine, text: str) -> bool:
    begun, end = last
    if line.kind is not LineKind.PROSE or end - (text.rfind("\n", 0, end) + 1) < _WRAPPED:
        return begun.kind is LineKind.ITEM and line.kind is LineKind.PROSE and text[line.start - 2 : line.start] == "  "
    return text[end - 1] not in ".!?:;。！？：" and text[line.start].islower()


# What `_JOINTS` matches has one of these; looking for them is faster.
_TURNS = (
    " on", "going forward", "in general", "for the future", "in future", "btw", "by the way", "remember", "always",
    "never", " ever", "stop ", "ab ", "while ", "generally", "as a rule", "keep in mind", "whenever", "a partir",
)  # fmt: skip


def _find_sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    low = plain(text[start:end])
    places = [found.end() for found in _ENDS.finditer(low) if not _is_abbreviation(low, found)]
    if not low.isascii() or any(turn in low for turn in _TURNS):
        places += [found.end() for found in _JOINTS.finditer(low) if len(low[: found.start()].split()) > 2]
    first = 0
    for place in (*sorted(places), len(low)):
        if place > first:
            yield start + first, start + place
            first = place


def _is_abbreviation(low: str, found: re.Match[str]) -> bool:
    if not found[0].startswith("."):
        return False
    before = low[max(0, found.start() - 8) : found.start()]
    if not before.endswith(_SHORTENED) and not before[-1:].isdigit():
        return False
    word = re.split(r"[^\w.]", before)[-1]
    following = re.match(r"\s([^\W\d_]{3,12})\b", low[found.end() : found.end() + 16])
    if word.isdigit() and len(word) < 3 and following and (following[1] in MONTHS or following[1] in SHORT_MONTHS):
        return True
    # "no." is an answer more often than a number.
    return word in _ABBREVIATIONS and not (word == "no" and not re.match(r"\s?\d", low[found.end() : found.end() + 2]))
