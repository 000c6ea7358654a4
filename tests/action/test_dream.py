"""`command: dream` in one job, from the workflow file to the pull request."""

import threading
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from tests.action.acting import Runner
from tests.action.conftest import make_secret
from tests.commands.dreams import CREATED, make_shop, write_session
from tests.fakes.forge import FakeForge, Fault
from tests.fakes.forge import Seen as Request
from tests.repository import Repo

BRANCH = "memci/dream"
# Jobs start a dozen processes, and tests run beside each other.
pytestmark = pytest.mark.timeout(900)
MORE = "always use pnpm for the front end, because the lock file is pnpm's"


@pytest.fixture
def repo(tmp_path: Path, runner: Runner, forge: FakeForge) -> Repo:
    make_shop(tmp_path / "shop").run("push", "--quiet", str(forge.bare), "main")
    return runner.clone(tmp_path / "clone")


def write(runner: Runner, sessions: Path, inputs: Mapping[str, str] = MappingProxyType({})) -> Path:
    usual = {"engine": "local", "labels": "memory, agents", "transcripts": str(sessions)}
    return runner.write_workflow("nightly.yml", usual | dict(inputs))


@pytest.mark.slow
def test_the_first_run_makes_a_pull_request_and_the_second_leaves_it_alone(
    runner: Runner, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    workflow = write(runner, sessions)
    first = runner.run(repo, workflow)
    assert first.code == 0, first.log
    (pull,) = forge.pulls
    assert first.outputs["operation"] == "created"
    assert first.outputs["pull-request-number"] == str(pull.number)
    assert first.outputs["head-sha"] == forge.head(BRANCH)
    assert (first.outputs["changed"], first.outputs["branch"], first.outputs["exit-code"]) == ("true", BRANCH, "0")
    assert (pull.base, pull.labels) == ("main", ["memory", "agents"])
    assert "mock the database" in pull.body
    files = forge.git("diff", "--name-only", "main", BRANCH).split("\n")
    assert sorted(files) == [f".claude/memory/{name}" for name in (".memci.json", "MEMORY.md", CREATED)]

    forge.seen.clear()
    second = runner.run(repo, workflow)
    assert (second.code, second.operation, forge.writes()) == (0, "not-updated", [])


@pytest.mark.slow
@pytest.mark.e2e
def test_new_sessions_update_it_and_nothing_left_closes_it(
    runner: Runner, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    workflow = write(runner, sessions)
    first = runner.run(repo, workflow)
    write_session(sessions, "two", MORE)
    second = runner.run(repo, workflow)
    assert (second.code, second.operation, len(forge.pulls)) == (0, "updated", 1), second.log
    assert second.outputs["head-sha"] == forge.head(BRANCH) != first.outputs["head-sha"]
    assert "pnpm" in forge.pulls[0].body

    (sessions / "one.jsonl").unlink()
    (sessions / "two.jsonl").unlink()
    third = runner.run(repo, workflow)
    assert (third.code, third.operation, third.outputs["changed"]) == (0, "closed", "false"), third.log
    assert (forge.pulls[0].state, forge.head(BRANCH)) == ("closed", "")
    assert any("no session was read" in text for text in third.annotations("warning"))


@pytest.mark.slow
def test_a_box_that_people_tick_is_written_the_next_night(
    runner: Runner, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    write_session(sessions, "two", "we should name the queues after the team that reads them")
    workflow = write(runner, sessions)
    runner.run(repo, workflow)
    (pull,) = forge.pulls
    pull.body = pull.body.replace("- [ ] <!-- memci:candidate", "- [x] <!-- memci:candidate")
    done = runner.run(repo, workflow)
    assert (done.code, done.operation, len(done.outputs["ticked"])) == (0, "updated", 12), done.log
    assert "queues" in forge.git("diff", "main", BRANCH, "--", "*.md")


@pytest.mark.slow
@pytest.mark.e2e
def test_what_people_closed_is_declined(runner: Runner, repo: Repo, forge: FakeForge, sessions: Path) -> None:
    workflow = write(runner, sessions)
    runner.run(repo, workflow)
    forge.pulls[0].state = "closed"
    again = runner.run(repo, workflow)
    assert (again.code, again.operation, forge.open_pulls()) == (0, "declined", [])
    assert "people closed the same proposal" in again.summary


@pytest.mark.slow
@pytest.mark.e2e
def test_a_persons_commit_blocks_and_the_job_stays_green(
    tmp_path: Path, runner: Runner, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    workflow = write(runner, sessions)
    runner.run(repo, workflow)
    person = runner.clone(tmp_path / "person")
    person.run("checkout", "--quiet", f"origin/{BRANCH}")
    person.write("note.txt", "mine")
    theirs = person.commit("my own")
    person.run("push", "--quiet", str(forge.bare), f"HEAD:refs/heads/{BRANCH}")
    write_session(sessions, "two", MORE)
    done = runner.run(repo, workflow)
    assert (done.code, done.operation, forge.head(BRANCH)) == (0, "blocked", theirs), done.log
    assert any("memci:rebase" in text for text in done.annotations("warning"))


@pytest.mark.slow
def test_without_the_permission_the_job_fails_with_a_link_and_says_what_to_switch_on(
    runner: Runner, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    message = "GitHub Actions is not permitted to create or approve pull requests."
    forge.faults.append(Fault("POST", "/pulls$", 403, message=message))
    done = runner.run(repo, write(runner, sessions))
    assert (done.code, done.operation, forge.pulls) == (1, "fallback", []), done.log
    assert done.outputs["head-sha"] == forge.head(BRANCH) != ""
    link = done.outputs["pull-request-url"]
    assert link.startswith(f"{forge.web}/acme/shop/compare/main...")
    (error,) = done.annotations("error")
    assert link in error
    assert "Allow GitHub Actions to create and approve pull requests" in error
    assert message in error


@pytest.mark.slow
@pytest.mark.e2e
def test_of_two_runs_at_once_one_wins_and_the_other_says_so(
    tmp_path: Path, runner: Runner, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    write_session(tmp_path / "others", "two", MORE)
    workflows = [
        runner.write_workflow(f"{place.name}.yml", {"engine": "local", "transcripts": str(place)})
        for place in (sessions, tmp_path / "others")
    ]
    both = threading.Barrier(2)
    waited: set[int] = set()

    def meet(seen: Request) -> None:
        # Both have looked and found nothing; now both want to push.
        if "git-receive-pack" in str(seen.query) and len(waited) < 2:
            waited.add(len(waited))
            both.wait()

    forge.gate = meet
    clones = [repo, runner.clone(tmp_path / "second")]
    started = [runner.start(clone, workflow) for clone, workflow in zip(clones, workflows, strict=True)]
    runs = [runner.wait(process) for process in started]
    assert sorted(run.code for run in runs) == [0, 1], [run.log for run in runs]
    winner, loser = sorted(runs, key=lambda run: run.code)
    assert (winner.operation, len(forge.pulls)) == ("created", 1)
    assert (loser.operation, loser.outputs["exit-code"]) == ("none", "5")
    (error,) = loser.annotations("error")
    assert "moved by somebody else" in error
    assert "moved by somebody else" in loser.summary


def test_the_dream_sees_no_token_and_nothing_else_the_key_of_the_model(
    runner: Runner, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    key, bucket = make_secret("sk-ant-api03-", 6), make_secret("", 7)
    # The worst case: the job itself hands everything to every step.
    everywhere = {"GITHUB_TOKEN": forge.token, "GH_TOKEN": forge.token, "ANTHROPIC_API_KEY": key}
    everywhere |= {"AWS_SECRET_ACCESS_KEY": bucket, "ACTIONS_ID_TOKEN_REQUEST_TOKEN": bucket}
    inputs = {"engine": "local", "transcripts": str(sessions), "token": forge.token, "anthropic-api-key": key}
    workflow = runner.write_workflow("nightly.yml", inputs, job={"env": everywhere})
    done = runner.run(repo, workflow)
    assert done.operation == "created", done.log

    seen = done.find_secrets({forge.token: "token", key: "key", bucket: "cloud"})
    assert seen == {
        # What the installation tries at its end.
        "memci": set(),
        "ticked": {"token"},
        "dream": {"key", "cloud"},
        "memci dream": {"key", "cloud"},
        "validate": set(),
        "memci publish --validate": set(),
        "publish": {"token"},
        "memci publish": {"token"},
        "report": set(),
    }


@pytest.mark.slow
def test_c07_an_input_is_a_value_and_never_a_script(
    tmp_path: Path, runner: Runner, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    mark = tmp_path / "mark"
    hostile = f"a; touch {mark} $(touch {mark}) `touch {mark}` && touch {mark} | touch {mark}"
    for inputs in ({"scopes": hostile}, {"scopes": f"--bundle={mark}"}, {"branch": hostile}, {"command": hostile}):
        done = runner.run(repo, write(runner, sessions, inputs))
        assert (done.code, done.operation, forge.writes()) == (1, "none", []), inputs
        assert done.outputs["exit-code"] == "2", inputs
        assert not mark.exists(), inputs


@pytest.mark.slow
@pytest.mark.e2e
def test_a_dream_that_is_switched_off_is_no_failure(
    runner: Runner, repo: Repo, forge: FakeForge, sessions: Path
) -> None:
    repo.write(".memci.yml", "dream: false\n")
    repo.commit()
    done = runner.run(repo, write(runner, sessions))
    assert (done.code, done.operation, forge.writes()) == (0, "none", []), done.log
    assert "switched off" in done.summary


@pytest.mark.slow
@pytest.mark.e2e
def test_outputs_are_set_even_if_nothing_could_be_installed(runner: Runner, repo: Repo, sessions: Path) -> None:
    done = runner.run(repo, write(runner, sessions, {"python": "/nowhere/python"}))
    assert (done.code, done.operation, done.outputs["changed"], done.outputs["exit-code"]) == (1, "none", "false", "2")


@pytest.mark.slow
@pytest.mark.e2e
def test_a_dry_run_writes_nothing(runner: Runner, repo: Repo, forge: FakeForge, sessions: Path) -> None:
    done = runner.run(repo, write(runner, sessions, {"dry-run": "true"}))
    assert (done.code, done.operation, done.outputs["changed"], forge.writes()) == (0, "none", "true", []), done.log
    assert "a dry run; otherwise: made a pull request" in done.summary
