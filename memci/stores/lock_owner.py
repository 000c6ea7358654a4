"""Identifies the holder of a lock, and whether it can still be running; age alone never proves that it is not."""

import enum
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

# Zero and negative numbers mean process groups, and larger ones are no process on any system.
_MAX_PID = 2**31 - 1
# What a client runs as: its own program, a JavaScript runtime or editor around it, or memci in its place.
_CLIENTS = ("claude", "node", "bun", "deno", "electron", "code", "memci", "python")
# Starts are counted in ticks from a boot whose time is rounded, and some file systems keep even seconds only.
_CLOCK_SECONDS = 2.0
# The client's own limit. Here it is asked in addition to other signs of death, never instead of them.
_STALE_SECONDS = 60 * 60
_BOOT = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Holder:
    """A process; what is not known is ""."""

    pid: int
    host: str = ""
    boot: str = ""
    # When it was started, as this machine counts time.
    start: str = ""

    def __str__(self) -> str:
        return f"process {self.pid}" + (f" on {self.host}" if self.host else "")


class Life(enum.Enum):
    """What is known about a holder."""

    ALIVE = "alive"
    DEAD = "dead"
    # It could run on another machine or in another container.
    UNKNOWN = "unknown"


def describe_self() -> Holder:
    """Return this process."""
    return Holder(os.getpid(), os.uname().nodename, _BOOT.read_text("ascii").strip() if _BOOT.exists() else "")


def parse_holder(data: bytes) -> Holder | None:
    """Return the process that a lock file names: its id, and on further lines perhaps its host and its start."""
    pid, host, start = [*map(str.strip, data.decode("utf-8", "replace").split("\n")), "", ""][:3]
    is_pid = pid.isascii() and pid.isdigit() and len(pid) <= 10 and 0 < int(pid) <= _MAX_PID
    return Holder(int(pid), host, start=start) if is_pid else None


def judge_run(holder: Holder, since: float) -> Life:
    """Judge a run of memci that does not hold the lock of this kernel: elsewhere it could still be running."""
    this = describe_self()
    # After a restart the boot is another one; but two machines can have one name.
    is_over = bool(holder.boot) and holder.boot == this.boot
    return Life.DEAD if is_over or (holder.host == this.host and _is_stale(since)) else Life.UNKNOWN


def judge_client(holder: Holder, written: float) -> Life:
    """Judge a client by what it wrote down, and when it did."""
    import psutil

    if holder.host not in {"", os.uname().nodename}:
        return Life.UNKNOWN
    if holder.pid == os.getpid() and not holder.start:
        # It was another process, as in containers, where every run has the same id; or one next door.
        return Life.DEAD if _is_stale(written) else Life.UNKNOWN
    try:
        return Life.ALIVE if _is_holder(psutil.Process(holder.pid), holder, written) else Life.DEAD
    except psutil.NoSuchProcess:
        return Life.DEAD
    except psutil.Error:
        return Life.ALIVE


def _is_holder(process: "psutil.Process", holder: Holder, written: float) -> bool:
    """Whether a process can be the one that wrote a lock; of an id alone, only a client can."""
    import psutil

    if process.status() in {psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD}:
        return False
    if holder.start or holder.host:
        return holder.start in {"", str(process.create_time())}
    words = " ".join((process.name(), *process.cmdline())).lower()
    return process.create_time() <= written + _CLOCK_SECONDS and any(client in words for client in _CLIENTS)


def _is_stale(since: float) -> bool:
    return time.time() - since > _STALE_SECONDS
