"""Pull requests in small: memory before and after, and what a review must say about them."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from memci.cli import main
from tests.repository import Repo, make_repository

SCOPE = ".claude/agent-memory/reviewer"
Files = dict[str, str | bytes]


@dataclass(frozen=True)
class Scene:
    """One pull request; `before` and `after` are files of the scope, or of the repository if they begin with `/`.

    Every change that is reported must be listed by a part of its text, and the reverse; `points` are the rules of what
    to look at, exactly.
    """

    name: str
    before: Files
    after: Files
    lost: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    reworded: tuple[tuple[str, str], ...] = ()
    merged: tuple[str, ...] = ()
    # How many facts moved.
    moved: int = 0
    points: frozenset[str] = field(default_factory=frozenset)
    # Parts of notes that must be there.
    notes: tuple[str, ...] = ()


def topic(body: str, name: str = "deploys", kind: str = "project", head: str = "") -> str:
    """Return a topic whose description says what its body says."""
    return f"---\nname: {name}\ndescription: Notes on {name}\nmetadata:\n  type: {kind}\n{head}---\n\n{body}"


def index(*names: str) -> str:
    """Return an index with one pointer for each topic."""
    return "# Memory\n\n" + "".join(f"- [{name.title()}]({name}.md) — Notes on {name}\n" for name in names)


def build(root: Path, scene: Scene) -> Repo:
    """Make a repository with the base on main and the change on a branch."""
    repo = make_repository(root)
    repo.write("README.md", "# Shop\n")
    repo.write("src/deploy.py", "def deploy() -> None: ...\n")
    _write(repo, scene.before)
    repo.commit("before")
    repo.run("checkout", "--quiet", "-b", "work")
    for name in scene.before:
        (repo.root / _place(name)).unlink()
    _write(repo, scene.after)
    repo.commit("after")
    return repo


def _write(repo: Repo, files: Files) -> None:
    for name, content in files.items():
        repo.write(_place(name), content)


def _place(name: str) -> str:
    return name[1:] if name.startswith("/") else f"{SCOPE}/{name}"


def review(capsys: pytest.CaptureFixture[str], repo: Repo, *arguments: str) -> tuple[int, Any]:
    """Run `memci review --format json` on the branch."""
    capsys.readouterr()
    code = main(
        ["-C", str(repo.root), "review", "--base", "main", "--format", "json", "--now", "2026-11-16", *arguments]
    )
    return code, json.loads(capsys.readouterr().out)
