import json
import subprocess
import sys
from pathlib import Path

import pytest


def run(module: str, *arguments: str) -> dict[str, dict[str, int]]:
    command = [sys.executable, "-m", f"tests.faults.{module}", *arguments]
    done = subprocess.run(command, capture_output=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, dict[str, int]] = json.loads(done.stdout)
    return found


def test_f01_f08_a_kill_at_any_call_leaves_old_or_new_even_if_the_repair_is_killed_too(memory_directory: Path) -> None:
    # Each call of a change, some of an undo, and the repairs of every 35th; without the number all of them.
    found = run("kills", str(memory_directory), "35")
    assert len(found) == 4
    # A sweep that never saw both was not one.
    assert all(counts["old"] > 3 and counts["new"] > 3 for counts in found.values()), found


@pytest.mark.slow
def test_f09_whoever_reads_after_a_kill_finds_old_or_new_or_is_told(memory_directory: Path) -> None:
    # After every 10th call of a change; without the number after each.
    found = run("readers", str(memory_directory), "10")
    assert {name.partition(",")[0] for name in found} == {"check", "status", "report", "recall"}
    for name, counts in found.items():
        assert set(counts) == {"old", "new", *(["said"] if "read-only" in name else [])}, found


@pytest.mark.slow
def test_f12_a_loss_of_power_before_any_call_leaves_old_or_new(memory_directory: Path) -> None:
    # Before every 7th call; without the number before each.
    found = run("power", str(memory_directory), "7")["dream"]
    assert found["old"] > 50
    assert found["new"] > 10
