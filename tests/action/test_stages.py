"""The reusable workflow: plan, a matrix of dreams, validate and publish, each in a job of its own."""

import html
from pathlib import Path

import pytest
import yaml

from tests.action.acting import ROOT, Runner
from tests.action.conftest import make_secret
from tests.build import topic_text
from tests.commands.dreams import write_session
from tests.fakes.forge import FakeForge
from tests.repository import Repo, make_repository

# Jobs start a dozen processes, and tests run beside each other.
pytestmark = pytest.mark.timeout(900)
AGENTS = {
    "builder": "never edit generated files, because the generator undoes it",
    "reviewer": "always ask for a changelog entry, because support reads it",
    "tester": "never mock the database in integration tests, because mocks hid a broken migration",
}
SCOPES = [f".claude/agent-memory/{agent}" for agent in AGENTS]


@pytest.fixture
def repo(tmp_path: Path, runner: Runner, forge: FakeForge) -> Repo:
    shop = make_repository(tmp_path / "shop")
    for agent, scope in zip(AGENTS, SCOPES, strict=True):
        shop.write(f"{scope}/MEMORY.md", "- [Warehouse](warehouse.md) — where it is\n")
        body = f"The warehouse of the {agent} is in Lyon."
        shop.write(f"{scope}/warehouse.md", topic_text(body, name="warehouse", description="where it is"))
    shop.write(".github/workflows/dream.yml", _read_workflow("dream"))
    shop.commit()
    shop.run("push", "--quiet", str(forge.bare), "main")
    return runner.clone(tmp_path / "clone")


def _read_workflow(name: str) -> str:
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8")
    # Act does not know the syntax for "where this workflow is from" yet.
    assert "uses: $/\n" in text
    return text.replace("uses: $/\n", "uses: memci/memci@main\n")


def _write_caller(
    target: Path, called: str, secrets: dict[str, str], *, on: str = "workflow_dispatch", **inputs: object
) -> Path:
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    jobs = {"memci": {"uses": f"./.github/workflows/{called}.yml", "with": given, "secrets": secrets}}
    target.write_text(yaml.safe_dump({"on": on, "jobs": jobs}))
    return target


@pytest.mark.slow
def test_a_shard_that_dies_takes_nothing_else_with_it(
    tmp_path: Path, runner: Runner, repo: Repo, forge: FakeForge
) -> None:
    for agent, said in AGENTS.items():
        write_session(tmp_path / "sessions", agent, f"no, {said}", agent=agent)
    key = make_secret("sk-ant-api03-", 6)
    inputs = {"transcripts": str(tmp_path / "sessions"), "engine": "local", "labels": "memory"}
    secrets = {"anthropic-api-key": "${{ secrets.KEY }}"}
    caller = _write_caller(runner.home / "nightly.yml", "dream", secrets, python=str(runner.python), **inputs)
    done = runner.run(repo, caller, secrets={"KEY": key}, KILLED="2/3")
    assert done.code == 1, done.log
    found = done.find_outputs("publish")
    assert (found["operation"], found["lost"]) == ("created", "shard 2/3"), done.log
    assert any("shard 2/3" in text for text in done.annotations("warning"))
    (pull,) = forge.pulls
    files = forge.git("diff", "--name-only", "main", "memci/dream").split("\n")
    assert {str(Path(file).parent) for file in files} == {SCOPES[0], SCOPES[2]}
    assert "shard 2" in html.unescape(pull.body)

    seen = done.find_secrets({key: "key"})
    assert {stage for stage, secrets in seen.items() if secrets} == {"dream", "memci dream"}
    assert seen.keys() >= {"plan", "validate", "publish", "memci publish"}


@pytest.mark.slow
@pytest.mark.e2e
def test_a_pull_request_is_checked_by_the_workflow_that_others_call(runner: Runner, repo: Repo) -> None:
    repo.run("checkout", "--quiet", "-b", "patch")
    repo.write(".github/workflows/memory.yml", _read_workflow("memory"))
    repo.write(f"{SCOPES[0]}/MEMORY.md", "- [Gone](gone.md) — nobody knows\n")
    repo.commit()
    caller = _write_caller(runner.home / "check.yml", "memory", {}, on="pull_request", python=str(runner.python))
    event = {"pull_request": {"base": {"ref": "main"}, "head": {"ref": "patch"}}}
    done = runner.run(repo, caller, event="pull_request", payload=event)
    assert done.code == 1, done.log
    assert any("gone.md does not exist" in text for text in done.annotations("error")), done.log


def test_only_the_last_job_may_write_and_only_the_dream_has_the_key() -> None:
    jobs = yaml.safe_load(_read_workflow("dream"))["jobs"]
    writers = {name for name, job in jobs.items() if "write" in job["permissions"].values()}
    keepers = {name for name, job in jobs.items() if "secrets.anthropic" in str(job)}
    assert (writers, keepers) == ({"publish"}, {"dream"})
    assert {name for name, job in jobs.items() if "secrets.token" in str(job)} == {"publish"}
