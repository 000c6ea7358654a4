"""What memci asks of GitHub and what the fake answers, held against GitHub's own description of its API."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands.run import memci
from tests.commands.test_artifacts import upload
from tests.e2e.packages import install
from tests.fakes.forge import Seen
from tests.fakes.forge_github import FakeGitHub, make_github
from tests.forge.openapi import PATHS, Description, slim
from tests.publish.scenes import PNPM, TABS, dream_into
from tests.publish.stage import clone_memory, make_token, publish, push_as_person
from tests.repository import Repo

PACKAGE = "@octokit/openapi@23.0.2"

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def whole() -> Iterator[dict[str, Any]]:
    with install(PACKAGE) as root:
        target = root / "node_modules/@octokit/openapi/generated/api.github.com.json"
        yield json.loads(target.read_text("utf-8"))


@pytest.fixture
def description(whole: dict[str, Any]) -> Description:
    return Description(slim(whole))


@pytest.fixture
def forge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeGitHub]:
    monkeypatch.setenv("MEMCI_TOKEN", make_token())
    with make_github(tmp_path / "forge", make_token()) as forge:
        monkeypatch.setenv("GITHUB_SERVER_URL", forge.web)
        yield forge


@pytest.fixture
def repo(tmp_path: Path, forge: FakeGitHub) -> Repo:
    return clone_memory(tmp_path / "repo", forge)


def live(capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeGitHub) -> list[str]:
    """Do everything that memci ever does at GitHub; return how each ended."""
    results = []

    def run(name: str, *signals: Any, options: tuple[str, ...] = ()) -> None:
        results.append(publish(capsys, repo, dream_into(tmp_path / name, repo, *signals), *options).json["result"])

    shown = ("--label", "memory", "--label", "memci: dream", "--reviewer", "mara", "--reviewer", "acme/docs", "--draft")
    run("one", PNPM, options=shown)
    run("two", PNPM, TABS)
    push_as_person(forge, tmp_path)
    run("three", PNPM)
    run("four", TABS)
    forge.pulls[0].labels.append("memci:rebase")
    run("five", PNPM)
    run("six")
    forge.may_open = False
    run("seven", TABS)
    forge.may_open = True
    run("eight", TABS)
    upload(forge, 1)
    upload(forge, 2, workflow="other.yml")
    for place in ("artifact:claude-*", "artifact:claude-*@review.yml"):
        done = memci(capsys, repo.root, "signals", "--format", "json", "--transcripts", place)
        results += sorted(signal["session"] for signal in done.json["signals"])
    return results


RESULTS = ["created", "updated", "blocked", "blocked", "updated", "closed", "fallback", "created", "s1", "s2", "s1"]


def test_every_request_and_every_answer_is_as_described(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeGitHub, description: Description
) -> None:
    def watch(seen: Seen, status: int, answer: Any) -> Any:
        description.hold(seen.method, seen.path.removeprefix("/api/v3"), seen.query, seen.body, status, answer)
        return answer

    forge.watch = watch
    assert live(capsys, tmp_path, repo, forge) == RESULTS
    assert description.violations == []
    # Every path that is described was asked for, so none was left out by mistake.
    assert {where.partition(" ")[2] for where in description.seen} == set(PATHS)


def test_what_github_does_not_promise_to_send_is_not_needed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeGitHub, description: Description
) -> None:
    def watch(seen: Seen, status: int, answer: Any) -> Any:
        # Whose an artifact is stands in what only lacks for runs that were deleted.
        if "/actions/artifacts" in seen.path:
            return answer
        return description.prune(seen.method, seen.path.removeprefix("/api/v3"), status, answer)

    forge.watch = watch
    assert live(capsys, tmp_path, repo, forge) == RESULTS


@pytest.mark.parametrize(
    ("method", "path", "query", "body", "status", "answer"),
    [
        ("GET", "/repos/acme/shop/nowhere", {}, None, 200, []),
        ("GET", "/repos/acme/shop/pulls", {"state": "ajar"}, None, 200, []),
        ("GET", "/repos/acme/shop/pulls", {"colour": "red"}, None, 200, []),
        ("GET", "/repos/acme/shop/pulls", {}, None, 200, [{"number": "one"}]),
        ("GET", "/repos/acme/shop/pulls", {}, None, 200, [{"nickname": "x"}]),
        ("GET", "/repos/acme/shop/pulls", {}, None, 200, {}),
        ("POST", "/repos/acme/shop/pulls", {}, {"title": "x", "head": "y"}, 201, {}),
        ("POST", "/repos/acme/shop/pulls", {}, {"base": "x", "head": "y", "draft": "yes"}, 201, {}),
        ("POST", "/repos/acme/shop/pulls", {}, {"base": "x", "head": "y", "colour": "red"}, 201, {}),
        ("POST", "/repos/acme/shop/pulls", {}, {"base": "x", "head": "y"}, 418, {}),
    ],
)
def test_what_is_not_as_described_is_seen(
    description: Description, method: str, path: str, query: dict[str, str], body: Any, status: int, answer: Any
) -> None:
    description.hold(method, path, query, body, status, answer)
    assert len(description.violations) == 1
