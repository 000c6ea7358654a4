"""`memci doctor`: one broken thing at a time."""

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memci.runs.init import GITLAB_JOBS
from memci.stores.journal import PENDING
from memci.stores.lock import RECORD, hold_lock
from memci.stores.state_directory import resolve_state_directory
from tests.commands.dreams import SCOPE, make_shop, write_session
from tests.commands.run import Done, memci
from tests.fakes.forge import Fault
from tests.fakes.forge_github import make_gitea, make_github
from tests.fakes.forge_gitlab import make_gitlab
from tests.fakes.forge_setup import Setup, add_setup
from tests.repository import Repo

WORKFLOW = ".github/workflows/memci.yml"


def make_secret(prefix: str) -> str:
    return prefix + "".join(random.Random(9).choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNP23456789", k=36))


def doctor(capsys: pytest.CaptureFixture[str], root: Path, *arguments: str) -> Done:
    return memci(capsys, root, "doctor", "--format", "json", *arguments)


def problems(done: Done) -> list[tuple[str, str]]:
    return [(check["name"], check["message"]) for check in done.json["checks"] if check["state"] == "problem"]


@pytest.fixture
def repo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Repo:
    """Return a repository in which all is well."""
    repo = make_shop(tmp_path / "shop")
    repo.run("remote", "add", "origin", "git@github.com:acme/shop.git")
    assert memci(capsys, repo.root, "init", "--collect").code == 0
    write_session(repo.root / "sessions", "s1", "Never mock the database.")
    repo.write(".memci.yml", "transcripts: [sessions]\n")
    repo.run("update-ref", "refs/remotes/origin/main", repo.commit())
    return repo


def test_all_is_well(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    done = doctor(capsys, repo.root)
    assert (done.code, done.json["schema"], problems(done)) == (0, "memci/doctor/1", [])
    assert {check["state"] for check in done.json["checks"]} == {"ok"}
    text = memci(capsys, repo.root, "doctor")
    assert text.code == 0
    assert text.out.endswith(f"\n0 problems, 0 unknown, {len(done.json['checks'])} fine\n")
    assert memci(capsys, repo.root, "-q", "doctor").out == ""


def test_it_changes_nothing(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    before = sorted((path, path.lstat().st_mtime_ns) for path in repo.root.rglob("*"))
    doctor(capsys, repo.root)
    assert sorted((path, path.lstat().st_mtime_ns) for path in repo.root.rglob("*")) == before


def lose_history(repo: Repo) -> None:
    repo.commit()
    copy = repo.root.parent / "copy"
    repo.run("clone", "--quiet", "--depth=1", repo.root.as_uri(), str(copy))
    (repo.root / ".git").rename(repo.root.parent / "old")
    (copy / ".git").rename(repo.root / ".git")
    repo.run("remote", "set-url", "origin", "git@github.com:acme/shop.git")


def filter_blobs(repo: Repo) -> None:
    repo.run("config", "remote.origin.promisor", "true")


def cut_off(repo: Repo) -> None:
    state = resolve_state_directory(repo.root / SCOPE, repo.root / ".git")
    state.mkdir(parents=True)
    (state / PENDING).write_text("x")


def lock_elsewhere(repo: Repo) -> None:
    state = resolve_state_directory(repo.root / SCOPE, repo.root / ".git")
    state.mkdir(parents=True)
    (state / RECORD).write_text('{"pid": 4711, "host": "another-host", "boot": "another"}')


def put(path: str, text: str | bytes) -> Callable[[Repo], None]:
    def change(repo: Repo) -> None:
        repo.write(path, text)

    return change


@pytest.mark.parametrize(
    ("spoil", "name", "said"),
    [
        (lose_history, "repository", "shallow"),
        (filter_blobs, "repository", "partial"),
        (put(".memci.yml", "transcript: [x]\n"), "settings", ".memci.yml:1: unknown key 'transcript'"),
        (put(".memci.yml", "transcripts: [nowhere]\n"), "transcripts", "nowhere: no such transcript"),
        (put(".memci.yml", "transcripts: [src]\n"), "transcripts", "src: no such transcript"),
        (put(".memci.yml", "transcripts: [.github]\n"), "transcripts", ".github holds no transcript"),
        (
            put(".memci.yml", "transcripts: ['git:memci/sessions']\n"),
            "transcripts",
            "git:memci/sessions: no such commit",
        ),
        (put(".memci.yml", "transcripts: [sessions]\nroute: docs\n"), "route", "no scope is called docs"),
        (put(f"{SCOPE}/bad.md", b"\xff\xfe\x00"), "memory", f"{SCOPE}/bad.md cannot be read: not UTF-8"),
        (lambda repo: repo.run("mv", SCOPE, "docs") and None, "memory", "none found"),
        (lambda repo: (repo.root / WORKFLOW).unlink(), "workflow", "no workflow dreams"),
        (lambda repo: repo.run("rm", "--quiet", "--cached", WORKFLOW) and None, "workflow", "is not in git"),
        (cut_off, "journal", "was cut off"),
        (lock_elsewhere, "lock", "is held by process 4711 on another-host"),
    ],
)
def test_a_broken_thing_is_named_with_a_remedy(
    capsys: pytest.CaptureFixture[str], repo: Repo, spoil: Callable[[Repo], None], name: str, said: str
) -> None:
    spoil(repo)
    done = doctor(capsys, repo.root)
    assert done.code == 1
    ((found, message),) = problems(done)
    assert found == name
    assert said in message
    assert all(check["hint"] for check in done.json["checks"] if check["name"] == name and check["state"] == "problem")


def test_a_pipe_in_the_place_of_a_lock_is_not_waited_for(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    os.mkfifo(repo.root / SCOPE / ".consolidate-lock")
    assert doctor(capsys, repo.root).json["checks"]


def test_what_was_not_pushed_is_said(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    repo.run("update-ref", "-d", "refs/remotes/origin/main")
    done = doctor(capsys, repo.root)
    (found,) = [check for check in done.json["checks"] if check["name"] == "workflow"]
    assert (done.code, found["state"]) == (0, "unknown")
    assert (f"{WORKFLOW} was not pushed" in found["message"], "git push" in found["hint"]) == (True, True)


def test_outside_of_git(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = doctor(capsys, tmp_path)
    assert done.code == 1
    assert [name for name, _ in problems(done)] == ["repository", "memory"]


def test_a_lock_that_was_committed_is_no_lock(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    repo.write(f"{SCOPE}/.consolidate-lock", str(os.getppid()))
    repo.commit()
    (locks,) = (check for check in doctor(capsys, repo.root).json["checks"] if check["name"].startswith("lock"))
    assert locks["message"] == "none is left over"


def test_a_lock_that_is_dead_or_at_work_is_no_problem(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    # No process has this number: it is above what Linux gives out.
    repo.write(f"{SCOPE}/.consolidate-lock", str(2**31 - 1))
    assert problems(doctor(capsys, repo.root)) == []
    with hold_lock(repo.root / SCOPE, resolve_state_directory(repo.root / SCOPE, repo.root / ".git")):
        (lock,) = (check for check in doctor(capsys, repo.root).json["checks"] if check["name"] == "lock")
    assert (lock["state"], "at work" in lock["message"]) == ("unknown", True)


@pytest.mark.parametrize(("branch", "expected"), [("entire/checkpoints/v1", []), ("memci/sessions", ["hook"])])
def test_only_the_branch_of_the_hook_needs_the_hook(
    capsys: pytest.CaptureFixture[str], repo: Repo, branch: str, expected: list[str]
) -> None:
    repo.run("branch", branch)
    repo.write(".memci.yml", f"transcripts: ['git:{branch}']\n")
    assert problems(doctor(capsys, repo.root)) == []
    (repo.root / ".claude/settings.json").unlink()
    assert [name for name, _ in problems(doctor(capsys, repo.root))] == expected


def test_without_git_nothing_else_is_looked_at(
    capsys: pytest.CaptureFixture[str], repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = doctor(capsys, repo.root)
    assert (done.code, problems(done)) == (1, [("git", "git is not installed")])


def test_the_credentials_are_named_and_never_shown(
    capsys: pytest.CaptureFixture[str], repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, token = make_secret("sk-ant-api03-"), make_secret("ghp_")
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    monkeypatch.setenv("GH_TOKEN", token)
    repo.run("remote", "set-url", "origin", f"https://x:{token}@github.com/acme/shop.git")
    for done in (doctor(capsys, repo.root), memci(capsys, repo.root, "-v", "doctor")):
        assert done.code == 0
        assert "ANTHROPIC_API_KEY" in done.out
        assert "GH_TOKEN" in done.out
        assert key not in done.out + done.err
        assert token not in done.out + done.err
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", key)
    assert [name for name, _ in problems(doctor(capsys, repo.root))] == ["engine"]


KINDS = {"github": make_github, "gitea": make_gitea, "gitlab": make_gitlab}


@pytest.fixture(params=["github"])
def setup(
    request: pytest.FixtureRequest, tmp_path: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Setup]:
    """Give the set-up of a forge that holds the repository."""
    token = make_secret("ghp_")
    monkeypatch.setenv("MEMCI_TOKEN", token)
    with KINDS[request.param](tmp_path / "forge", token) as forge:
        server = "CI_SERVER_URL" if request.param == "gitlab" else "GITHUB_SERVER_URL"
        monkeypatch.setenv(server, forge.web)
        if request.param == "gitea":
            monkeypatch.setenv("GITHUB_API_URL", f"{forge.web}/api/v1")
        repo.run("remote", "set-url", "origin", forge.url)
        setup = add_setup(forge)
        yield setup
        assert forge.writes() == []


@pytest.mark.parametrize("setup", KINDS, indirect=True)
def test_a_forge_that_allows_all(capsys: pytest.CaptureFixture[str], repo: Repo, setup: Setup) -> None:
    if "CI_SERVER_URL" in os.environ:
        repo.write(".gitlab-ci.yml", f"include: [{{local: {GITLAB_JOBS}}}] # memci\n")
    done = doctor(capsys, repo.root, "--online")
    assert (done.code, problems(done)) == (0, [])
    assert ("token", "ok") in [(check["name"], check["state"]) for check in done.json["checks"]]
    setup.push = False
    assert problems(doctor(capsys, repo.root, "--online")) == [("token", "MEMCI_TOKEN may not push")]
    setup.push, setup.archived = True, True
    assert [name for name, _ in problems(doctor(capsys, repo.root, "--online"))] == ["forge"]


@pytest.mark.parametrize(
    ("answer", "found", "said"),
    [
        ({"push": None}, ("token", "unknown"), "the forge does not say"),
        ({"visible": False}, ("token", "problem"), "404"),
        ({"may_open": False}, ("pull requests", "problem"), "GitHub Actions is not permitted"),
        ({"may_open": None}, ("pull requests", "unknown"), "only an administrator"),
        ({"workflow": "disabled_inactivity"}, ("schedule", "problem"), "switched off (disabled_inactivity)"),
        ({"workflow": ""}, ("schedule", "problem"), "GitHub does not know memci.yml"),
        ({"workflow": None}, ("schedule", "unknown"), "may not see workflows"),
    ],
)
def test_what_a_forge_does_not_allow(
    capsys: pytest.CaptureFixture[str],
    repo: Repo,
    setup: Setup,
    answer: dict[str, object],
    found: tuple[str, str],
    said: str,
) -> None:
    for name, value in answer.items():
        setattr(setup, name, value)
    done = doctor(capsys, repo.root, "--online")
    bad = [check for check in done.json["checks"] if check["state"] != "ok"]
    assert [(check["name"], check["state"]) for check in bad] == [found]
    assert said in bad[0]["message"]
    assert done.code == (found[1] == "problem")


@pytest.mark.parametrize("setup", ["gitlab"], indirect=True)
@pytest.mark.parametrize(("schedules", "state"), [([], "problem"), ([False], "problem"), (None, "unknown")])
def test_schedules_of_gitlab(
    capsys: pytest.CaptureFixture[str], repo: Repo, setup: Setup, schedules: list[bool] | None, state: str
) -> None:
    repo.write(".gitlab-ci.yml", f"include: [{{local: {GITLAB_JOBS}}}] # memci\n")
    setup.schedules = schedules
    checks = doctor(capsys, repo.root, "--online").json["checks"]
    assert [(check["name"], check["state"]) for check in checks if check["state"] != "ok"] == [("schedule", state)]


def test_online_without_a_token(capsys: pytest.CaptureFixture[str], repo: Repo) -> None:
    (problem,) = problems(doctor(capsys, repo.root, "--online"))
    assert problem == ("forge", "there is no token for github.com")


def test_a_wrong_token(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = make_secret("ghp_")
    monkeypatch.setenv("MEMCI_TOKEN", token)
    with make_github(tmp_path / "forge", "another") as forge:
        monkeypatch.setenv("GITHUB_SERVER_URL", forge.web)
        repo.run("remote", "set-url", "origin", forge.url)
        done = doctor(capsys, repo.root, "--online")
        ((name, message),) = problems(done)
        assert (name, "401" in message, token in done.out) == ("token", True, False)
        forge.faults.append(Fault("GET", "shop$", 500, times=9))
        assert len(problems(doctor(capsys, repo.root))) == 0
