"""Ending an interrupted dream before the memory is read, as a database rolls back before it answers a query."""

import contextlib
from pathlib import Path

from memci.stores.apply import Recovery, recover
from memci.stores.journal import PENDING
from memci.stores.lock import hold_lock


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
