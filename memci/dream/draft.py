"""The draft of one scope: every proposal is judged by all guards before it changes the draft."""

from collections.abc import Callable
from dataclasses import replace

from memci.dream.ledger import trace_lines
from memci.engines.protocol import Proposals, Refusal
from memci.guards.context import Context
from memci.guards.run import find_refusal
from memci.memory.replace_texts import list_texts, replace_texts
from memci.model.memory import ScopeSnapshot
from memci.model.plan import NeedsPerson, Operation, PlanStatus, Refused, ScopePlan
from memci.model.session import Signal


class ScopeDraft:
    """A scope while it is changed, with the operations that passed, those that were refused, and open questions."""

    def __init__(self, scope: ScopeSnapshot, context: Context) -> None:
        self.scope = scope
        self._context = context
        context.add_topics(scope.topics)
        # The verdicts on the current draft: engines ask before they propose.
        self._verdicts: dict[Operation, Refusal | None] = {}
        self._operations: list[Operation] = []
        self._refused: list[Refused] = []
        self._needs: list[NeedsPerson] = []

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations that passed so far."""
        return tuple(self._operations)

    def work(self, phase: Callable[[ScopeSnapshot], Proposals]) -> None:
        """Judge the proposals of a phase one by one; each is based on the draft after the one before."""
        proposals = phase(self.scope)
        try:
            proposal = next(proposals)
            while True:
                self._take(proposal)
                proposal = proposals.send(self.scope)
        except StopIteration:
            return

    def judge(self, operation: Operation) -> Refusal | None:
        """Return which guard refuses an operation on the current draft, and why; each operation is judged once."""
        if operation not in self._verdicts:
            self._verdicts[operation] = find_refusal(operation, self._context)
        return self._verdicts[operation]

    def _take(self, proposal: Operation | NeedsPerson) -> None:
        if isinstance(proposal, NeedsPerson):
            self._needs.append(proposal)
            return
        draft = self._context.draft
        if all(draft.get(path) == text for path, text in proposal.texts.items()):
            return
        if refusal := self.judge(proposal):
            self._refused.append(Refused(proposal, *refusal))
            return
        self._operations.append(proposal)
        self.scope = replace_texts(self.scope, proposal.texts)
        self._context = replace(self._context, draft=draft.change(proposal.texts))
        self._verdicts.clear()

    def plan(self, signals: tuple[Signal, ...]) -> ScopePlan:
        """Return the result: what changed, what was refused, and the fate of every old line."""
        before, after = self._context.original, list_texts(self.scope)
        status = PlanStatus.UNCHANGED if before == after else PlanStatus.CHANGED
        # Operations may cancel each other out.
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
