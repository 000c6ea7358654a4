"""How far the cues of a sentence reach: which of them speak of a name in it."""

import bisect
import functools
import re
from collections.abc import Iterator, Sequence

from memci.citations.wording.cue_phrases import Reach, Sign, Word, match_signs, sentence_phrases, split_words
from memci.citations.wording.cue_sentences import MASK, MAX_SPAN, Paragraph, any_between, is_far
from memci.citations.wording.cues import (
    AIMS,
    APPOSITIONS,
    CONJUNCTIONS,
    FILLERS,
    HOLDERS,
    JOINTS,
    RELATIVES,
    STOPS,
    TURNS,
)
from memci.model.citation import Wording
from memci.patterns import LazyPattern

# Cues in the label of a list item, which apply to the whole item.
_SPREADING = {Wording.HISTORICAL, Wording.PLANNED}
# Cues farther away than this, in signs and in characters, belong to something else.
_MAX_SIGNS = 8
_MAX_GAP = 400


@functools.cache
def set_of(words: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(words.split())


def classify_near(read: Paragraph, line: str, start: int, end: int) -> Iterator[Wording]:
    """Yield how the sentence around the name from `start` to `end` describes it."""
    if bisect.bisect_right(read.strikes, start) % 2 and bisect.bisect_left(read.strikes, end) < len(read.strikes):
        yield Wording.STRUCK
    low, high = read.sentence(start)
    start, end = _whole_span(read.masked, start, end)
    place = bisect.bisect_left(read.signs, start, key=lambda sign: sign.start)
    for sign in read.signs[max(0, place - _MAX_SIGNS) : place]:
        if low <= sign.start and sign.end <= start <= sign.end + _MAX_GAP:
            yield from (cue.wording for cue in sign.cues if _reaches_forward(read, sign, cue.reach, start, low))
            # A cue's reach ends at the next cue.
            if sign is read.signs[place - 1] and _is_told_of(read, sign, start, low):
                yield from (cue.wording for cue in sign.cues if cue.reach is Reach.NEXT)
    for sign in read.signs[place : place + _MAX_SIGNS]:
        if end <= sign.start < min(high, end + _MAX_GAP):
            yield from (cue.wording for cue in sign.cues if _reaches_back(read, sign, cue.reach, start, end))
    if _refers_back(read, low, start):
        yield Wording.HISTORICAL
    label = _LABEL.match(line, 0, 200)
    if label and label.end() <= start and not any_between(read.turns, label.end(), start):
        signs = match_signs(split_words(label[1]), label[1], sentence_phrases())
        yield from {cue.wording for sign in signs for cue in sign.cues if cue.reach is Reach.CLOSE} & _SPREADING
    origin = line.startswith("#") and _ORIGIN.search(line, max(0, start - 60), start)
    if origin or _is_renamed(read, line, end) or _NEW_VALUE.match(line, end):
        yield Wording.HISTORICAL


def _refers_back(read: Paragraph, low: int, start: int) -> bool:
    """Whether a name is the source of a thing that the sentence before opened by calling old: "The shim (`x`) …"."""
    lead = read.words_between(low, start)[:2]
    if len(lead) < 2 or lead[0].text != "the" or not _all_in(lead[1:], APPOSITIONS):
        return False
    gap = read.masked[lead[1].end : start]
    if not gap.lstrip().startswith("(") or gap.count("(") <= gap.count(")"):
        return False
    earlier = read.sentence(low - 1)[0] if low else low
    place = bisect.bisect_left(read.signs, earlier, key=lambda sign: sign.start)
    sign = read.signs[place] if place < len(read.signs) else None
    return (
        sign is not None
        and sign.end <= low
        and any(cue.wording is Wording.HISTORICAL and cue.reach is Reach.NEXT for cue in sign.cues)
        and (_opens(read.masked[earlier : sign.start]) or _all_in(read.words_between(earlier, sign.start), JOINTS))
    )


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
    """Whether a name follows a cue so closely that the cue describes it."""
    gap = read.masked[end:start]
    if re.search("[,，、|:：—–]", gap):
        return False
    # "not `a` or `b`" goes on.
    words = [word for word in read.words_between(end, start) if word.text not in ("or", "nor")]
    if MASK in gap or direct:
        return not words
    # "the legacy shell script `x`" names one thing, "old clients need `x`" two.
    return len(words) <= (3 if words and _all_in(words[-1:], APPOSITIONS) else 1)


def _is_told_of(read: Paragraph, sign: Sign, start: int, low: int) -> bool:
    """Whether the name is in the description of an old thing: "the old `a` reads b (`x`)", "the old `a` and `x`"."""
    if _is_told_anew(read, sign, start):
        return False
    gap = read.masked[sign.end : start]
    words = read.words_between(sign.end, start)
    name = read.masked.find(MASK, sign.end, start)
    named = name >= 0 and _reaches_forward(read, sign, Reach.NEXT, name, low)
    before = read.words_between(max(low, sign.start - 12), sign.start)
    # "The legacy parser only reads `x`", "the old shell parser reads `x`".
    known = bool(before) and before[-1].text == "the" and any(_all_in([word], APPOSITIONS) for word in words[:2])
    if gap.count("(") > gap.count(")"):
        # A source. The thing is named, or at least said to be one that can be: "the old parser", not "old clients".
        return named or bool(words and _all_in(words[:1], APPOSITIONS))
    bare = re.sub(r"\([^()]*\)", "", gap)
    if _all_in(split_words(bare), JOINTS):
        return named and not re.search("[,，、|:：—–]", bare)
    # The statement is about it, and leads to nothing else.
    clause = max(low, read.masked.rfind(":", low, sign.start), read.masked.rfind("：", low, sign.start))
    opens = _all_in(read.words_between(clause, sign.start), JOINTS)
    return (named or known) and opens and "—" not in gap and not any(word.text in set_of(AIMS) for word in words)


def _is_told_anew(read: Paragraph, sign: Sign, start: int) -> bool:
    """Whether the text between the last cue and the name after it turns to another subject."""
    # A leading cue, as in "Removed `a` from `x`", starts no description of `a`.
    if any(cue.reach is Reach.LEADS for cue in sign.cues) or is_far(read.words_between(sign.end, start)):
        return True
    return any_between(read.turns, sign.end, start) or any_between(read.arrows, sign.end, start)


def _is_cut_off(read: Paragraph, end: int, start: int) -> bool:
    """Whether something between a cue and a name behind it turns to another thing."""
    if any_between(read.turns, end, start) or any_between(read.arrows, end, start):
        return True
    gap = read.masked[end:start]
    if is_far(read.words_between(end, start)) or gap.count(")") > gap.count("("):
        return True
    dash = bisect.bisect_left(read.dashes, end)
    # "Deleted — `x`" goes on behind the dash, "deleted the cache — `x` …" does not.
    return (
        dash < len(read.dashes)
        and read.dashes[dash] < start
        and bool(read.masked[end : read.dashes[dash]].strip(" :*"))
    )


def _opens(before: str) -> bool:
    """Whether a statement may begin behind these words: nothing, a list mark or a label."""
    marks = (":", "：", ",", "，", "—", "–", "(")
    return not before.strip(" \t-*+>#[]x0123456789.)(✅❌\n") or before.rstrip(" *_\n").endswith(marks)


def _reaches_back(read: Paragraph, sign: Sign, reach: Reach, start: int, end: int) -> bool:
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
    if is_far(words):
        return False
    if reach is Reach.CLOSE:
        # In languages with separate particles, one may come between.
        particles = len(words) <= 3 and read.masked[sign.start] > "\u3000"
        return (particles or _all_in(words, FILLERS)) and _ends_there(read, sign)
    if any(word.text in set_of(CONJUNCTIONS) or word.text in set_of(TURNS) for word in words):
        return False
    return _is_subject(read, gap, gap_start, words, start)


def _all_in(words: Sequence[Word], table: str) -> bool:
    return all(word.text in set_of(table) for word in words)


def _ends_there(read: Paragraph, sign: Sign) -> bool:
    """Tell "`x` — removed in May" from "`x` removed the cache"."""
    words = split_words(read.masked[sign.end : sign.end + 40].lstrip("*_ "))
    return not words or words[0].start > 0 or _all_in(words[:1], STOPS) or _all_in(words[:1], FILLERS)


def _is_subject(read: Paragraph, gap: str, gap_start: int, words: Sequence[Word], start: int) -> bool:
    """Whether the name is the subject of the words after it."""
    pause = max(gap.rfind(mark) for mark in (",", "，", "、", "—", "–", " - ", ":", "："))
    if pause < 0:
        before = read.words_between(max(0, start - 12), start)
        held = bool(before) and _all_in(before[-1:], HOLDERS) and not read.masked[before[-1].end : start].strip(" *\n")
        return not held and not any(word.text in set_of(RELATIVES) for word in words[1:])
    tail = [word for word in words if word.start > gap_start + pause]
    if tail and _all_in(tail[:1], RELATIVES):
        return MASK not in gap[:pause]
    return all(word.text in set_of(FILLERS) or not word.text.isascii() for word in tail)


# For example "Parser (removed in May): ", as the beginning of a list item.
_LABEL = LazyPattern(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t][^:()\n]{1,80}\(([^()\n]{1,40})\)[*_`]{0,3}:[*_]{0,2}[ \n]")


# "## Parser (phases 1-2, parser-design.md)", "## Parser (from parser-design.md)": what the text came from.
_ORIGIN = LazyPattern(
    r"\((?:(?:phases?|tasks?|steps?|milestones?|iterations?) \d[\w\s,.&–-]{0,40}|(?:from|source:?|based on) `?)$",
    re.IGNORECASE,
)


def _new_value_source() -> str:
    # "`RETRIES` 3 -> 5", "`RETRIES` from 3 to 5": what was changed at the time, whatever it is now.
    number = r"\d[\w.,%]{0,12}"
    return rf"[`*_)]{{0,4}} (?:from )?{number} ?(?:->|→|=>|to) ?{number}"


_NEW_VALUE = LazyPattern(_new_value_source)


def _is_renamed(read: Paragraph, line: str, end: int) -> bool:
    """Whether an arrow leads from this name to another of the same sort; a chain of arrows is a flow, not a rename."""
    place = bisect.bisect_left(read.arrows, end)
    arrow = read.arrows[place] if place < len(read.arrows) else len(line)
    if arrow - end > 9 or read.masked[end:arrow].strip(" *_)"):
        return False
    low, high = read.sentence(end)
    if bisect.bisect_left(read.arrows, high) - bisect.bisect_left(read.arrows, low) != 1:
        return False
    old = re.split(r"[\s`*(]", line[max(0, end - 120) : end].rstrip("`*"))[-1]
    new = re.match(r"(?:→|⟶|⇒|->|=>)[ *]{0,3}`?([^\s`*,;()]{2,120})(`?)(?!\()", line[arrow : arrow + 140])
    return bool(new and _sort_of(old) and _sort_of(old) == _sort_of(new[1]))


def _sort_of(name: str) -> str:
    """Return what sort of thing a name is that can be renamed; "" for calls, values and words."""
    if name.startswith("--"):
        return "flag"
    if "/" in name or re.fullmatch(r"[\w-]+\.\w{1,5}", name):
        return "path"
    return "name" if re.fullmatch(r"\w+", name) and re.search("_|[a-z][A-Z]", name) else ""
