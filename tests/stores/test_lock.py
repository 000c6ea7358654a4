import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from memci.errors import ServiceError, UnsafeError, UsageError
from memci.git.safe_open import read_beneath
from memci.stores.lock import CLIENT_LOCK, RECORD, hold_lock
from memci.stores.state_directory import resolve_state_directory
from tests.repository import Repo, make_repository

LONG_AGO_NS = 1_700_000_000_123_456_789
DEAD = b"999999"
HOST = socket.gethostname()

HOLD = """
import sys, time
from pathlib import Path, PurePosixPath
from memci.stores.lock import hold_lock
with hold_lock(Path(sys.argv[1]), Path(sys.argv[2])):
    print("held", flush=True)
    time.sleep(9999)
"""


@pytest.fixture
def scope(tmp_path: Path) -> Path:
    """Return a scope with an index."""
    scope = tmp_path / "scope"
    scope.mkdir()
    (scope / "MEMORY.md").write_text("- [A](a.md)\n")
    return scope


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Return where the lock of the scope is kept."""
    return tmp_path / "git" / "memci" / "key"


@pytest.fixture
def sleeper() -> Iterator[int]:
    """Return the id of a living process that calls itself as a client does."""
    with subprocess.Popen(["claude", "9999"], executable="sleep") as process:
        yield process.pid
        process.kill()


def write_client(scope: Path, data: bytes, time_ns: int = LONG_AGO_NS) -> Path:
    path = scope / CLIENT_LOCK
    path.write_bytes(data)
    os.utime(path, ns=(time_ns, time_ns))
    return path


def start_holder(scope: Path, state: Path) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(scope), str(state)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def kill(process: "subprocess.Popen[bytes]", number: signal.Signals = signal.SIGKILL) -> None:
    process.send_signal(number)
    process.communicate()


# What a dream leaves alone


def test_nothing_is_left_in_a_scope_without_a_lock_file(scope: Path, state: Path) -> None:
    with hold_lock(scope, state) as lock:
        lock.check_held()
        assert [path.name for path in scope.iterdir()] == ["MEMORY.md"]
    assert [path.name for path in scope.iterdir()] == ["MEMORY.md"]
    assert (state / RECORD).read_bytes() == b""


def test_the_lock_file_of_a_client_is_left_as_it_is(scope: Path, state: Path) -> None:
    path = write_client(scope, DEAD)
    before = path.stat()
    with hold_lock(scope, state) as lock:
        lock.check_held()
        assert path.read_bytes() == DEAD
    after = path.stat()
    assert (path.read_bytes(), after.st_mtime_ns, after.st_ino) == (DEAD, before.st_mtime_ns, before.st_ino)


def test_a_client_that_begins_meanwhile_is_noticed(scope: Path, state: Path, sleeper: int) -> None:
    with hold_lock(scope, state) as lock:
        write_client(scope, str(sleeper).encode(), time.time_ns())
        with pytest.raises(UnsafeError, match=f"held by process {sleeper}"):
            lock.check_held()


def commit_lock(root: Path, data: bytes) -> tuple[Path, Path]:
    """Make a repository in which somebody committed a client's lock; return its scope and the state of that."""
    repo = make_repository(root)
    repo.write("memory/MEMORY.md", "")
    repo.write(f"memory/{CLIENT_LOCK}", data)
    repo.commit()
    scope = repo.root / "memory"
    return scope, resolve_state_directory(scope, repo.root / ".git")


def test_git_sees_nothing_of_a_dream_even_if_somebody_committed_the_lock(tmp_path: Path) -> None:
    scope, state = commit_lock(tmp_path / "repo", DEAD)
    for _ in range(2):
        with hold_lock(scope, state):
            pass
        assert Repo(tmp_path / "repo").run("status", "--porcelain", "--ignored") == ""


# Who is let in


def test_l02_the_lock_of_a_dead_process_is_taken(scope: Path, state: Path) -> None:
    write_client(scope, DEAD + b"\n", time.time_ns())
    with hold_lock(scope, state) as lock:
        lock.check_held()


def test_l03_a_process_id_that_was_given_to_another_process_is_no_holder(
    scope: Path, state: Path, sleeper: int
) -> None:
    write_client(scope, f"{sleeper}\n{HOST}\n1\n".encode(), time.time_ns())
    with hold_lock(scope, state) as lock:
        lock.check_held()


def test_l05_our_own_process_id_from_an_earlier_container_is_taken_after_an_hour(scope: Path, state: Path) -> None:
    write_client(scope, str(os.getpid()).encode(), time.time_ns())
    with pytest.raises(UnsafeError, match="held by process"), hold_lock(scope, state):
        pass
    write_client(scope, str(os.getpid()).encode(), time.time_ns() - 61 * 60 * 10**9)
    with hold_lock(scope, state):
        pass


@pytest.mark.parametrize("place", ["repo", "clone"])
def test_a_lock_that_was_committed_holds_nobody_even_if_its_process_id_is_in_use(
    tmp_path: Path, sleeper: int, place: str
) -> None:
    data = str(sleeper).encode()
    commit_lock(tmp_path / "repo", data)
    Repo(tmp_path).run("clone", "--quiet", "repo", "clone")
    scope = tmp_path / place / "memory"
    with hold_lock(scope, resolve_state_directory(scope, tmp_path / place / ".git")):
        pass
    assert (scope / CLIENT_LOCK).read_bytes() == data


@pytest.mark.parametrize("age", [10, 61 * 60, 10**8])
def test_a_process_that_started_after_the_lock_was_written_is_not_its_holder(
    scope: Path, state: Path, sleeper: int, age: int
) -> None:
    write_client(scope, str(sleeper).encode(), time.time_ns() - age * 10**9)
    with hold_lock(scope, state) as lock:
        assert lock.target == scope


def test_a_process_that_is_no_client_is_not_the_holder(scope: Path, state: Path) -> None:
    with subprocess.Popen(["sleep", "9999"]) as process:
        write_client(scope, str(process.pid).encode(), time.time_ns())
        with hold_lock(scope, state) as lock:
            assert lock.target == scope
        process.kill()


@pytest.mark.parametrize(
    "data",
    [
        b"", b"0", b"-1", b"-1\n", b"abc", b"1e3", b"0x10", b"\xff\xfe", b"\0" * 100, b"99999999999", b"9" * 1000,
        b"1.5", "٣".encode(), "²".encode(), b"{}", b"\n1", b"4294967297", b"2147483648",
    ],
)  # fmt: skip
def test_l06_rubbish_is_never_taken_for_a_process(
    scope: Path, state: Path, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(pid: int, number: int) -> None:
        raise AssertionError(f"asked about {pid} with {number}")

    monkeypatch.setattr(os, "kill", refuse)
    path = write_client(scope, data)
    with hold_lock(scope, state):
        pass
    assert path.read_bytes() == data


def test_l06_a_file_that_is_just_being_written_is_given_time(
    scope: Path, state: Path, sleeper: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_client(scope, b"", time.time_ns())
    # Fresh enough even if this machine pauses here.
    monkeypatch.setattr("memci.stores.lock._SETTLE_SECONDS", 9999.0)
    monkeypatch.setattr("time.sleep", lambda _: path.write_text(str(sleeper)))
    with pytest.raises(UnsafeError, match=f"held by process {sleeper}"), hold_lock(scope, state):
        pass


def test_l09_of_a_huge_file_only_the_beginning_is_read(
    scope: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_client(scope, b"0")
    os.truncate(path, 1_000_000_000)
    os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))
    sizes, read = [], read_beneath

    def note(root: Path, inside: PurePosixPath, limit: int) -> bytes:
        sizes.append(len(read(root, inside, limit)))
        return read(root, inside, limit)

    monkeypatch.setattr("memci.stores.lock.read_beneath", note)
    with hold_lock(scope, state):
        pass
    assert sizes == [1024]


def test_l10_after_a_kill_the_next_run_starts_at_once(scope: Path, state: Path) -> None:
    holder = start_holder(scope, state)
    with pytest.raises(UnsafeError, match=f"held by process {holder.pid} on {HOST} since 20"):
        hold_lock(scope, state).__enter__()
    kill(holder)
    with hold_lock(scope, state) as lock:
        lock.check_held()


def test_f07_an_interrupt_from_outside_frees_the_lock(scope: Path, state: Path) -> None:
    kill(start_holder(scope, state), signal.SIGINT)
    assert (state / RECORD).read_bytes() == b""


def test_a_record_that_was_cut_off_by_a_kill_is_taken(scope: Path, state: Path) -> None:
    state.mkdir(parents=True)
    for data in (b"{", b"[]", b'{"host": 1}', b"\xff" * 5000):
        (state / RECORD).write_bytes(data)
        with hold_lock(scope, state):
            assert str(os.getpid()).encode() in (state / RECORD).read_bytes()
        assert (state / RECORD).read_bytes() == b""


# Who is refused


@pytest.mark.parametrize("age", [0, -25 * 60 * 60])
def test_l12_a_living_holder_is_never_robbed_whatever_the_clock_says(
    scope: Path, state: Path, sleeper: int, age: int
) -> None:
    data = str(sleeper)
    path = write_client(scope, data.encode(), time.time_ns() - age * 10**9)
    with pytest.raises(UnsafeError, match=f"held by process {sleeper} .*since") as caught:
        hold_lock(scope, state).__enter__()
    assert str(path) in caught.value.hint
    assert path.read_bytes() == data.encode()
    assert (state / RECORD).read_bytes() == b""


def test_the_lock_of_a_client_that_dreams_holds_though_another_one_was_committed(tmp_path: Path, sleeper: int) -> None:
    scope, state = commit_lock(tmp_path / "repo", b"12345")
    write_client(scope, str(sleeper).encode(), time.time_ns())
    with pytest.raises(UnsafeError, match=f"held by process {sleeper}"), hold_lock(scope, state):
        pass


def test_l04_a_holder_on_another_host_is_out_of_sight_and_holds(scope: Path, state: Path) -> None:
    write_client(scope, b"1\nother-host\n")
    with pytest.raises(UnsafeError, match="held by process 1 on other-host"), hold_lock(scope, state):
        pass


def test_l05_a_holder_in_another_container_is_out_of_sight_and_holds(scope: Path, state: Path) -> None:
    write_client(scope, f"1\n{HOST}\n".encode())
    with pytest.raises(UnsafeError, match=f"held by process 1 on {HOST}"), hold_lock(scope, state):
        pass


def test_a_record_of_another_host_holds_though_nothing_is_locked_here(scope: Path, state: Path) -> None:
    state.mkdir(parents=True)
    (state / RECORD).write_text('{"pid": 12, "host": "other-host", "boot": "other-boot"}')
    # However often one tries.
    for _ in range(3):
        with pytest.raises(UnsafeError, match="held by process 12 on other-host") as caught:
            hold_lock(scope, state).__enter__()
        assert str(state / RECORD) in caught.value.hint


def test_a_record_from_before_a_restart_of_the_machine_is_taken_after_an_hour(scope: Path, state: Path) -> None:
    state.mkdir(parents=True)
    record = state / RECORD
    record.write_text(f'{{"pid": 12, "host": "{HOST}", "boot": "other-boot"}}')
    with pytest.raises(UnsafeError, match=f"held by process 12 on {HOST}"):
        hold_lock(scope, state).__enter__()
    os.utime(record, ns=(LONG_AGO_NS, LONG_AGO_NS))
    with hold_lock(scope, state) as lock:
        lock.check_held()


def test_nobody_enters_twice_even_in_one_process_or_by_another_state(scope: Path, state: Path, tmp_path: Path) -> None:
    with hold_lock(scope, state):
        for other in (state, tmp_path / "elsewhere" / "memci" / "key"):
            with pytest.raises(UnsafeError):
                hold_lock(scope, other).__enter__()


@pytest.mark.parametrize("kind", ["link", "dangling", "pipe", "directory"])
def test_a_lock_that_is_no_plain_file_is_refused_without_hanging(
    scope: Path, state: Path, tmp_path: Path, kind: str
) -> None:
    victim = tmp_path / "victim"
    path = scope / CLIENT_LOCK
    match kind:
        case "link":
            victim.write_text("victim")
            path.symlink_to(victim)
        case "dangling":
            path.symlink_to(victim)
        case "pipe":
            os.mkfifo(path)
        case _:
            path.mkdir()
    with pytest.raises(UnsafeError, match="cannot use"):
        hold_lock(scope, state).__enter__()
    assert victim.exists() is (kind == "link")
    assert kind != "link" or victim.read_text() == "victim"


# What happens to the lock while it is held


@pytest.mark.parametrize("name", ["record", "scope"])
def test_l11_a_lock_that_was_deleted_while_held_is_noticed(scope: Path, state: Path, name: str) -> None:
    path = {"record": state / RECORD, "scope": scope}[name]
    with hold_lock(scope, state) as lock:
        lock.check_held()
        path.rename(path.with_name("gone"))
        with pytest.raises(UnsafeError, match="removed or replaced"):
            lock.check_held()
        if name == "scope":
            path.mkdir()
        else:
            path.write_bytes(str(os.getpid()).encode())
        with pytest.raises(UnsafeError, match="removed or replaced"):
            lock.check_held()


# What cannot be locked


def test_f05_a_scope_that_cannot_be_written_is_an_error_and_unchanged(scope: Path, state: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    scope.chmod(0o555)
    with pytest.raises(ServiceError, match="cannot write in"):
        hold_lock(scope, state).__enter__()
    scope.chmod(0o755)
    assert not state.exists()


def test_a_scope_that_is_not_there_is_bad_usage(tmp_path: Path, state: Path) -> None:
    with pytest.raises(UsageError, match="is not a directory"):
        hold_lock(tmp_path / "none", state).__enter__()


def test_a_state_directory_that_cannot_be_made_is_an_error(scope: Path, tmp_path: Path) -> None:
    (tmp_path / "git").write_text("a file")
    with pytest.raises(ServiceError, match=r"cannot use .*git/memci/key"):
        hold_lock(scope, tmp_path / "git" / "memci" / "key").__enter__()


def test_a_link_in_place_of_the_state_directory_is_refused(scope: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "git").mkdir()
    (tmp_path / "git" / "memci").symlink_to(tmp_path / "outside")
    with pytest.raises(ServiceError, match="cannot use"):
        hold_lock(scope, tmp_path / "git" / "memci" / "key").__enter__()
