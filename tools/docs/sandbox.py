"""Runs the commands of the documentation on the example, isolated from this machine."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from memci.cli import _COMMANDS
from tools.docs.reading import ROOT

# The example contains dates that are in the week after this day.
NOW = "2026-11-16T03:00:00Z"
SHOP = ROOT / "examples" / "shop"


@dataclass(frozen=True, slots=True)
class Ran:
    """The result of one line of a block."""

    line: str
    code: int
    out: str


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A directory with `your-repository` in it, and a home."""

    directory: Path

    @property
    def repository(self) -> Path:
        return self.directory / "your-repository"

    def run(self, lines: list[str], start: Path | None = None) -> list[Ran]:
        """Run the lines in one shell, as if they were pasted."""
        parts = [f'{line}\nprintf "\\036%s\\036" $?' for line in lines]
        done = subprocess.run(
            ["bash", "-c", "exec 2>&1\n" + "\n".join(parts)],
            cwd=start or self.repository,
            env=self._environment(),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            check=False,
        )
        pieces = done.stdout.split("\036")
        assert len(pieces) == 2 * len(lines) + 1, done.stdout
        return [Ran(line, int(pieces[2 * n + 1]), pieces[2 * n]) for n, line in enumerate(lines)]

    def _environment(self) -> dict[str, str]:
        moments = {f"MEMCI_{name.upper()}_NOW": NOW for name in _COMMANDS}
        return moments | {
            "HOME": str(self.directory / "home"),
            "PATH": f"{self.directory / 'bin'}:{os.environ['PATH']}",
            "GIT_CONFIG_SYSTEM": os.devnull,
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "dumb",
            # The remote is a directory, not a forge.
            "MEMCI_PUBLISH_FORGE": "none",
        }


def make_sandbox(directory: Path) -> Sandbox:
    """Build the example with a remote, and with its sessions where the client keeps them."""
    sandbox = Sandbox(directory)
    home, program = directory / "home", directory / "bin" / "memci"
    shutil.copytree(SHOP / "transcripts", home / ".claude" / "projects" / "-home-me-shop")
    (home / ".gitconfig").write_text("[user]\nname = Mara Lind\nemail = mara@example.com\n")
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memci "$@"\n')
    program.chmod(0o755)
    build = [sys.executable, str(SHOP / "build.py"), str(sandbox.repository)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    done = sandbox.run(
        [
            "git init --quiet --bare ../origin.git",
            "git remote add origin ../origin.git",
            "git push --quiet --set-upstream origin main",
        ]
    )
    assert [ran.code for ran in done] == [0, 0, 0], done
    return sandbox
