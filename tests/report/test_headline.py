"""The sentence on top of the page and at the end of a dream."""

from dataclasses import replace

import pytest

from memci.model.plan import PlanStatus, ScopePlan
from memci.report.headline import describe_dream, describe_fullest
from tests.build import SCOPE
from tests.report.pages import make_plan

PLAN = make_plan("x", operations=3)
QUIET = ScopePlan(PLAN.scope, PlanStatus.UNCHANGED)


@pytest.mark.parametrize(
    ("plans", "said"),
    [
        ([], "no changes"),
        ([QUIET], "no changes"),
        ([replace(QUIET, status=PlanStatus.SKIPPED)], "no changes, 1 scope skipped"),
        ([replace(QUIET, after={SCOPE / "MEMORY.md": "a\nb\n"})], "no changes; index 2 of 200 lines"),
        ([PLAN], "1 learned, 1 corrected, 1 tidied, 2 questions, 1 refused; index 0 of 200 lines"),
        (
            [replace(PLAN, operations=PLAN.operations[:1]), replace(QUIET, status=PlanStatus.FAILED)],
            "1 learned, 2 questions, 1 refused, 1 scope failed; index 0 of 200 lines",
        ),
    ],
)
def test_only_what_there_is_is_counted(plans: list[ScopePlan], said: str) -> None:
    assert describe_dream(plans) == said


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([], ""),
        ([(12, 600)], "index 12 of 200 lines"),
        ([(12, 24_000)], "index 24,000 of 25,000 characters"),
        ([(12, 600), (90, 3_000)], "fullest index 90 of 200 lines"),
        ([(12, 24_000), (90, 3_000)], "fullest index 24,000 of 25,000 characters"),
    ],
)
def test_the_tighter_limit_of_the_fullest_index_is_told(sizes: list[tuple[int, int]], said: str) -> None:
    assert describe_fullest(sizes) == said
