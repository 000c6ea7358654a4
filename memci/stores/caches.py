"""Caches in the git directory: shared by all worktrees, never committed, and safe to delete at any time."""

import contextlib
import os
import stat
from pathlib import Path, PurePosixPath

from memci.git.safe_open import open_beneath
from memci.stores.files import write_file

_DIRECTORY = "memci"


def read_cached(common: Path, name: str, limit: int) -> bytes:
    """Return a cached file; nothing if it cannot be read or is larger than `limit`."""
    try:
        # A FIFO without a writer would block.
        descriptor = open_beneath(common, PurePosixPath(_DIRECTORY, name), os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return b""
    with open(descriptor, "rb") as file:  # noqa: PTH123 -- an open descriptor has no path
        data = file.read(limit + 1)
    return data if len(data) <= limit else b""


def write_cached(common: Path, name: str, data: bytes) -> None:
    """Write a cached file, if possible."""
    with contextlib.suppress(OSError):
        (common / _DIRECTORY).mkdir(exist_ok=True)
        write_file(common, PurePosixPath(_DIRECTORY, name), data)
