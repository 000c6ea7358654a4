"""Reads a paragraph once: its words, cues and sentences, and the marks that end the reach of a cue."""

import bisect
import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memci.citations.wording.cue_phrases import Sign, Word, match_signs, sentence_phrases, split_words
from memci.citations.wording.cues import EAST_TURNS, STOPS, TURNS

# Stands for every character of a name.
MASK = "\x01"
# Longer code spans and words are no names.
MAX_SPAN = 300
# More words than this between a cue and a claim, and they belong to different things.
MAX_WORDS = 14
_MAX_SYLLABLES = 4 * MAX_WORDS
_FIRST_HANGUL = "\uac00"

_ABBREVIATIONS = frozenset(
    ("e.g", "i.e", "etc", "vs", "cf", "z.b", "d.h", "bzw", "ca", "p.ex", "p.ej", "incl", "approx", "eg", "т.д", "т.е")
)


class Paragraph(NamedTuple):
    """A text with its names blanked out, and the places, sorted, of what steers the reach of a cue."""

    masked: str
    words: Sequence[Word]
    starts: Sequence[int]
    signs: Sequence[Sign]
    # Behind each sentence.
    ends: Sequence[int]
    turns: Sequence[int]
    stops: Sequence[int]
    dashes: Sequence[int]
    arrows: Sequence[int]
    strikes: Sequence[int]

    def words_between(self, start: int, end: int) -> Sequence[Word]:
        """Return the words from `start` to `end`, but not many more than can matter."""
        low = bisect.bisect_left(self.starts, start)
        return self.words[low : min(bisect.bisect_left(self.starts, end), low + _MAX_SYLLABLES)]

    def sentence(self, position: int) -> tuple[int, int]:
        """Return where the sentence around `position` starts and ends."""
        place = bisect.bisect_right(self.ends, position)
        return (self.ends[place - 1] if place else 0, self.ends[place] if place < len(self.ends) else len(self.masked))


def is_far(words: Sequence[Word]) -> bool:
    """Whether so many words lie between a cue and a claim that they belong to different things."""
    # Hangul is read syllable by syllable, but its words are parted by blanks.
    glued = sum(
        one.end == two.start and one.text >= _FIRST_HANGUL and two.text >= _FIRST_HANGUL
        for one, two in itertools.pairwise(words)
    )
    return len(words) - glued > MAX_WORDS


def any_between(places: Sequence[int], start: int, end: int) -> bool:
    """Whether one of the sorted places lies from `start` to `end`."""
    place = bisect.bisect_left(places, start)
    return place < len(places) and places[place] < end


def sentence_bounds(text: str, position: int) -> tuple[int, int]:
    """Return where the sentence around `position` of a paragraph starts and ends."""
    return read_paragraph(text).sentence(position)


# All claims of a paragraph are asked for one after the other.
@functools.lru_cache(maxsize=4)
def read_paragraph(text: str) -> Paragraph:
    """Return what the wording of claims in a text depends on."""
    masked = mask_names(text)
    words = split_words(masked)
    turning, stopping = frozenset(TURNS.split()), frozenset(STOPS.split())
    turns = [word.start for word in words if word.text in turning]
    turns += _places("|".join(EAST_TURNS.split()), masked)
    return Paragraph(
        masked=masked,
        words=words,
        starts=[word.start for word in words],
        signs=list(match_signs(words, masked, sentence_phrases())),
        ends=list(_sentence_ends(masked)),
        turns=sorted(turns),
        stops=[word.start for word in words if word.text in stopping],
        dashes=_places(r"(?<=\s)(?:—|–|--?)(?=\s)|——", masked),
        arrows=_places("→|⟶|⇒|->|=>", masked),
        strikes=_places("~~", text),
    )


def _places(pattern: str, text: str) -> list[int]:
    return [found.start() for found in re.finditer(pattern, text)]


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
