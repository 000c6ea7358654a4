"""Passages: the sentences of a message that belong to one statement, sorted into rule, reason and how to act."""

import enum
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from memci.model.memory import TopicType
from memci.model.session import Place, SignalKind
from memci.patterns import LazyPattern
from memci.prose.fold import plain
from memci.prose.similar import stem_content
from memci.signals.context import CLOSES, FRAGMENT, Judged, is_explanation, judge_all
from memci.signals.cues import Cue, strip_leads
from memci.signals.judge import SentenceJudgement
from memci.signals.units import ANNOUNCES, Unit, split_units
from memci.signals.weigh import count_words

# More sentences than this explain something else.
_MAX_SUPPORT = 3
_MAX_FRAGMENT = 8


@dataclass(frozen=True, slots=True)
class Passage:
    """One statement of a message."""

    start: int
    end: int
    kind: SignalKind
    type: TopicType
    rule: str
    why: str
    how: str
    because: str
    reverses: bool


@dataclass(frozen=True, slots=True)
class RefusedPassage:
    """A sentence that looked like a statement and is none."""

    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Read:
    """What a message holds."""

    passages: tuple[Passage, ...]
    refused: tuple[RefusedPassage, ...]


class _Role(enum.Enum):
    RULE = enum.auto()
    WHY = enum.auto()
    HOW = enum.auto()


def read_message(text: str, place: Place) -> Read:
    """Find the statements of a message."""
    units = _split(text)
    judged = judge_all(text, units, place)
    passages: list[Passage] = []
    place_in = 0
    while place_in < len(judged):
        if not judged[place_in][1].lasts:
            place_in += 1
            continue
        first, last = _reach_back(judged, place_in, passages), _reach_on(judged, place_in)
        passages.append(_make_passage(judged[first : last + 1], place_in - first))
        place_in = last + 1
    refused = [RefusedPassage(unit.text, found.against) for unit, found in judged if found.against]
    return Read(tuple(passages), tuple(refused))


# People say the same words again, in the queue and when they refuse a tool.
@functools.lru_cache(maxsize=16)
def _split(text: str) -> tuple[Unit, ...]:
    """Return the sentences of a message."""
    return tuple(split_units(text))


def _reach_back(judged: Sequence[Judged], number: int, before: Sequence[Passage]) -> int:
    """Return where the passage begins: a correction right before the statement belongs to it."""
    if not number:
        return number
    (unit, found), (last, judgement) = judged[number], judged[number - 1]
    taken = bool(before) and before[-1].end > last.start
    asks = bool(last.cues & {Cue.QUESTION, Cue.ONCE, Cue.SUPPOSE, Cue.TASK})
    if not taken and last.line == unit.line and _POINTS_BACK.match(unit.folded) and not asks:
        return number - 1 if count_words(last.folded) > FRAGMENT else number
    if taken or last.line != unit.line or judgement.against or unit.item or found.kind is SignalKind.PERSON:
        return number
    if _POINTS_BACK.match(unit.folded) and (is_explanation(last) or Cue.KIND in last.cues):
        return number - 1
    if Cue.PRACTICE in last.cues and last.folded.startswith("our ") and not asks:
        return number - 1
    contrast = Cue.CONTRAST in last.cues and Cue.QUESTION not in last.cues
    return number - 1 if contrast and (count_words(last.folded) < 6 or _shares(last, unit)) else number


# What asks for more of what the sentence before it names.
_POINTS_BACK = LazyPattern(
    r"(?:(?:please|pls|and|so|always|just|lets) ){0,3}(?:keep (?:it|that|this)|dont|stop (?:it|that"
    r"|doing that)|continue (?:to do|doing|like)|keep doing|stick (?:to"
    r"|with) (?:that|this|it)|do (?:that|it|this)|more of (?:that|this))\b"
    r".{0,40}$|(?:thats|this is) (?:how|the way) we (?:do|write|handle|work)|so (?:machen|halten) wir"
    r"|weiter so|continue comme ça|sigue así|continue assim|так и продолжай"
)


def _shares(one: Unit, other: Unit) -> bool:
    return bool(stem_content(one.text) & stem_content(other.text))


def _reach_on(judged: Sequence[Judged], number: int) -> int:
    """Return where the passage ends: reasons and ways to act behind the statement belong to it."""
    last = number
    main = judged[number][0]
    while (
        last + 1 < len(judged)
        and last - number < _MAX_SUPPORT
        and _belongs(main, judged[number : last + 1], judged[last + 1])
    ):
        last += 1
    return last


# A sentence that speaks of the one before it.
_GOES_ON = LazyPattern(
    r"(?:\w+ ){0,3}(?:her|him|them|it)\b|(?:(?:and|but|so|or|just|please|pls|really) ){0,2}(?:it|its|that"
    r"|thats|this|they|theyre|those|them|these|because|bc|otherwise|since|dont|do not|stop|never"
    r"|no more|no exceptions|ever|only"
    r"|reason|why|instead|same|her|him|he|she|das|die|es|sonst|weil|ça|cest|sinon|eso|esto|porque|isso"
    r"|senão|это|иначе|потому|sie|er)\b"
    r"|(?:因为|否则|不然|这|它|上次|之前|线上|それ|これ|前回|なぜなら|그|이건|안 그러면|지난)"
)


def _belongs(main: Unit, so_far: Sequence[Judged], following: Judged) -> bool:
    unit, found = following
    if found.against or unit.block != main.block or (unit.line != so_far[-1][0].line and not _explains_above(unit)):
        return False
    if unit.cues & {Cue.QUESTION, Cue.ONCE, Cue.RETRACT, Cue.SARCASM} or CLOSES.match(unit.folded):
        return False
    if (
        count_words(unit.folded) <= FRAGMENT
        and not found.lasts
        and not unit.cues & {Cue.REASON, Cue.FORBID, Cue.INCIDENT}
    ):
        return bool(re.search(r"\b(?:ever|period|never|always|full stop|no exceptions|only|dont|not)\b", unit.folded))
    if found.lasts:
        return _is_related(so_far, unit, found)
    if Cue.TASK in unit.cues:
        forbidden = any(other.cues & {Cue.FORBID, Cue.NORM, Cue.STOP, Cue.BANNED} for other, _ in so_far)
        return forbidden and not re.match(
            r"(?:fix|undo|revert|redo|put (?:it|them|that)|rerun|continue|look|restore)\b", unit.folded
        )
    return True


def _explains_above(unit: Unit) -> bool:
    return not unit.item and bool(
        re.match(r"(?:because|bc|otherwise|reason|why:|the reason|since|weil|sonst|因为|否则)", unit.folded)
    )


def _is_related(so_far: Sequence[Judged], unit: Unit, found: SentenceJudgement) -> bool:
    last, judgement = so_far[-1]
    if last.text.endswith(";") or _POINTS_BACK.match(unit.folded):
        return True
    if found.type is TopicType.USER or judgement.type is TopicType.USER:
        return found.type is judgement.type or (
            judgement.type is TopicType.USER and count_words(unit.folded) <= FRAGMENT + 1
        )
    if judgement.type is TopicType.REFERENCE and found.type is not TopicType.REFERENCE and Cue.NORM not in unit.cues:
        return bool(_GOES_ON.match(unit.folded))
    if {Cue.FORGET, Cue.REVERSE} <= last.cues or (Cue.CONFIRM in last.cues and found.type is judgement.type):
        # What is withdrawn and what holds instead are one statement; so are praise and what to make of it.
        return True
    short = min(count_words(last.folded), count_words(unit.folded)) <= FRAGMENT + 1
    east = max(last.folded) > "\u2e7f"
    # "trunk only, flags for the rest": what has no verb goes on with the sentence before it.
    verbless = (
        bool(re.match(r"(?:[\w-]+ ){1,3}only\b|no \w", unit.folded)) and count_words(unit.folded) <= _MAX_FRAGMENT
    )
    return (
        short
        or verbless
        or east
        or bool(_GOES_ON.match(unit.folded))
        or any(_shares(other, unit) for other, _ in so_far)
    )


def _make_passage(judged: Sequence[Judged], at: int) -> Passage:
    """Sort the sentences of a passage; `at` is the place of its first lasting one."""
    main = _find_main(judged, at)
    roles = {main: _Role.RULE}
    for number, (unit, _) in enumerate(judged):
        if number == main:
            continue
        glued = number > main and roles.get(number - 1) is _Role.RULE and count_words(unit.folded) <= FRAGMENT
        acts = unit.cues & {Cue.TASK, Cue.NORM, Cue.STOP, Cue.FORBID} and Cue.INCIDENT not in unit.cues
        roles[number] = _Role.RULE if glued else _Role.HOW if acts or _is_fragment(unit) else _Role.WHY
    said = {role: " ".join(judged[n][0].text for n in sorted(roles) if roles[n] is role) for role in _Role}
    unit, found = judged[main]
    lasting = judged[at][1]
    told = found if found.lasts else lasting
    rule = said[_Role.RULE]
    if (
        unit.item
        and unit.label
        and re.search(r"\b(?:never|dont|do not|avoid|no|nie|jamais|nunca)\b.{0,20}:$", unit.label)
    ):
        rule = f"{unit.label_text} {rule}"
    return Passage(
        start=judged[0][0].start,
        end=judged[-1][0].end,
        kind=told.kind,
        type=_choose_type(judged, main, at),
        rule=_tidy(rule),
        why=said[_Role.WHY],
        how=said[_Role.HOW],
        because=told.because,
        reverses=any(Cue.REVERSE in unit.cues or Cue.FORGET in unit.cues for unit, _ in judged),
    )


def _is_fragment(unit: Unit) -> bool:
    return count_words(unit.folded) <= FRAGMENT + 1 and bool(re.search(r"\b(?:only|nur|solo|seulement)\b", unit.folded))


def _find_main(judged: Sequence[Judged], at: int) -> int:
    if at:
        return 0
    # "we moved to pnpm, stop using npm": the rule is what to go by.
    told = judged[at][1].type is TopicType.PROJECT and not judged[at][0].cues & {Cue.DEADLINE, Cue.BLOCKED, Cue.PURPOSE}
    rules = {Cue.STANDING, Cue.NORM, Cue.STOP}
    ruled = (n for n, (unit, found) in enumerate(judged) if n > at and found.lasts and unit.cues & rules)
    if told and (number := next(ruled, None)) is not None and Cue.FORGET not in judged[number][0].cues:
        return number
    # "we switched." tells less than the rule behind it.
    for number, (unit, found) in enumerate(judged):
        if (
            found.lasts
            and (count_words(unit.folded) > FRAGMENT or Cue.CONTRAST in unit.cues)
            and Cue.FORGET not in unit.cues
        ):
            return number
    return at


def _choose_type(judged: Sequence[Judged], main: int, at: int) -> TopicType:
    types = [found.type for _, found in judged if found.lasts]
    if main < at and types[0] is TopicType.PROJECT:
        return (
            TopicType.FEEDBACK if any(unit.cues & {Cue.TASK, Cue.FORBID, Cue.NORM} for unit, _ in judged) else types[0]
        )
    return judged[main][1].type if judged[main][1].lasts else types[0]


def _tidy(rule: str) -> str:
    """Drop what people begin with, if a whole statement is left."""
    low = plain(rule)
    start = strip_leads(low)
    if announced := ANNOUNCES.match(low, start):
        start = announced.end() + strip_leads(low[announced.end() :])
    rest = rule[start:].lstrip(" ,.:;!-–—")
    east = sum(character > "\u2e7f" for character in rest)
    return rest if len(rest.split()) + east // 2 > FRAGMENT - 1 else rule
