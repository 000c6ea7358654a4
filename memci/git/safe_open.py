"""Opening files below a root without ever following a symbolic link."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


def open_beneath(root: Path, path: PurePosixPath, flags: int) -> int:
    """Open a path part by part, so that no part can be a symbolic link that leads elsewhere."""
    if path.is_absolute() or ".." in path.parts:
        raise OSError(errno.EXDEV, "leads out of its directory", str(path))
    directory = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    parts = path.parts or (".",)
    try:
        for part in parts[:-1]:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=directory)
            os.close(directory)
            directory = inner
        return os.open(parts[-1], flags | os.O_NOFOLLOW, dir_fd=directory)
    finally:
        os.close(directory)


@contextlib.contextmanager
def open_directory(root: Path, path: PurePosixPath) -> Iterator[int]:
    """Hold a directory open."""
    descriptor = open_beneath(root, path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def read_beneath(root: Path, path: PurePosixPath, limit: int = -1) -> bytes:
    """Return up to `limit` bytes of a regular file; what is none is an OSError with EISDIR or ENODEV."""
    # A FIFO without a writer would block.
    return read_regular(open_beneath(root, path, os.O_RDONLY | os.O_NONBLOCK), limit)[0]


def read_regular(descriptor: int, limit: int = -1) -> tuple[bytes, int]:
    """Return the bytes and the permissions of an open file, and close it."""
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EISDIR if stat.S_ISDIR(mode) else errno.ENODEV, "not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(limit), stat.S_IMODE(mode)
    finally:
        os.close(descriptor)
