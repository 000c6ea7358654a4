"""Where memci keeps what has to outlive a run but is no memory: locks and journals."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from memci.errors import ServiceError
from memci.git.safe_open import open_beneath


def find_state_directory(target: Path, common: Path | None, environment: Mapping[str, str]) -> Path:
    """Return the directory of a scope's lock and journal.

    It lies outside the memory, so that a dream leaves no trace in the work tree: in the git directory that all
    worktrees share (`common`), or for memory outside of repositories in the person's state directory.
    """
    name = hashlib.sha256(os.fsencode(target.resolve())).hexdigest()[:32]
    return find_state_base(common, environment) / name


def find_state_base(common: Path | None, environment: Mapping[str, str]) -> Path:
    """Return the directory that holds the state directories of all scopes."""
    return (common or _find_state_home(environment)) / "memci"


def make_state_directory(state: Path) -> None:
    """Make the directory for this person alone; a link in its place is refused."""
    base, path = state.parent.parent, PurePosixPath(*state.parts[-2:])
    try:
        for directory in (*reversed(state.parents), state):
            if not os.path.lexists(directory):
                directory.mkdir(mode=0o700, exist_ok=True)
                sync_directory(directory.parent)
        os.close(open_beneath(base, path, os.O_RDONLY | os.O_DIRECTORY))
    except OSError as error:
        hint = "memci keeps its lock and its journal there; make it writable"
        raise ServiceError(f"cannot use {state}: {error.strerror}", hint=hint) from error


def sync_directory(path: Path) -> None:
    """Make sure that names which were changed in a directory are on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _find_state_home(environment: Mapping[str, str]) -> Path:
    named = Path(environment.get("XDG_STATE_HOME") or "")
    # The XDG specification: relative paths are to be ignored.
    return named if named.is_absolute() else Path(environment.get("HOME") or Path.home()) / ".local" / "state"
