"""Signals that no scope is the place for become questions to a person."""

from collections.abc import Sequence
from dataclasses import replace

from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, ScopePlan
from memci.model.session import Signal


def ask_about_unrouted(plans: Sequence[ScopePlan], signals: Sequence[Signal]) -> tuple[ScopePlan, ...]:
    """Add a question for each signal to the first plan, if there is one."""
    if not plans:
        return ()
    questions = tuple(_ask_for_scope(signal) for signal in signals)
    return (replace(plans[0], needs_person=(*plans[0].needs_person, *questions)), *plans[1:])


def _ask_for_scope(signal: Signal) -> NeedsPerson:
    evidence = (Evidence(EvidenceKind.SIGNAL, signal.id, signal.text),)
    return NeedsPerson("no scope is the place for this; set `route:` in .memci.yml", None, evidence)
