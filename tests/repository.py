"""A real git repository for tests."""

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Repo:
    """A work tree with a short way to change and commit it."""

    root: Path

    def run(self, *arguments: str, **environment: str) -> str:
        """Run git in the root and return what it prints."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=os.environ | environment, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, path: str, content: str | bytes = "") -> Path:
        """Write a file and the directories above it; return where it is."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def link(self, path: str, to: str | Path) -> Path:
        """Make a symbolic link and the directories above it; return where it is."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(to)
        return target

    def delete(self, path: str) -> None:
        """Remove a tracked file."""
        self.run("rm", "--quiet", "--force", "--", path)

    def rename(self, old: str, new: str) -> None:
        """Rename a tracked file."""
        (self.root / new).parent.mkdir(parents=True, exist_ok=True)
        self.run("mv", "--", old, new)

    def commit(self, message: str = "change", date: str = "2026-11-01T12:00:00Z") -> str:
        """Commit everything that is not ignored; return the commit."""
        self.run("add", "--all")
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        # Maintenance is another two processes after each commit.
        options = ("--quiet", "--allow-empty", "--message", message)
        self.run("-c", "maintenance.auto=false", "commit", *options, **dates)
        return read_head(self.root / ".git") or self.run("rev-parse", "HEAD")


def read_head(git: Path, ref: str = "HEAD") -> str:
    """Read a loose ref without a process; "" where it is stored in another way."""
    target = git / ref
    if not target.is_file():
        return ""
    found = target.read_text("utf-8").strip()
    return read_head(git, found.removeprefix("ref: ")) if found.startswith("ref: ") else found


def built_once(build: Callable[[Path], Repo]) -> Callable[[Path], Repo]:
    """Let the first test build a repository and the others copy it: a copy is cheaper than several runs of git."""

    @functools.cache
    def find_model() -> Path:
        base = Path(tempfile.mkdtemp())
        atexit.register(shutil.rmtree, base, ignore_errors=True)
        return build(base / "model").root

    @functools.wraps(build)
    def copy(root: Path) -> Repo:
        shutil.copytree(find_model(), root, symlinks=True, dirs_exist_ok=True)
        return Repo(root.resolve())

    return copy


@built_once
def make_repository(root: Path) -> Repo:
    """Make an empty repository, with `main` as its branch."""
    root.mkdir()
    repo = Repo(root.resolve())
    # Without a template there are no sample hooks to copy.
    repo.run("init", "--quiet", "--initial-branch=main", "--template=")
    return repo
