"""Where sentences end: in Markdown, in typed messages, and around a place in a text."""

import re
from collections.abc import Iterator

from memci.patterns import LazyPattern
from memci.prose.fold import word_set

# A sentence of a typed message; people end lines where a thought ends, so a line break ends it too.
TYPED_END = LazyPattern(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bvs)(?<!\bz\.b)[.!?…]+[\"')\]”»]{0,3}(?=\s|$)(?!\s+ever\b)|[。！？]|\n",
    re.IGNORECASE,
)
# The look-behind lets a run of marks match only at its start, so that a line of them costs one pass.
_MARKDOWN_END = LazyPattern(r"(?<![.!?…])[.!?…]++[\"')\]*_”’»]*+(?=\s)|[。！？｡]++[」』”’）)*]*+")
# An empty line, the next list item or table row, or the end of a sentence.
_BOUNDARY = LazyPattern(
    r"\n[ \t]{0,12}(?:\r?\n|[-*+>#|][ \t#*+>-]|[0-9]{1,3}[.)][ \t])"
    r"|(?<!e\.g)(?<!i\.e)(?<!z\.B)[.!?;](?=\s)|[。！？；]"
)
_ABBREVIATIONS = word_set("eg ie etc vs cf ca approx incl excl resp nr bzw ggf usw vgl dh zb max min fig st")
# How far the rest of the sentence is read, in both directions.
_CONTEXT = 240


def split_sentences(text: str, masked: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of the sentences of a paragraph; `masked` is the text with blanks in place of code."""
    for found in _MARKDOWN_END.finditer(masked, start, end):
        if _ends_sentence(text, masked, start, found):
            yield start, found.end()
            start = found.end()
    yield start, end


def _ends_sentence(text: str, masked: str, start: int, found: re.Match[str]) -> bool:
    if found[0][0] != ".":
        return True
    # The longest abbreviation has six letters; looking further back would make a long line quadratic.
    before = masked[max(start, found.start() - 12) : found.start()].split()
    word = before[-1].strip("(*_\"'").replace(".", "").lower() if before else ""
    after = text[found.end() : found.end() + 40].lstrip()[:1]
    return not (after.islower() or word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha()))


def typed_sentences(text: str, start: int, end: int) -> list[str]:
    """Return the sentences of a typed message that contain `text[start:end]`."""
    first = max((found.end() for found in TYPED_END.finditer(text, 0, start)), default=0)
    sentences: list[str] = []
    while first < max(end, start + 1):
        last = TYPED_END.search(text, first)
        stop = last.end() if last else len(text)
        sentences.append(text[first:stop])
        if stop <= first:
            break
        first = stop
    return [sentence for sentence in sentences if sentence.strip()]


def first_sentence(line: str) -> str:
    """Return the first sentence of a line."""
    start, end = next(split_sentences(line, line, 0, len(line)))
    return line[start:end]


def sentence_around(text: str, start: int, end: int) -> tuple[str, str]:
    """Return what is before and behind `text[start:end]` in the same sentence, list item or table row."""
    before, behind = text[max(0, start - _CONTEXT) : start], text[end : end + _CONTEXT]
    for boundary in _BOUNDARY.finditer(before):
        before = text[max(0, start - _CONTEXT) + boundary.end() : start]
    boundary_behind = _BOUNDARY.search(behind)
    return before, behind[: boundary_behind.start()] if boundary_behind else behind
