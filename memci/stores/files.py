"""Replacing files: each whole or not at all, and never over somebody else's edit."""

import contextlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.safe_open import open_directory, read_beneath
from memci.model.memory import INDEX_NAME


@dataclass(frozen=True, slots=True)
class FileReplacement:
    """A new text for a file; `old` is what was read, None if there was no file."""

    old: str | None
    new: str


def write_changes(root: Path, changes: Mapping[PurePosixPath, FileReplacement]) -> None:
    """Write every file by rename, after making sure that none was edited since it was read."""
    fresh: dict[PurePosixPath, bytes] = {}
    for path, change in changes.items():
        if _read(root, path) != (None if change.old is None else change.old.encode("utf-8")):
            raise UnsafeError(f"{path} was edited meanwhile; nothing was written", hint="run the command again")
        try:
            fresh[path] = change.new.encode("utf-8")
        except UnicodeEncodeError as error:
            raise UnsafeError(f"the new text of {path} is not Unicode; nothing was written") from error
    # A hook that leaves the index is in its topic first, whatever stops the run in between.
    for path, data in sorted(fresh.items(), key=lambda item: item[0].name == INDEX_NAME):
        with naming(path):
            write_file(root, path, data)


@contextlib.contextmanager
def naming(path: PurePosixPath | Path) -> Iterator[None]:
    """Turn an OSError into a service error that names the place."""
    try:
        yield
    except OSError as error:
        raise ServiceError(f"cannot write {path}: {error.strerror}") from error


def write_file(root: Path, path: PurePosixPath, data: bytes) -> None:
    """Replace one file: the new bytes are on disk before they get the name."""
    # Not the process id: in a container it is the same in every run, and a killed run leaves its file behind.
    temporary = f".memci-{os.urandom(8).hex()}"
    with open_directory(root, path.parent) as directory:
        mode = _read_mode(path.name, directory)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        descriptor = os.open(temporary, flags, 0o644 if mode is None else 0o600, dir_fd=directory)
        with contextlib.ExitStack() as undo:
            undo.callback(os.unlink, temporary, dir_fd=directory)
            with open(descriptor, "wb") as file:  # noqa: PTH123 -- an open descriptor has no path
                if mode is not None:
                    os.fchmod(descriptor, mode)
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            os.rename(temporary, path.name, src_dir_fd=directory, dst_dir_fd=directory)
            undo.pop_all()
        os.fsync(directory)


def _read_mode(name: str, directory: int) -> int | None:
    """Return the permissions of a file; None if there is no such file, or only a link."""
    try:
        mode = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None
    return stat.S_IMODE(mode) if stat.S_ISREG(mode) else None


def _read(root: Path, path: PurePosixPath) -> bytes | None:
    try:
        return read_beneath(root, path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnsafeError(f"cannot write {path}: {error.strerror}; nothing was written") from error


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
