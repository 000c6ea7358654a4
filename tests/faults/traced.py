"""The same from outside, with strace: kill or fail every system call, `python -m tests.faults.traced DIRECTORY`."""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.faults.scene import Scene

CALLS = (
    "openat", "write", "pwrite64", "fsync", "rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat",
    "rmdir", "ftruncate", "fchmod", "utimensat", "flock",
)  # fmt: skip
FAULTS = ("signal=KILL", "error=ENOSPC", "error=EIO")
PROGRAM = """
import sys
from pathlib import Path
from memci.errors import MemciError
import ctypes
import psutil
from tests.faults.scene import Scene
scene = Scene(Path(sys.argv[1]))
try:
    scene.dream()
except MemciError as error:
    sys.exit(int(error.exit_code))
"""


def trace(scene: Scene, *options: str) -> int:
    """Run the change below strace; return its exit code, negative if it was killed."""
    # Calls are counted for each process: only those of the change itself, not those of git.
    command = ["strace", "-qq", *options, sys.executable, "-c", PROGRAM, str(scene.base)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def find_calls(scene: Scene, log: Path) -> Iterator[tuple[str, int]]:
    """Yield each call that the change makes, as its name and which of these it is; those of start-up are left out."""
    scene.build()
    assert trace(scene, "-o", str(log), "-e", f"trace={','.join(CALLS)}") == 0
    counts: Counter[str] = Counter()
    is_begun = False
    for line in log.read_text(errors="replace").split("\n"):
        found = re.match(r"(\w+)\(", line)
        if found is None:
            continue
        counts[found[1]] += 1
        is_begun |= str(scene.base) in line
        # Opening what is there changes nothing: a kill before it is one after the call before.
        if is_begun and ("O_CREAT" in line or found[1] != "openat"):
            yield found[1], counts[found[1]]


def main() -> None:
    """Print for each fault how often everything was old and how often new."""
    base = Path(sys.argv[1])
    scene = Scene(base / "traced")
    calls = list(find_calls(scene, base / "log"))
    for fault in FAULTS:
        found: Counter[str] = Counter()
        for name, number in calls:
            scene.build()
            code = trace(scene, "-o", "/dev/null", "-e", f"inject={name}:{fault}:when={number}")
            scene.check_whole()
            if fault.startswith("signal"):
                assert code in {-9, 137}, (name, number, code)
                scene.repair()
            assert code in {-9, 0, 4, 5, 137}, (name, number, code)
            found[f"{scene.check_settled()}, exit {code}"] += 1
        sys.stdout.write(f"{fault} at each of {len(calls)} calls: {json.dumps(found)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
