from collections.abc import Callable
from pathlib import PurePosixPath

import pytest

from memci.dream.draft import ScopeDraft
from memci.engines.protocol import Proposals
from memci.guards.context import Context
from memci.memory.snapshot import list_texts
from memci.model.memory import ScopeSnapshot
from memci.model.plan import Evidence, EvidenceKind, Fate, NeedsPerson, Operation, OperationKind, PlanStatus, Refusal
from tests.build import SCOPE
from tests.dream.scenes import feedback, read, say, with_index

RULE = "Never mock the database in integration tests."
SIGNAL = say("Never mock the database in integration tests, use staging")
OLD = feedback(RULE, "a")
NEW = feedback("Never mock the database in integration tests, use staging.", "a")
PATH = SCOPE / "a.md"


def make_draft() -> ScopeDraft:
    scope = read(with_index({"a.md": OLD}))
    texts = list_texts(scope)
    return ScopeDraft(scope, Context(SCOPE, texts, texts, signals={SIGNAL.id: SIGNAL}))


def update(text: str, *, evidence: bool = True) -> Operation:
    proof = (Evidence(EvidenceKind.SIGNAL, SIGNAL.id, SIGNAL.text),) if evidence else ()
    return Operation(OperationKind.UPDATE, PATH, {PATH: text}, "says more", proof)


def phase(*proposals: Operation | NeedsPerson) -> Callable[[ScopeSnapshot], Proposals]:
    def propose(_: ScopeSnapshot) -> Proposals:
        for proposal in proposals:
            _ = yield proposal

    return propose


def test_without_proposals_nothing_changes_and_every_line_is_kept() -> None:
    draft = make_draft()
    draft.work(phase())
    plan = draft.plan((SIGNAL,))
    assert (plan.status, plan.operations, plan.refused, plan.before) == (PlanStatus.UNCHANGED, (), (), plan.after)
    assert {entry.fate for entry in plan.ledger.entries} == {Fate.KEPT}
    assert plan.signals == (SIGNAL,)


def test_a_refused_operation_changes_nothing_and_is_listed_with_its_guard() -> None:
    draft = make_draft()
    draft.work(phase(update(NEW, evidence=False)))
    plan = draft.plan(())
    assert (plan.status, plan.operations, plan.before) == (PlanStatus.UNCHANGED, (), plan.after)
    assert [(item.guard, item.why) for item in plan.refused] == [("evidence", "it has no evidence")]


def test_a_proposal_that_changes_nothing_is_not_even_judged() -> None:
    draft = make_draft()
    draft.work(phase(update(OLD, evidence=False)))
    plan = draft.plan(())
    assert (plan.operations, plan.refused) == ((), ())


def test_an_operation_that_passes_is_made() -> None:
    draft = make_draft()
    draft.work(phase(update(NEW)))
    plan = draft.plan(())
    assert (plan.status, plan.after[PATH], len(draft.operations)) == (PlanStatus.CHANGED, NEW, 1)


def test_a_phase_sees_what_became_of_its_last_proposal() -> None:
    draft = make_draft()
    seen: list[str] = []

    def propose(_: ScopeSnapshot) -> Proposals:
        for evidence in (False, True):
            scope = yield update(NEW, evidence=evidence)
            topic = scope.topic(PATH)
            seen.append(topic.text if topic else "")

    draft.work(propose)
    assert seen == [OLD, NEW]


def test_the_next_phase_begins_with_what_the_last_one_left() -> None:
    draft = make_draft()
    draft.work(phase(update(NEW)))
    begun: list[ScopeSnapshot] = []

    def look(scope: ScopeSnapshot) -> Proposals:
        begun.append(scope)
        yield from ()

    draft.work(look)
    assert list_texts(begun[0])[PATH] == NEW


def test_operations_that_cancel_each_other_out_have_done_nothing() -> None:
    text = "# Memory\n\n- [a](a.md) — what it says\n"
    without = "# Memory\n- [a](a.md) — what it says\n"
    proof = (Evidence(EvidenceKind.MEMORY, str(SCOPE / "MEMORY.md"), "# Memory"),)
    steps = [
        Operation(OperationKind.REINDEX, SCOPE / "MEMORY.md", {SCOPE / "MEMORY.md": step}, "tidies up", proof)
        for step in (without, text)
    ]
    draft = make_draft()
    draft.work(phase(*steps))
    assert len(draft.operations) == 2
    plan = draft.plan(())
    assert (plan.status, plan.operations) == (PlanStatus.UNCHANGED, ())


@pytest.mark.parametrize("file", [None, PATH])
def test_questions_are_kept_in_order(file: object) -> None:
    draft = make_draft()
    needs = [NeedsPerson("first", PATH if file else None), NeedsPerson("second")]
    draft.work(phase(*needs))
    assert draft.plan(()).needs_person == tuple(needs)


def test_a_proposal_tells_which_guard_refuses_it_and_is_recorded_only_on_request() -> None:
    draft, operation = make_draft(), update(NEW, evidence=False)
    refusal = draft.propose(operation)
    assert refusal == Refusal("evidence", "it has no evidence")
    assert draft.plan(()).refused == ()
    draft.refuse(operation, refusal)
    assert [item.guard for item in draft.plan(()).refused] == ["evidence"]


def test_a_judged_operation_cannot_be_changed() -> None:
    texts: dict[PurePosixPath, str | None] = {PATH: NEW}
    operation = Operation(OperationKind.UPDATE, PATH, texts, "says more")
    texts[PATH] = None
    assert operation.texts[PATH] == NEW
    with pytest.raises(TypeError):
        operation.texts[PATH] = None  # type: ignore[index]
