"""Limits a dream to as many changes as a person reads at once: the most valuable first, the others wait.

What people said never waits: a rule of yesterday has to be known today.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memci.dream.draft import ScopeDraft
from memci.dream.ledger import trace_lines
from memci.memory.merge_versions import merge_versions
from memci.model.memory import INDEX_NAME
from memci.model.plan import EvidenceKind, Operation, OperationKind, PlanStatus, ScopePlan, Waiting
from memci.report.change_entries import ChangeEntry, ChangeGroup, list_changes

# What people said, then wrong facts, what is not loaded, new facts, and tidying.
_SAID, _WRONG, _UNLOADED, _NEW, _UNTIDY = range(5)
_VALUES = {
    ChangeGroup.CORRECTED: _WRONG,
    ChangeGroup.REMOVED: _WRONG,
    ChangeGroup.LEARNED: _NEW,
    ChangeGroup.TIDIED: _UNTIDY,
}
# Plans a scope: the draft with the operations that are left, and those that wait.
Finish = Callable[[ScopeDraft, Sequence[Operation]], ScopePlan]


@dataclass(frozen=True, slots=True)
class _ChangeUnit:
    """Operations of one scope that only make sense together, and what a reviewer sees of them."""

    draft: ScopeDraft
    operations: tuple[Operation, ...]
    entries: tuple[ChangeEntry, ...]

    @property
    def value(self) -> int:
        if not self.operations:
            return _UNLOADED
        proofs = (proof for operation in self.operations for proof in operation.evidence)
        if any(proof.kind is EvidenceKind.SIGNAL for proof in proofs):
            return _SAID
        values = [_VALUES[entry.group] for entry in self.entries]
        if any(operation.kind is OperationKind.REPAIR for operation in self.operations):
            values.append(_UNLOADED)
        return min(values, default=_UNTIDY)


def limit_changes(
    drafts: Sequence[ScopeDraft], plans: Sequence[ScopePlan], limit: int, finish: Finish
) -> list[ScopePlan]:
    """Return the plans with at most `limit` changes besides what people said.

    `drafts` are the scopes before the index was pruned.
    """
    units = [unit for draft, plan in zip(drafts, plans, strict=True) for unit in _split_units(draft, plan)]
    # Sorting is stable: within a value by scope and in the order of the dream.
    units.sort(key=lambda unit: unit.value)
    count = len(units)
    said = [unit for unit in units if unit.value == _SAID]
    least = max(1, len(said))
    # Their pointers are one more entry for each scope.
    limit += sum(len(unit.entries) for unit in said) + len({id(unit.draft) for unit in said})
    limited = list(plans)
    while (excess := sum(map(_weigh, limited)) - limit) > 0 and count > least:
        count = max(least, count - excess)
        chosen = {id(unit) for unit in units[:count]}
        limited = []
        for draft, plan in zip(drafts, plans, strict=True):
            mine = [unit for unit in units if unit.draft is draft]
            late = [unit for unit in mine if id(unit) not in chosen]
            limited.append(_plan_again(draft, plan, mine, late, finish) if late else plan)
    return limited


def _weigh(plan: ScopePlan) -> int:
    """Return how many changes a person has to read: one entry may tell the same of many files."""
    changed = set(plan.changed_files)
    return sum(max(1, len(changed.intersection(entry.files))) for entry in list_changes(plan))


def _split_units(draft: ScopeDraft, plan: ScopePlan) -> Iterator[_ChangeUnit]:
    """Yield what can wait on its own: operations that share a file or a message belong together."""
    entries = list_changes(plan)
    index = draft.scope.index_path
    groups: list[tuple[set[object], list[Operation]]] = []
    # New pointers follow their topics.
    for operation in (one for one in draft.operations if one.kind is not OperationKind.REINDEX):
        touched = {path for path in operation.texts if path != index} or {index}
        # Lines may move from one file to another, and one message may say two things.
        said = {proof.source for proof in operation.evidence if proof.kind is EvidenceKind.SIGNAL}
        cited = {PurePosixPath(proof.source) for proof in operation.evidence if proof.kind is EvidenceKind.MEMORY}
        names: set[object] = {*touched, *said, *(cited - {index})}
        made = [operation]
        for other in [group for group in groups if group[0] & names]:
            groups.remove(other)
            names |= other[0]
            made = [*other[1], *made]
        groups.append((names, made))
    for names, made in groups:
        yield _ChangeUnit(draft, tuple(made), tuple(entry for entry in entries if names.issuperset(entry.files)))
    if any(entry.files[0].name == INDEX_NAME for entry in entries) or not groups:
        yield _ChangeUnit(draft, (), ())


def _plan_again(
    draft: ScopeDraft, plan: ScopePlan, units: Sequence[_ChangeUnit], late: Sequence[_ChangeUnit], finish: Finish
) -> ScopePlan:
    """Plan a scope without the units that wait."""
    waiting = tuple(_name_waiting(draft, plan, late))
    if len(late) == len(units):
        return replace(
            plan,
            status=PlanStatus.UNCHANGED,
            operations=(),
            after=plan.before,
            ledger=trace_lines(plan.before, plan.before, ()),
            waiting=waiting,
        )
    deferred = [operation for unit in late for operation in unit.operations]
    owners = {id(operation): unit for unit in units for operation in unit.operations}
    waits = set(map(id, deferred))
    index = draft.scope.index_path
    after = draft.context.original.get(index, "")
    again = draft.restart()
    for operation in draft.operations:
        before, after = after, operation.texts.get(index, after) or ""
        if id(operation) in waits:
            continue
        texts, clashes = dict(operation.texts), False
        if index in texts:
            now = again.scope.index.text if again.scope.index else ""
            texts[index], clashes = merge_versions(before, now, texts[index] or "")
        # What needs one of those that wait waits, too; pointers alone are made anew.
        refused = clashes or again.propose(replace(operation, texts=texts))
        if refused and (owner := owners.get(id(operation))):
            return _plan_again(draft, plan, units, [*late, owner], finish)
    return replace(finish(again, deferred), waiting=waiting)


def _name_waiting(draft: ScopeDraft, plan: ScopePlan, late: Iterable[_ChangeUnit]) -> Iterator[Waiting]:
    """Name what waits: an entry for every change that a reviewer would see."""
    signals = {signal.id: (signal.session, signal.uuid) for signal in plan.signals}
    for unit in late:
        cited = (proof.source for operation in unit.operations for proof in operation.evidence)
        messages = tuple(dict.fromkeys(signals[source] for source in cited if source in signals))
        if not unit.operations:
            yield Waiting(draft.scope.index_path, ChangeGroup.TIDIED.value)
        for entry in unit.entries:
            yield Waiting(entry.files[0], entry.group.value, messages)
        if unit.operations and not unit.entries:
            yield Waiting(unit.operations[0].file, ChangeGroup.TIDIED.value, messages)
