"""CPU time of `memci check`, the first time, again, and after five edits, beside another version of memci."""

import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.check import measure

_ROUNDS = 2
_EDITED = 5


def _read_sources(repository: Path) -> list[Path]:
    patterns = ("*.ts", "*.tsx", "*.py", "*.rs", "*.go", "*.cs")
    listed = subprocess.run(["git", "ls-files", *patterns], cwd=repository, capture_output=True, text=True, check=True)
    files = [repository / line for line in listed.stdout.split("\n") if line]
    return files[:: max(1, len(files) // _EDITED)][:_EDITED]


def main(old: str, new: str, repository: Path) -> None:
    """Print the table; the repository must have no changes of its own."""
    times: dict[str, list[float]] = {}
    for _ in range(_ROUNDS):
        for name, memci in (("old", old), ("new", new)):
            shutil.rmtree(repository / ".git/memci", ignore_errors=True)
            for run in ("first", "second"):
                times.setdefault(f"{name} {run}", []).append(measure([memci, "check", "--format", "json"], repository))
        before = {path: path.read_bytes() for path in _read_sources(repository)}
        try:
            for path, data in before.items():
                path.write_bytes(data + b"\n")
            times.setdefault("new after edits", []).append(measure([new, "check", "--format", "json"], repository))
        finally:
            for path, data in before.items():
                path.write_bytes(data)
    for name, values in times.items():
        print(f"| {name} | {min(values):.2f} |")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
