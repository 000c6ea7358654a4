"""The lock file of a client that dreams by itself: a process id, and as its time the last consolidation.

A client makes it with a plain write and reads it back, so two programs can in theory take it at the same moment; it is
read again before it is written and before anything is published.
"""

import contextlib
import errno
import os
import stat
import time
from dataclasses import dataclass
from pathlib import Path

from memci.errors import UnsafeError
from memci.git.repository import find_repository
from memci.stores.lock_owner import Holder, parse_holder

CLIENT_LOCK = ".consolidate-lock"
# A lock is a few words; the rest of a longer file is not read.
MAX_BYTES = 1024
# A client makes the file first and writes into it then.
_SETTLE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Before:
    """What the file was before it was taken."""

    data: bytes
    time_ns: int


def open_client_lock(path: Path) -> int | None:
    """Open the file, or return None if there is none; refuse what is not a regular file."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno not in {errno.ELOOP, errno.EISDIR, errno.ENXIO}:
            raise
        raise UnsafeError(f"cannot use {path}: {error.strerror}", hint="look at what it is and remove it") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnsafeError(f"cannot use {path}: not a regular file", hint="look at what it is and remove it")
    return descriptor


def read_settled(descriptor: int) -> tuple[bytes, int]:
    """Return the bytes and the time of the file, once a client that is just making it had time to write."""
    end = time.monotonic() + _SETTLE_SECONDS
    while True:
        data, time_ns = read_bytes(descriptor), os.fstat(descriptor).st_mtime_ns
        is_fresh = abs(time.time() - time_ns / 1e9) < _SETTLE_SECONDS
        if parse_client_holder(data) is not None or not is_fresh or time.monotonic() > end:
            return data, time_ns
        time.sleep(0.05)


def parse_client_holder(data: bytes) -> Holder | None:
    """Return the holder named in the file, None if it is invalid."""
    return parse_holder(data.decode("utf-8", "replace"))


def is_committed(path: Path, data: bytes) -> bool:
    """Whether git has the file as it is: then it came with a checkout, and no process here wrote it."""
    repository = find_repository(path.parent)
    if repository is None or not repository.has_commits():
        return False
    name = str(path.resolve().relative_to(repository.root.resolve()))
    entry = repository.run("ls-tree", "-z", "--full-tree", "HEAD", "--", name).decode("utf-8", "surrogateescape")
    mode, _, oid = entry.partition("\t")[0].rpartition(" ")
    if not mode.startswith("100"):
        return False
    with contextlib.closing(repository):
        return repository.read_blob(oid, MAX_BYTES) == data


def read_bytes(descriptor: int) -> bytes:
    """Return the content of the file, up to the maximum size of a lock."""
    return os.pread(descriptor, MAX_BYTES, 0)


def replace_bytes(descriptor: int, data: bytes) -> None:
    """Write into the file itself: another one in its place would not be locked."""
    os.ftruncate(descriptor, 0)
    written = 0
    while written < len(data):
        written += os.pwrite(descriptor, data[written:], written)


def put_back(descriptor: int, data: bytes, time_ns: int) -> None:
    """Make the file what it was before, with the given time."""
    replace_bytes(descriptor, data)
    os.utime(descriptor, ns=(time_ns, time_ns))


def is_same(path: Path, descriptor: int) -> bool:
    """Whether a path still leads to what was opened."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
