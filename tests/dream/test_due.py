"""Which sessions are new to a scope."""

from memci.dream.due import is_fresh
from memci.dream.state import DreamState, ReadPosition


def test_a_session_is_fresh_if_it_has_more_records_than_were_read() -> None:
    state = DreamState(cursors={"s": ReadPosition("u3", 3)})
    assert [is_fresh("s", records, state) for records in (0, 3, 4)] == [False, False, True]


def test_a_session_that_was_never_read_is_fresh() -> None:
    assert is_fresh("s", 1, DreamState())
