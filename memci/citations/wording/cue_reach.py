"""Reads a paragraph once (words, cues, sentences), and says which of the cues describe a name in it."""

import bisect
import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memci.citations.wording.cue_phrases import Reach, Sign, Word, match_signs, sentence_phrases, split_words
from memci.citations.wording.cues import APPOSITIONS, CONJUNCTIONS, EAST_TURNS, FILLERS, STOPS, TURNS
from memci.model.citation import Wording

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


# Cues farther away than this, in signs and in characters, belong to something else.
_MAX_SIGNS = 8
_MAX_GAP = 400


@functools.cache
def set_of(words: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(words.split())


def classify_near(read: Paragraph, start: int, end: int) -> Iterator[Wording]:
    """Yield how the sentence around the name from `start` to `end` describes it."""
    if bisect.bisect_right(read.strikes, start) % 2 and bisect.bisect_left(read.strikes, end) < len(read.strikes):
        yield Wording.STRUCK
    low, high = read.sentence(start)
    start, end = _whole_span(read.masked, start, end)
    place = bisect.bisect_left(read.signs, start, key=lambda sign: sign.start)
    for sign in read.signs[max(0, place - _MAX_SIGNS) : place]:
        if low <= sign.start and sign.end <= start <= sign.end + _MAX_GAP:
            yield from (cue.wording for cue in sign.cues if _reaches_forward(read, sign, cue.reach, start, low))
    for sign in read.signs[place : place + _MAX_SIGNS]:
        if end <= sign.start < min(high, end + _MAX_GAP):
            yield from (cue.wording for cue in sign.cues if _reaches_back(read, sign, cue.reach, end))


def _whole_span(masked: str, start: int, end: int) -> tuple[int, int]:
    """Widen a place to the code span or name around it."""
    # Longer spans and names cite nothing.
    first, last = max(0, start - MAX_SPAN), min(len(masked), end + MAX_SPAN)
    while start > first and masked[start - 1] == MASK:
        start -= 1
    while end < last and masked[end] == MASK:
        end += 1
    return start, end


def _reaches_forward(read: Paragraph, sign: Sign, reach: Reach, start: int, low: int) -> bool:
    if reach in (Reach.TRAILS, Reach.CLOSE) or _is_cut_off(read, sign.end, start):
        return False
    if reach is Reach.FAR:
        return True
    if any_between(read.stops, sign.end, start):
        return False
    if reach is Reach.LEADS:
        return True
    if reach is Reach.OPENS:
        # In "Create the node: `x`" the name is the means, not the thing created.
        told = read.words_between(sign.end, start) and ":" in read.masked[sign.end : start]
        return not told and _opens(read.masked[max(low, sign.start - 60) : sign.start])
    return _is_next(read, sign.end, start, direct=reach is Reach.DIRECT)


def _is_next(read: Paragraph, end: int, start: int, *, direct: bool) -> bool:
    """Whether a name follows a cue so closely that the cue describes it: "the legacy shell script `x`"."""
    gap = read.masked[end:start]
    words = [word for word in read.words_between(end, start) if word.text not in ("or", "nor")]
    if re.search("[,，、|:：—–]", gap):
        return False
    if MASK in gap or direct:
        return not words
    # "the legacy shell script `x`" names one thing, "old clients need `x`" two.
    return len(words) <= (3 if words and _all_in(words[-1:], APPOSITIONS) else 1)


def _is_cut_off(read: Paragraph, end: int, start: int) -> bool:
    """Whether something between a cue and a name behind it turns to another thing."""
    if any_between(read.turns, end, start) or any_between(read.arrows, end, start):
        return True
    gap = read.masked[end:start]
    if is_far(read.words_between(end, start)) or gap.count(")") > gap.count("("):
        return True
    dash = bisect.bisect_left(read.dashes, end)
    # "Deleted — `x`" goes on behind the dash, "deleted the cache — `x` …" does not.
    within = dash < len(read.dashes) and read.dashes[dash] < start
    return within and bool(read.masked[end : read.dashes[dash]].strip(" :*"))


def _opens(before: str) -> bool:
    """Whether a statement may begin behind these words: nothing, a list mark or a label."""
    marks = (":", "：", ",", "，", "—", "–", "(")
    return not before.strip(" \t-*+>#[]x0123456789.)(✅❌\n") or before.rstrip(" *_\n").endswith(marks)


def _reaches_back(read: Paragraph, sign: Sign, reach: Reach, end: int) -> bool:
    if reach not in (Reach.TRAILS, Reach.CLOSE) or any_between(read.arrows, end, sign.start):
        return False
    gap_start = end
    gap = read.masked[end : sign.start]
    if gap.count("(") > gap.count(")"):
        # A remark in brackets describes the name right before them.
        opened = gap.rfind("(")
        if gap[:opened].strip(" *_)]"):
            return False
        gap_start, gap = end + opened + 1, gap[opened + 1 :]
    words = read.words_between(gap_start, sign.start)
    if is_far(words) or any(word.text in set_of(CONJUNCTIONS) or word.text in set_of(TURNS) for word in words):
        return False
    if reach is Reach.CLOSE:
        # In languages with separate particles, one may come between.
        particles = len(words) <= 3 and read.masked[sign.start] > "\u3000"
        return (particles or _all_in(words, FILLERS)) and _ends_there(read, sign)
    pause = max(gap.rfind(mark) for mark in (",", "，", "、", "—", "–", " - ", ":", "："))
    if pause < 0:
        return not any(word.text in ("which", "that", "who") for word in words[1:])
    tail = [word for word in words if word.start > gap_start + pause]
    return all(word.text in set_of(FILLERS) or not word.text.isascii() for word in tail)


def _all_in(words: Sequence[Word], table: str) -> bool:
    return all(word.text in set_of(table) for word in words)


def _ends_there(read: Paragraph, sign: Sign) -> bool:
    """Tell "`x` — removed in May" from "`x` removed the cache"."""
    words = split_words(read.masked[sign.end : sign.end + 40].lstrip("*_ "))
    return not words or words[0].start > 0 or _all_in(words[:1], STOPS) or _all_in(words[:1], FILLERS)
