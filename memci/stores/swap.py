"""A file and its other version, which changes places with it; nothing here ever follows a symbolic link."""

import contextlib
import errno
import functools
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from memci.errors import UnsafeError
from memci.git.safe_open import open_directory, read_regular
from memci.stores.journal import Journal, Rewrite

# From linux/fs.h.
_NOREPLACE = 1
_EXCHANGE = 2
_LACKING = {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP}


class OpenPlace(NamedTuple):
    """A name in an open directory."""

    directory: int
    name: str


def move(source: OpenPlace, to: OpenPlace) -> None:
    """Rename; a name that is taken is a FileExistsError."""
    if rename(source, to, _NOREPLACE):
        return
    if exists(to):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), to.name)
    os.rename(source.name, to.name, src_dir_fd=source.directory, dst_dir_fd=to.directory)


def exchange(source: OpenPlace, to: OpenPlace) -> None:
    """Let two files change names; without such a call, the first takes the place of the second, which is gone."""
    if not rename(source, to, _EXCHANGE):
        os.rename(source.name, to.name, src_dir_fd=source.directory, dst_dir_fd=to.directory)


def exists(place: OpenPlace) -> bool:
    """Whether there is anything of this name, were it a link to nowhere."""
    with contextlib.suppress(FileNotFoundError):
        os.stat(place.name, dir_fd=place.directory, follow_symlinks=False)
        return True
    return False


def rename(source: OpenPlace, to: OpenPlace, flags: int) -> bool:
    """Call renameat2; return False if it is lacking."""
    call = _load_call()
    if call is None:
        return False
    import ctypes

    names = os.fsencode(source.name), os.fsencode(to.name)
    if call(source.directory, names[0], to.directory, names[1], flags) == 0:
        return True
    code = ctypes.get_errno()
    if code in _LACKING:
        return False
    raise OSError(code, os.strerror(code), source.name, None, to.name)


@functools.cache
def _load_call() -> Callable[[int, bytes, int, bytes, int], int] | None:
    import ctypes

    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        return None
    call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    call.restype = ctypes.c_int
    found: Callable[[int, bytes, int, bytes, int], int] = call
    return found


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
            directory = stack.enter_context(open_directory(root, file.path.parent))
        except OSError as error:
            if error.errno not in {errno.ENOENT, errno.ENOTDIR, errno.ELOOP}:
                raise
            raise make_conflict(file.path) from error
        staging = stack.enter_context(open_directory(root, journal.staging))
        yield Pair(file, OpenPlace(directory, file.path.name), OpenPlace(staging, str(number)))


def make_conflict(path: PurePosixPath) -> UnsafeError:
    """Return the error for a file that somebody else changed."""
    message = f"{path} was changed by somebody else meanwhile; it was left alone and nothing was changed"
    return UnsafeError(message, hint="look at the file, then run memci again")


def read_version(place: OpenPlace, path: PurePosixPath) -> tuple[bytes | None, int | None]:
    """Return the bytes and the permissions of a file, None if there is none; refuse what is not a regular file."""
    try:
        return read_regular(os.open(place.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place.directory))
    except FileNotFoundError:
        return None, None
    except OSError as error:
        if error.errno not in {errno.ELOOP, errno.ENXIO, errno.EISDIR, errno.ENODEV}:
            raise
        raise UnsafeError(f"cannot write {path}: not a regular file; nothing was changed") from error


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
    if read_version(pair.named, pair.file.path)[0] != pair.file.old:
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
    now, _ = read_version(pair.named, file.path)
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
        return read_version(place, PurePosixPath(place.name))[0] in versions
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
