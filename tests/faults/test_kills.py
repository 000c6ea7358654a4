import json
import subprocess
import sys
from pathlib import Path


def test_f01_f08_a_kill_at_any_call_leaves_old_or_new_even_if_the_repair_is_killed_too(memory_directory: Path) -> None:
    # Each call of a change, some of an undo, and the repairs of every 35th; without the number all of them.
    command = [sys.executable, "-m", "tests.faults.kills", str(memory_directory), "35"]
    done = subprocess.run(command, capture_output=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert len(found) == 4
    # A sweep that never saw both was not one.
    assert all(counts["old"] > 3 and counts["new"] > 3 for counts in found.values()), found
