"""How much speaks for a sentence: one firm cue, or several that add up."""

import re
from dataclasses import dataclass

from memci.signals.cues import Cue
from memci.signals.shapes import generic, has_date, is_reference, is_rule_label, must
from memci.signals.units import Unit
from memci.transcript import Place

# What a statement needs; a cue that suffices alone is worth as much.
ENOUGH = 2

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


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a sentence."""

    place: Place
    # Something in the same message asks for work.
    task: bool = False
    # The message reports a problem.
    trouble: bool = False
    # The sentence before it says that something is wrong.
    corrects: bool = False


def weigh(unit: Unit, around: Around) -> tuple[int, str]:
    """Return how much speaks for a sentence, and what."""
    if unit.text.endswith((":", "：")) or unit.text.startswith(("**", "__")):
        return 0, ""
    strong = [says for cue, says in _SAYS.items() if cue in unit.cues]
    if strong:
        return ENOUGH + (len(strong) > 1), strong[0]
    firm = {
        f"listed under {unit.label_text[:60]!r}": unit.item and is_rule_label(unit),
        "holds for every such case": Cue.USUAL in unit.cues and bool(unit.cues & _ASKED),
        "says where something is": is_reference(unit),
        "names a date": _is_dated(unit),
        "states how things of a kind are done": _is_generic(unit, around),
    }
    return next(((ENOUGH, reason) for reason, holds in firm.items() if holds), None) or _add_up(unit, around)


_ASKED = {Cue.TASK, Cue.FORBID, Cue.MODAL, Cue.PLEASE, Cue.HERE}


def _is_dated(unit: Unit) -> bool:
    return Cue.DEADLINE in unit.cues and Cue.ADVERB not in unit.cues and has_date(unit) and not _is_mere_event(unit)


def _is_generic(unit: Unit, around: Around) -> bool:
    return not around.trouble and Cue.DESCRIBE not in unit.cues and bool(generic().search(unit.folded))


def _is_mere_event(unit: Unit) -> bool:
    """Tell a meeting or a remark about today from something the project has to keep to."""
    return bool(
        re.search(r"\b(?:meeting|lunch|call|standup|dentist|vacation|demo|took|this morning|slides)\b", unit.folded)
    )


def _add_up(unit: Unit, around: Around) -> tuple[int, str]:
    """Add up cues of which none suffices alone."""
    cues = unit.cues
    told = bool(cues & {Cue.REASON, Cue.INCIDENT})
    explained = told or Cue.CLAUSE in cues
    points = {
        "forbids something": Cue.FORBID in cues,
        "names a way of working": Cue.MANNER in cues and Cue.FORBID in cues,
        "tells how it is done": Cue.PRACTICE in cues and Cue.TASK not in cues,
        "says how to do it": Cue.POLICY in cues and not around.task,
        "gives a reason": (explained and bool(cues & {Cue.FORBID, Cue.UNIVERSAL, Cue.POLICY}))
        or (told and bool(cues & {Cue.MODAL})),
        "holds for all": Cue.UNIVERSAL in cues and bool(cues & {Cue.MODAL, Cue.TASK, Cue.PRACTICE}),
        "must": bool(told and must().search(unit.folded)),
        "was said before": Cue.SAID in cues,
        "corrects": (Cue.CORRECT in cues or around.corrects) and Cue.TASK not in cues and not _is_verbless(unit),
        "one thing and not another": Cue.CONTRAST in cues and not _is_verbless(unit),
        "a change": Cue.FACT in cues,
        "an aside": Cue.ASIDE in cues,
        "holds here": Cue.HERE in cues and bool(cues & {Cue.FORBID, Cue.MODAL, Cue.UNIVERSAL, Cue.FACT, Cue.PRACTICE}),
        "refused": around.place is Place.REJECTION and bool(cues & {Cue.FORBID, Cue.MODAL, Cue.REASON, Cue.CONTRAST}),
        "answered": around.place is Place.ANSWER,
        "dated": Cue.FACT in cues and has_date(unit),
        "reasoned answer": around.place is Place.ANSWER and len(re.split(r"[,;–—-] ", unit.text)) > 1,
    }
    found = [name for name, holds in points.items() if holds]
    return len(found), ", ".join(found)


def _is_verbless(unit: Unit) -> bool:
    return len(unit.folded.split()) < 5 and unit.folded.isascii()
