"""Renames that overwrite nothing: the kernel has them, Python does not.

Where the file system or the platform lacks them a plain rename is used; then one system call lies between looking and
overwriting. What is overwritten stands in the journal.
"""

import contextlib
import errno
import functools
import os
from collections.abc import Callable
from typing import NamedTuple

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
