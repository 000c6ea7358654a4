"""A file and its other version, which changes places with it; nothing here ever follows a symbolic link."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.errors import UnsafeError
from memci.git.safe_open import open_beneath
from memci.stores.exclusive_rename import OpenPlace, exchange, exists, move
from memci.stores.journal import Journal, Rewrite

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY


@dataclass(frozen=True, slots=True)
class Pair:
    """The name of a file, and the slot in the staging directory with its other version."""

    file: Rewrite
    named: OpenPlace
    slot: OpenPlace


@contextlib.contextmanager
def open_pair(root: Path, journal: Journal, number: int) -> Iterator[Pair]:
    """Open the directories of one file of the journal."""
    file = journal.files[number]
    with contextlib.ExitStack() as stack:
        try:
            directory = open_beneath(root, file.path.parent, _DIRECTORY)
        except OSError as error:
            if error.errno not in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
                raise
            raise make_conflict(file.path) from error
        stack.callback(os.close, directory)
        staging = open_beneath(root, journal.staging, _DIRECTORY)
        stack.callback(os.close, staging)
        yield Pair(file, OpenPlace(directory, file.path.name), OpenPlace(staging, str(number)))


def make_conflict(path: PurePosixPath) -> UnsafeError:
    """Return the error for a file that somebody else changed."""
    message = f"{path} was changed by somebody else meanwhile; it was left alone and nothing was changed"
    return UnsafeError(message, hint="look at the file, then run memci again")


def read_place(place: OpenPlace, path: PurePosixPath) -> bytes | None:
    """Return the bytes of a file, None if there is none; refuse what is not a regular file."""
    version = read_version(place, path)
    return None if version is None else version[0]


def read_version(place: OpenPlace, path: PurePosixPath) -> tuple[bytes, int] | None:
    """Return the bytes and the permissions of a file, None if there is none; refuse what is not a regular file."""
    try:
        descriptor = os.open(place.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place.directory)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno not in {errno.ELOOP, errno.ENXIO}:
            raise
        raise _make_odd(path) from error
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise _make_odd(path)
    with open(descriptor, "rb") as file:  # noqa: PTH123 -- an open descriptor has no path
        return file.read(), stat.S_IMODE(mode)


def _make_odd(path: PurePosixPath) -> UnsafeError:
    return UnsafeError(f"cannot write {path}: not a regular file; nothing was changed")


def stage(pair: Pair, data: bytes, mode: int | None) -> None:
    """Put a version into the slot, whole or not at all."""
    part = f"{pair.slot.name}.part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW
    descriptor = os.open(part, flags, 0o644 if mode is None else 0o600, dir_fd=pair.slot.directory)
    try:
        if mode is not None:
            os.fchmod(descriptor, mode)
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.rename(part, pair.slot.name, src_dir_fd=pair.slot.directory, dst_dir_fd=pair.slot.directory)


def bring_in(pair: Pair) -> None:
    """Let the new version take the name, if the old one still has it."""
    if read_place(pair.named, pair.file.path) != pair.file.old:
        raise make_conflict(pair.file.path)
    _swap(pair, is_named=pair.file.old is not None)


def check_displaced(pair: Pair) -> None:
    """Refuse if the file was written to between being compared and being displaced."""
    if not _holds(pair.slot, pair.file.old, None):
        raise make_conflict(pair.file.path)


def take_back(pair: Pair) -> bool:
    """Let the old version have its name again; return whether anything was to be done."""
    file, is_staged = pair.file, exists(pair.slot)
    if not _is_in_place(pair):
        return False
    now = read_place(pair.named, file.path)
    if now == file.old:
        return False
    # A file that is gone without being in its slot was not taken away by us.
    if now != file.new or (now is None and not is_staged):
        raise make_conflict(file.path)
    if file.old is not None and not is_staged:
        stage(pair, file.old, file.old_mode)
    _swap(pair, is_named=now is not None)
    if now is not None and not _holds(pair.slot, now, None):
        _swap(pair, is_named=file.old is not None)
        raise make_conflict(file.path)
    return True


def _is_in_place(pair: Pair) -> bool:
    """Whether the new version may have the name: it has left its slot, or for a removal, the old one left its name."""
    if pair.file.new is None:
        return exists(pair.slot) or not exists(pair.named)
    return not _holds(pair.slot, pair.file.new)


def _holds(place: OpenPlace, *versions: bytes | None) -> bool:
    """Whether one of the versions is found, None standing for no file; a link that somebody made is none of them."""
    try:
        return read_place(place, PurePosixPath(place.name)) in versions
    except UnsafeError:
        return False


def _swap(pair: Pair, *, is_named: bool) -> None:
    try:
        if not is_named:
            move(pair.slot, pair.named)
        elif exists(pair.slot):
            exchange(pair.slot, pair.named)
        else:
            move(pair.named, pair.slot)
    except (FileExistsError, FileNotFoundError) as error:
        raise make_conflict(pair.file.path) from error
