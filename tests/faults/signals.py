"""Signals to a whole `memci dream`, in each part of it and at random times: `python -m tests.faults.signals DIRECTORY`.

A part is a module, or a function of those that write: the signal comes when it is called for the first time.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "examples" / "shop"
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
INTERRUPTED = 130
RANDOM_TIMES = 30
# Of so many parts one is tried: each takes a whole dream and the one after it.
EVERY = 10
SCOPES = (".claude/memory", ".claude/agent-memory/reviewer")
# What runs leave in the state directory of a scope: who holds it, and what can be undone.
LEFT = {"lock", "last.json"}
WATCHED = """
import json, signal, sys

wanted, number = sys.argv[1], int(sys.argv[2])
sys.argv[1:3] = []
seen = {}

def watch(frame, event, _):
    code, name = frame.f_code, frame.f_globals.get("__name__", "")
    # Where files are changed, each function is a part of its own.
    name += f":{code.co_name}" * name.startswith("memci.stores")
    # Only what is a function has fast locals; bodies of modules and classes run while memci loads.
    if event == "call" and name.startswith("memci.") and code.co_flags & 1 and name not in seen:
        seen[name] = None
        if name == wanted:
            sys.setprofile(None)
            signal.raise_signal(number)

from memci.__main__ import run
sys.setprofile(watch)
try:
    run()
finally:
    sys.setprofile(None)
    if not wanted:
        sys.stderr.write(json.dumps(list(seen)))
"""

Files = dict[str, bytes]


def _hear_signals() -> None:
    """Ignore none in a new process: what runs in the background ignores some, and memci goes on ignoring them."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL)


class Shop:
    """The example repository, before a dream and after one."""

    def __init__(self, base: Path) -> None:
        self.root, self.before, self.temporary = base / "shop", base / "before", base / "temporary"
        self.home = base / "home"
        self.home.mkdir(parents=True, exist_ok=True)
        self.environment = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(ROOT),
            "TMPDIR": str(self.temporary),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
        subprocess.run([sys.executable, SHOP / "build.py", self.before], check=True, capture_output=True)
        self.reset()
        self.old = self.read()
        started = time.monotonic()
        code, said = self.dream("-c", WATCHED, "", "0")
        assert code == 0, said
        self.seconds = time.monotonic() - started
        self.parts: list[str] = json.loads(said.rpartition(b"\n")[2])
        self.new = self.read()

    def start(self, *program: str) -> subprocess.Popen[bytes]:
        """Start a dream in a process group of its own."""
        given = ["--engine", "local", "--force", "--now", "2026-11-16T03:00:00Z"]
        transcripts = ["--transcripts", str(SHOP / "transcripts")]
        return subprocess.Popen(
            [sys.executable, *program, "-C", str(self.root), "dream", *given, *transcripts],
            env=self.environment,
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=_hear_signals,  # noqa: PLW1509 -- there are no threads here
        )

    def dream(self, *program: str) -> tuple[int, bytes]:
        """Dream to the end; return the exit code and what was said."""
        process = self.start(*program)
        said = process.communicate()[1]
        return process.returncode, said

    def reset(self) -> None:
        for directory in (self.root, self.temporary):
            shutil.rmtree(directory, ignore_errors=True)
        shutil.copytree(self.before, self.root, symlinks=True)
        self.temporary.mkdir()

    def read(self) -> Files:
        """Return every file of the work tree."""
        paths = (path for path in self.root.rglob("*") if path.is_file())
        names = ((str(path.relative_to(self.root)), path) for path in paths)
        return {name: path.read_bytes() for name, path in names if not name.startswith(".git/")}

    def interrupt_at(self, seconds: float, number: signal.Signals, *, group: bool) -> tuple[int, bytes]:
        """Run a dream that gets a signal after some time; its git commands get it as well if it goes to the group."""
        process = self.start("-m", "memci")
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            (os.killpg if group else os.kill)(process.pid, number)
        return process.wait(), process.communicate()[1]

    def check(self, code: int, said: bytes, number: signal.Signals) -> str:
        """Find old or new memory in each scope and nothing else changed, and let the next run finish the work."""
        # A signal before the first line of memci ends the interpreter, and nothing was touched.
        assert code in {0, INTERRUPTED, -number}, (code, said)
        assert code < 0 or b"Traceback" not in said, said
        found = self.read()
        outcomes = set()
        for scope in SCOPES:
            part, old, new = (pick(files, scope) for files in (found, self.old, self.new))
            assert part in (old, new), (scope, sorted(part))
            outcomes.add("new" if part == new else "old")
        assert {name: found[name] for name in found if not name.startswith(SCOPES)} == {
            name: self.old[name] for name in self.old if not name.startswith(SCOPES)
        }
        assert code != 0 or outcomes == {"new"}
        self.check_left()
        assert self.dream("-m", "memci")[0] == 0
        assert self.read() == self.new
        self.check_left()
        return "in time" if code == 0 else "-".join(sorted(outcomes))

    def check_left(self) -> None:
        """Find no temporary file, neither ours nor in the directory for them, and no lock of git."""
        assert list(self.temporary.iterdir()) == []
        state = [path for path in (self.root / ".git" / "memci").rglob("*") if path.is_file()]
        assert {path.name for path in state if not path.name.startswith("evidence")} <= LEFT, state
        assert list((self.root / ".git").rglob("*.lock")) == []


def pick(files: Files, scope: str) -> Files:
    return {name: data for name, data in files.items() if name.startswith(f"{scope}/")}


def sweep_parts(shop: Shop, parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Interrupt a dream in each of some parts; yield the part and what memory was then."""
    for place, part in enumerate(parts):
        number = SIGNALS[place % len(SIGNALS)]
        shop.reset()
        yield part, shop.check(*shop.dream("-c", WATCHED, part, str(int(number))), number)


def sweep_times(shop: Shop, count: int, seed: int = 1) -> Iterator[str]:
    """Interrupt a dream at random times; yield what memory was then."""
    chance = random.Random(seed)
    for place in range(count):
        number = SIGNALS[place % len(SIGNALS)]
        shop.reset()
        seconds = chance.uniform(0, shop.seconds)
        yield shop.check(*shop.interrupt_at(seconds, number, group=place % 2 == 0), number)


def main() -> None:
    """Print how often memory was old and how often new; 1 tries each part, which takes an hour."""
    every = int(sys.argv[2]) if len(sys.argv) > 2 else EVERY
    shop = Shop(Path(sys.argv[1]) / "signals")
    parts = Counter(outcome for _, outcome in sweep_parts(shop, shop.parts[::every]))
    times = Counter(sweep_times(shop, RANDOM_TIMES // every))
    sys.stdout.write(json.dumps({"parts": parts, "times": times}) + "\n")


if __name__ == "__main__":
    main()
