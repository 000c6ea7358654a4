"""Identifies the holder of a lock, and whether it can still be running; age alone never proves that it is not."""

import enum
import os
from dataclasses import dataclass
from pathlib import Path

# Zero and negative numbers mean process groups, and larger ones are no process on any system.
_MAX_PID = 2**31 - 1
# What a client runs as: its own program, a JavaScript runtime or editor around it, or memci in its place.
_CLIENTS = ("claude", "node", "bun", "deno", "electron", "code", "memci", "python")
# Starts are counted in ticks from a boot whose time is rounded, and some file systems keep even seconds only.
_CLOCK_SECONDS = 2.0
_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Holder:
    """A process; unknown fields are ""."""

    pid: int
    host: str = ""
    # When it was started, as this machine counts time.
    start: str = ""
    boot: str = ""
    # Process ids are the same in many containers.
    namespace: str = ""

    def __str__(self) -> str:
        return f"process {self.pid}" + (f" on {self.host}" if self.host else "")


class Life(enum.Enum):
    """What is known about a holder."""

    ALIVE = "alive"
    DEAD = "dead"
    # No sign of it here, but it could run on another machine or in another container.
    DOUBTFUL = "doubtful"
    # Out of sight: on another host, or in another container.
    UNKNOWN = "unknown"


def describe_self() -> Holder:
    """Return this process."""
    return Holder(os.getpid(), os.uname().nodename, _read_start(os.getpid()) or "", _read_boot(), _read_namespace())


def parse_holder(text: str) -> Holder | None:
    """Return who is named: a process id, and on lines of their own perhaps the rest; None if it is invalid."""
    lines = [line.strip() for line in text.split("\n")]
    if not (lines[0].isascii() and lines[0].isdigit() and len(lines[0]) <= 10 and 0 < int(lines[0]) <= _MAX_PID):
        return None
    return Holder(int(lines[0]), *lines[1:5])


def judge_holder(holder: Holder, written: float | None = None) -> Life:
    """Say whether a holder can still be running; `written` is when it was named, for those of which only the id is."""
    this = describe_self()
    if holder.host not in {"", this.host}:
        return Life.UNKNOWN
    if holder.boot not in {"", this.boot}:
        # The machine was started anew, or two machines have one name.
        return Life.DOUBTFUL
    if holder.namespace not in {"", this.namespace}:
        return Life.UNKNOWN
    start = _read_start(holder.pid)
    if start == "" or (start is not None and holder.start not in {"", start}):
        return Life.DEAD
    if holder.pid == this.pid and not holder.start:
        # It was another process, as in containers, where every run has the same id; or one next door.
        return Life.DOUBTFUL
    is_stranger = written is not None and not holder.host and not _may_have_written(holder.pid, written)
    return Life.DEAD if is_stranger else Life.ALIVE


def _may_have_written(pid: int, written: float) -> bool:
    """Whether a process is a client, as far as can be seen, and was there when the file was written."""
    import psutil

    try:
        process = psutil.Process(pid)
        if process.create_time() > written + _CLOCK_SECONDS:
            return False
        words = " ".join((process.name(), *process.cmdline())).lower()
    except psutil.NoSuchProcess:
        return False
    except psutil.Error:
        return True
    return any(client in words for client in _CLIENTS)


def _read_start(pid: int) -> str | None:
    """Return when a process was started, "" if there is none or only its exit code, None if that cannot be seen."""
    import psutil

    try:
        process = psutil.Process(pid)
        return "" if process.status() in {psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD} else str(process.create_time())
    except (psutil.NoSuchProcess, ValueError, OverflowError):
        # The last two are for numbers that no process has.
        return ""
    except psutil.Error:
        return None


def _read_boot() -> str:
    return _BOOT.read_text("ascii").strip() if _BOOT.exists() else ""


def _read_namespace() -> str:
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""
