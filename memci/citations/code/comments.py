"""Which parts of a file prove nothing: comments, docstrings and titles of tests."""

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Protocol

from memci.citations.code.syntax import PYTHON, Language, classify_language

_BLANK = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"([{}])")
# What carries a string of Python over the end of its line.
_CARRIERS = (b'"""', b"'''", b"\\\n")
# The text before a string that is a statement.
_PREFIXES = frozenset((b"", b"r", b"u", b"b", b"f", b"br", b"rb", b"fr", b"rf"))


class Noise(Protocol):
    """Where the parts lie that prove nothing."""

    def iter_spans(self) -> Iterator[tuple[int, int]]:
        """Yield where each starts and ends."""

    def find_end(self, start: int, stop: int) -> int:
        """Return where the part ends that these bytes touch, or -1; positions must not decrease from call to call."""


def strip_noise(path: str, data: bytes) -> bytes:
    """Return the file with comments, docstrings and test titles blanked; sizes, lines and other strings stay."""
    parts: list[bytes] = []
    done = 0
    for start, end in parse_noise(path, data).iter_spans():
        parts += (data[done:start], data[start:end].translate(_BLANK))
        done = end
    return b"".join((*parts, data[done:]))


def parse_noise(path: str, data: bytes) -> Noise:
    """Return where comments, docstrings and test titles are; nothing is read before it is asked for."""
    language = classify_language(path, data)
    if language is None:
        return Spans(iter(()))
    return _PythonNoise(data) if language is PYTHON else Spans(_iter_noise(language, data))


class Spans:
    """Parts that are found one after the other, from the start of the file on."""

    def __init__(self, spans: Iterator[tuple[int, int]]) -> None:
        self._spans = spans
        self._span = (0, 0)

    def iter_spans(self) -> Iterator[tuple[int, int]]:
        """Yield where each starts and ends."""
        return self._spans

    def find_end(self, start: int, stop: int) -> int:
        """Return where the part ends that these bytes touch, or -1."""
        while self._span[1] <= start:
            if (span := next(self._spans, None)) is None:
                return -1
            self._span = span
        begin, end = self._span
        return end if begin < stop else -1


def _iter_noise(language: Language, data: bytes) -> Iterator[tuple[int, int]]:
    comments, titles = language.comments, _title_pattern(bare=language.bare_titles)
    for match in language.pattern.finditer(data):
        start, end = match.span()
        if data.startswith(comments, start) or (
            data[start] in b"\"'`"
            and start
            and data[start - 1] in b"( \t\n"
            and titles.search(data[max(0, start - 64) : start])
        ):
            yield start, end


@functools.cache
def _title_pattern(*, bare: bool) -> re.Pattern[bytes]:
    words = rb"(?:(?:it|test|describe|context|suite|specify|scenario|feature|group|testWidgets|bench)"
    calls = rb"(?:\.[a-z]{1,12}){0,2}|[tb]\.Run)"
    if bare:
        return re.compile(rb"(?<![\w$])" + words + calls + rb"(?:[ \t]{1,4}|\(\s{0,32})\Z")
    return re.compile(rb"(?<![.\w$])" + words + calls + rb" ?\(\s{0,32}\Z")


class _PythonNoise:
    """Comments and docstrings.

    Most lines of a file begin and end outside of strings, and a question about one of them needs that line alone.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        # The lines that were read last, from the first one's start to the end of the one on which no string is open;
        # and where strings and comments start and end on them.
        self._begin = self._end = 0
        self._starts: list[int] = []
        self._ends: list[int] = []
        # Where each carrier is next, if that was looked for.
        self._carriers = [-1] * len(_CARRIERS)
        # Behind this no string has crossed a line; up to there brackets are counted, and so many are open.
        self._plain = 0
        self._counted = (0, 0)

    def iter_spans(self) -> Iterator[tuple[int, int]]:
        """Yield where each starts and ends."""
        data = self._data
        for match in PYTHON.pattern.finditer(data):
            start, end = match.span()
            if self._is_noise(start, end):
                yield start, end
            if data.find(b"\n", start, end) >= 0:
                self._plain = _find(data, b"\n", end) + 1

    def find_end(self, start: int, stop: int) -> int:
        """Return where the part ends that these bytes touch, or -1."""
        while self._end <= start:
            self._read(start)
        index = bisect_right(self._ends, start)
        if index == len(self._ends) or self._starts[index] >= stop:
            return -1
        end = self._ends[index]
        return end if self._is_noise(self._starts[index], end) else -1

    def _read(self, place: int) -> None:
        """Read the lines around a place, or those before it that a string crosses."""
        data, done = self._data, self._end
        if data.find(b"\n", self._begin, done - 1) >= 0:
            self._plain = done
        for index, carrier in enumerate(_CARRIERS):
            if self._carriers[index] < done:
                self._carriers[index] = _find(data, carrier, done)
        self._begin = data.rfind(b"\n", done, min(place, *self._carriers)) + 1 or done
        self._starts, self._ends = [], []
        docstring = _docstring_pattern().match(data, self._begin)
        if docstring and docstring.end() <= place:
            self._end = docstring.end()
            return
        pattern, place = PYTHON.pattern, self._begin
        last = _find(data, b"\n", place)
        # No further than the line: behind the last string every line would be searched to the end of the file.
        while found := pattern.search(data, place, last):
            start, place = found.span()
            # What reaches the end of the line, or a backslash there, may go on behind it.
            if place >= last - 1 and (whole := pattern.match(data, start)):
                place = whole.end()
                last = max(last, _find(data, b"\n", place))
            self._starts.append(start)
            self._ends.append(place)
        self._end = last + 1

    def _is_noise(self, start: int, end: int) -> bool:
        """Whether this is a comment, or a string that is a statement."""
        if self._data[start] == 35:
            return True
        return _is_statement(self._data, start, end) and not self._keeps_docstrings and not self._is_open(start)

    @functools.cached_property
    def _keeps_docstrings(self) -> bool:
        """Whether the program may build its options from its docstring."""
        return b"__doc__" in self._data or b"docopt" in self._data

    def _is_open(self, start: int) -> bool:
        """Whether a bracket is open at a place."""
        data = self._data
        done, depth = self._counted
        # No bracket is open where a definition starts.
        plain = max(done, self._plain)
        place = max(data.rfind(b"def ", plain, start), data.rfind(b"class ", plain, start))
        line = data.rfind(b"\n", plain, place) + 1 or plain
        if place >= 0 and data[line:place].strip() in (b"", b"async"):
            done, depth = line, 0
        brackets = PYTHON.pattern.sub(b"", data[done:start]).translate(None, _NO_BRACKETS)
        depth = max(0, depth + len(brackets) - 2 * len(brackets.translate(None, b"([{")))
        self._counted = (start, depth)
        return depth > 0


def _find(data: bytes, part: bytes, start: int) -> int:
    """Return where the next part starts; the end of the file if there is none."""
    place = data.find(part, start)
    return len(data) if place < 0 else place


def _is_statement(data: bytes, start: int, end: int) -> bool:
    """Return whether a string is alone on its lines."""
    # Most strings are followed by something, and looking at that is the cheapest test.
    if not _rest_pattern().match(data, end):
        return False
    # No one indents further than this, and looking back along a long line for every string would be quadratic.
    line = data.rfind(b"\n", max(0, start - 200), start) + 1
    if line == 0 and start > 200:
        return False
    if data[line:start].strip().lower() not in _PREFIXES:
        return False
    return not data[max(0, line - 3) : line].rstrip(b"\r\n").endswith(b"\\")


@functools.cache
def _docstring_pattern() -> re.Pattern[bytes]:
    """Such lines are passed over without looking at them more closely."""
    return re.compile(rb'[ \t]*+[rR]?+"""[^"\\]*+"""[ \t]*+\n')


@functools.cache
def _rest_pattern() -> re.Pattern[bytes]:
    return re.compile(rb"[ \t\r]*+(?:[#\n]|\Z)")
