import datetime as dt

import pytest

from memci.dream.due import skip_reason
from memci.dream.state import DreamState
from tests.build import NOW


def ago(hours: float) -> DreamState:
    return DreamState(NOW - dt.timedelta(hours=hours))


@pytest.mark.parametrize(
    ("state", "sessions"),
    [
        (DreamState(), None),
        (DreamState(), 0),
        (DreamState(), 9),
        (ago(24), None),
        (ago(24), 5),
        (ago(1000), 5),
        (ago(-1.1), 0),
        (ago(-600_000), 0),
    ],
)
def test_a_scope_that_is_due_is_not_held_back(state: DreamState, sessions: int | None) -> None:
    assert skip_reason(state, NOW, sessions) is None


@pytest.mark.parametrize(
    ("state", "sessions", "why"),
    [
        (ago(0), 9, "0 hours ago"),
        (ago(23.9), None, "23 hours ago"),
        (ago(25), 4, "4 new sessions"),
        (ago(25), 0, "0 new sessions"),
        # Clocks that differ are no reason to speak of hours below zero.
        (ago(-0.9), 9, "was 0 hours ago"),
    ],
)
def test_a_scope_that_is_not_due_says_why(state: DreamState, sessions: int | None, why: str) -> None:
    assert why in (skip_reason(state, NOW, sessions) or "")
