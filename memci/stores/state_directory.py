"""Where memci keeps what must outlive a run but is not memory: locks, journals and collected sessions."""

import hashlib
import os
from pathlib import Path, PurePosixPath

from memci.errors import ServiceError
from memci.git.safe_open import open_directory


def resolve_state_directory(target: Path, common: Path | None) -> Path:
    """Return the directory of a scope's lock and journal.

    It is outside the memory, so that a dream leaves no trace in the work tree: in the git directory that all
    worktrees share (`common`), or for memory outside of repositories in the user's state directory.
    """
    name = hashlib.sha256(os.fsencode(target.resolve())).hexdigest()[:32]
    return state_base(common) / name


def state_base(common: Path | None) -> Path:
    """Return the directory with the state directories of all scopes."""
    return user_state_directory() if common is None else common / "memci"


def user_state_directory() -> Path:
    """Return the platform's place for state: `$XDG_STATE_HOME/memci` if set, on Linux else `~/.local/state/memci`."""
    import platformdirs

    return platformdirs.user_state_path("memci")


def make_state_directory(state: Path) -> None:
    """Make the directory, readable by its owner only; refuse a symbolic link in its place."""
    base, path = state.parent.parent, PurePosixPath(*state.parts[-2:])
    try:
        for directory in (*reversed(state.parents), state):
            if not os.path.lexists(directory):
                directory.mkdir(mode=0o700, exist_ok=True)
                sync_directory(directory.parent)
        with open_directory(base, path):
            pass
    except OSError as error:
        hint = "memci keeps its lock and its journal there; make it writable"
        raise ServiceError(f"cannot use {state}: {error.strerror}", hint=hint) from error


def sync_directory(path: Path) -> None:
    """Flush the changed names of a directory to disk."""
    with open_directory(path, PurePosixPath()) as descriptor:
        os.fsync(descriptor)
