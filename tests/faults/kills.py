"""Killing a change before each of its calls, and killing the repair as well: `python -m tests.faults.kills DIRECTORY`.

A program of its own, because only a process without threads may fork.
"""

import contextlib
import json
import os
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.faults.scene import Scene
from tests.faults.steps import At, between

KILLED = 137
FAILED = 1


def run_killed(run: Callable[[], object], step: int, **options: bool) -> bool:
    """Run in a process that dies before the given call; return whether it came that far."""
    child = os.fork()
    if child == 0:
        code = FAILED
        with contextlib.suppress(BaseException):
            try:
                with between(At(step, lambda: os._exit(KILLED)), **options):
                    run()
                code = 0
            except BaseException:
                traceback.print_exc()
                raise
        os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in {0, KILLED}, code
    return code == KILLED


def sweep(
    scene: Scene, prepare: Callable[[], object], run: Callable[[], object], every: int = 1, **options: bool
) -> Counter[str]:
    """Kill at every so many calls until a run completes; after each, the next run must settle everything."""
    found: Counter[str] = Counter()
    for step in range(0, 10_000, every):
        scene.build()
        prepare()
        is_killed = run_killed(run, step, **options)
        scene.check_whole()
        scene.repair()
        found[scene.check_settled()] += 1
        if not is_killed:
            return found
    raise AssertionError("the run does not end")


def sweep_pairs(scene: Scene, every: int, **options: bool) -> Counter[str]:
    """Kill a change at every so many calls, and the repair at each of its calls."""
    found: Counter[str] = Counter()
    for first in range(0, 10_000, every):
        is_first_killed = is_second_killed = True
        second = 0
        while is_second_killed:
            scene.build()
            is_first_killed = run_killed(scene.dream, first, **options)
            is_second_killed = run_killed(scene.repair, second, **options)
            scene.check_whole()
            scene.repair()
            found[scene.check_settled()] += 1
            second += 1
        if not is_first_killed:
            return found
    raise AssertionError("the run does not end")


def main() -> None:
    """Print how often everything was old and how often new; a number makes it coarser."""
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    scene = Scene(Path(sys.argv[1]) / "kills")
    found = {
        "dream": sweep(scene, int, scene.dream),
        "undo": sweep(scene, scene.dream, scene.take_back, min(every, 4)),
        "dream and repair": sweep_pairs(scene, every),
        "dream, plain rename": sweep(scene, int, scene.dream, min(every, 2), lacking=True),
    }
    if every == 1:
        found["undo, plain rename"] = sweep(scene, scene.dream, scene.take_back, lacking=True)
        found["dream and repair, plain rename"] = sweep_pairs(scene, every, lacking=True)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
