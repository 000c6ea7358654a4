import pytest

from memci.dream.due import drop_seen, drop_written
from memci.dream.state import DreamState, ReadPosition
from tests.dream.scenes import say

RULE = "Never mock the database in integration tests"
FIRST, SECOND = say(RULE, uuid="u1"), say("Use pnpm in the web folder", uuid="u2")
POSITIONS = {("s1", "u1"): 1, ("s1", "u2"): 2}


@pytest.mark.parametrize(
    "state",
    [DreamState(), DreamState(cursors={"s2": ReadPosition("u9", 9)}), DreamState(cursors={"s1": ReadPosition("", 0)})],
)
def test_what_was_not_read_before_stays(state: DreamState) -> None:
    assert drop_seen([FIRST, SECOND], POSITIONS, state) == (FIRST, SECOND)


def test_what_was_read_before_is_not_offered_again() -> None:
    assert drop_seen([FIRST, SECOND], POSITIONS, DreamState(cursors={"s1": ReadPosition("u1", 1)})) == (SECOND,)
    assert drop_seen([FIRST, SECOND], POSITIONS, DreamState(cursors={"s1": ReadPosition("u2", 2)})) == ()


@pytest.mark.parametrize(
    "writes",
    [
        {},
        {"s1": []},
        {"s1": [""]},
        {"s1": ["The integration tests are slow."]},
        # Another session wrote it: whether it is still there is for the memory to say.
        {"s2": [f"{RULE}."]},
    ],
)
def test_what_the_session_did_not_write_stays(writes: dict[str, list[str]]) -> None:
    assert drop_written([FIRST], writes) == ((FIRST,), ())


@pytest.mark.parametrize(
    "text", [f"- {RULE}.", "---\nname: x\n---\nIn integration tests the database is never mocked."]
)
def test_what_the_session_wrote_itself_is_turned_down_with_a_reason(text: str) -> None:
    kept, dropped = drop_written([FIRST, SECOND], {"s1": ["Something else.", text]})
    assert (kept, [down.text for down in dropped]) == ((SECOND,), [RULE])
    assert "wrote it into memory itself" in dropped[0].reason
