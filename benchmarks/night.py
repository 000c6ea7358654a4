"""What a night costs whose sessions did not change: `python -m benchmarks.night [--gb 1]`.

Beside it, interleaved, a dream of the same repository that is given no sessions, and one that has to read them all.
Everything is generated, and removed again.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.check import measure
from benchmarks.dream import commit, write_repository, write_transcripts

TOPICS = 60
# The goal: an unchanged night costs at most so many times one without sessions.
GOAL = 1.2


def make_command(root: Path, day: int, *options: str) -> list[str]:
    """Return the command of a dream without a model."""
    moment = ["--now", f"2026-11-{day}T03:00:00Z", "--engine", "local", "--format", "json"]
    return [sys.executable, "-m", "memci", "-C", str(root), "dream", *moment, *options]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gb", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root, sessions = Path(name, "repository"), Path(name, "sessions")
        root.mkdir()
        write_repository(root, TOPICS)
        write_transcripts(sessions, int(chosen.gb * 1e9))
        places = ("--transcripts", str(sessions))
        subprocess.run(make_command(root, 16, *places), stdout=subprocess.DEVNULL, check=True)
        commit(root)
        kept = root / ".git/memci/sessions"
        spent: dict[str, list[float]] = {"without sessions": [], "unchanged": [], "all read": []}
        measure(make_command(root, 18, "--dry-run", *places), root)
        for _ in range(chosen.rounds):
            spent["without sessions"].append(measure(make_command(root, 18, "--dry-run"), root))
            spent["unchanged"].append(measure(make_command(root, 18, "--dry-run", *places), root))
            kept.unlink()
            spent["all read"].append(measure(make_command(root, 18, "--dry-run", *places), root))
    base = min(spent["without sessions"])
    print("| night | CPU s | ratio |\n|---|--:|--:|")
    for what, seconds in spent.items():
        print(f"| {what} | {min(seconds):.2f} | {min(seconds) / base:.2f} |")
    print(f"\nThe goal for an unchanged night is {GOAL}.")


if __name__ == "__main__":
    main()
