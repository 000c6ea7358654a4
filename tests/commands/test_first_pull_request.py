"""From a repository with memory to its first pull request, in the steps that `memci init` names."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands.dreams import CREATED, SAID, SCOPE, make_shop, write_session
from tests.commands.run import memci
from tests.commands.test_doctor import make_secret
from tests.fakes.forge import FakeForge
from tests.fakes.forge_github import make_github
from tests.repository import Repo


@pytest.fixture
def forge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeForge]:
    with make_github(tmp_path / "forge", make_secret("ghp_")) as forge:
        monkeypatch.setenv("GITHUB_SERVER_URL", forge.web)
        yield forge


def run(repo: Repo, *arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "memci", *arguments],
        cwd=repo.root,
        env=os.environ | environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_three_steps_lead_to_the_first_pull_request(
    tmp_path: Path, forge: FakeForge, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = make_shop(tmp_path / "shop")
    repo.run("remote", "add", "origin", forge.url)
    write_session(repo.root / "sessions", "s1", SAID)

    assert "wrote  .github/workflows/memci.yml" in run(repo, "init")
    repo.write(".memci.yml", "transcripts: [sessions]\n")
    repo.commit("Run memci")
    repo.run("push", "--quiet", str(forge.bare), "main")
    assert memci(capsys, repo.root, "doctor").code == 0

    # What the workflow does: first without the token, then with it.
    bundle = tmp_path / "bundle"
    run(repo, "dream", "--engine", "local", "--bundle", str(bundle), "--now", "2026-11-16")
    said = run(repo, "publish", str(bundle), "--base", "main", GITHUB_TOKEN=forge.token)

    assert said.startswith("created: made the pull request\n")
    (pull,) = forge.pulls
    assert (pull.head, pull.base, pull.state) == ("memci/dream", "main", "open")
    assert f"{SCOPE}/{CREATED}" in forge.git("diff", "--name-only", "main", "memci/dream").split("\n")
