"""The whole fault suite and one table of what it tried: `make faults`, or `python -m tests.faults [ROW …]`.

With `--quick` sweeps are coarser. A row fails if anything was torn, lost or let in; then its last lines are printed.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Many times what the longest row takes, also on a machine that has much else to do.
LIMIT = 7_200


class RowError(Exception):
    """Something was found."""


@dataclass(frozen=True, slots=True)
class Row:
    """A property, and how it is tried."""

    name: str
    promise: str
    run: Callable[[Path, bool], str]


def run(*arguments: str, **environment: str) -> str:
    command, environment = [sys.executable, *arguments], os.environ | environment
    try:
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired as error:
        raise RowError(f"{' '.join(arguments)} did not end in {LIMIT:,} seconds\n") from error
    if done.returncode:
        raise RowError((done.stdout + done.stderr).decode(errors="replace")[-4_000:])
    return done.stdout.decode()


def run_tests(*arguments: str, **environment: str) -> str:
    """Run tests with examples that are new in each run."""
    options = ("-q", "-p", "no:cacheprovider", "-m", "not e2e")
    return run("-m", "pytest", *options, *arguments, MEMCI_PROFILE="night", **environment)


def count_tests(printed: str) -> str:
    found = re.search(r"(\d+) passed", printed)
    if found is None:
        raise RowError(printed)
    return f"{int(found[1]):,} tests"


def count_outcomes(printed: str) -> str:
    found: Counter[str] = Counter()
    for counts in json.loads(printed).values():
        found.update(counts)
    return f"{found.total():,} times: " + ", ".join(f"{name} {number:,}" for name, number in found.most_common())


def sweep(module: str, coarse: str) -> Callable[[Path, bool], str]:
    """Return a row of one of the programs beside this one."""

    def act(base: Path, quick: bool) -> str:  # noqa: FBT001 -- a column of the table
        return count_outcomes(run("-m", f"tests.faults.{module}", str(base), *([coarse] if quick else [])))

    return act


def tests(*arguments: str) -> Callable[[Path, bool], str]:
    """Return a row of tests."""
    return lambda _base, _quick: count_tests(run_tests(*arguments))


def trace(base: Path, quick: bool) -> str:  # noqa: FBT001
    if quick or not shutil.which("strace"):
        return "not run: " + ("too long" if quick else "there is no strace")
    lines = run("-m", "tests.faults.traced", str(base)).strip().split("\n")
    counts = [json.loads(line.partition(": ")[2]) for line in lines]
    return f"{sum(sum(one.values()) for one in counts):,} times, {len(lines)} faults"


def race(_base: Path, quick: bool) -> str:  # noqa: FBT001
    cells = (
        run("-m", "benchmarks.locks", "32", "50" if quick else "1000").strip().split("\n")[-1].strip("| ").split("|")
    )
    processes, rounds, entries, doubles, slowest = (cell.strip() for cell in cells)
    if doubles != "0":
        raise RowError(f"{doubles} second holders")
    return f"{processes} x {rounds} rounds: {entries} entries, {doubles} second holders, refused within {slowest}"


def poison(_base: Path, _quick: bool) -> str:  # noqa: FBT001
    from tests.engines.model.attacks import ATTACKS
    from tests.guards.test_hijacked import ATTACKS as OTHERS

    printed = run_tests("tests/engines/model/test_hijacked.py", "tests/guards/test_hijacked.py")
    return f"{len(ATTACKS) + len(OTHERS)} attacks, 0 accepted ({count_tests(printed)})"


def fuzz(_base: Path, quick: bool) -> str:  # noqa: FBT001
    examples = 100 if quick else 1_000
    printed = run_tests("tests/fuzz", "--durations=0", "-vv", MEMCI_FUZZ_EXAMPLES=str(examples))
    times = re.findall(r"([\d.]+)s call .*\[(\w+)\]", printed)
    slow = ", ".join(f"{name} {float(seconds):.1f}" for seconds, name in times)
    return f"{len(times)} targets x {examples:,} examples; seconds: {slow}"


def nights(_base: Path, quick: bool) -> str:  # noqa: FBT001
    count = 12 if quick else 100
    run_tests("tests/engines/model/test_nights.py", "--timeout=0", MEMCI_NIGHTS=str(count))
    return f"{count} sequences of up to 5 nights"


def forge(_base: Path, quick: bool) -> str:  # noqa: FBT001
    count = 2 if quick else 20
    printed = run_tests("tests/commands/test_publish_faults.py", "--timeout=0", MEMCI_PUBLISHES=str(count))
    return f"{count} sequences of up to 7 steps at each of 3 forges, and each fault once ({count_tests(printed)})"


def find_canaries(_base: Path, _quick: bool) -> str:  # noqa: FBT001
    return f"{count_tests(run_tests(*CANARIES))}, 0 canaries found"


# Each plants secrets and searches all that is written, printed or sent for them.
CANARIES = (
    "tests/bad_inputs/test_secrets.py",
    "tests/engines/claude/test_secrecy.py",
    "tests/engines/model/test_wire.py::test_no_secret_leaves_this_machine",
    "tests/commands/test_collect.py::test_no_object_of_the_ref_and_no_output_holds_a_secret",
    "tests/commands/test_collect.py::test_the_hook_returns_and_the_rest_is_done_in_the_background",
    "tests/commands/test_digest.py::test_no_secret_is_shown_wherever_it_stands",
    "tests/commands/test_publish.py::test_the_token_is_nowhere_but_in_the_headers",
    "tests/commands/test_publish.py::test_nobody_gets_the_token_by_pointing_elsewhere",
    "tests/sessions/test_redact.py",
)
INVISIBLE = ("tests/redaction/test_hidden.py", "tests/guards/test_hidden_text.py", "tests/report/test_escape.py")
ROWS = (
    Row("kills", "killed at any call, also while repairing: old or new", sweep("kills", "35")),
    Row("readers", "killed at any call, then read: old, new, or it says that it is neither", sweep("readers", "10")),
    Row("power", "power lost at any call, writes dropped and reordered: old or new", sweep("power", "7")),
    Row("traced", "killed, disk full or broken at any system call: old or new", trace),
    Row("failures", "any call refused, or short: old, and it says where", tests("tests/faults/test_failures.py")),
    Row("edits", "edits, deletes and links by somebody else are never lost", tests("tests/faults/test_edits.py")),
    Row("signals", "interrupted in any part of a dream: old or new, no temporary file", sweep("signals", "40")),
    Row("locks", "one holder at a time", race),
    Row("nights", "faults of the model service in any order: nothing written from a bad reply", nights),
    Row("forge", "faults of the forge in any order: one pull request, nobody's commit lost", forge),
    Row("poison", "a hijacked model gets nothing in", poison),
    Row("canaries", "no secret in what is written, printed or sent", find_canaries),
    Row("invisible", "no invisible character gets out", tests(*INVISIBLE)),
    Row("fuzz", "any text is read", fuzz),
)  # fmt: skip


def try_rows(rows: list[Row], base: Path, *, quick: bool) -> Iterator[bool]:
    """Print a line for each row; yield whether it held."""
    print("| | promise | tried | s |\n|---|---|---|---|", flush=True)  # noqa: T201 -- the table
    for row in rows:
        started, failure = time.monotonic(), ""
        try:
            tried = row.run(base, quick)
        except RowError as error:
            tried, failure = "**BROKEN**", str(error)
        print(f"| {row.name} | {row.promise} | {tried} | {time.monotonic() - started:.0f} |", flush=True)  # noqa: T201
        sys.stderr.write(failure)
        yield not failure


def main() -> None:
    quick = "--quick" in sys.argv
    names = [name for name in sys.argv[1:] if name != "--quick"]
    unknown = set(names) - {row.name for row in ROWS}
    if unknown:
        sys.exit(f"no such row: {', '.join(sorted(unknown))}; there are {', '.join(row.name for row in ROWS)}")
    rows = [row for row in ROWS if not names or row.name in names]
    # In memory where there is one: some rows wait for the disk thousands of times.
    shared = Path("/dev/shm")  # noqa: S108 -- the directory made there has a name of its own
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as name:
        held = list(try_rows(rows, Path(name), quick=quick))
    sys.exit(not all(held))


if __name__ == "__main__":
    main()
