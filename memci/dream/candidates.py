"""Candidates: what people said that is not certain enough to be written, until a person accepts it."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from memci.dream.due import drop_seen
from memci.dream.inputs import DreamRequest, Sources
from memci.dream.state import DreamState
from memci.errors import UsageError
from memci.model.plan import PlanStatus, ScopePlan
from memci.model.session import Signal
from memci.signals.find import limit_offered
from memci.use.repeated_rules import RuleIndex, list_rules


def take_accepted(sources: Sources, request: DreamRequest) -> tuple[Signal, ...]:
    """Return the candidates that a person accepts: named by the beginnings of their ids, or ticked and not written."""
    accepted = []
    candidates, states = sources.gathered.candidates, sources.states.values()
    for wanted in dict.fromkeys(request.accept):
        found = [signal for signal in candidates if wanted and signal.id.startswith(wanted.lower())]
        if len(found) != 1:
            why = "names several candidates" if found else "names no candidate of these sessions"
            hint = "memci signals lists them"
            if not sources.gathered.reading.files:
                hint = "no sessions were read: name them with --transcripts, as when it was offered"
            raise UsageError(f"--accept {wanted} {why}", hint=hint)
        accepted += found
    accepted += [one for one in candidates if one.id in request.ticked and not _is_used(one, states)]
    return tuple(dict.fromkeys(accepted))


def _is_used(signal: Signal, states: Collection[DreamState]) -> bool:
    return any(state.has_used(signal.session, signal.uuid) for state in states)


def offer(plans: Sequence[ScopePlan], due: Sources, accepted: Sequence[Signal]) -> tuple[ScopePlan, ...]:
    """Add to each plan the accepted candidates that it writes, and to one the best that were not offered before.

    The state of that one remembers them, so it is a plan that changes if there is any.
    """
    if not plans:
        return ()
    candidates, positions, every = due.gathered.candidates, due.gathered.positions, due.states.values()
    declined = frozenset().union(*(state.declined for state in every))
    new = {signal.id for state in due.list_states() for signal in drop_seen(candidates, positions, state)}
    taken = {signal.id for signal in accepted} | declined
    known = RuleIndex([rule for scope in due.snapshot.scopes for rule in list_rules(scope.topics, ())])
    left = [
        one for one in candidates if one.id in new - taken and not _is_used(one, every) and not known.match(one.text)
    ]
    offered = limit_offered(left, sum(len(plan.signals) for plan in plans))
    home = next((plan for plan in plans if plan.status is PlanStatus.CHANGED), plans[0])
    written = [tuple(signal for signal in accepted if signal.id in plan.cited_signals) for plan in plans]
    refused = tuple(signal for signal in accepted if not any(signal in each for each in written))
    return tuple(
        replace(plan, offered=(*own, *refused, *offered) if plan is home else own)
        for plan, own in zip(plans, written, strict=True)
    )
