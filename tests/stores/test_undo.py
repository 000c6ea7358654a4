import stat
from pathlib import Path, PurePosixPath

import pytest

from memci.errors import UnsafeError
from memci.stores.apply import apply_plan, undo
from memci.stores.journal import LAST, JournalChange
from memci.stores.lock import hold_lock

INDEX, GONE, FRESH = PurePosixPath("MEMORY.md"), PurePosixPath("gone.md"), PurePosixPath("new/fresh.md")


@pytest.fixture
def scope(tmp_path: Path) -> Path:
    """Return a scope after a dream."""
    scope = tmp_path / "scope"
    scope.mkdir()
    (scope / INDEX).write_bytes(b"old")
    (scope / GONE).write_bytes(b"gone")
    (scope / GONE).chmod(0o600)
    with hold_lock(scope, tmp_path / "git" / "memci" / "key") as lock:
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
    with hold_lock(tmp_path, tmp_path / "git" / "memci" / "key") as lock:
        assert undo(lock) == ()


def test_restores_bytes_modes_and_directories(scope: Path, state: Path) -> None:
    with hold_lock(scope, state) as lock:
        assert {file.path: file.old is None for file in undo(lock)} == {INDEX: False, GONE: False, FRESH: True}
    assert {path.name: path.read_bytes() for path in scope.iterdir()} == {
        "MEMORY.md": b"old",
        "gone.md": b"gone",
    }
    assert stat.S_IMODE((scope / GONE).stat().st_mode) == 0o600


def test_what_was_undone_cannot_be_undone_again(scope: Path, state: Path) -> None:
    with hold_lock(scope, state) as lock:
        undo(lock)
        assert not (state / LAST).exists()
        assert undo(lock) == ()


def test_only_the_last_dream_is_undone(scope: Path, state: Path) -> None:
    with hold_lock(scope, state) as lock:
        apply_plan({INDEX: JournalChange(b"new", b"newest")}, lock)
        assert [file.path for file in undo(lock)] == [INDEX]
    assert (scope / INDEX).read_bytes() == b"new"
    assert (scope / FRESH).exists()


@pytest.mark.parametrize("path", [INDEX, GONE, FRESH])
def test_a_file_that_changed_since_stops_everything(scope: Path, state: Path, path: PurePosixPath) -> None:
    (scope / path).write_bytes(b"theirs")
    before = {path: path.read_bytes() for path in scope.rglob("*.md")}
    with (
        pytest.raises(UnsafeError, match=rf"{path.name} was changed by somebody else"),
        hold_lock(scope, state) as lock,
    ):
        undo(lock)
    assert {path: path.read_bytes() for path in scope.rglob("*.md")} == before
    assert (state / LAST).exists()
