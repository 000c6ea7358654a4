"""A paragraph with its names blanked out, as words and sentences, and the phrases of the cue tables in it."""

import bisect
import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memci.model.citation import Wording
from memci.patterns import LazyPattern

# Stands for every character of a name.
MASK = "\x01"
# Longer code spans and words are no names.
MAX_SPAN = 300
# The longest phrase, and the most words between a cue and a name.
MAX_PHRASE = 6
_MAX_REACH = 12

_ABBREVIATIONS = frozenset(
    ("e.g", "i.e", "etc", "vs", "cf", "z.b", "d.h", "bzw", "ca", "p.ex", "p.ej", "incl", "approx", "eg", "т.д", "т.е")
)


class Word(NamedTuple):
    """One word of a text, in lower case."""

    start: int
    end: int
    text: str


# A phrase is its words with blanks between them.
Phrases = Mapping[str, tuple[Wording, int]]

# In scripts without blanks every character is a word; so is a syllable of Hangul, because suffixes follow it.
_WORD = LazyPattern(f"{MASK}+|[A-Za-zÀ-ÖØ-öø-ɏЀ-ӿ]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def split_words(text: str) -> list[Word]:
    """Return the words of a text; a name that is blanked out is one."""
    return [Word(found.start(), found.end(), _fold(found[0])) for found in _WORD.finditer(text)]


def _fold(word: str) -> str:
    # In capitals only, because "todo" is Spanish for all of it.
    return "unfinished" if word in ("TODO", "TODOs", "TODOS") else word.lower()


@functools.cache
def read_table(table: str) -> Phrases:
    """Return the phrases of a table with their wording and reach; those of a plain list mean nothing."""
    phrases: dict[str, tuple[Wording, int]] = {}
    for line in table.strip().split("\n"):
        head, _, listed = line.rpartition(": ")
        wording, _, reach = head.partition(" ")
        for phrase in listed.split(" | "):
            choices = ([" ".join(_WORD.findall(one)) for one in part.split("/")] for part in phrase.split())
            for chosen in itertools.product(*choices):
                phrases.setdefault(" ".join(chosen), (Wording(wording or "plain"), int(reach or 0)))
    return phrases


def find_phrase(words: Sequence[Word], table: str) -> int:
    """Return the position of the first phrase of a table among words; -1 if there is none."""
    known = read_table(table)
    places = range(len(words))
    return next((words[place].start for place in places if _match(words, place, known)), -1)


def _match(words: Sequence[Word], place: int, known: Phrases) -> tuple[Wording, int] | None:
    """Return what the longest phrase means that begins with a word; None if there is none."""
    text = [word.text for word in words[place : place + MAX_PHRASE]]
    ends = range(len(text), 0, -1)
    return next((known[phrase] for end in ends if (phrase := " ".join(text[:end])) in known), None)


def classify_before(words: Sequence[Word], table: str) -> Wording:
    """Return what the last phrase among the words in front of a name says of it, if that is near enough."""
    known, text = read_table(table), [word.text for word in words[-_MAX_REACH - MAX_PHRASE :]]
    for end in range(len(text), 0, -1):
        for start in range(max(0, end - MAX_PHRASE), end):
            wording, reach = known.get(" ".join(text[start:end]), (None, 0))
            if wording and (wording is Wording.PLAIN or len(text) - end <= reach):
                return wording
    return Wording.PLAIN


def classify_behind(words: Sequence[Word], table: str) -> Wording:
    """Return what the first phrase among the words behind a name says of it, if that is near enough."""
    known, text = read_table(table), words[: _MAX_REACH + MAX_PHRASE]
    for place in range(len(text)):
        wording, reach = _match(text, place, known) or (None, 0)
        if wording and (wording is Wording.PLAIN or place <= reach):
            return wording
    return Wording.PLAIN


class Paragraph(NamedTuple):
    """A text with its names blanked out, its words, and where its sentences end."""

    masked: str
    words: Sequence[Word]
    starts: Sequence[int]
    ends: Sequence[int]

    def words_between(self, start: int, end: int) -> Sequence[Word]:
        """Return the words from `start` to `end`."""
        return self.words[bisect.bisect_left(self.starts, start) : bisect.bisect_left(self.starts, end)]

    def sentence(self, position: int) -> tuple[int, int]:
        """Return where the sentence around `position` starts and ends."""
        place = bisect.bisect_right(self.ends, position)
        return (self.ends[place - 1] if place else 0, self.ends[place] if place < len(self.ends) else len(self.masked))

    def widen(self, start: int, end: int) -> tuple[int, int]:
        """Return the whole code span or word around a name."""
        # Longer spans and names cite nothing.
        first, last = max(0, start - MAX_SPAN), min(len(self.masked), end + MAX_SPAN)
        while start > first and self.masked[start - 1] == MASK:
            start -= 1
        while end < last and self.masked[end] == MASK:
            end += 1
        return start, end


# All claims of a paragraph are asked for one after the other.
@functools.lru_cache(maxsize=4)
def read_paragraph(text: str) -> Paragraph:
    """Return what the wording of claims in a text depends on."""
    masked = mask_names(text)
    words = split_words(masked)
    return Paragraph(masked, words, [word.start for word in words], list(_sentence_ends(masked)))


def sentence_bounds(text: str, position: int) -> tuple[int, int]:
    """Return where the sentence around `position` of a paragraph starts and ends."""
    return read_paragraph(text).sentence(position)


def mask_names(text: str) -> str:
    """Blank out code and everything else that is a name rather than a word."""
    text = re.sub("(?<!`)`+[^`]+`+", lambda found: MASK * len(found[0]), text)
    return re.sub("[!-_a-~]+", _mask_name, text)


def _mask_name(found: re.Match[str]) -> str:
    token = found[0]
    core = token.strip("*_()[]{}<>\"'.,;:!?|~")
    if not core or core.lower() in _ABBREVIATIONS or not ("/" in core or "_" in core or "." in core):
        return token
    place = token.find(core)
    return token[:place] + MASK * len(core) + token[place + len(core) :]


def _sentence_ends(masked: str) -> Iterator[int]:
    pattern = r"[.!?](?=[\s)\]*\"'|]|$)|[。！？；;]|\n(?=[ \t]*(?:[-*+|]|\d{1,3}[.)])[ \t])|\n(?=[ \t]*\n)"
    for found in re.finditer(pattern, masked):
        before = masked[max(0, found.start() - 7) : found.start()].lower()
        if found[0] != "." or re.split(r"[^\w.]", before)[-1] not in _ABBREVIATIONS:
            yield found.end()
