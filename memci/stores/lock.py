"""One dream at a time in a scope: memci against memci, and memci against a client that dreams by itself.

Between runs of memci the kernel decides (flock): on the scope directory, which needs no file that could be deleted,
and on a record outside the memory, for file systems that cannot lock directories. The record says who holds the lock,
and what to put back if that process is killed.

A client knows nothing of this and looks at `.consolidate-lock` in its memory. memci honours that file wherever there is
one, puts its own process id there while it works and the old bytes back at the end, so that a dream changes nothing of
it but its time. It never makes the file: committed memory stays as clean as it was, and two dreams in a row leave the
same bytes.
"""

import contextlib
import datetime as dt
import fcntl
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.safe_open import read_beneath
from memci.stores.client_lock import (
    CLIENT_LOCK,
    MAX_BYTES,
    Before,
    is_committed,
    is_same,
    open_client_lock,
    parse_client_holder,
    put_back,
    read_bytes,
    read_settled,
    replace_bytes,
)
from memci.stores.lock_owner import Holder, Life, describe_self, judge_holder
from memci.stores.state_directory import make_state_directory

RECORD = "lock"
# The bytes of a client's lock in base 64, and as much again for the rest.
_MAX_RECORD = 4 * MAX_BYTES
# The client's own limit. Here it is asked in addition to death, never instead of it.
_STALE_SECONDS = 60 * 60


@dataclass(frozen=True, slots=True)
class LockRecord:
    """Who holds a lock, and the client's lock before; None if that was not taken."""

    holder: Holder
    before: Before | None


class Lock:
    """A scope that is held; `state` is the directory outside the memory that belongs to it."""

    def __init__(self, target: Path, state: Path, descriptors: dict[Path, int], now_ns: int) -> None:
        self.target = target
        self.state = state
        # What the time of the client's lock becomes if all goes well.
        self.success_ns = now_ns
        self._descriptors = descriptors
        self._is_noted = False
        self._client: int | None = None
        self._before: Before | None = None

    @property
    def before_ns(self) -> int | None:
        """The last consolidation by the client's lock, None if there was no such file."""
        return self._before.time_ns if self._before else None

    def check_held(self) -> None:
        """Refuse to go on if somebody removed, replaced or took over what is held."""
        with _failing_as_service(self.target):
            for path, descriptor in self._descriptors.items():
                if not is_same(path, descriptor):
                    raise UnsafeError(f"{path} was removed or replaced during the dream", hint="run memci again")
            if self._client is None:
                return
            if read_bytes(self._client) != _own_id():
                path = self.target / CLIENT_LOCK
                raise UnsafeError(f"{path} was taken by another dream", hint="run memci again later")
            # A client would take over a lock that is older than an hour.
            os.utime(self._client)

    def take_over(self) -> None:
        """Put back what a killed run of memci left in the client's lock; refuse if its end is not certain."""
        path = self.state / RECORD
        # What cannot be read was written by a run that was killed meanwhile; the kernel gave us its lock.
        record = _parse_record(os.pread(self._descriptors[path], _MAX_RECORD, 0))
        if record is None:
            return
        # The kernel drops the lock of a process that it ran itself, in whatever container.
        if not record.holder.boot or record.holder.boot != describe_self().boot:
            _refuse_living(self.target, path, record.holder, path.stat().st_mtime)
        client = self.target / CLIENT_LOCK
        descriptor = None if record.before is None else open_client_lock(client)
        if record.before is None or descriptor is None:
            return
        try:
            # Empty: killed between making room for the process id and writing it.
            if read_bytes(descriptor) in {str(record.holder.pid).encode(), b""}:
                put_back(descriptor, record.before.data, record.before.time_ns)
        finally:
            os.close(descriptor)

    def take_client_lock(self) -> None:
        """Put our process id where a client looks, after noting what stood there."""
        path = self.target / CLIENT_LOCK
        descriptor = open_client_lock(path)
        if descriptor is None:
            self._note()
            return
        self._descriptors[path] = descriptor
        data, time_ns = read_settled(descriptor)
        holder = parse_client_holder(data)
        if holder is not None and not is_committed(path, data):
            _refuse_living(self.target, path, holder, time_ns / 1e9)
        self._before = Before(data, time_ns)
        self._note()
        if read_bytes(descriptor) != data:
            raise UnsafeError(f"{path} was taken by another dream", hint="run memci again later")
        self._client = descriptor
        replace_bytes(descriptor, _own_id())

    def release(self, *, success: bool) -> None:
        """Put the client's lock back as it was, with the time of this dream if it succeeded."""
        path = self.target / CLIENT_LOCK
        # What fails here is put back by the next run: the record stays.
        with contextlib.suppress(OSError):
            client, before = self._client, self._before
            if client is not None and before and is_same(path, client) and read_bytes(client) in {_own_id(), b""}:
                put_back(client, before.data, self.success_ns if success else before.time_ns)
            # A record that made this run refuse belongs to another one.
            if self._is_noted:
                os.ftruncate(self._descriptors[self.state / RECORD], 0)

    def close(self) -> None:
        """Release the kernel locks."""
        for descriptor in self._descriptors.values():
            os.close(descriptor)

    def _note(self) -> None:
        import msgspec

        self._is_noted = True
        record = msgspec.json.encode(LockRecord(describe_self(), self._before))
        replace_bytes(self._descriptors[self.state / RECORD], record)


@contextlib.contextmanager
def hold_lock(target: Path, state: Path, *, now: dt.datetime) -> Iterator[Lock]:
    """Hold a scope; a success sets the time of the client's lock, a failure or an interrupt puts it back."""
    if not target.is_dir():
        raise UsageError(f"{target} is not a directory")
    if not os.access(target, os.R_OK | os.W_OK | os.X_OK):
        raise ServiceError(f"cannot write in {target}; nothing was changed", hint="make the directory writable")
    make_state_directory(state)
    success = False
    with contextlib.ExitStack() as stack:
        with _failing_as_service(target):
            lock = Lock(target, state, _lock_both(target, state), _count_ns(now))
            stack.callback(lock.close)
            # Twice, because a second interrupt can hit the first; what is put back already is left alone.
            for _ in range(2):
                stack.callback(lambda: lock.release(success=success))
            lock.take_over()
            lock.take_client_lock()
        yield lock
        success = True


def read_holders(target: Path, state: Path) -> Iterator[tuple[Path, Holder, float]]:
    """Yield who is named in the locks of a scope, and since when; nothing is locked or changed."""
    for path, limit in ((state / RECORD, _MAX_RECORD), (target / CLIENT_LOCK, MAX_BYTES)):
        try:
            data, since = read_beneath(path.parent, PurePosixPath(path.name), limit), path.lstat().st_mtime
        except OSError:
            continue
        record = _parse_record(data)
        holder = record.holder if record else parse_client_holder(data)
        if holder is not None and not (path.name == CLIENT_LOCK and is_committed(path, data)):
            yield path, holder, since


def judge_named(path: Path, holder: Holder, since: float) -> Life:
    """Judge whether the holder of a lock can still be running; for a client's lock mostly by its time."""
    return judge_holder(holder, since if path.name == CLIENT_LOCK else None)


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
        if not is_same(path, record):
            raise UnsafeError(f"{path} was replaced while it was locked", hint="run memci again")
        undo.pop_all()
    return {target: scope, path: record}


def _lock(descriptor: int, target: Path, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        try:
            with path.open("rb") as file:
                record = _parse_record(file.read(_MAX_RECORD))
            since = path.stat().st_mtime
        except FileNotFoundError:
            record, since = None, 0
        if record is not None:
            raise _refuse(target, path, record.holder, since) from error
        raise UnsafeError(f"another run of memci is at work in {target}", hint="wait until it ends") from error


def _refuse_living(target: Path, path: Path, holder: Holder, since: float) -> None:
    """Refuse unless the holder is dead for certain."""
    life = judge_named(path, holder, since)
    if life is Life.DEAD or (life is Life.DOUBTFUL and time.time() - since > _STALE_SECONDS):
        return
    raise _refuse(target, path, holder, since)


def _refuse(target: Path, path: Path, holder: Holder, since: float) -> UnsafeError:
    when = dt.datetime.fromtimestamp(since, dt.UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    hint = f"wait until it ends; if that process does not dream, remove {path}"
    return UnsafeError(f"{target} is held by {holder} since {when}", hint=hint)


def _parse_record(data: bytes) -> LockRecord | None:
    import msgspec

    try:
        return msgspec.json.decode(data, type=LockRecord)
    except msgspec.DecodeError:
        return None


def _own_id() -> bytes:
    return str(os.getpid()).encode()


def _count_ns(now: dt.datetime) -> int:
    # Not through a float, which cannot represent every microsecond.
    return (now - dt.datetime.fromtimestamp(0, dt.UTC)) // dt.timedelta(microseconds=1) * 1000
