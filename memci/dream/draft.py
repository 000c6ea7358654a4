"""The draft of one scope: every proposal is judged by all guards before it changes the draft."""

import copy
from collections.abc import Callable, Iterable
from dataclasses import replace

from memci.dream.ledger import trace_lines
from memci.engines.protocol import Proposals
from memci.guards.context import Context
from memci.guards.run import find_refusal
from memci.memory.snapshot import add_repaired, change_texts, list_texts, replace_texts
from memci.model.memory import ScopeSnapshot
from memci.model.plan import LeftOut, NeedsPerson, Operation, PlanStatus, Refusal, Refused, ScopePlan
from memci.model.session import Signal


class ScopeDraft:
    """A scope while it is changed, with the operations that passed, those that were refused, and open questions."""

    def __init__(self, scope: ScopeSnapshot, context: Context) -> None:
        self.scope = self.first = scope
        self.context = context
        context.add_topics(scope.topics)
        self.operations: list[Operation] = []
        self.refused: list[Refused] = []
        self.needs: list[NeedsPerson] = []
        self.left_out: list[LeftOut] = []

    def see_repairs(self, others: Iterable["ScopeDraft"]) -> None:
        """Let what repairs made of other scopes be quoted here."""
        texts = (pair for other in others for pair in list_texts(other.scope).items())
        self.context = replace(self.context, beside=add_repaired(self.context.beside, texts))

    def copy(self) -> "ScopeDraft":
        """Return a draft that can be changed independently of this one."""
        twin = copy.copy(self)
        twin.operations, twin.refused = [*self.operations], [*self.refused]
        twin.needs, twin.left_out = [*self.needs], [*self.left_out]
        return twin

    def restart(self) -> "ScopeDraft":
        """Return a draft without the operations, but with what was refused and asked."""
        twin = self.copy()
        twin.scope, twin.operations = self.first, []
        twin.context = replace(self.context, draft=dict(self.context.original))
        return twin

    def work(self, phase: Callable[[ScopeSnapshot], Proposals]) -> None:
        """Judge the proposals of a phase one by one; each is based on the draft after the one before."""
        proposals = phase(self.scope)
        try:
            proposal = next(proposals)
            while True:
                refusal = self.propose(proposal)
                if refusal and isinstance(proposal, Operation):
                    self.refuse(proposal, refusal)
                proposal = proposals.send(self.scope)
        except StopIteration:
            return

    def propose(self, proposal: Operation | NeedsPerson) -> Refusal | None:
        """Change the draft if all guards agree; return which one does not, and why."""
        if isinstance(proposal, NeedsPerson):
            self.needs.append(proposal)
            return None
        draft = self.context.draft
        if all(draft.get(path) == text for path, text in proposal.texts.items()):
            return None
        if refusal := find_refusal(proposal, self.context):
            return refusal
        self.operations.append(proposal)
        self.scope = replace_texts(self.scope, proposal.texts)
        self.context = replace(self.context, draft=change_texts(draft, proposal.texts))
        return None

    def refuse(self, operation: Operation, refusal: Refusal) -> None:
        """Record an operation that stays refused."""
        self.refused.append(Refused(operation, refusal.guard, refusal.why))

    def leave_out(self, what: LeftOut) -> None:
        """Record what was not written on purpose."""
        self.left_out.append(what)

    def plan(self, signals: tuple[Signal, ...]) -> ScopePlan:
        """Return the result: what changed, what was refused, and the fate of every old line."""
        before, after = self.context.original, list_texts(self.scope)
        status = PlanStatus.UNCHANGED if before == after else PlanStatus.CHANGED
        # Operations may cancel each other out.
        operations = tuple(self.operations) if status is PlanStatus.CHANGED else ()
        ledger = trace_lines(before, after, operations)
        proofs = [proof for operation in operations for proof in operation.evidence]
        proofs += [proof for need in self.needs for proof in need.evidence]
        cited = {proof.source for proof in proofs}
        known = {signal.id for signal in signals}
        said = (signal for signal in self.context.signals.values() if signal.id in cited - known)
        return ScopePlan(
            self.scope.scope,
            status,
            operations=operations,
            refused=tuple(self.refused),
            needs_person=tuple(self.needs),
            # A whole message may be the same as what a cue found in it; guards read the one of the context.
            signals=(*(self.context.signals.get(signal.id, signal) for signal in signals), *said),
            ledger=ledger,
            before=before,
            after=after,
            left_out=tuple(self.left_out),
        )
