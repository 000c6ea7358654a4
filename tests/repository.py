"""A real git repository for tests."""

import os
import subprocess
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
        self.run("commit", "--quiet", "--allow-empty", "--message", message, **dates)
        return self.run("rev-parse", "HEAD")


def make_repository(directory: Path) -> Repo:
    """Make an empty repository, with `main` as its branch."""
    directory.mkdir(parents=True, exist_ok=True)
    repo = Repo(directory.resolve())
    repo.run("init", "--quiet", "--initial-branch=main")
    return repo
