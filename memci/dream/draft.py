"""The draft of one scope: every proposal is judged by all guards before it changes the draft."""

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

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
        self.scope = self._first = scope
        self._context = context
        context.add_topics(scope.topics)
        self._start = context.draft
        self._operations: list[Operation] = []
        self._refused: list[Refused] = []
        self._needs: list[NeedsPerson] = []
        self._left_out: list[LeftOut] = []

    @property
    def original(self) -> Mapping[PurePosixPath, str]:
        """The texts before all operations."""
        return self._context.original

    def see_repairs(self, others: Iterable["ScopeDraft"]) -> None:
        """Let what repairs made of other scopes be quoted here."""
        texts = (pair for other in others for pair in list_texts(other.scope).items())
        self._context = replace(self._context, beside=add_repaired(self._context.beside, texts))

    def copy(self) -> "ScopeDraft":
        """Return a draft that can be changed independently of this one."""
        twin = copy.copy(self)
        lists = {name: [*vars(self)[name]] for name in ("_operations", "_refused", "_needs", "_left_out")}
        vars(twin).update(lists)
        return twin

    def restart(self) -> "ScopeDraft":
        """Return a draft without the operations, but with what was refused and asked."""
        twin = self.copy()
        vars(twin).update(scope=self._first, _context=replace(self._context, draft=self._start), _operations=[])
        return twin

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations that passed so far."""
        return tuple(self._operations)

    @property
    def needs(self) -> tuple[NeedsPerson, ...]:
        """The questions so far."""
        return tuple(self._needs)

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

    def propose(self, proposal: Operation | NeedsPerson) -> Refusal | None:
        """Change the draft if all guards agree; return which one does not, and why."""
        if isinstance(proposal, NeedsPerson):
            self._needs.append(proposal)
            return None
        draft = self._context.draft
        if all(draft.get(path) == text for path, text in proposal.texts.items()):
            return None
        if refusal := find_refusal(proposal, self._context):
            return refusal
        self._operations.append(proposal)
        self.scope = replace_texts(self.scope, proposal.texts)
        self._context = replace(self._context, draft=change_texts(draft, proposal.texts))
        return None

    def refuse(self, operation: Operation, refusal: Refusal) -> None:
        """Record an operation that stays refused."""
        self._refused.append(Refused(operation, refusal.guard, refusal.why))

    def leave_out(self, what: LeftOut) -> None:
        """Record what was not written on purpose."""
        self._left_out.append(what)

    def _take(self, proposal: Operation | NeedsPerson) -> None:
        refusal = self.propose(proposal)
        if refusal and isinstance(proposal, Operation):
            self.refuse(proposal, refusal)

    def plan(self, signals: tuple[Signal, ...]) -> ScopePlan:
        """Return the result: what changed, what was refused, and the fate of every old line."""
        before, after = self._context.original, list_texts(self.scope)
        status = PlanStatus.UNCHANGED if before == after else PlanStatus.CHANGED
        # Operations may cancel each other out.
        operations = tuple(self._operations) if status is PlanStatus.CHANGED else ()
        ledger = trace_lines(before, after, operations)
        proofs = [proof for operation in operations for proof in operation.evidence]
        proofs += [proof for need in self._needs for proof in need.evidence]
        cited = {proof.source for proof in proofs}
        known = {signal.id for signal in signals}
        said = (signal for signal in self._context.signals.values() if signal.id in cited - known)
        return ScopePlan(
            self.scope.scope,
            status,
            operations=operations,
            refused=tuple(self._refused),
            needs_person=tuple(self._needs),
            # A whole message may be the same as what a cue found in it; guards read the one of the context.
            signals=(*(self._context.signals.get(signal.id, signal) for signal in signals), *said),
            ledger=ledger,
            before=before,
            after=after,
            left_out=tuple(self._left_out),
        )
