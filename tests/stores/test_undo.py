import datetime as dt
import os
import stat
from pathlib import Path, PurePosixPath

import pytest

from memci.errors import UnsafeError
from memci.stores.apply import apply_plan
from memci.stores.client_lock import CLIENT_LOCK
from memci.stores.journal import LAST, JournalChange
from memci.stores.lock import hold_lock
from memci.stores.undo import Undone, undo

NOW = dt.datetime(2026, 11, 16, 12, tzinfo=dt.UTC)
LATER = NOW + dt.timedelta(hours=1)
LONG_AGO_NS = 1_700_000_000_123_456_789
INDEX, GONE, FRESH = PurePosixPath("MEMORY.md"), PurePosixPath("gone.md"), PurePosixPath("new/fresh.md")


@pytest.fixture
def scope(tmp_path: Path) -> Path:
    """Return a scope after a dream."""
    scope = tmp_path / "scope"
    scope.mkdir()
    (scope / INDEX).write_bytes(b"old")
    (scope / GONE).write_bytes(b"gone")
    (scope / GONE).chmod(0o600)
    (scope / CLIENT_LOCK).write_bytes(b"999999")
    os.utime(scope / CLIENT_LOCK, ns=(LONG_AGO_NS, LONG_AGO_NS))
    with hold_lock(scope, tmp_path / "git" / "memci" / "key", now=NOW) as lock:
        changes = {
            INDEX: JournalChange(b"old", b"new"),
            GONE: JournalChange(b"gone", None),
            FRESH: JournalChange(None, b"fresh"),
        }
        apply_plan(changes, lock)
    return scope


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return where the journal of the scope is kept."""
    return tmp_path / "git" / "memci" / "key"


def test_without_a_dream_there_is_nothing_to_undo(tmp_path: Path) -> None:
    with hold_lock(tmp_path, tmp_path / "git" / "memci" / "key", now=NOW) as lock:
        assert undo(lock) is None


def test_restores_bytes_modes_directories_and_the_time_of_the_last_consolidation(scope: Path, state: Path) -> None:
    assert (scope / CLIENT_LOCK).stat().st_mtime == NOW.timestamp()
    with hold_lock(scope, state, now=LATER) as lock:
        assert undo(lock) == Undone(restored=(INDEX, GONE), removed=(FRESH,))
    assert {path.name: path.read_bytes() for path in scope.iterdir()} == {
        "MEMORY.md": b"old",
        "gone.md": b"gone",
        CLIENT_LOCK: b"999999",
    }
    assert stat.S_IMODE((scope / GONE).stat().st_mode) == 0o600
    assert (scope / CLIENT_LOCK).stat().st_mtime_ns == LONG_AGO_NS


def test_what_was_undone_cannot_be_undone_again(scope: Path, state: Path) -> None:
    with hold_lock(scope, state, now=LATER) as lock:
        undo(lock)
        assert not (state / LAST).exists()
        assert undo(lock) is None


def test_only_the_last_dream_is_undone(scope: Path, state: Path) -> None:
    with hold_lock(scope, state, now=LATER) as lock:
        apply_plan({INDEX: JournalChange(b"new", b"newest")}, lock)
        assert undo(lock) == Undone(restored=(INDEX,), removed=())
    assert (scope / INDEX).read_bytes() == b"new"
    assert (scope / FRESH).exists()


@pytest.mark.parametrize("path", [INDEX, GONE, FRESH])
def test_a_file_that_changed_since_stops_everything(scope: Path, state: Path, path: PurePosixPath) -> None:
    (scope / path).write_bytes(b"theirs")
    before = {path: path.read_bytes() for path in scope.rglob("*.md")}
    with (
        pytest.raises(UnsafeError, match=rf"{path.name} was changed by somebody else"),
        hold_lock(scope, state, now=LATER) as lock,
    ):
        undo(lock)
    assert {path: path.read_bytes() for path in scope.rglob("*.md")} == before
    assert (state / LAST).exists()
    assert (scope / CLIENT_LOCK).stat().st_mtime == NOW.timestamp()


def test_without_a_lock_file_of_a_client_none_is_made(scope: Path, state: Path) -> None:
    (scope / CLIENT_LOCK).unlink()
    with hold_lock(scope, state, now=LATER) as lock:
        undo(lock)
    assert not (scope / CLIENT_LOCK).exists()
