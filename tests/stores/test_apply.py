import datetime as dt
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.errors import ServiceError, UnsafeError
from memci.stores.apply import Recovery, apply_plan, recover, undo
from memci.stores.journal import LAST, PENDING, Journal, JournalChange, Rewrite, write_pending
from memci.stores.lock import RECORD, Lock, hold_lock

NOW = dt.datetime(2026, 11, 16, 12, tzinfo=dt.UTC)
A, B, C = PurePosixPath("a.md"), PurePosixPath("sub/b.md"), PurePosixPath("c.md")
OLD = {"a.md": b"old a", "sub/b.md": b"old b"}
TO_NEW = {A: JournalChange(b"old a", b"new a"), B: JournalChange(b"old b", b"new b"), C: JournalChange(None, b"new c")}


@pytest.fixture
def scope(tmp_path: Path) -> Path:
    """Return a scope with two files."""
    scope = tmp_path / "scope"
    for name, data in OLD.items():
        (scope / name).parent.mkdir(parents=True, exist_ok=True)
        (scope / name).write_bytes(data)
    return scope


@pytest.fixture
def lock(scope: Path, tmp_path: Path) -> Iterator[Lock]:
    """Return the held scope."""
    with hold_lock(scope, tmp_path / "git" / "memci" / "key") as lock:
        yield lock


def content(root: Path) -> dict[str, bytes | None]:
    """Return every file and every directory, also those that a failed change could leave behind."""
    return {str(path.relative_to(root)): None if path.is_dir() else path.read_bytes() for path in root.rglob("*")}


UNCHANGED = OLD | {"sub": None}


# What is left alone


def test_without_changes_nothing_happens(lock: Lock) -> None:
    apply_plan({}, lock)
    apply_plan({A: JournalChange(b"old a", b"old a")}, lock)
    assert content(lock.target) == UNCHANGED
    assert [path.name for path in lock.state.iterdir()] == [RECORD]


def test_files_that_are_not_named_keep_everything(lock: Lock) -> None:
    before = (lock.target / B).stat()
    apply_plan({A: JournalChange(b"old a", b"new a")}, lock)
    after = (lock.target / B).stat()
    assert (before.st_ino, before.st_mtime_ns, before.st_mode) == (after.st_ino, after.st_mtime_ns, after.st_mode)


def test_an_empty_directory_that_was_there_before_a_rollback_stays(lock: Lock) -> None:
    (lock.target / "empty").mkdir()
    with pytest.raises(UnsafeError):
        apply_plan({PurePosixPath("empty/x.md"): JournalChange(None, b"x"), A: JournalChange(b"other", b"")}, lock)
    assert (lock.target / "empty").is_dir()


def test_recovering_when_nothing_happened_changes_nothing(lock: Lock) -> None:
    assert recover(lock) == Recovery()
    apply_plan(TO_NEW, lock)
    after = content(lock.target)
    assert recover(lock) == Recovery()
    assert content(lock.target) == after


# What is changed


def test_replaces_makes_and_removes_files_and_leaves_nothing_else(lock: Lock) -> None:
    apply_plan(TO_NEW, lock)
    assert content(lock.target) == {"a.md": b"new a", "sub": None, "sub/b.md": b"new b", "c.md": b"new c"}
    assert {path.name for path in lock.state.iterdir()} == {RECORD, LAST}


def test_directories_are_made_and_removed_as_needed(lock: Lock) -> None:
    deep = PurePosixPath("logs/2026/11/2026-11-16.md")
    apply_plan({B: JournalChange(b"old b", None), deep: JournalChange(None, b"log")}, lock)
    assert content(lock.target) == {
        "a.md": b"old a",
        "logs": None,
        "logs/2026": None,
        "logs/2026/11": None,
        str(deep): b"log",
    }


def test_a_directory_with_something_else_in_it_stays(lock: Lock) -> None:
    (lock.target / "sub" / "other.txt").write_bytes(b"")
    apply_plan({B: JournalChange(b"old b", None)}, lock)
    assert content(lock.target) == {"a.md": b"old a", "sub": None, "sub/other.txt": b""}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o664, 0o755, 0o444])
def test_modes_are_kept_whatever_the_mask(lock: Lock, mode: int) -> None:
    (lock.target / A).chmod(mode)
    before = os.umask(0o077)
    try:
        apply_plan({A: JournalChange(b"old a", b"new a"), C: JournalChange(None, b"new c")}, lock)
    finally:
        os.umask(before)
    assert stat.S_IMODE((lock.target / A).stat().st_mode) == mode
    assert stat.S_IMODE((lock.target / C).stat().st_mode) == 0o600


def test_names_that_are_odd_or_long_are_written(lock: Lock) -> None:
    names = ("-rf", "new\nline.md", os.fsdecode(b"\xff.md"), f"{'x' * 252}.md", "日本.md")
    changes = {PurePosixPath(name): JournalChange(None, b"text") for name in names}
    apply_plan(changes, lock)
    assert all((lock.target / name).read_bytes() == b"text" for name in names)
    assert undo(lock)
    assert content(lock.target) == UNCHANGED


def test_a_hard_link_elsewhere_keeps_the_old_bytes(lock: Lock, tmp_path: Path) -> None:
    (tmp_path / "victim").hardlink_to(lock.target / A)
    apply_plan({A: JournalChange(b"old a", b"new a")}, lock)
    assert (tmp_path / "victim").read_bytes() == b"old a"


contents = st.none() | st.binary(max_size=20)
plans = st.dictionaries(
    st.sampled_from(["a", "b", "d/a", "d/e/f", "g/h"]).map(PurePosixPath), st.tuples(contents, contents), max_size=5
)


@given(plans)
def test_any_plan_gives_its_new_files_and_undo_gives_the_old_ones(
    tmp_path_factory: pytest.TempPathFactory, plan: dict[PurePosixPath, tuple[bytes | None, bytes | None]]
) -> None:
    base = tmp_path_factory.mktemp("any")
    scope = base / "scope"
    scope.mkdir()
    for path, (old, _) in plan.items():
        if old is not None:
            (scope / path).parent.mkdir(parents=True, exist_ok=True)
            (scope / path).write_bytes(old)
    before = content(scope)
    with hold_lock(scope, base / "git" / "memci" / "key") as lock:
        apply_plan({path: JournalChange(old, new) for path, (old, new) in plan.items()}, lock)
        files = {path: data for path, data in content(scope).items() if data is not None}
        assert files == {str(path): new for path, (_, new) in plan.items() if new is not None}
        is_change = any(old != new for old, new in plan.values())
        assert bool(undo(lock)) is is_change
    assert content(scope) == before


# What is refused: nothing at all is changed


@pytest.mark.parametrize("old", [b"something else", b"", None])
def test_f10_an_edit_made_meanwhile_stops_everything(lock: Lock, old: bytes | None) -> None:
    with pytest.raises(UnsafeError, match=r"sub/b\.md was changed by somebody else"):
        apply_plan(TO_NEW | {B: JournalChange(old, b"new b")}, lock)
    assert content(lock.target) == UNCHANGED


@pytest.mark.parametrize("path", ["../outside.md", "sub/../../outside.md", "/etc/outside.md", "..", "sub"])
def test_a_path_that_leads_out_or_is_no_file_is_refused(lock: Lock, tmp_path: Path, path: str) -> None:
    with pytest.raises(UnsafeError, match="cannot write"):
        apply_plan(TO_NEW | {PurePosixPath(path): JournalChange(None, b"x")}, lock)
    assert not (tmp_path / "outside.md").exists()
    assert content(lock.target) == UNCHANGED


@pytest.mark.parametrize("name", ["a.md", "new.md"])
def test_a_link_swapped_in_for_a_file_is_refused(lock: Lock, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"old a")
    (lock.target / name).unlink(missing_ok=True)
    (lock.target / name).symlink_to(victim)
    for old in (b"old a", None):
        with pytest.raises(UnsafeError, match=f"cannot write {name}: not a regular file"):
            apply_plan({PurePosixPath(name): JournalChange(old, b"new"), B: JournalChange(b"old b", b"new b")}, lock)
    assert victim.read_bytes() == b"old a"
    assert (lock.target / B).read_bytes() == b"old b"


def test_a_link_swapped_in_for_a_directory_is_refused(lock: Lock, tmp_path: Path) -> None:
    (lock.target / "sub").rename(tmp_path / "outside")
    (lock.target / "sub").symlink_to(tmp_path / "outside")
    for path, change in {
        B: JournalChange(b"old b", None),
        PurePosixPath("sub/n/x.md"): JournalChange(None, b"x"),
    }.items():
        with pytest.raises(UnsafeError, match="cannot write"):
            apply_plan({A: JournalChange(b"old a", b"new a"), path: change}, lock)
    assert content(tmp_path / "outside") == {"b.md": b"old b"}
    assert (lock.target / A).read_bytes() == b"old a"


def test_a_pipe_is_refused_without_hanging(lock: Lock) -> None:
    os.mkfifo(lock.target / "pipe.md")
    with pytest.raises(UnsafeError, match="not a regular file"):
        apply_plan({PurePosixPath("pipe.md"): JournalChange(b"", b"x")}, lock)


def test_l11_a_lock_that_is_gone_stops_everything(lock: Lock) -> None:
    (lock.state / RECORD).unlink()
    with pytest.raises(UnsafeError, match="removed or replaced"):
        apply_plan(TO_NEW, lock)
    assert content(lock.target) == UNCHANGED


def test_a_name_that_the_disk_does_not_take_rolls_everything_back(lock: Lock) -> None:
    with pytest.raises(ServiceError, match=r"cannot write x{300}: File name too long"):
        apply_plan(TO_NEW | {PurePosixPath("x" * 300): JournalChange(None, b"x")}, lock)
    assert content(lock.target) == UNCHANGED
    assert not (lock.state / PENDING).exists()


# What an earlier run left


FILES = (Rewrite(A, b"old a", b"new a", 0o600, 0o600), Rewrite(B, b"old b", b"new b", 0o644, 0o644))
JOURNAL = Journal("0" * 16, FILES, made=(), undoes=False)


def test_files_are_restored_from_the_journal_if_the_staging_directory_was_cleaned_away(lock: Lock) -> None:
    write_pending(lock.state, JOURNAL)
    (lock.target / A).write_bytes(b"new a")
    assert recover(lock) == Recovery(restored=(A,))
    assert content(lock.target) == UNCHANGED
    assert stat.S_IMODE((lock.target / A).stat().st_mode) == 0o600


def test_what_somebody_edited_after_a_kill_is_left_and_the_old_bytes_are_kept_aside(lock: Lock) -> None:
    write_pending(lock.state, JOURNAL)
    (lock.target / A).write_bytes(b"theirs")
    (lock.target / B).write_bytes(b"new b")
    kept = lock.state / f"left-{'0' * 16}.json"
    assert recover(lock) == Recovery(restored=(B,), left=(A,), kept=kept)
    assert content(lock.target) == {"a.md": b"theirs", "sub": None, "sub/b.md": b"old b"}
    assert kept.exists()
    assert not (lock.state / PENDING).exists()


def test_a_removed_file_whose_slot_was_cleaned_away_is_kept_aside(lock: Lock) -> None:
    write_pending(lock.state, replace(JOURNAL, files=(Rewrite(A, b"old a", None, 0o600, None),)))
    (lock.target / A).unlink()
    recovery = recover(lock)
    assert recovery.left == (A,)
    assert recovery.kept is not None
    assert b"b2xkIGE=" in recovery.kept.read_bytes()


def test_an_edit_of_a_file_that_was_not_reached_yet_needs_nothing(lock: Lock) -> None:
    write_pending(lock.state, JOURNAL)
    staging = lock.target / JOURNAL.staging
    staging.mkdir()
    (staging / "0").write_bytes(b"new a")
    (staging / "1").write_bytes(b"new b")
    (lock.target / A).write_bytes(b"theirs")
    assert recover(lock) == Recovery()
    assert content(lock.target) == UNCHANGED | {"a.md": b"theirs"}


def damage(data: bytes) -> bytes:
    return data.replace(b"a.md", b"b.md")


@pytest.mark.parametrize("change", [damage, lambda data: data[:-1], lambda _: b"", lambda _: b"x\n{}"])
def test_a_damaged_journal_is_refused_and_named(lock: Lock, change: Callable[[bytes], bytes]) -> None:
    write_pending(lock.state, JOURNAL)
    path = lock.state / PENDING
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises(UnsafeError, match=r"pending\.json is damaged"):
        apply_plan(TO_NEW, lock)
    assert content(lock.target) == UNCHANGED


@pytest.mark.parametrize("path", ["../x.md", "/x.md", "sub/../../x.md", "."])
def test_a_journal_cannot_lead_out_of_the_scope(lock: Lock, tmp_path: Path, path: str) -> None:
    (tmp_path / "x.md").write_bytes(b"new")
    file = Rewrite(PurePosixPath(path), b"old", b"new", None, None)
    strange = Journal("../../x", FILES, made=(), undoes=False)
    for journal in (replace(JOURNAL, files=(file,)), replace(JOURNAL, made=(file.path,)), strange):
        write_pending(lock.state, journal)
        with pytest.raises(UnsafeError, match="damaged"):
            recover(lock)
    assert (tmp_path / "x.md").read_bytes() == b"new"
