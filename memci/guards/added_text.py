"""Lines and sentences that a change of texts adds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.patterns import LazyPattern

# Markup in front of a line: quotation and list marks, headings, labels.
_MARKS = LazyPattern(
    r"[\s>#*+|-]{0,40}(?:\d{1,3}[.)]\s)?(?:\[[ xX]\]\s)?(?:\*{0,2}(?:Why|How to apply)\s?:\*{0,2})?\s{0,4}"
)
# The number of an item in a sentence ends nothing: "in this order: 1. hide it, 2. …".
_SENTENCE_BREAK = LazyPattern(r"(?<=[.!?。！？])(?<![:;,.] \d\.)\s+")


@dataclass(frozen=True, slots=True)
class AddedText:
    """One line, or one frontmatter value, that none of the replaced texts has."""

    path: PurePosixPath
    # From 1, in the new text.
    line: int
    text: str


def subtract_lines(new: Mapping[PurePosixPath, str], old: Iterable[str]) -> Iterator[AddedText]:
    """Yield the lines of the new texts that the old ones do not have; a line moved between files is not new."""
    left = Counter(line.rstrip() for text in old for line in text.split("\n"))
    for path, text in new.items():
        for number, line in enumerate(text.split("\n"), 1):
            key = line.rstrip()
            if left[key] > 0:
                left[key] -= 1
            elif key:
                yield AddedText(path, number, line)


def split_sentences(line: str) -> list[str]:
    """Split a line into sentences, without the markup in front of it."""
    marks = _MARKS.match(line)
    return [part for part in _SENTENCE_BREAK.split(line[marks.end() if marks else 0 :]) if part.strip()]
