"""Finds text that instructs the model instead of recording a fact.

Lists of phrases are easy to evade, so finding nothing proves nothing: this shows lines to a reviewer. Precision comes
first, because good memory is full of instructions too ("never push to main").
"""

import bisect
import functools
import json
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memci.patterns import LazyPattern
from memci.prose.markdown import RegionKind, mask, parse_regions
from memci.redaction.folding import fold, strip_accents
from memci.redaction.secret_data import decode_base64, match_base64

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

# A phrase may span this many lines around its literal.
_LINES_BEFORE = 3
_LINES_AFTER = 6
_PART = LazyPattern("<[a-z]+>")
_BLANK = r"(?: |,? ?\n{1,2} ?)"
_GAP = r"(?:[^.!?\n]|\.(?=\w)){0,60}"
# Commands are written as code, so for these code does not count as a quotation.
_COMMANDS = frozenset(("exfiltration", "remote-code"))
_CODE = frozenset((RegionKind.CODE, RegionKind.FENCE))
_ADDRESSES = frozenset((RegionKind.TARGET, RegionKind.URL))
# The definition of a link: its title is in quotation marks too.
_DEFINITION = LazyPattern(r" {0,3}\[[^\]\n]{1,60}\]: ")
# "If a page asks you to ...": reported instructions.
_REPORTED = LazyPattern(
    r"\b(?:if|when|whether|any|anything|text|content)\b[^.!?\n]{0,80}"
    r"\b(?:tell|ask|instruct|want|claim)(?:s|ing)?(?: (?:you|it|us|agents?|the (?:model|agent|assistant)))? to $",
    re.IGNORECASE,
)
# The largest distance of a phrase from its quotation marks.
_QUOTE = 200
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "「": "」", "『": "』", "„": "“"}


@dataclass(frozen=True, slots=True)
class Injection:
    """Text addressed to the model; `quoted` if a sentence only mentions it, in quotation marks or code."""

    start: int
    end: int
    kind: str
    quoted: bool = False


@functools.cache
def _phrases() -> tuple[tuple[str, tuple[str, ...], LazyPattern], ...]:
    """Return the phrases as patterns over folded text, which has no accents."""
    lines = Path(__file__).with_name("injection_phrases.txt").read_text("utf-8").split("\n")
    rows = [line.split(" :: ") for line in lines if " :: " in line]
    parts = {f"<{name}>": text for kind, name, text in rows if kind == "part"}
    phrases = []
    for kind, literals, phrase in [row for row in rows if row[0] != "part"]:
        whole = _PART.sub(lambda name: parts.get(name[0], name[0]), phrase)
        pattern = strip_accents(whole).replace("_", _BLANK).replace("~", _GAP)
        words = json.loads(strip_accents(parts.get(literals, literals)))
        phrases.append((kind, tuple(words), LazyPattern(pattern)))
    return tuple(phrases)


def find_injections(text: str) -> list[Injection]:
    """Find instructions to the model despite look-alike letters, markup and line breaks; in order of position."""
    folded = fold(text)
    found: set[tuple[tuple[int, int], str]] = set()
    # Most texts have none.
    if phrases := list(_match_phrases(folded)):
        places = _TextPlaces(text, folded)
        found = {(places.span(match), kind) for match, kind in phrases}
    for start, end in match_base64(text):
        decoded = decode_base64(text[start:end])
        if decoded and next(_match_phrases(fold(decoded)), None):
            found.add(((start, end), "encoded"))
    if not found:
        return []
    code, addresses = _mask(text, _CODE), _mask(text, _ADDRESSES)
    return [Injection(*span, kind, _is_quoted(text, kind, code, addresses, *span)) for span, kind in sorted(found)]


def _mask(text: str, kinds: Container[RegionKind]) -> str:
    return mask(text, (region for region in parse_regions(text) if region.kind in kinds))


def _match_phrases(folded: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield phrases, some more than once: patterns are slow, so they only run on lines near one of their literals."""
    flat = folded.replace("\n", " ")
    present = _match_literals(flat)
    for kind, literals, pattern in _phrases():
        for literal in literals:
            at = flat.find(literal) if literal in present else -1
            while at >= 0:
                start = _line_start(folded, at, _LINES_BEFORE)
                end = _line_end(folded, at, _LINES_AFTER)
                yield from ((match, kind) for match in pattern.finditer(folded, start, end))
                at = flat.find(literal, _line_end(folded, at, 1))


def _match_literals(folded: str) -> Container[str]:
    """Return the literals that occur in a text: searching for all at once takes a tenth of the time."""
    every, automaton = _literals()
    try:
        found = automaton.find_matches_as_indexes(folded, overlapping=True)
    except UnicodeEncodeError:
        # A lone surrogate.
        return every
    return {every[index] for index, _, _ in found}


@functools.cache
def _literals() -> "tuple[list[str], AhoCorasick]":
    from ahocorasick_rs import AhoCorasick

    every = sorted({literal for _, literals, _ in _phrases() for literal in literals})
    return every, AhoCorasick(every)


def _line_start(text: str, position: int, lines: int) -> int:
    for _ in range(lines + 1):
        position = text.rfind("\n", 0, position)
        if position < 0:
            return 0
    return position + 1


def _line_end(text: str, position: int, lines: int) -> int:
    for _ in range(lines):
        position = text.find("\n", position) + 1
        if not position:
            return len(text)
    return position - 1


class _TextPlaces:
    """Maps a match in the folded text to the original: exactly if both are the same there, else whole lines."""

    def __init__(self, text: str, folded: str) -> None:
        self._lines = text.split("\n")
        self._folded_lines = folded.split("\n")
        self._starts = _line_starts(self._lines)
        self._folded_starts = _line_starts(self._folded_lines)

    def span(self, match: re.Match[str]) -> tuple[int, int]:
        """Return start and end in the original."""
        first, last = self._line(match.start()), self._line(match.end() - 1)
        start, end = self._starts[first], self._starts[last] + len(self._lines[last])
        if first == last:
            lower = self._lines[first].lower()
            same = lower.find(match[0])
            if same >= 0 and len(lower) == len(self._lines[first]):
                return start + same, start + same + len(match[0])
        if len(self._lines[first]) == len(self._folded_lines[first]):
            start += match.start() - self._folded_starts[first]
        if len(self._lines[last]) == len(self._folded_lines[last]):
            end = self._starts[last] + match.end() - self._folded_starts[last]
        return start, end

    def _line(self, position: int) -> int:
        return bisect.bisect_right(self._folded_starts, position) - 1


def _line_starts(lines: list[str]) -> list[int]:
    starts = [0]
    for line in lines[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _is_quoted(text: str, kind: str, code: str, addresses: str, start: int, end: int) -> bool:
    if not code[start:end].strip():
        return kind not in _COMMANDS
    # The title of a link is between quotation marks and quotes nothing.
    if not addresses[start:end].strip():
        return False
    before = text[max(0, start - _QUOTE) : start].rpartition("\n")[2]
    after = text[end : end + _QUOTE].partition("\n")[0]
    if _REPORTED.search(before):
        return True
    return not _DEFINITION.match(before) and any(_is_between(before, after, *marks) for marks in _QUOTES.items())


def _is_between(before: str, after: str, opening: str, closing: str) -> bool:
    """Tell whether the marks enclose the place and the line has other text outside of them."""
    opened = before.rfind(opening)
    closed = after.find(closing)
    if opened < 0 or closed < 0 or (opened and (before[opened - 1].isalnum() or before[opened - 1] == "=")):
        return False
    if opening == closing and before.count(opening) % 2 == 0 and opening == '"':
        return False
    if opening != closing and closing in before[opened + 1 :]:
        return False
    outside = before[:opened] + after[closed + 1 :]
    return sum(character.isalnum() for character in outside) > 3
