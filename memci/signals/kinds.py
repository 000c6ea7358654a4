"""Which kind of signal a sentence is, and which type of topic it belongs to."""

import functools
import re

from memci.model.memory import TopicType
from memci.model.session import Place, SignalKind
from memci.signals.cues import Cue, find_cue, strip_leads
from memci.signals.shapes import FORBIDS, has_date, is_generic, is_reference, is_rule_label
from memci.signals.structure import is_nominal
from memci.signals.units import Unit
from memci.signals.weigh import FACTS, RULES, Around

_ASKS = {*RULES, Cue.FORBID, Cue.MODAL, Cue.CONFIRM, Cue.PRACTICE, Cue.POLICY, Cue.USUAL, Cue.POLITE, Cue.KIND}


# The type of a sentence is asked for several times while its passage is put together.
@functools.lru_cache(maxsize=16)
def name(unit: Unit, around: Around) -> tuple[SignalKind, TopicType]:
    """Say what kind of signal the sentence would be, and which type of topic."""
    cues = unit.cues
    if Cue.PERSON in cues:
        return SignalKind.PERSON, TopicType.USER
    if is_reference(unit):
        return SignalKind.REFERENCE, TopicType.REFERENCE
    if _is_about_time(unit):
        return _name_time(unit), TopicType.PROJECT
    if Cue.OWNER in cues and not cues & {Cue.NORM, Cue.STANDING, Cue.STOP, Cue.PREFER}:
        return SignalKind.DECISION, TopicType.PROJECT
    return _name_kind(unit, around), TopicType.FEEDBACK if _is_feedback(unit) else TopicType.PROJECT


def _is_about_time(unit: Unit) -> bool:
    # Behind "heads up:".
    start = strip_leads(unit.folded)
    opened = re.match(r"(?:nothing|no \w+|nobody|noone) ", unit.folded[start:]) is not None
    freezes = opened and re.search(r"\b(?:until|till|from) ", unit.folded) is not None
    dated = Cue.BLOCKED in unit.cues or ((Cue.DEADLINE in unit.cues or freezes) and has_date(unit))
    ordered = re.match(r"(?:(?:please|pls) )?(?:dont|do not|avoid)\b", unit.folded[start:])
    return dated and not ordered and (freezes or not unit.cues & set(RULES))


def _name_time(unit: Unit) -> SignalKind:
    if Cue.REMEMBER in unit.cues:
        return SignalKind.REMEMBER
    return SignalKind.DECISION if Cue.DECIDE in unit.cues or Cue.DEADLINE not in unit.cues else SignalKind.DEADLINE


def _name_kind(unit: Unit, around: Around) -> SignalKind:
    cues = unit.cues
    corrects = bool(cues & {Cue.CORRECT, Cue.STOP, Cue.SAID}) or around.corrects or around.place is Place.REJECTION
    decides = bool(cues & {*FACTS, Cue.FACT, Cue.REVERSE}) or around.place is Place.ANSWER
    kinds = {
        SignalKind.REMEMBER: Cue.REMEMBER in cues,
        SignalKind.FORGET: Cue.FORGET in cues,
        SignalKind.CONFIRMATION: Cue.CONFIRM in cues,
        SignalKind.CORRECTION: corrects,
        SignalKind.DECISION: decides,
    }
    return next((kind for kind, holds in kinds.items() if holds), SignalKind.PREFERENCE)


def _is_feedback(unit: Unit) -> bool:
    """Tell how to work here from what is so."""
    cues = unit.cues - {Cue.STANDING} if _is_only_noted(unit) else unit.cues
    alike = is_generic(unit.folded)
    firm = alike or bool(cues & {*RULES, Cue.CONFIRM}) or bool(FORBIDS.search(unit.folded))
    # "`levels` must keep its name because …" tells of one thing, "all timestamps must be …" how to work.
    single = Cue.MODAL in cues and not firm and not cues & {Cue.FORBID, Cue.UNIVERSAL} and not unit.item
    told = bool(cues & {Cue.DECIDE, Cue.PURPOSE}) and not firm
    if (cues & _ASKS or (unit.item and is_rule_label(unit))) and not single and not told:
        return True
    return alike or Cue.FORGET in cues or is_nominal(unit.folded) or _is_order(unit) or _belongs_somewhere(unit)


def _is_only_noted(unit: Unit) -> bool:
    """Tell "noted for the future: the export reads it by name", which says what to remember and not what to do."""
    head, _, rest = unit.folded.partition(": ")
    noted = {Cue.STANDING, Cue.MODAL} <= unit.cues and bool(rest) and head.count(" ") < 5
    return noted and find_cue(Cue.STANDING, rest) < 0


def _is_order(unit: Unit) -> bool:
    return Cue.TASK in unit.cues and not unit.cues & {*FACTS, Cue.FACT}


def _belongs_somewhere(unit: Unit) -> bool:
    """Tell "integration tests go in it/", which says where to put them."""
    return bool(re.search(r"\b\w+s (?:go|goes|belong|belongs) (?:in|into|to|under|next)\b", unit.folded))
