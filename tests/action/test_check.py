"""`command: check` on pull requests, as a fork runs it: nothing secret, nothing that writes, no network."""

import json
from pathlib import Path

import pytest

from tests.action.acting import Runner
from tests.commands.dreams import INDEX, SCOPE, make_shop
from tests.fakes.forge import FakeForge
from tests.repository import Repo

# Jobs start a dozen processes, and tests run beside each other.
pytestmark = pytest.mark.timeout(900)
EVENT = {"pull_request": {"number": 7, "base": {"ref": "main"}, "head": {"ref": "patch", "repo": {"fork": True}}}}


@pytest.fixture
def repo(tmp_path: Path, runner: Runner, forge: FakeForge) -> Repo:
    make_shop(tmp_path / "shop").run("push", "--quiet", str(forge.bare), "main")
    repo = runner.clone(tmp_path / "clone")
    repo.run("checkout", "--quiet", "-b", "patch")
    return repo


@pytest.mark.slow
def test_g26_a_pull_request_from_a_fork_is_checked_without_any_secret(
    tmp_path: Path, runner: Runner, repo: Repo, forge: FakeForge
) -> None:
    inputs = {"command": "check", "token": ""}
    workflow = runner.write_workflow("memory.yml", inputs, on="pull_request")
    repo.write("README.md", "# Shop\n\nMore.\n")
    repo.commit()
    clean = runner.run(repo, workflow, event="pull_request", payload=EVENT)
    assert (clean.code, clean.outputs["findings-count"], clean.operation) == (0, "0", "none"), clean.log

    repo.write(f"{SCOPE}/MEMORY.md", f"{INDEX}- [Gone](gone.md) — nobody knows\n")
    # A pull request cannot loosen the rules that judge it, and what it says is no command to the runner.
    repo.write(".memci.yml", "fail-on: never\n")
    repo.write(f"{SCOPE}/::add-mask::x.md", "---\nname: x\n---\n\n::error::planted\n")
    repo.commit()
    sarif = tmp_path / "memci.sarif"
    workflow = runner.write_workflow("memory.yml", {**inputs, "sarif-file": str(sarif)}, on="pull_request")
    done = runner.run(repo, workflow, event="pull_request", payload=EVENT)
    assert (done.code, done.outputs["exit-code"], done.operation) == (1, "1", "none"), done.log
    assert int(done.outputs["errors-count"]) >= 1
    assert any("gone.md does not exist" in text for text in done.annotations("error"))
    assert "planted" not in "".join(done.annotations("error"))
    assert done.annotations("add-mask") == []
    assert "memci check" in done.summary
    assert json.loads(sarif.read_text())["version"] == "2.1.0"
    assert done.outputs["sarif-file"] == str(sarif)
    assert forge.seen == []
    assert all(secrets == set() for secrets in done.find_secrets({forge.token: "token"}).values())
