"""Whether a sentence states something that lasts; precision first."""

import re
from typing import NamedTuple

from memci.model.memory import TopicType
from memci.model.session import Place, SignalKind
from memci.patterns import LazyPattern
from memci.signals.cues import Cue, find_cue
from memci.signals.kinds import name
from memci.signals.shapes import AT_HAND, MAKES, REQUESTS, SINGLE, WIDGET, describes_code, is_reference, is_rule_label
from memci.signals.units import Unit
from memci.signals.weigh import ENOUGH, Around, Weight, weigh

_REASONS = {
    Cue.QUESTION: "a question",
    Cue.ONCE: "only for the task at hand",
    Cue.SUPPOSE: "a supposition",
    Cue.SARCASM: "meant ironically",
    Cue.STORY: "about other people or another place",
    Cue.DICTATE: "dictated text",
    Cue.CHAT: "small talk",
}
# What makes a rule of a sentence whatever it looks like.
_FIRM = {
    Cue.STANDING, Cue.REMEMBER, Cue.SAID, Cue.STOP, Cue.CONFIRM, Cue.PERSON, Cue.BANNED, Cue.PREFER,
}  # fmt: skip


# Nobody pastes a review where there is a question to answer.
_TYPED = {Place.ANSWER, Place.REJECTION}
# What is said to whoever reads it, whatever it names.
_TOLD = {Cue.STANDING, Cue.NORM, Cue.STOP, Cue.PREFER, Cue.FORGET}


class SentenceJudgement(NamedTuple):
    """How much speaks for a sentence, what it would be, and what speaks against it."""

    unit: Unit
    around: Around
    score: int
    because: str
    # Why it is none although something speaks for it; "" if it is one or if nothing does.
    against: str = ""
    # Its type if the sentences around it decide that.
    topic: TopicType | None = None

    @property
    def lasts(self) -> bool:
        """Whether the sentence states something that lasts."""
        return self.score >= ENOUGH and not self.against

    # Only asked of the few sentences that last, or stand beside one that does.
    @property
    def kind(self) -> SignalKind:
        """The kind of signal that the sentence would be."""
        return name(self.unit, self.around)[0]

    @property
    def type(self) -> TopicType:
        """The type of topic that the sentence would belong to."""
        return self.topic or name(self.unit, self.around)[1]


def judge(unit: Unit, around: Around) -> SentenceJudgement:
    """Judge a sentence on its own."""
    weight = weigh(unit, around)
    # What says "never" is worth an answer even if nothing else speaks for it.
    doubtful = weight.score or Cue.ADVERB in unit.cues
    against = _find_objection(unit, around, weight) if doubtful else ""
    return SentenceJudgement(unit, around, weight.score, weight.because, against)


def _find_objection(unit: Unit, around: Around, weight: Weight) -> str:
    """Return why a sentence is no statement that lasts; "" if nothing speaks against it."""
    cues = unit.cues
    spoken = next((reason for cue, reason in _REASONS.items() if cue in cues and not _is_outweighed(unit, cue)), "")
    objections = {
        spoken: bool(spoken),
        "a detail of the list it stands in": _is_listed_detail(unit),
        "a detail of the task at hand": _is_detail(unit, around),
        "asks for work": _asks_for_work(unit),
        "describes code": around.place not in _TYPED and not cues & _TOLD and describes_code(unit),
        "taken back": Cue.RETRACT in cues and not cues & {Cue.FORGET, Cue.REVERSE, Cue.STANDING},
        "describes how something behaves": Cue.DESCRIBE in cues and weight.score < ENOUGH,
        "little speaks for it, in much text": weight.thin,
    }
    return next((reason for reason, holds in objections.items() if holds), "")


def _is_listed_detail(unit: Unit) -> bool:
    return unit.item and bool(unit.label) and not is_rule_label(unit) and not unit.cues & {Cue.STANDING, Cue.REMEMBER}


def _is_detail(unit: Unit, around: Around) -> bool:
    cues = unit.cues
    if cues & _FIRM - ({Cue.BANNED} if unit.folded.startswith(("make sure", "ensure")) else set()):
        return False
    if AT_HAND.search(unit.folded) and Cue.PURPOSE not in cues:
        return True
    if WIDGET.search(unit.folded) and Cue.REASON not in cues:
        return True
    told = (
        cues & {Cue.ADVERB, Cue.REASON, Cue.NORM, Cue.PRACTICE}
        and not around.task
        and not unit.folded.startswith("make sure the")
    )
    return Cue.HABIT not in cues and not told and bool(SINGLE.search(unit.folded))


def _asks_for_work(unit: Unit) -> bool:
    if unit.cues & {*_FIRM, Cue.HABIT, Cue.PURPOSE}:
        return False
    asked = Cue.ADVERB not in unit.cues and REQUESTS.match(unit.folded)
    return bool(asked or MAKES.search(unit.folded)) and not is_reference(unit)


def _is_outweighed(unit: Unit, cue: Cue) -> bool:
    """Tell whether what speaks against a sentence stands in a part of it that says something else."""
    cues = unit.cues
    match cue:
        case Cue.QUESTION:
            # "where you see such a loop, leave it" only begins like a question.
            return (bool(cues & {Cue.POLITE, Cue.TAIL}) and not _WANTS_TO_KNOW.search(unit.folded)) or (
                Cue.HABIT in cues and not re.search("[?？]", unit.text)
            )
        case Cue.SUPPOSE:
            return Cue.POLITE in cues or _stands_first(unit, cue)
        case Cue.STORY:
            return _stands_first(unit, cue)
        case Cue.ONCE:
            lasting = cues & {Cue.STANDING, Cue.REMEMBER, Cue.DECIDE, Cue.BLOCKED, Cue.PERSON}
            return bool(lasting) and not _only_once(unit)
        case Cue.CHAT:
            return bool(cues & {Cue.STANDING, Cue.REMEMBER, Cue.FORGET})
        case _:
            return False


# What a polite question asks to be told, not done.
_WANTS_TO_KNOW = LazyPattern(
    r"\b(?:why|whether|explain (?:why|how|to me)|tell me|warum|wieso|weshalb|erklär\w*|pourquoi|por qué|por que"
    r"|explica\w*)\b|почему|зачем|объясни|为什么|为啥|なぜ|なんで|왜"
)


def _only_once(unit: Unit) -> bool:
    return bool(re.search(r"\b(?:this|just|only)\b.{0,12}\b(?:once|time|only|pr|branch|commit)\b", unit.folded))


def _stands_first(unit: Unit, against: Cue) -> bool:
    """Tell whether a rule begins before the words that speak against it."""
    rules = (
        find_cue(cue, unit.folded)
        for cue in (Cue.NORM, Cue.STANDING, Cue.STOP, Cue.FORBID, Cue.DECIDE, Cue.BLOCKED, Cue.OWNER, Cue.FORGET)
    )
    return min((start for start in rules if start >= 0), default=len(unit.folded)) < find_cue(against, unit.folded)
