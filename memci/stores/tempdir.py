"""Temporary files and directories: outside the repository, private, removed at the end."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


def make_file() -> IO[bytes]:
    """Return a file without a name, which is gone when it is closed or the process dies."""
    return tempfile.TemporaryFile()


@contextmanager
def make_directory() -> Iterator[Path]:
    """Give an empty directory for as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="memci-") as name:
        yield Path(name)
