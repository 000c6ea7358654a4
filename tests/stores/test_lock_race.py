import subprocess
import sys
from pathlib import Path


def test_many_processes_never_enter_together_even_after_kills() -> None:
    # Bounded here; `python -m benchmarks.locks` runs 32 processes for 1,000 rounds.
    command = [sys.executable, "-m", "benchmarks.locks", "10", "30"]
    done = subprocess.run(command, capture_output=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr.decode()
    processes, rounds, entries, doubles, _ = done.stdout.decode().split("\n")[2].strip("| ").split(" | ")
    assert (processes, rounds, doubles) == ("10", "30", "0")
    # In every round somebody got in.
    assert int(entries) >= 30
