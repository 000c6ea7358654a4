"""Candidates: what people said that is not certain enough to be written, until a person accepts it."""

from collections.abc import Sequence
from dataclasses import replace

from memci.dream.gather import Gathered
from memci.dream.inputs import Sources
from memci.dream.unseen_signals import drop_seen
from memci.errors import UsageError
from memci.model.plan import ScopePlan
from memci.model.session import Signal
from memci.signals.find import limit_offered


def take_accepted(gathered: Gathered, accept: Sequence[str]) -> tuple[Signal, ...]:
    """Return the candidates that a person accepts by their ids, or the beginnings of them."""
    accepted = []
    for wanted in dict.fromkeys(accept):
        found = [signal for signal in gathered.candidates if wanted and signal.id.startswith(wanted.lower())]
        if len(found) != 1:
            why = "names several candidates" if found else "is no candidate in these sessions"
            raise UsageError(f"--accept {wanted}: {why}", hint="memci signals lists them")
        accepted += found
    return tuple(dict.fromkeys(accepted))


def offer(
    plans: Sequence[ScopePlan], gathered: Gathered, due: Sources, accepted: Sequence[Signal]
) -> tuple[ScopePlan, ...]:
    """Add to the first plan the best candidates that a scope which is due was not offered before."""
    if not plans:
        return ()
    states = [due.states[scope.scope.path] for scope in due.snapshot.scopes]
    taken = {signal.id for signal in accepted}
    new = {signal.id for state in states for signal in drop_seen(gathered.candidates, due.positions, state)}
    left = [signal for signal in gathered.candidates if signal.id in new - taken]
    offered = limit_offered(left, sum(len(plan.signals) for plan in plans))
    return (replace(plans[0], offered=offered), *plans[1:])
