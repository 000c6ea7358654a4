"""Which scopes are due, and which messages a model is asked about."""

import datetime as dt
from collections.abc import Sequence
from pathlib import PurePosixPath

from memci.config import Config
from memci.dream.due import is_fresh, search_unread
from memci.dream.gather import MoreSignals
from memci.dream.inputs import Sources
from memci.dream.state import DreamState, ReadPosition
from memci.model.memory import Snapshot
from memci.model.session import Origin, Place, Signal, Turn

NOW = dt.datetime(2026, 11, 16, 3, tzinfo=dt.UTC)
SCOPE = PurePosixPath(".claude/memory")


def turn(session: str, number: int) -> Turn:
    return Turn(session, f"u{number}", NOW, Origin.PERSON, Place.PROMPT, f"message {number}")


def ask(state: DreamState, turns: Sequence[Turn], *, force: bool) -> list[str]:
    asked: list[str] = []

    def search(found: Sequence[Turn], _known: Sequence[Signal]) -> MoreSignals:
        asked.extend(one.uuid for one in found)
        return [], [], []

    sources = Sources(Snapshot(()), Config(), NOW, (), states={SCOPE: state})
    search_unread(search, sources, force=force)(turns, [])
    return asked


def test_a_session_is_fresh_if_it_has_more_records_than_were_read() -> None:
    state = DreamState(cursors={"s": ReadPosition("u3", 3)})
    assert [is_fresh("s", records, state) for records in (0, 3, 4)] == [False, False, True]


def test_a_session_that_was_never_read_is_fresh() -> None:
    assert is_fresh("s", 1, DreamState())


def test_a_scope_that_is_not_due_asks_about_nothing() -> None:
    state = DreamState(NOW - dt.timedelta(hours=1))
    assert ask(state, [turn("s", 1)], force=False) == []


def test_only_messages_that_were_not_read_are_asked_about() -> None:
    state = DreamState(NOW - dt.timedelta(hours=1), {"s": ReadPosition("u2", 2)})
    assert ask(state, [turn("s", 1), turn("s", 2), turn("s", 3)], force=True) == ["u3"]
