"""Caches in the git directory: shared by all worktrees, never committed, and safe to delete at any time."""

import contextlib
from pathlib import Path, PurePosixPath

from memci.git.safe_open import read_beneath
from memci.stores.files import write_file

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
