"""Killing a change before each of its calls and then reading the memory: `python -m tests.faults.readers DIRECTORY`.

What a command reads must be old or new; where it cannot roll back, it must say that a dream did not finish.
"""

import contextlib
import errno
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from memci.cli import main as memci
from memci.stores.state_directory import resolve_state_directory
from tests.faults.kills import run_killed
from tests.faults.scene import Scene, Tree
from tests.faults.steps import between

NOW = ("--format", "json", "--now", "2026-11-16")
READERS = (("check", *NOW), ("status", *NOW), ("report", *NOW[2:]), ("recall", "a", *NOW))
UNFINISHED = "a dream did not finish here"


class ReadScene(Scene):
    """A scope as the commands find it: in a directory that is no repository, with its state in that of the person."""

    @property
    def scope(self) -> Path:
        return self.base / "scope" / "memory"

    @property
    def state(self) -> Path:
        return resolve_state_directory(self.scope, None)

    def read(self, command: tuple[str, ...]) -> tuple[str, str]:
        """Run a command; return its result and what it says besides."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            code = memci(["-C", str(self.base / "scope"), *command])
        assert code in {0, 1}, (code, out.getvalue(), err.getvalue())
        return out.getvalue(), err.getvalue()

    def files(self) -> Tree:
        """Return what a reader sees: no directories, and nothing that is hidden."""
        return {name: version for name, version in self.tree().items() if version and not name.startswith(".")}


def refuse(_: str) -> None:
    """Act as a file system that is mounted read-only."""
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


def read_settled(scene: ReadScene, command: tuple[str, ...], wanted: dict[str, str]) -> str:
    """Read where the memory may be written: the reader rolls back."""
    out, err = scene.read(command)
    assert UNFINISHED not in err, err
    found = "old" if scene.files() == _visible(scene.old) else "new"
    assert scene.files() == _visible(scene.old if found == "old" else scene.new), scene.files()
    assert out == wanted[found], out
    return found


def read_only(scene: ReadScene, command: tuple[str, ...], wanted: dict[str, str]) -> str:
    """Read where nothing may be written: the reader goes on, and says what it reads."""
    before = scene.tree()
    with between(refuse):
        out, err = scene.read(command)
    assert scene.tree() == before
    if UNFINISHED in err:
        return "said"
    found = next((name for name, result in wanted.items() if result == out), "mixture")
    assert scene.files() == _visible(scene.old if found == "old" else scene.new), (found, scene.files())
    return found


def _visible(tree: Tree) -> Tree:
    return {name: version for name, version in tree.items() if version and not name.startswith(".")}


Reading = Callable[[ReadScene, tuple[str, ...], dict[str, str]], str]


def sweep(scene: ReadScene, command: tuple[str, ...], read: Reading, every: int, **options: bool) -> Counter[str]:
    """Kill at every so many calls until a dream completes; after each, let the command read."""
    wanted = {"old": scene.build().read(command)[0]}
    scene.dream()
    wanted["new"] = scene.read(command)[0]
    assert wanted["old"] != wanted["new"]
    found: Counter[str] = Counter()
    for step in range(0, 10_000, every):
        scene.build()
        is_killed = run_killed(scene.dream, step, **options)
        found[read(scene, command, wanted)] += 1
        if not is_killed:
            return found
    raise AssertionError("the run does not end")


def main() -> None:
    """Print how often each reader found old and new, and how often it said that it could not; a number is coarser."""
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    base = Path(sys.argv[1]).resolve() / "readers"
    os.environ |= {"HOME": str(base / "state"), "XDG_STATE_HOME": str(base / "state")}
    scene = ReadScene(base)
    found = {
        f"{command[0]}{name}": sweep(scene, command, read, every, lacking=lacking)
        for command in READERS
        for name, read, lacking in (
            ("", read_settled, False),
            (", plain rename", read_settled, True),
            (", read-only", read_only, False),
        )
    }
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
