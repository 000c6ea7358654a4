import pytest

from memci.guards.rules.reason import GUARD
from memci.model.plan import OperationKind
from tests.guards.scene import change, check, make_context, said

LINKED = said("the runbook is at https://runbooks.example.org/payments")


@pytest.mark.parametrize(
    "reason",
    [
        "said by the person on 2026-11-09",
        "`billing/render_pdf.py` was removed in 3f9c2ab",
        "duplicate of feedback_errors.md",
        "the person named https://runbooks.example.org/payments",
        "a < b, 3 > 2",
    ],
)
def test_one_plain_line_passes(reason: str) -> None:
    assert check(GUARD, change(OperationKind.UPDATE, "a.md", {}, reason=reason), make_context(LINKED)) is None


@pytest.mark.parametrize(
    "reason", ["", " ", "a\nb", "x" * 301, "see https://evil.example", "[x](y)", "<b>", "ask @ana"]
)
def test_other_reasons_are_refused(reason: str) -> None:
    assert check(GUARD, change(OperationKind.UPDATE, "a.md", {}, reason=reason), make_context(LINKED))
