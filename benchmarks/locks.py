"""Second holders of one lock, and how long losers wait: processes that all want it, round after round.

`python -m benchmarks.locks [PROCESSES ROUNDS]`; every third round begins with what a killed run left.
"""

import multiprocessing
import sys
import tempfile
import time
from dataclasses import replace
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

import msgspec

from memci.errors import UnsafeError
from memci.stores.lock import CLIENT_LOCK, RECORD, hold_lock
from memci.stores.lock_owner import describe_self


class Outcome(NamedTuple):
    """What one process saw in all rounds."""

    wins: int
    doubles: int
    slowest_refusal: float


def plant(scope: Path, state: Path, number: int) -> None:
    """Leave behind what a killed client or a killed run of memci leaves."""
    state.mkdir(parents=True, exist_ok=True)
    if number % 3 == 0:
        (scope / CLIENT_LOCK).write_text("999999")
        (state / RECORD).write_bytes(msgspec.json.encode(replace(describe_self(), pid=999_999)))
    else:
        (scope / CLIENT_LOCK).unlink(missing_ok=True)


def contend(base: Path, rounds: int, barrier: Barrier, is_first: bool) -> Outcome:  # noqa: FBT001 -- called by a pool
    """Try to hold the lock in every round; whoever is in alone can make a directory of one name."""
    scope, inside = base / "scope", base / "inside"
    wins = doubles = 0
    slowest = 0.0
    for number in range(rounds):
        state = base / "state" / "memci" / str(number)
        if is_first:
            plant(scope, state, number)
        barrier.wait()
        begin = time.monotonic()
        try:
            with hold_lock(scope, state):
                try:
                    inside.mkdir()
                except FileExistsError:
                    doubles += 1
                wins += 1
                # Long enough for the others to come by, now and then long enough for all.
                time.sleep(0.02 if number % 10 == 0 else 0.001)
                inside.rmdir()
        except UnsafeError:
            slowest = max(slowest, time.monotonic() - begin)
        barrier.wait()
    return Outcome(wins, doubles, slowest)


def run(processes: int, rounds: int) -> tuple[int, int, float]:
    """Return wins, second holders, and the longest time until somebody was refused."""
    with tempfile.TemporaryDirectory() as name:
        base = Path(name)
        (base / "scope").mkdir()
        context = multiprocessing.get_context("spawn")
        with context.Manager() as manager:
            # A process that fails must not make all others wait for ever.
            barrier = manager.Barrier(processes, timeout=60)
            with context.Pool(processes) as pool:
                jobs = [(base, rounds, barrier, number == 0) for number in range(processes)]
                outcomes = pool.starmap(contend, jobs, chunksize=1)
        left = [path.name for path in (base / "scope").iterdir()]
    assert left in ([], [CLIENT_LOCK]), left
    slowest = max(outcome.slowest_refusal for outcome in outcomes)
    return sum(outcome.wins for outcome in outcomes), sum(outcome.doubles for outcome in outcomes), slowest


def main() -> None:
    processes, rounds = (int(text) for text in sys.argv[1:3] or ("32", "1000"))
    wins, doubles, slowest = run(processes, rounds)
    print("| processes | rounds | entries | second holders | slowest refusal |\n|---|---|---|---|---|")
    print(f"| {processes} | {rounds:,} | {wins:,} | {doubles} | {slowest * 1000:.0f} ms |")


if __name__ == "__main__":
    main()
