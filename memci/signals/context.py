"""The sentences of a message judged together: what is explained, sandwiched between orders, or taken back."""

import re
from collections import Counter
from collections.abc import Sequence

from memci.model.memory import TopicType
from memci.model.session import Place
from memci.patterns import LazyPattern
from memci.redaction.injection import Injection, find_injections
from memci.signals.cues import Cue
from memci.signals.judge import SentenceJudgement, judge
from memci.signals.structure import complains
from memci.signals.units import Unit
from memci.signals.weigh import ENOUGH, Around, count_words

# A message with one of these is about the task, and a plain statement in it is one of its details.
_LOUD = {
    Cue.TASK, Cue.QUESTION, Cue.ONCE, Cue.TROUBLE, Cue.CHAT, Cue.STORY, Cue.SARCASM, Cue.SUPPOSE, Cue.DICTATE,
    Cue.RETRACT, Cue.DESCRIBE,
}  # fmt: skip
_RULES = frozenset((Cue.NORM, Cue.STANDING, Cue.HABIT, Cue.PREFER, Cue.STOP))
# Messages with more than this tell about some work.
_MANY = 7
_LONG = 800
Judged = tuple[Unit, SentenceJudgement]
# Fewer words than this are a fragment: "EVER.", "third time".
FRAGMENT = 3


def judge_all(text: str, units: Sequence[Unit], place: Place) -> list[Judged]:
    """Judge the sentences of a message in the light of each other."""
    asks = [_asks_for_work(unit) for unit in units]
    trouble = any(Cue.TROUBLE in unit.cues and Cue.CORRECT not in unit.cues for unit in units)
    quiet = all(unit.cues.isdisjoint(_LOUD) for unit in units)
    crowded = len(units) > _MANY or len(text) > _LONG
    orders: list[Injection] | None = None
    judged: list[Judged] = []
    asked = Counter(unit.block for unit, asks_for_work in zip(units, asks, strict=True) if asks_for_work)
    for number, unit in enumerate(units):
        # Something else in the paragraph asks for work.
        task = asked[unit.block] > asks[number]
        # What follows in the same line explains it.
        opens = not number or units[number - 1].line != unit.line
        found = judge(unit, Around(place, task, trouble, _is_corrected(units, number), quiet and opens, crowded))
        if found.score:
            # Looking for them takes as long as all else, and in most messages nothing speaks for a sentence.
            orders = find_injections(text) if orders is None else orders
            if any(order.start < unit.end and unit.start < order.end for order in orders):
                found = found._replace(against="gives orders to a model")
        if found.lasts and _is_among_orders(units, asks, number):
            found = found._replace(against="stands among the orders of a task")
        judged.append((unit, found))
    _promote(judged, asks)
    _retract(judged)
    return judged


def _is_corrected(units: Sequence[Unit], number: int) -> bool:
    """Tell whether the words right before the sentence say that something is wrong."""
    if not number or units[number - 1].line != units[number].line:
        return False
    before = units[number - 1]
    length = len(before.folded.split())
    if length > 16:
        return False
    if Cue.CORRECT in before.cues and length <= 8:
        return True
    challenged = Cue.TASK not in units[number].cues and bool(_CHALLENGES.match(before.folded))
    return challenged or complains(before.folded)


# A question that finds fault: "why yarn?", "why did you squash them?".
_CHALLENGES = LazyPattern(
    r"(?:(?:wait|hey|hm+|uh|um|eh|huh|and|but|ok|wtf|hold on)[,.!]? ){0,2}"
    r"(?:why (?:the |did you |do you |are you |would you |have you |is there |is this |on earth )?"
    r"(?!is it|does|isnt|dont we|not|am)\w|since when\b|who (?:told|said)|where did you get|what made you)"
)


def _asks_for_work(unit: Unit) -> bool:
    return Cue.TASK in unit.cues and unit.cues.isdisjoint(_RULES)


def _is_among_orders(units: Sequence[Unit], asks: Sequence[bool], number: int) -> bool:
    """Tell a bare "never push anything" between two orders from a rule."""
    unit = units[number]
    if not 0 < number < len(units) - 1 or unit.item or len(unit.folded.split()) > 5:
        return False
    bare = not unit.cues & {Cue.STANDING, Cue.REASON, Cue.PLEASE, Cue.HERE, Cue.SAID, Cue.STOP, Cue.REMEMBER}
    beside = (number - 1, number + 1)
    return bare and all(asks[at] and units[at].block == unit.block for at in beside)


def _promote(judged: list[Judged], asks: Sequence[bool]) -> None:
    """Let the reason in the next sentence make a rule of what only forbids."""
    for number, (unit, found) in enumerate(judged[:-1]):
        after, then = judged[number + 1]
        weak = found.score == ENOUGH - 1 and not found.against and unit.cues & _WEAK and not found.around.crowded
        firm = bool(_INSISTS.match(after.folded)) and not found.against
        # "tabs, not spaces. always."
        short = (
            firm
            and Cue.CHAT not in after.cues
            and Cue.QUESTION not in unit.cues
            and count_words(after.folded) <= FRAGMENT < count_words(unit.folded) + 1
            and not CLOSES.match(unit.folded)
        )
        if not (weak or short) or after.line != unit.line or unit.item:
            continue
        # "values are in kPa. Not bar."
        apart = bool(re.match(r"(?:and )?not (?:[\w-]+ ?){1,3}[.!]*$", after.folded))
        firm = firm or (apart and bool(found.score))
        explains = firm or then.lasts or (not then.against and is_explanation(after))
        # What is asked for behind it may be how to act instead.
        busy = any(
            asked and other.block == unit.block for (other, _), asked in zip(judged[:number], asks, strict=False)
        )
        if firm or (explains and not busy):
            topic = TopicType.FEEDBACK if short else found.topic
            judged[number] = (unit, found._replace(score=ENOUGH, topic=topic, because=_add_reason(found.because)))


# Cues that need one more; a reason behind them is that.
_WEAK = {Cue.FORBID, Cue.SAID, Cue.POLICY, Cue.MODAL, Cue.PRACTICE, Cue.KIND}


def _add_reason(because: str) -> str:
    return f"{because}, with a reason behind it" if because else "insists on it"


# What people put behind a rule to make it one.
_INSISTS = LazyPattern(
    r"(?:(?:and|like|please|pls) )?(?:ever|period|full stop|no exceptions|all of them|every (?:single )?time|always"
    r"|everywhere|at all times|no matter what|without exception|each time|in every \w+|across the board)\b"
)


def is_explanation(unit: Unit) -> bool:
    """Tell whether a sentence can be the reason of the one before it."""
    plain_words = not unit.cues & {Cue.TASK, Cue.QUESTION, Cue.ONCE, Cue.RETRACT, Cue.SARCASM, Cue.CHAT}
    return plain_words and count_words(unit.folded) > FRAGMENT and not CLOSES.match(unit.folded)


def _retract(judged: list[Judged]) -> None:
    for number, (unit, _) in enumerate(judged):
        if Cue.RETRACT not in unit.cues or unit.cues & {Cue.FORGET, Cue.REVERSE}:
            continue
        for at in range(number):
            other, found = judged[at]
            if found.lasts and unit.block - other.block <= 1:
                judged[at] = (other, found._replace(against="taken back in the same message"))


# Remarks that end one subject or open another.
CLOSES = LazyPattern(
    r"(?:ok|okay|thanks|thank you|the rest|rest of|everything else|looks|lgtm|apart from|anyway|now|next"
    r"|also|separate (?:thing|topic|issue|note)|another|then|first|"
    r"cool|great|nice|good|perfect|done|bye|sorry|lucky|weird|ship|oh|btw|and then|after that|meanwhile"
    r"|ansonsten|danke|merci|gracias)\b"
)
