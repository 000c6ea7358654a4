"""Writing what a person asked for by name: outside of memory, whole or not at all."""

import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from memci.errors import ServiceError, UsageError
from memci.stores.files import naming, write_file


def make_directory(target: Path) -> None:
    """Make a directory and those above it, unless they are there."""
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ServiceError(f"cannot make the directory {target}: {error.strerror}") from error


def check_parent(target: Path) -> None:
    """Refuse a file whose directory does not exist: a mistyped path should not become one."""
    if not target.parent.is_dir():
        raise UsageError(f"cannot write {target}: there is no directory {target.parent}", hint="make it first")


def write_output(target: Path, data: bytes) -> None:
    """Write one file, and make the directories above it."""
    make_directory(target.parent)
    with naming(target):
        write_file(target.parent, PurePosixPath(target.name), data)


def write_directory(target: Path, files: Mapping[PurePosixPath, bytes]) -> None:
    """Write files into a directory that is new or empty; the last one is there only if all others are."""
    make_directory(target)
    with naming(target):
        if any(target.iterdir()):
            raise UsageError(f"{target} is not empty", hint="name a directory that does not exist yet")
        for path, data in files.items():
            (target / path).parent.mkdir(exist_ok=True)
            with (target / path).open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
