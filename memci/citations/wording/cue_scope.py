"""How far the cues of a sentence reach: which of them describe a name in it."""

import bisect
import functools
import re
from collections.abc import Iterator, Sequence

from memci.citations.wording.cue_phrases import Reach, Sign, Word, split_words
from memci.citations.wording.cue_sentences import MASK, MAX_SPAN, Paragraph, any_between, is_far
from memci.citations.wording.cues import APPOSITIONS, CONJUNCTIONS, FILLERS, STOPS, TURNS
from memci.model.citation import Wording

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
