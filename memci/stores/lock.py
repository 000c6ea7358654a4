"""One dream at a time in a scope: memci against memci, and memci against a client that dreams by itself.

Between runs of memci the kernel decides (flock): on the scope directory, which needs no file that could be deleted,
and on a record outside the memory, for file systems that cannot lock directories. The record says who holds the lock.

A client writes its process id to `.consolidate-lock` in its memory. memci does not work while that process does, and
leaves the file as it is. A client that begins later is noticed before anything is written, and so are its changes.
"""

import contextlib
import datetime as dt
import errno
import fcntl
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.repository import find_repository
from memci.git.safe_open import read_beneath
from memci.stores.lock_owner import Holder, Life, describe_self, judge_client, judge_run, parse_holder
from memci.stores.state_directory import make_state_directory

RECORD = "lock"
CLIENT_LOCK = ".consolidate-lock"
# A lock is a few words; the rest of a longer file is not read.
_MAX_BYTES = 1024
# A client makes the file first and writes into it then.
_SETTLE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class NamedHolder:
    """A process that a lock names, where and since when, and whether it can still be running."""

    path: Path
    holder: Holder
    since: float
    life: Life


@dataclass(frozen=True, slots=True)
class Lock:
    """A scope that is held; `state` is the directory outside the memory that belongs to it."""

    target: Path
    state: Path
    descriptors: dict[Path, int]

    def check_held(self) -> None:
        """Refuse to go on if somebody removed or replaced what is held, or a client has begun to dream."""
        with _failing_as_service(self.target):
            for path, descriptor in self.descriptors.items():
                if not _is_same(path, descriptor):
                    raise UnsafeError(f"{path} was removed or replaced during the dream", hint="run memci again")
            _refuse_living(self.target, _find_client(self.target))


@contextlib.contextmanager
def hold_lock(target: Path, state: Path) -> Iterator[Lock]:
    """Hold a scope for the block."""
    import msgspec

    if not target.is_dir():
        raise UsageError(f"{target} is not a directory")
    if not os.access(target, os.R_OK | os.W_OK | os.X_OK):
        raise ServiceError(f"cannot write in {target}; nothing was changed", hint="make the directory writable")
    make_state_directory(state)
    with contextlib.ExitStack() as stack:
        with _failing_as_service(target):
            descriptors = _lock_both(target, state)
            for descriptor in descriptors.values():
                stack.callback(os.close, descriptor)
            record = descriptors[state / RECORD]
            # What cannot be read was written by a run that was killed meanwhile; the kernel gave us its lock.
            if (holder := _parse_record(os.pread(record, _MAX_BYTES, 0))) is not None:
                since = os.fstat(record).st_mtime
                _refuse_living(target, NamedHolder(state / RECORD, holder, since, judge_run(holder, since)))
            _refuse_living(target, _find_client(target))
            stack.callback(_write_record, record, b"")
            _write_record(record, msgspec.json.encode(describe_self()))
        yield Lock(target, state, descriptors)


def find_holders(target: Path, state: Path) -> Iterator[NamedHolder]:
    """Yield who is named in the locks of a scope; nothing is locked or changed."""
    with contextlib.suppress(OSError):
        path = state / RECORD
        holder = _parse_record(read_beneath(state, PurePosixPath(RECORD), _MAX_BYTES))
        if holder is not None:
            since = path.lstat().st_mtime
            yield NamedHolder(path, holder, since, Life.ALIVE if _is_locked(path) else judge_run(holder, since))
    with contextlib.suppress(OSError):
        if (client := _find_client(target)) is not None:
            yield client


@contextlib.contextmanager
def _failing_as_service(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ServiceError(f"cannot lock {target}: {error.strerror}; nothing was changed") from error


def _lock_both(target: Path, state: Path) -> dict[Path, int]:
    """Open and lock the scope and the record."""
    path = state / RECORD
    with contextlib.ExitStack() as undo:
        scope = os.open(target, os.O_RDONLY | os.O_DIRECTORY)
        undo.callback(os.close, scope)
        # Network file systems lock no directories; the record is locked as well.
        with contextlib.suppress(OSError):
            _lock(scope, target, path)
        record = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
        undo.callback(os.close, record)
        _lock(record, target, path)
        if not _is_same(path, record):
            raise UnsafeError(f"{path} was replaced while it was locked", hint="run memci again")
        undo.pop_all()
    return {target: scope, path: record}


def _lock(descriptor: int, target: Path, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        with contextlib.suppress(FileNotFoundError):
            holder, since = _parse_record(path.read_bytes()), path.stat().st_mtime
            if holder is not None:
                _refuse_living(target, NamedHolder(path, holder, since, Life.ALIVE))
        raise UnsafeError(f"another run of memci is at work in {target}", hint="wait until it ends") from error


def _is_locked(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _find_client(target: Path) -> NamedHolder | None:
    """Return the client that the file in its memory names, once one that is just making it had time to write."""
    path = target / CLIENT_LOCK
    end = time.monotonic() + _SETTLE_SECONDS
    while True:
        try:
            data, since = read_beneath(target, PurePosixPath(CLIENT_LOCK), _MAX_BYTES), path.lstat().st_mtime
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno not in {errno.ELOOP, errno.EISDIR, errno.ENODEV, errno.ENXIO}:
                raise
            hint = "look at what it is and remove it"
            raise UnsafeError(f"cannot use {path}: {error.strerror}", hint=hint) from error
        holder = parse_holder(data)
        if holder is not None:
            return None if _is_committed(path, data) else NamedHolder(path, holder, since, judge_client(holder, since))
        if abs(time.time() - since) >= _SETTLE_SECONDS or time.monotonic() > end:
            return None
        time.sleep(0.05)


def _refuse_living(target: Path, named: NamedHolder | None) -> None:
    """Refuse unless there is no holder, or one that is dead for certain."""
    if named is not None and named.life is not Life.DEAD:
        when = dt.datetime.fromtimestamp(named.since, dt.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        hint = f"wait until it ends; if that process does not dream, remove {named.path}"
        raise UnsafeError(f"{target} is held by {named.holder} since {when}", hint=hint)


def _is_committed(path: Path, data: bytes) -> bool:
    """Whether git has the file as it is: then it came with a checkout, and no process here wrote it."""
    repository = find_repository(path.parent)
    if repository is None or not repository.has_commits():
        return False
    name = str(path.resolve().relative_to(repository.root.resolve()))
    entries = repository.list_tree("HEAD", name)
    return any(
        entry.mode.startswith("100") and repository.read_blob(entry.oid, _MAX_BYTES) == data for entry in entries
    )


def _is_same(path: Path, descriptor: int) -> bool:
    """Whether a path still leads to what was opened."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _write_record(descriptor: int, data: bytes) -> None:
    """Write into the file itself: another one in its place would not be locked."""
    # It is only read on another machine, or for a message.
    with contextlib.suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, data, 0)


def _parse_record(data: bytes) -> Holder | None:
    import msgspec

    try:
        return msgspec.json.decode(data, type=Holder)
    except msgspec.DecodeError:
        return None
