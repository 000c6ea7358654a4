"""Changing several files of a scope: all of them or none, even if the process is killed.

The journal is written first, then every new version into a staging directory, then each changes places with the old
one, then the journal is committed, then the old versions go. A run that is killed, interrupted or fails before the
commit is rolled back, by itself or by the next run; after the commit only tidying up is left.
"""

import contextlib
import errno
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.errors import MemciError, ServiceError, UnsafeError
from memci.git.safe_open import open_directory
from memci.model.memory import INDEX_NAME
from memci.stores.files import naming
from memci.stores.journal import (
    LAST,
    PENDING,
    Journal,
    JournalChange,
    Rewrite,
    commit_pending,
    drop_journal,
    drop_strays,
    keep_pending,
    read_journal,
    write_pending,
)
from memci.stores.lock import Lock, hold_lock
from memci.stores.state_directory import sync_directory
from memci.stores.swap import (
    OpenPlace,
    bring_in,
    check_displaced,
    make_conflict,
    open_pair,
    read_version,
    stage,
    take_back,
)

_HERE = PurePosixPath()


@dataclass(frozen=True, slots=True)
class Recovery:
    """What was rolled back, and what was not because somebody changed it since; `kept` then has the old bytes."""

    restored: tuple[PurePosixPath, ...] = ()
    left: tuple[PurePosixPath, ...] = ()
    kept: Path | None = None


def apply_plan(changes: Mapping[PurePosixPath, JournalChange], lock: Lock, *, undoes: bool = False) -> None:
    """Change all files of the set or none; one that is not as it was read is never overwritten."""
    recover(lock)
    root = lock.target
    wanted = {path: change for path, change in changes.items() if change.old != change.new}
    files = tuple(_compare(root, path, wanted[path]) for path in sorted(wanted, key=lambda path: _rank(path, wanted)))
    if not files:
        return
    made = _list_missing(root, (file.path for file in files if file.new is not None))
    journal = Journal(os.urandom(8).hex(), files, made, undoes)
    try:
        _carry_out(lock, journal)
    except BaseException as error:
        is_committed = _is_committed(lock.state, journal)
        _recover_from(error, lock, is_committed=is_committed)
        if not isinstance(error, ServiceError):
            raise
        # Otherwise only tidying up failed, and the next run does that: the change is committed.
        if not is_committed:
            raise ServiceError(f"{error.message}; nothing was changed", hint=error.hint) from error


def recover(lock: Lock) -> Recovery:
    """Bring to an end what an earlier run left unfinished."""
    state, root = lock.state, lock.target
    recovery = Recovery()
    with naming(root):
        drop_strays(state)
        pending = read_journal(state, PENDING)
        if pending is not None:
            recovery = _roll_back(root, pending)
            _clean_up(root, pending)
            if recovery.left:
                recovery = Recovery(recovery.restored, recovery.left, keep_pending(state, pending))
            drop_journal(state, PENDING)
        last = read_journal(state, LAST)
        if last is not None and (last.undoes or (root / last.staging).exists()):
            _clean_up(root, last)
        if last is not None and last.undoes:
            drop_journal(state, LAST)
    return recovery


def _carry_out(lock: Lock, journal: Journal) -> None:
    root, numbers = lock.target, range(len(journal.files))
    lock.check_held()
    with naming(lock.state / PENDING):
        write_pending(lock.state, journal)
    for path in journal.made:
        with naming(path):
            _make_directory(root, path, 0o777)
    with naming(journal.staging):
        _make_directory(root, journal.staging, 0o700)
    for number, file in enumerate(journal.files):
        if file.new is not None:
            with naming(file.path), open_pair(root, journal, number) as pair:
                stage(pair, file.new, file.new_mode)
    lock.check_held()
    for step in (bring_in, check_displaced):
        for number in numbers:
            with naming(journal.files[number].path), open_pair(root, journal, number) as pair:
                step(pair)
    with naming(root):
        _sync(root, journal)
    lock.check_held()
    with naming(lock.state / LAST):
        commit_pending(lock.state)
    with naming(root):
        _clean_up(root, journal)
        if journal.undoes:
            drop_journal(lock.state, LAST)


def _rank(path: PurePosixPath, changes: Mapping[PurePosixPath, JournalChange]) -> tuple[int, PurePosixPath]:
    """Order the renames so that the index never names a file that is not there yet, or not there any more."""
    return (1 if str(path) == INDEX_NAME else 2 if changes[path].new is None else 0), path


def _compare(root: Path, path: PurePosixPath, change: JournalChange) -> Rewrite:
    """Return the change with the modes of its file, after making sure that it is as it was read."""
    with naming(path):
        data, mode = _read(root, path)
    if data != change.old:
        raise make_conflict(path)
    return Rewrite(path, change.old, change.new, mode, mode if change.mode is None else change.mode)


def _read(root: Path, path: PurePosixPath) -> tuple[bytes | None, int | None]:
    try:
        with open_directory(root, path.parent) as directory:
            return read_version(OpenPlace(directory, path.name), path)
    except FileNotFoundError:
        return None, None
    except OSError as error:
        if error.errno not in {errno.ENOTDIR, errno.ELOOP, errno.EXDEV}:
            raise
        raise UnsafeError(f"cannot write {path}: {error.strerror}; nothing was changed") from error


def _list_missing(root: Path, paths: Iterable[PurePosixPath]) -> tuple[PurePosixPath, ...]:
    """Return the directories above the paths that do not exist, outer ones first."""
    missing = []
    for parent in sorted({parent for path in paths for parent in path.parents}):
        with naming(parent):
            try:
                with open_directory(root, parent):
                    pass
            except FileNotFoundError:
                missing.append(parent)
    return tuple(missing)


def _make_directory(root: Path, path: PurePosixPath, mode: int) -> None:
    with open_directory(root, path.parent) as directory, contextlib.suppress(FileExistsError):
        os.mkdir(path.name, mode, dir_fd=directory)


def _is_committed(state: Path, journal: Journal) -> bool:
    with contextlib.suppress(OSError, MemciError):
        last = read_journal(state, LAST)
        return last is not None and last.token == journal.token
    return False


def _recover_from(error: BaseException, lock: Lock, *, is_committed: bool) -> None:
    try:
        recover(lock)
    except MemciError as second:
        if is_committed:
            return
        hint = "run memci again when that is mended: it rolls back before anything else"
        raise ServiceError(f"{error}; rolling back failed, too: {second}", hint=hint) from error


def _roll_back(root: Path, journal: Journal) -> Recovery:
    restored, left = [], []
    _make_directory(root, journal.staging, 0o700)
    for number, file in reversed(tuple(enumerate(journal.files))):
        try:
            with open_pair(root, journal, number) as pair:
                if take_back(pair):
                    restored.append(file.path)
        except UnsafeError:
            if file.old is not None:
                left.append(file.path)
    _sync(root, journal)
    return Recovery(tuple(restored), tuple(left))


def _clean_up(root: Path, journal: Journal) -> None:
    """Remove the directories that are empty now, then the staging directory, which marks unfinished work."""
    emptied = {parent for file in journal.files if file.new is None for parent in file.path.parents}
    for path in sorted({*journal.made, *emptied} - {_HERE}, reverse=True):
        _remove_directory(root, path)
    try:
        with open_directory(root, journal.staging) as staging:
            for name in os.listdir(staging):  # noqa: PTH208 -- an open descriptor has no path
                os.unlink(name, dir_fd=staging)
    except FileNotFoundError:
        return
    _remove_directory(root, journal.staging)
    sync_directory(root, _HERE)


def _remove_directory(root: Path, path: PurePosixPath) -> None:
    """Remove a directory if it is there and empty."""
    try:
        with open_directory(root, path.parent) as directory:
            os.rmdir(path.name, dir_fd=directory)
    except OSError as error:
        if error.errno not in {errno.ENOTEMPTY, errno.EEXIST, errno.ENOENT, errno.ENOTDIR}:
            raise


def _sync(root: Path, journal: Journal) -> None:
    """Make sure that every name that was changed is on disk."""
    for path in sorted({journal.staging, *(parent for file in journal.files for parent in file.path.parents)}):
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            sync_directory(root, path)


def undo(lock: Lock) -> tuple[Rewrite, ...]:
    """Restore bytes and modes; return the changes that were taken back, none if there is no dream to undo."""
    recover(lock)
    journal = read_journal(lock.state, LAST)
    if journal is None:
        return ()
    changes = {file.path: JournalChange(file.new, file.old, file.old_mode) for file in journal.files}
    apply_plan(changes, lock, undoes=True)
    return journal.files


def find_unfinished(base: Path) -> frozenset[Path]:
    """Return the state directories with a dream that was not finished, or that may not be looked into."""
    found = set()
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        for state in base.iterdir():
            try:
                (state / PENDING).lstat()
            except (FileNotFoundError, NotADirectoryError):
                continue
            except PermissionError:
                # Belongs to somebody else: only the scope itself can show whether a dream was interrupted.
                pass
            found.add(state)
    return frozenset(found)


def has_staging(target: Path) -> bool:
    """Whether a dream left the directory in a scope through which its files change places."""
    return any(path.is_dir() and not path.is_symlink() for path in target.glob(".memci-*"))


def settle(target: Path, state: Path) -> Recovery:
    """Roll back the unfinished dream of a scope."""
    with hold_lock(target, state) as lock:
        return recover(lock)
