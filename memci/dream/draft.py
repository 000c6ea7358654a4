"""Where a scope lies while it is worked on: every proposal is judged here before it changes anything."""

from collections.abc import Callable
from dataclasses import replace

from memci.dream.ledger import trace_lines
from memci.engines.protocol import Proposals
from memci.guards.context import Ground
from memci.guards.run import find_refusal
from memci.memory.replace_texts import find_texts, replace_texts
from memci.model.memory import ScopeSnapshot
from memci.model.plan import NeedsPerson, Operation, PlanStatus, Refused, ScopePlan
from memci.model.session import Signal


class Desk:
    """One scope, the operations that were made on it, those that were refused, and the questions that are left."""

    def __init__(self, scope: ScopeSnapshot, ground: Ground) -> None:
        self.scope = scope
        self._ground = ground
        self._operations: list[Operation] = []
        self._refused: list[Refused] = []
        self._needs: list[NeedsPerson] = []

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations that passed so far."""
        return tuple(self._operations)

    def work(self, phase: Callable[[ScopeSnapshot], Proposals]) -> None:
        """Judge the proposals of a phase one by one; each sees what the earlier ones left."""
        proposals = phase(self.scope)
        try:
            proposal = next(proposals)
            while True:
                self._take(proposal)
                proposal = proposals.send(self.scope)
        except StopIteration:
            return

    def judge(self, operation: Operation) -> tuple[str, str] | None:
        """Return which guard would refuse an operation on the scope as it is now, and why."""
        return find_refusal(operation, self._ground)

    def _take(self, proposal: Operation | NeedsPerson) -> None:
        if isinstance(proposal, NeedsPerson):
            self._needs.append(proposal)
            return
        draft = self._ground.draft
        if all(draft.get(path) == text for path, text in proposal.texts.items()):
            return
        refusal = self.judge(proposal)
        if refusal:
            self._refused.append(Refused(proposal, *refusal))
            return
        self._operations.append(proposal)
        self.scope = replace_texts(self.scope, proposal.texts)
        self._ground = replace(self._ground, draft=draft.change(proposal.texts))

    def plan(self, signals: tuple[Signal, ...]) -> ScopePlan:
        """Close the books: what changed, what was refused, where every old line went."""
        before, after = self._ground.original, find_texts(self.scope)
        status = PlanStatus.UNCHANGED if before == after else PlanStatus.CHANGED
        # Operations that cancel each other out have done nothing.
        operations = tuple(self._operations) if status is PlanStatus.CHANGED else ()
        ledger = trace_lines(before, after, operations)
        return ScopePlan(
            self.scope.scope,
            status,
            operations=operations,
            refused=tuple(self._refused),
            needs_person=tuple(self._needs),
            signals=signals,
            ledger=ledger,
            before=before,
            after=after,
        )
