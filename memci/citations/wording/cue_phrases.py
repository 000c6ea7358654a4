"""Finding the phrases of the cue tables in a text, in one pass over its words."""

import enum
import functools
import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memci.citations.wording.cues import HEADINGS, LANGUAGES
from memci.model.citation import Wording
from memci.patterns import LazyPattern


class Reach(enum.StrEnum):
    """Where the claim is, relative to the cue that describes it."""

    # The very next thing: "not `x`".
    DIRECT = "direct"
    # Close behind the cue: "the legacy shell script `x`".
    NEXT = "next"
    # Behind it, in the same list, before any preposition: "removed `a` and `b` from …".
    LEADS = "leads"
    # Anywhere behind it in the clause: "we used to deploy with `x`".
    FAR = "far"
    # As LEADS, if the cue opens a statement: "Create `x`".
    OPENS = "opens"
    # Before it, as the subject of the cue: "`x` was removed".
    TRAILS = "trails"
    # Right before it: "`x` (removed)", "| `x` | removed |".
    CLOSE = "close"
    # Below it.
    HEADING = "heading"


class WordingCue(NamedTuple):
    """The wording that a phrase gives to the claim within its reach."""

    wording: Wording
    reach: Reach


class Word(NamedTuple):
    """One word of a text, in lower case."""

    start: int
    end: int
    text: str


class Sign(NamedTuple):
    """A phrase found in a text."""

    start: int
    end: int
    cues: tuple[WordingCue, ...]


_Phrase = tuple[str, ...]
Phrases = Mapping[str, Sequence[tuple[_Phrase, tuple[WordingCue, ...]]]]


# In scripts without spaces every character is a word; so is a Hangul syllable, because suffixes are attached to words.
_WORD = LazyPattern("[A-Za-zÀ-ÖØ-öø-ɏЀ-ӿ]+|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def split_words(text: str) -> list[Word]:
    """Return the words of a text."""
    return [Word(found.start(), found.end(), _fold(found[0])) for found in _WORD.finditer(text)]


def _fold(word: str) -> str:
    folded = word.lower()
    # Only in capitals: "todos" is Spanish for all of them.
    return f"({folded})" if folded in ("todo", "todos") and not word.startswith("TODO") else folded


def match_signs(words: Sequence[Word], text: str, phrases: Phrases) -> Iterator[Sign]:
    """Yield the phrases among the words of a text; where several begin, the longest."""
    place = 0
    while place < len(words):
        length = 1
        for phrase, cues in phrases.get(words[place].text, ()):
            if _matches(words, place, phrase, text):
                length = len(phrase)
                yield Sign(words[place].start, words[place + length - 1].end, cues)
                break
        place += length


def _matches(words: Sequence[Word], place: int, phrase: _Phrase, text: str) -> bool:
    if place + len(phrase) > len(words):
        return False
    for number, word in enumerate(phrase):
        if words[place + number].text != word:
            return False
        # Only blanks, emphasis and the marks inside words may part the words of a phrase.
        gap = text[words[place + number - 1].end : words[place + number].start][:9] if number else ""
        if gap != "." and gap.strip(" \n\t*_'’-"):
            return False
    # "The no-key path" has a key of its own.
    return re.match(r"-[a-z]", text[words[place + len(phrase) - 1].end :][:2]) is None


def find_phrase(text: str, table: str) -> int:
    """Return the position of the first phrase of a table in a text; -1 if there is none."""
    return next((sign.start for sign in match_signs(split_words(text), text, plain_phrases(table))), -1)


@functools.cache
def plain_phrases(table: str) -> Phrases:
    """Return the phrases of a table without wordings."""
    return _by_first_word({phrase: () for line in table.split("\n") for phrase in _expand(line)})


@functools.cache
def sentence_phrases() -> Phrases:
    """Return the cues of all languages."""
    return _cue_phrases(*LANGUAGES)


@functools.cache
def heading_phrases() -> Phrases:
    """Return the cues of headings, with and without accents."""
    return _cue_phrases(HEADINGS, _leave_accents_out(HEADINGS))


def _leave_accents_out(text: str) -> str:
    parted = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", re.sub("(?<=[A-Za-z])[\u0300-\u036f]", "", parted))


def _cue_phrases(*tables: str) -> Phrases:
    cues: dict[_Phrase, tuple[WordingCue, ...]] = {}
    for line in "".join(tables).strip().split("\n"):
        head, _, phrases = line.partition(": ")
        wording, _, reach = head.partition(" ")
        cue = WordingCue(Wording(wording), Reach(reach))
        for phrase in _expand(phrases):
            cues[phrase] = (*cues.get(phrase, ()), cue)
    return _by_first_word(cues)


def _expand(line: str) -> Iterator[_Phrase]:
    for phrase in line.split(" | ") if line else ():
        parts = (phrase,) if phrase[0] > "\u3000" else phrase.split()
        choices = [[_WORD.findall(choice) for choice in part.split("/")] for part in parts]
        for chosen in itertools.product(*choices):
            yield tuple(itertools.chain.from_iterable(chosen))


def _by_first_word(cues: Mapping[_Phrase, tuple[WordingCue, ...]]) -> Phrases:
    found: dict[str, list[tuple[_Phrase, tuple[WordingCue, ...]]]] = {}
    for phrase in sorted(cues, key=len, reverse=True):
        found.setdefault(phrase[0], []).append((phrase, cues[phrase]))
    return found
