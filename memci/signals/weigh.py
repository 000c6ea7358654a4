"""How much speaks for a sentence: one firm cue, or several that add up."""

import re
from typing import NamedTuple

from memci.model.session import Place
from memci.patterns import LazyPattern
from memci.signals.cues import Cue, find_languages
from memci.signals.shapes import MUST, has_date, is_generic, is_reference, is_rule_label
from memci.signals.structure import (
    concludes,
    explains_itself,
    forbids_kind,
    is_nominal,
    orders_kind,
    points_at_hand,
    recurs,
    speaks_of_kind,
)
from memci.signals.units import Unit

# What a statement needs; a cue that suffices alone is worth as much.
ENOUGH = 2
# Rules are short: in a longer sentence, or in a message of that many, some cues stand by chance.
_LONG_SENTENCE = 20
_BARE = 3
# "deploy to staging, not prod" is about the deployment at hand.
_SHORT = 5

RULES = (Cue.STANDING, Cue.NORM, Cue.STOP, Cue.PREFER, Cue.BANNED, Cue.HABIT)
FACTS = (Cue.DECIDE, Cue.BLOCKED, Cue.OWNER, Cue.PURPOSE)
_SAYS = {
    Cue.STANDING: "says that it holds from now on",
    Cue.NORM: "says always or never",
    Cue.STOP: "asks to stop doing something",
    Cue.PREFER: "states a preference",
    Cue.BANNED: "names a rule or a ban",
    Cue.HABIT: "holds for every such case",
    Cue.DECIDE: "tells a decision",
    Cue.BLOCKED: "says what something waits for",
    Cue.OWNER: "says who is responsible",
    Cue.PURPOSE: "says that it is so on purpose",
    Cue.REMEMBER: "asks to remember",
    Cue.CONFIRM: "confirms a way of working",
    Cue.PERSON: "says who the person is",
    Cue.FORGET: "withdraws something said before",
    Cue.POLITE: "asks for it every time",
}
_FIRM = frozenset(_SAYS)


class Around(NamedTuple):
    """What stands around a sentence."""

    place: Place
    # Something in the same message asks for work.
    task: bool = False
    # The message reports a problem.
    trouble: bool = False
    # The sentence before it says that something is wrong.
    corrects: bool = False
    # Nothing in the message asks, supposes, reports or orders.
    quiet: bool = False
    # There is much more in the message.
    crowded: bool = False


class Weight(NamedTuple):
    """How much speaks for a sentence, and what."""

    score: int = 0
    because: str = ""
    # No more than two weak cues, for a sentence that has, or stands among, many words.
    thin: bool = False


def weigh(unit: Unit, around: Around) -> Weight:
    """Return how much speaks for a sentence, and what."""
    if unit.text.endswith((":", "：")) or unit.text.startswith(("**", "__")):
        return Weight()
    if unit.folded.strip(" .!") == "stop":
        # That stops what is going on.
        return Weight()
    if not unit.cues.isdisjoint(_FIRM):
        strong = [says for cue, says in _SAYS.items() if cue in unit.cues]
        return Weight(ENOUGH + (len(strong) > 1), strong[0])
    firm = _find_firm(unit, around)
    if firm:
        return Weight(ENOUGH, firm)
    # What names a commit or a session is about that one.
    points = () if _IDENTIFIES.search(unit.text) else _add_up(unit, around)
    long = around.crowded or count_words(unit.folded) > _LONG_SENTENCE
    return Weight(len(points), ", ".join(points), thin=len(points) == ENOUGH and long)


# The name of a commit, or the beginning of a uuid.
_IDENTIFIES = LazyPattern(r"(?<![\w#])(?=[0-9a-f]{0,39}[0-9])(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}(?!\w)")


def _find_firm(unit: Unit, around: Around) -> str:
    """Return what makes a statement of a sentence without one of the cues that suffice; "" if nothing does."""
    if unit.item and is_rule_label(unit):
        return f"listed under {unit.label_text[:60]!r}"
    if Cue.USUAL in unit.cues and unit.cues & _ASKED:
        return "holds for every such case"
    if is_reference(unit):
        return "says where something is"
    if _is_dated(unit):
        return "names a date"
    return "states how things of a kind are done" if _is_generic(unit, around) else ""


_ASKED = {Cue.TASK, Cue.FORBID, Cue.MODAL, Cue.PLEASE, Cue.HERE}


# What becomes a rule or a decision by its reason.
_REASONED = {Cue.FORBID, Cue.UNIVERSAL, Cue.POLICY, Cue.KIND, Cue.PRACTICE, Cue.FACT}
_LOCAL = {Cue.FORBID, Cue.MODAL, Cue.UNIVERSAL, Cue.FACT, Cue.PRACTICE, Cue.KIND, Cue.POLICY}


def _is_dated(unit: Unit) -> bool:
    return Cue.DEADLINE in unit.cues and Cue.ADVERB not in unit.cues and has_date(unit) and not _is_mere_event(unit)


def _is_generic(unit: Unit, around: Around) -> bool:
    return not around.trouble and Cue.DESCRIBE not in unit.cues and is_generic(unit.folded)


def _is_mere_event(unit: Unit) -> bool:
    """Tell a meeting or a remark about today from something the project has to keep to."""
    return bool(
        re.search(r"\b(?:meeting|lunch|call|standup|dentist|vacation|demo|took|this morning|slides)\b", unit.folded)
    )


# Without one of these no point below is made, unless by how the sentence is built or by what stands around it.
_COUNTED = frozenset((
    Cue.FORBID, Cue.POLICY, Cue.PRACTICE, Cue.KIND, Cue.UNIVERSAL, Cue.FACT, Cue.MODAL, Cue.REASON, Cue.INCIDENT,
    Cue.SAID, Cue.CORRECT, Cue.CONTRAST, Cue.ASIDE, Cue.TAIL, Cue.HERE, Cue.OWNER, Cue.SYSTEM,
))  # fmt: skip


def _add_up(unit: Unit, around: Around) -> tuple[str, ...]:
    """Return the points that cues make of which none suffices alone."""
    cues = unit.cues
    forbidden, ordered = _is_prohibition(unit), orders_kind(unit.folded)
    comes_back = Cue.TASK not in cues and recurs(unit.folded)
    of_kind = around.quiet and Cue.FORBID not in cues and speaks_of_kind(unit.folded)
    around_it = of_kind or around.corrects or around.place is Place.ANSWER
    if not (forbidden or ordered or comes_back or around_it) and cues.isdisjoint(_COUNTED):
        return ()
    # Only asked where it matters, as all that is looked for below: it is most of the time that a sentence takes.
    told = bool(cues & {Cue.REASON, Cue.INCIDENT})
    reasoned = forbidden or ordered or not cues.isdisjoint(_REASONED)
    explained = told or Cue.CLAUSE in cues or (reasoned and explains_itself(unit.folded))
    states = bool(
        cues & {Cue.KIND, Cue.UNIVERSAL, Cue.MODAL, Cue.PRACTICE, Cue.OWNER, Cue.FACT, Cue.HERE, Cue.SYSTEM, Cue.ASIDE}
    )
    points = {
        "forbids something": Cue.FORBID in cues or forbidden,
        "forbids it in general": forbidden and not around.task,
        "asks for it in general": ordered and Cue.POLICY not in cues and not around.task,
        "and not for something else": ordered and Cue.CONTRAST in cues and len(unit.folded.split()) > _SHORT,
        "is about things of a kind": of_kind,
        "is no sentence of a story": of_kind and is_nominal(unit.folded),
        "comes back": comes_back and not around.trouble,
        "draws a conclusion": Cue.TASK not in cues and (states or comes_back) and concludes(unit.folded),
        "names a way of working": Cue.MANNER in cues and Cue.FORBID in cues,
        "tells how it is done": Cue.PRACTICE in cues and Cue.TASK not in cues,
        "tells what things of a kind do": Cue.KIND in cues
        and (explained or around.corrects or not around.trouble)
        and (not around.task or _is_norm(unit)),
        "nothing else is asked": Cue.KIND in cues and not (around.trouble or around.task) and _is_norm(unit),
        "says how to do it": Cue.POLICY in cues and not around.task,
        "gives a reason": (explained and reasoned) or (told and Cue.MODAL in cues),
        "holds for all": Cue.UNIVERSAL in cues and bool(cues & {Cue.MODAL, Cue.TASK, Cue.PRACTICE}),
        "must": bool(told and MUST.search(unit.folded)),
        "was said before": Cue.SAID in cues,
        "corrects": (Cue.CORRECT in cues or around.corrects) and Cue.TASK not in cues and not _is_verbless(unit),
        "one thing and not another": Cue.CONTRAST in cues and not _is_verbless(unit),
        "a change": Cue.FACT in cues and Cue.TROUBLE not in cues,
        "an aside": Cue.ASIDE in cues,
        "asks for assent": Cue.TAIL in cues and Cue.POLICY in cues,
        "holds here": Cue.HERE in cues and not _is_beside(unit) and bool(around.corrects or cues & _LOCAL),
        "refused": around.place is Place.REJECTION
        and (forbidden or bool(cues & {Cue.MODAL, Cue.REASON, Cue.CONTRAST}) or (Cue.FORBID in cues and explained)),
        "answered": around.place is Place.ANSWER,
        "dated": Cue.FACT in cues and has_date(unit),
        "reasoned answer": around.place is Place.ANSWER and len(re.split(r"[,;–—-] ", unit.text)) > 1,
    }
    return tuple(name for name, holds in points.items() if holds)


def _is_prohibition(unit: Unit) -> bool:
    """Tell what is forbidden in general from what is not to be done to the thing at hand."""
    if forbids_kind(unit.folded):
        return True
    foreign = Cue.FORBID in unit.cues and not unit.folded.isascii() and not unit.cues & {Cue.TASK, Cue.DESCRIBE}
    # Shorter ones lack an object: "noch nicht pushen".
    return foreign and count_words(unit.folded) > _BARE and not points_at_hand(unit.folded)


def _is_beside(unit: Unit) -> bool:
    """Tell the place that an order is about from the place where a rule holds: "use the blue one here"."""
    return Cue.TASK in unit.cues and bool(re.search(r"\bthe .{0,40}\bhere\b", unit.folded))


def _is_norm(unit: Unit) -> bool:
    """Tell where things of a kind have to be and what they have to look like from what they happen to do."""
    found = re.search(r"s (?:\w+ )?(?:go|goes|belongs?|starts?|ends?|begins?|lives?|stays?)\b", unit.folded)
    return bool(found) or (
        Cue.KIND in unit.cues and not (unit.folded.isascii() and "en" in find_languages(unit.folded))
    )


def count_words(folded: str) -> int:
    """Count words; two characters of a script without blanks are about one."""
    count = len(folded.split())
    return count if folded.isascii() else count + sum(character > "\u2e7f" for character in folded) // 2


_VERBS = {"is", "are", "goes", "go", "must", "means"}


def _is_verbless(unit: Unit) -> bool:
    words = unit.folded.split()
    return len(words) < 5 and unit.folded.isascii() and not _VERBS & set(words[1:])
