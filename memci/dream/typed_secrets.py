"""Tells people about secrets that they typed into sessions: those are stored nowhere, but others may have read them."""

from collections.abc import Sequence
from dataclasses import replace

from memci.dream.due import is_fresh
from memci.dream.gather import Gathered
from memci.dream.inputs import Sources
from memci.model.plan import NeedsPerson, ScopePlan
from memci.redaction.secrets import REDACTED

_MAX_NAMED = 5


def ask_about_secrets(plans: Sequence[ScopePlan], gathered: Gathered, due: Sources) -> tuple[ScopePlan, ...]:
    """Add one question to the first plan if a message that is new to a scope held a secret."""
    states = [due.states[scope.scope.path] for scope in due.snapshot.scopes]
    days = {
        turn.session: turn.timestamp.date().isoformat() if turn.timestamp else "undated"
        for turn in gathered.reading.turns
        if REDACTED in turn.typed
        and any(is_fresh(turn.session, due.positions[turn.session, turn.uuid], state) for state in states)
    }
    if not plans or not days:
        return tuple(plans)
    named = ", ".join(f"{session[:8]} of {day}" for session, day in list(days.items())[:_MAX_NAMED])
    reason = f"somebody typed a secret into a session ({named}); memci stores it nowhere: is it changed?"
    return (replace(plans[0], needs_person=(*plans[0].needs_person, NeedsPerson(reason))), *plans[1:])
