"""Reads many files of the work tree, without following a symbolic link."""

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Protocol

from memci.git.safe_open import open_beneath
from memci.model.memory import Unreadable

# A larger file is generated or data.
MAX_BYTES = 1_000_000


class Known(Protocol):
    """Somebody who may already know what is in a file."""

    def knows(self, path: str) -> bool:
        """Whether it is worth asking."""

    def take(self, path: str, size: int) -> bool:
        """Whether a file of this size need not be read."""


def iter_worktree(
    root: Path, paths: Iterable[str], limit: int, known: Known | None = None
) -> Iterator[tuple[str, bytes | Unreadable]]:
    """Yield the content of each file, directory by directory, or why it was not read; not of `known` ones."""
    by_directory: dict[str, list[str]] = {}
    for path in paths:
        directory, _, name = path.rpartition("/")
        by_directory.setdefault(directory, []).append(name)
    for directory, names in sorted(by_directory.items()):
        prefix = f"{directory}/" if directory else ""
        opened: int | None = None
        try:
            for name in names:
                # In order, known files too: the first files with a name are the answer.
                if known and _is_taken(known, root, prefix + name):
                    continue
                if opened is None:
                    opened = _open(root, directory)
                yield prefix + name, Unreadable.ABSENT if opened is None else _read(opened, name, limit)
        finally:
            if opened is not None:
                os.close(opened)


def _open(root: Path, directory: str) -> int | None:
    try:
        return open_beneath(root, PurePosixPath(directory), os.O_RDONLY | os.O_DIRECTORY)
    except (OSError, ValueError):
        return None


def _is_taken(known: Known, root: Path, path: str) -> bool:
    """Whether a file need not be read; nothing of it is but its size, so that opening its directory is not needed."""
    if not known.knows(path):
        return False
    try:
        found = os.lstat(f"{root}/{path}")
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(found.st_mode) and known.take(path, found.st_size)


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
