"""The jobs for GitLab, run by an independent runner against a forge on loopback."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.build import topic_text
from tests.commands.run import memci
from tests.commands.test_doctor import make_secret
from tests.e2e.packages import install, install_node
from tests.fakes.forge import FakeForge
from tests.fakes.forge_gitlab import make_gitlab
from tests.publish.scenes import make_memory
from tests.repository import Repo

ROOT = Path(__file__).parents[2]
RUNNER = "gitlab-ci-local@4.75.1"

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(500)]


@pytest.fixture(scope="module")
def runner() -> Iterator[list[str]]:
    """Give the command of the runner, installed for these tests only."""
    if not shutil.which("rsync"):
        pytest.skip("rsync is not installed")
    with install(RUNNER) as place, install_node() as node:
        yield [node, f"{place}/node_modules/gitlab-ci-local/dist/index.js", "--force-shell-executor"]


@pytest.fixture(scope="module")
def wheel() -> Iterator[Path]:
    """Give memci as it is released."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", name, str(ROOT)]
        subprocess.run(command, check=True, timeout=300)
        (wheel,) = Path(name).glob("*.whl")
        yield wheel


@pytest.fixture
def forge(tmp_path: Path) -> Iterator[FakeForge]:
    with make_gitlab(tmp_path / "forge", make_secret("glpat-")) as forge:
        yield forge


@pytest.fixture
def repo(tmp_path: Path, forge: FakeForge, capsys: pytest.CaptureFixture[str]) -> Repo:
    repo = make_memory(tmp_path / "repo")
    # A topic without a pointer, which a dream repairs.
    repo.write(".claude/memory/tabs.md", topic_text("Generated files keep their tabs.", name="tabs"))
    repo.run("remote", "add", "origin", forge.url)
    assert memci(capsys, repo.root, "init", "--gitlab").code == 0
    repo.commit("run memci")
    repo.run("push", "--quiet", str(forge.bare), "main")
    return repo


def run(runner: list[str], wheel: Path, repo: Repo, forge: FakeForge, **variables: str) -> tuple[int, str]:
    """Run jobs; what memci needs is taken from the Python of the tests, because four times is too often for a test."""
    values = {
        "CI_SERVER_URL": forge.web,
        "CI_API_V4_URL": f"{forge.web}/api/v4",
        "MEMCI_PACKAGE": str(wheel),
        "PIP_NO_DEPS": "1",
        "PYTHONPATH": sysconfig.get_path("purelib"),
        **variables,
    }
    options = [option for name, value in values.items() for option in ("--variable", f"{name}={value}")]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"NO_COLOR": "1", "PATH": path}
    command = [*runner, *options]
    done = subprocess.run(command, cwd=repo.root, env=environment, capture_output=True, check=False)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def test_a_scheduled_pipeline_opens_one_merge_request(
    runner: list[str], wheel: Path, repo: Repo, forge: FakeForge
) -> None:
    variables = {"MEMCI_DREAM": "1", "CI_PIPELINE_SOURCE": "schedule", "MEMCI_TOKEN": forge.token}
    # The remote of a real job carries a token of its own to read with.
    repo.run("remote", "set-url", "origin", forge.url.replace("//", f"//{forge.user}:{forge.token}@"))
    code, said = run(runner, wheel, repo, forge, **variables)
    assert code == 0, said
    (pull,) = forge.pulls
    assert (pull.head, pull.base, pull.state) == ("memci/dream", "main", "open")
    assert forge.git("diff", "--name-only", "main", "memci/dream").split("\n") == [
        ".claude/memory/.memci.json",
        ".claude/memory/MEMORY.md",
    ]
    assert forge.token not in said


def test_a_merge_request_gets_a_report(runner: list[str], wheel: Path, repo: Repo, forge: FakeForge) -> None:
    base = repo.run("rev-parse", "HEAD")
    repo.write(".claude/memory/MEMORY.md", "- [Gone](gone.md)\n")
    repo.commit("break the index")
    variables = {"CI_PIPELINE_SOURCE": "merge_request_event", "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    code, said = run(runner, wheel, repo, forge, **variables)
    assert code != 0
    assert "index-dangling" in said
