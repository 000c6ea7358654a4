from collections.abc import Callable

import pytest

from memci.dream.draft import Desk
from memci.engines.protocol import Proposals
from memci.guards.context import Ground
from memci.memory.replace_texts import find_texts
from memci.model.memory import ScopeSnapshot
from memci.model.plan import Evidence, EvidenceKind, Fate, NeedsPerson, Operation, OperationKind, PlanStatus
from tests.build import SCOPE
from tests.dream.scenes import feedback, read, say, with_index

RULE = "Never mock the database in integration tests."
SIGNAL = say("Never mock the database in integration tests, use staging")
OLD = feedback(RULE, "a")
NEW = feedback("Never mock the database in integration tests, use staging.", "a")
PATH = SCOPE / "a.md"


def make_desk() -> Desk:
    scope = read(with_index({"a.md": OLD}))
    texts = find_texts(scope)
    return Desk(scope, Ground(SCOPE, texts, texts, signals={SIGNAL.id: SIGNAL}))


def update(text: str, *, evidence: bool = True) -> Operation:
    proof = (Evidence(EvidenceKind.SIGNAL, SIGNAL.id, SIGNAL.text),) if evidence else ()
    return Operation(OperationKind.UPDATE, PATH, {PATH: text}, "says more", proof)


def phase(*proposals: Operation | NeedsPerson) -> Callable[[ScopeSnapshot], Proposals]:
    def propose(_: ScopeSnapshot) -> Proposals:
        for proposal in proposals:
            _ = yield proposal

    return propose


def test_without_proposals_nothing_changes_and_every_line_is_kept() -> None:
    desk = make_desk()
    desk.work(phase())
    plan = desk.plan((SIGNAL,))
    assert (plan.status, plan.operations, plan.refused, plan.before) == (PlanStatus.UNCHANGED, (), (), plan.after)
    assert {entry.fate for entry in plan.ledger.entries} == {Fate.KEPT}
    assert plan.signals == (SIGNAL,)


def test_a_refused_operation_changes_nothing_and_is_listed_with_its_guard() -> None:
    desk = make_desk()
    desk.work(phase(update(NEW, evidence=False)))
    plan = desk.plan(())
    assert (plan.status, plan.operations, plan.before) == (PlanStatus.UNCHANGED, (), plan.after)
    assert [(item.guard, item.why) for item in plan.refused] == [("evidence", "it has no evidence")]


def test_a_proposal_that_changes_nothing_is_not_even_judged() -> None:
    desk = make_desk()
    desk.work(phase(update(OLD, evidence=False)))
    plan = desk.plan(())
    assert (plan.operations, plan.refused) == ((), ())


def test_an_operation_that_passes_is_made() -> None:
    desk = make_desk()
    desk.work(phase(update(NEW)))
    plan = desk.plan(())
    assert (plan.status, plan.after[PATH], len(desk.operations)) == (PlanStatus.CHANGED, NEW, 1)


def test_a_phase_sees_what_became_of_its_last_proposal() -> None:
    desk = make_desk()
    seen: list[str] = []

    def propose(_: ScopeSnapshot) -> Proposals:
        for evidence in (False, True):
            draft = yield update(NEW, evidence=evidence)
            topic = draft.topic(PATH)
            seen.append(topic.text if topic else "")

    desk.work(propose)
    assert seen == [OLD, NEW]


def test_the_next_phase_begins_with_what_the_last_one_left() -> None:
    desk = make_desk()
    desk.work(phase(update(NEW)))
    begun: list[ScopeSnapshot] = []

    def look(scope: ScopeSnapshot) -> Proposals:
        begun.append(scope)
        yield from ()

    desk.work(look)
    assert find_texts(begun[0])[PATH] == NEW


def test_operations_that_cancel_each_other_out_have_done_nothing() -> None:
    text = "# Memory\n\n- [a](a.md) — what it says\n"
    without = "# Memory\n- [a](a.md) — what it says\n"
    proof = (Evidence(EvidenceKind.MEMORY, str(SCOPE / "MEMORY.md"), "# Memory"),)
    steps = [
        Operation(OperationKind.REINDEX, SCOPE / "MEMORY.md", {SCOPE / "MEMORY.md": step}, "tidies up", proof)
        for step in (without, text)
    ]
    desk = make_desk()
    desk.work(phase(*steps))
    assert len(desk.operations) == 2
    plan = desk.plan(())
    assert (plan.status, plan.operations) == (PlanStatus.UNCHANGED, ())


@pytest.mark.parametrize("file", [None, PATH])
def test_questions_are_kept_in_order(file: object) -> None:
    desk = make_desk()
    needs = [NeedsPerson("first", PATH if file else None), NeedsPerson("second")]
    desk.work(phase(*needs))
    assert desk.plan(()).needs_person == tuple(needs)
