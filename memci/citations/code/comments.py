"""Which parts of a file prove nothing: comments, docstrings and titles of tests."""

import functools
import re
from collections.abc import Iterator

from memci.citations.code.syntax import PYTHON, Language, classify_language

_BLANK = bytes(byte if byte in b"\r\n" else 32 for byte in range(256))
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"([{}])")
# The text before a string that is a statement.
_PREFIXES = frozenset((b"", b"r", b"u", b"b", b"f", b"br", b"rb", b"fr", b"rf"))


def strip_noise(path: str, data: bytes) -> bytes:
    """Return the file with comments, docstrings and test titles blanked; sizes, lines and other strings stay."""
    parts: list[bytes] = []
    done = 0
    for start, end in _iter_spans(path, data):
        parts += (data[done:start], data[start:end].translate(_BLANK))
        done = end
    return b"".join((*parts, data[done:]))


def _iter_spans(path: str, data: bytes) -> Iterator[tuple[int, int]]:
    """Yield where each part starts and ends that proves nothing."""
    language = classify_language(path, data)
    if language is None:
        return iter(())
    return _iter_python_noise(data) if language is PYTHON else _iter_noise(language, data)


def _iter_noise(language: Language, data: bytes) -> Iterator[tuple[int, int]]:
    comments, bare = language.comments, language.bare_titles
    titles = _title_pattern(bare=bare)
    for match in language.pattern.finditer(data):
        start, end = match.span()
        if data.startswith(comments, start):
            yield start, end
        elif data[start] in b"\"'`" and start and data[start - 1] in b"( \t\n":
            before = data[max(0, start - 64) : start]
            # Most strings are no argument, and looking at that is cheaper than the pattern.
            if (bare or before.rstrip().endswith(b"(")) and titles.search(before):
                yield start, end


@functools.cache
def _title_pattern(*, bare: bool) -> re.Pattern[bytes]:
    words = rb"(?:(?:it|test|describe|context|suite|specify|scenario|feature|group|testWidgets|bench)"
    calls = rb"(?:\.[a-z]{1,12}){0,2}|[tb]\.Run)"
    if bare:
        return re.compile(rb"(?<![\w$])" + words + calls + rb"(?:[ \t]{1,4}|\(\s{0,32})\Z")
    return re.compile(rb"(?<![.\w$])" + words + calls + rb" ?\(\s{0,32}\Z")


def _iter_python_noise(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield comments, and strings that are statements."""
    # The program may build its options from its docstring.
    keeps_docstrings = b"__doc__" in data or b"docopt" in data
    # Behind `plain` no string has crossed a line; up to `counted` brackets are counted, and `depth` of them are open.
    plain = counted = depth = 0
    for match in PYTHON.pattern.finditer(data):
        start, end = match.span()
        if data[start] == 35:
            yield start, end
        elif not keeps_docstrings and _is_statement(data, start, end):
            counted, depth = _count_open(data, start, plain, counted, depth)
            if not depth:
                yield start, end
        if data.find(b"\n", start, end) >= 0:
            line = data.find(b"\n", end)
            plain = len(data) + 1 if line < 0 else line + 1


def _count_open(data: bytes, start: int, plain: int, counted: int, depth: int) -> tuple[int, int]:
    """Return a place and how many brackets are open there, from what was counted before it."""
    # No bracket is open where a definition starts.
    after = max(counted, plain)
    place = max(data.rfind(b"def ", after, start), data.rfind(b"class ", after, start))
    line = data.rfind(b"\n", after, place) + 1 or after
    if place >= 0 and data[line:place].strip() in (b"", b"async"):
        counted, depth = line, 0
    brackets = PYTHON.pattern.sub(b"", data[counted:start]).translate(None, _NO_BRACKETS)
    return start, max(0, depth + len(brackets) - 2 * len(brackets.translate(None, b"([{")))


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
def _rest_pattern() -> re.Pattern[bytes]:
    return re.compile(rb"[ \t\r]*+(?:[#\n]|\Z)")
