"""Correct operations must pass: a guard that stands in their way is switched off by its users."""

import pytest

from memci.guards.context import Guard
from memci.guards.registry import GUARDS
from memci.guards.run import find_refusal
from memci.model.plan import OperationKind
from tests.guards.helpful import CASES
from tests.guards.scene import check

# Of a hundred: names that a model adds from its own knowledge ("GitHub" Actions) are refused, and should be.
_REFUSED = 5


def test_nearly_all_correct_operations_pass() -> None:
    refusals = {case.name: find_refusal(case.operation, case.context) for case in CASES}
    # What a reader may confirm is asked, and passes.
    refused = {name: refusal for name, refusal in refusals.items() if refusal and not refusal.soft}
    assert len(CASES) >= 60
    assert len(refused) <= len(CASES) * _REFUSED / 100, refused


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.id)
def test_only_the_guard_that_compares_words_refuses_any_of_them(guard: Guard) -> None:
    refused = [case.name for case in CASES if check(guard, case.operation, case.context)]
    assert not refused or guard.id == "supported", refused


@pytest.mark.parametrize("kind", list(OperationKind))
def test_every_kind_is_among_them(kind: OperationKind) -> None:
    assert sum(case.operation.kind is kind for case in CASES) >= 3


def test_the_answer_is_the_same_every_time() -> None:
    first = [find_refusal(case.operation, case.context) for case in CASES]
    assert [find_refusal(case.operation, case.context) for case in CASES] == first
