"""Finds the ways of writing that hide a secret from a search, and what they stand for."""

import html
import re
import unicodedata
from collections.abc import Iterator

Change = tuple[int, int, str]

_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}
_CODES = re.compile(
    r"%([2-7][0-9A-Fa-f])|\\u00([2-7][0-9A-Fa-f])|\\([nrt\"'/\\])|\\\n[ \t]{0,40}"
    r"|&(?:#[0-9]{2,6}|#[xX][0-9A-Fa-f]{2,5}|quot|apos|amp|lt|gt);"
)
# The parts of a string in source text; searched by what joins them, because quotes are everywhere.
_GLUE = {glue: re.compile(re.escape(glue) + r"(?:_?[ \t]{0,8}\r?\n)?[ \t]{0,40}[\"']") for glue in ("+", " . ", " & ")}
_JOIN = re.compile(r"\]\s?\.join\((?:\"\"|'')\)|(?:\"\"|'')\.join\(\[[^\]\n]{1,400}\]")
_JOINS = (".join('')", '.join("")', '"".join(', "''.join(")
_COMMA = re.compile(r"[\"']\s{0,20},\s{0,20}[\"']")
# Full-width letters and digits, and those of mathematical alphabets. Full-width signs alone are ordinary Chinese.
_WIDE = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d7ff]")
_WIDE_OR_SIGN = re.compile("[\uff01-\uff5e\U0001d400-\U0001d7ff]")


def find_escapes(text: str) -> list[Change]:
    """Return escapes, entities, wide letters and the glue between parts of a string, with what they stand for."""
    changes: list[Change] = []
    if "%" in text or "\\" in text or "&" in text:
        changes += _find_codes(text)
    changes += _find_glue(text)
    if not text.isascii() and _WIDE.search(text):
        wide = _WIDE_OR_SIGN.finditer(text)
        changes += ((found.start(), found.end(), unicodedata.normalize("NFKC", found[0])) for found in wide)
    changes.sort()
    # A backslash before a quote is part of an escape and of the glue behind it.
    return [change for number, change in enumerate(changes) if not number or change[0] >= changes[number - 1][1]]


def _find_codes(text: str) -> Iterator[Change]:
    for match in _CODES.finditer(text):
        code = match[1] or match[2]
        if code:
            new = chr(int(code, 16))
        elif match[3]:
            new = _ESCAPES.get(match[3], match[3])
        else:
            new = html.unescape(match[0]) if match[0][0] == "&" else ""
        yield match.start(), match.end(), new


def _find_glue(text: str) -> Iterator[Change]:
    for pattern in [pattern for glue, pattern in _GLUE.items() if glue in text]:
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - 42) : match.start()].rstrip()
            if before.endswith(("'", '"')):
                yield max(0, match.start() - 42) + len(before) - 1, match.end(), ""
    for join in _JOIN.finditer(text) if any(literal in text for literal in _JOINS) else ():
        start = text.rfind("[", max(0, join.start() - 400), join.start()) if join[0][0] == "]" else join.start()
        for comma in _COMMA.finditer(text, start, join.end()) if start >= 0 else ():
            yield comma.start(), comma.end(), ""
