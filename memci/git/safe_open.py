"""Opening files below a root without ever following a symbolic link."""

import errno
import os
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
