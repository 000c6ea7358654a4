"""Words a signal as a person would have written it: third person, first clause as title, reason as hook."""

from dataclasses import replace

from memci.memory.compose import describe, split_title
from memci.memory.pointers import MIN_HOOK
from memci.model.session import Signal
from memci.patterns import LazyPattern
from memci.signals.third_person import name_speaker

_IS = LazyPattern(r" (is|are) ")
# The room in a pointer behind a title and a file name.
_MAX_PLACE = 100


def speak_of_person(signal: Signal) -> Signal:
    """Return the signal with the person in the third person."""
    rule, why, how = (name_speaker(text, signal.speaker) for text in (signal.rule, signal.why, signal.how))
    return replace(signal, rule=rule, why=why, how=how)


def describe_signal(signal: Signal) -> str:
    """Return the description: the rule, and behind a dash its reason or the rest of the sentence."""
    title, rest = split_title(signal.rule)
    if "://" in title:
        # What is somewhere is the title, and where it is the hook: an address is never cut.
        for said in (signal.rule.rstrip(".。"), title):
            thing, verb, place = (*_IS.split(said, maxsplit=1), "", "")[:3]
            if verb and "://" not in thing and len(place) <= _MAX_PLACE:
                return f"{thing} — {place}"
    if signal.why:
        return describe(signal.rule, signal.why)
    whole = describe(signal.rule)
    return describe(title, rest) if len(rest) >= MIN_HOOK and whole.startswith(title) else whole
