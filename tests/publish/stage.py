"""A forge on loopback and a repository with memory that is pushed there."""

import datetime as dt
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.build import NOW
from tests.commands.run import Done, memci
from tests.fakes.forge import FakeForge
from tests.fakes.forge_github import make_gitea, make_github
from tests.fakes.forge_gitlab import make_gitlab
from tests.publish.scenes import make_memory
from tests.repository import Repo, make_repository

BRANCH = "memci/dream"
KINDS = {"github": make_github, "gitea": make_gitea, "gitlab": make_gitlab}
TOMORROW = NOW + dt.timedelta(days=1)


def make_token() -> str:
    letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNP23456789"
    return "ghp_" + "".join(random.Random(5).choices(letters, k=36))


@contextmanager
def run_forge(kind: str, root: Path, environment: pytest.MonkeyPatch) -> Iterator[FakeForge]:
    """Run a forge, and tell memci of it as its runners would."""
    environment.setenv("MEMCI_TOKEN", make_token())
    with KINDS[kind](root, make_token()) as forge:
        environment.setenv("CI_SERVER_URL" if kind == "gitlab" else "GITHUB_SERVER_URL", forge.web)
        if kind == "gitea":
            environment.setenv("GITHUB_API_URL", f"{forge.web}/api/v1")
        yield forge


def clone_memory(root: Path, forge: FakeForge) -> Repo:
    """Return a repository with memory whose origin is the forge."""
    repo = make_memory(root)
    # What `git push` and `git remote add` would leave.
    git = repo.root / ".git"
    shutil.copytree(git / "objects", forge.bare / "objects", dirs_exist_ok=True)
    shutil.copyfile(git / "refs/heads/main", forge.bare / "refs/heads/main")
    with (git / "config").open("a", encoding="utf-8") as config:
        config.write(f'[remote "origin"]\n\turl = {forge.url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n')
    return repo


def publish(capsys: pytest.CaptureFixture[str], repo: Repo, *arguments: str | Path) -> Done:
    """Publish the day after all dreams of these tests, whatever the clock says."""
    moment = (TOMORROW + dt.timedelta(days=1)).isoformat()
    return memci(capsys, repo.root, "publish", "--format", "json", "--now", moment, *map(str, arguments))


def push_as_person(forge: FakeForge, tmp_path: Path, branch: str = BRANCH) -> str:
    """Add a person's commit to a branch."""
    clone = make_repository(tmp_path / f"clone-{len(list(tmp_path.iterdir()))}")
    clone.run("fetch", "--quiet", str(forge.bare), branch)
    clone.run("checkout", "--quiet", "FETCH_HEAD")
    clone.write("note.txt", "mine")
    commit = clone.commit("my own")
    clone.run("push", "--quiet", str(forge.bare), f"HEAD:refs/heads/{branch}")
    return commit
