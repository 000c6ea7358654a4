"""Where memci keeps what is not memory: locks, journals, collected sessions, caches, temporary files."""

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from memci.errors import ServiceError
from memci.git.safe_open import open_directory, read_beneath
from memci.patterns import LazyPattern
from memci.stores.files import naming, write_file

_HERE = PurePosixPath()


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
        make_private(state)
        with open_directory(base, path):
            pass
    except OSError as error:
        hint = "memci keeps its lock and its journal there; make it writable"
        raise ServiceError(f"cannot use {state}: {error.strerror}", hint=hint) from error


def sync_directory(root: Path, path: PurePosixPath = _HERE) -> None:
    """Flush the changed names of a directory to disk."""
    with open_directory(root, path) as descriptor:
        os.fsync(descriptor)


_DIRECTORY = "memci"


def read_cached(common: Path, name: str, limit: int) -> bytes:
    """Return a cached file; nothing if it cannot be read or is larger than `limit`."""
    try:
        data = read_beneath(common, PurePosixPath(_DIRECTORY, name), limit + 1)
    except OSError:
        return b""
    return data if len(data) <= limit else b""


def write_cached(common: Path, name: str, data: bytes) -> None:
    """Write a cached file, if possible."""
    with contextlib.suppress(OSError):
        (common / _DIRECTORY).mkdir(exist_ok=True)
        write_file(common, PurePosixPath(_DIRECTORY, name), data)


def make_file() -> IO[bytes]:
    """Return a file without a name, which is gone when it is closed or the process dies."""
    return tempfile.TemporaryFile()


@contextmanager
def make_temporary() -> Iterator[Path]:
    """Give an empty directory for as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="memci-") as name:
        yield Path(name)


# Enough for weeks; a hook that fails at every session must not fill the disk.
_MAX_LOG = 256 << 10
_NAME = LazyPattern(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


def spool_directory(root: Path, common: Path | None) -> Path:
    """Return the spool directory of a repository; its worktrees share one."""
    place = (common or root).resolve()
    # A clone is known by the name of its directory; the rest keeps clones with equal names apart.
    shown = re.sub(r"[^A-Za-z0-9_-]+", "-", (place.parent if place.name == ".git" else place).name)[:40].strip("-")
    digest = hashlib.sha256(os.fsencode(place)).hexdigest()[:12]
    return user_state_directory() / "spool" / f"{shown or 'repository'}-{digest}"


def make_name(session: str) -> str:
    """Return a file name for a session: its id if that is a safe name, otherwise a digest."""
    if _NAME.fullmatch(session):
        return session
    return "session-" + hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def make_private(directory: Path) -> None:
    """Make a directory and its missing parents, readable by their owner only."""
    # `mkdir(parents=True)` ignores the mode for parents.
    for each in (*reversed(directory.parents), directory):
        if not os.path.lexists(each):
            each.mkdir(mode=0o700, exist_ok=True)
            sync_directory(each.parent)


def write_private(root: Path, path: PurePosixPath, data: bytes) -> None:
    """Write a file into a directory that only its owner can read."""
    with naming(root / path):
        make_private(root / path.parent)
        write_file(root, path, data)


def open_log(spool: Path) -> int:
    """Return a descriptor of the log, which is rotated when it is long."""
    make_private(spool)
    path = spool / "collect.log"
    with contextlib.suppress(FileNotFoundError):
        if path.lstat().st_size > _MAX_LOG:
            path.replace(spool / "collect.log.old")
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
