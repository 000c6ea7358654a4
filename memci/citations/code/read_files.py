"""Reads many files of the work tree, without following a symbolic link."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from memci.git.safe_open import open_beneath
from memci.model.memory import Unreadable

# A larger file is generated or data.
MAX_BYTES = 1_000_000


def iter_worktree(root: Path, paths: Iterable[str], limit: int) -> Iterator[tuple[str, bytes | Unreadable]]:
    """Yield the content of each file, directory by directory, or why it was not read."""
    by_directory: dict[str, list[str]] = {}
    for path in paths:
        directory, _, name = path.rpartition("/")
        by_directory.setdefault(directory, []).append(name)
    for directory, names in sorted(by_directory.items()):
        prefix = f"{directory}/" if directory else ""
        opened = _open(root, directory)
        try:
            for name in names:
                yield prefix + name, Unreadable.ABSENT if opened is None else _read(opened, name, limit)
        finally:
            if opened is not None:
                os.close(opened)


def _open(root: Path, directory: str) -> int | None:
    try:
        return open_beneath(root, PurePosixPath(directory), os.O_RDONLY | os.O_DIRECTORY)
    except (OSError, ValueError):
        return None


def _read(directory: int, name: str, limit: int) -> bytes | Unreadable:
    try:
        # A FIFO without a writer would block.
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=directory)
    # A path with a NUL is a ValueError.
    except (OSError, ValueError):
        return Unreadable.ABSENT
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            return Unreadable.SPECIAL
        if found.st_size > limit:
            return Unreadable.TOO_LARGE
        data = bytearray()
        while chunk := os.read(descriptor, max(found.st_size - len(data), 0) + 1):
            data += chunk
            if len(data) > limit:
                return Unreadable.TOO_LARGE
        return bytes(data)
    except OSError:
        return Unreadable.FAILED
    finally:
        os.close(descriptor)
