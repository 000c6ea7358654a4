"""What publishing refuses: dreams of the future, times that are none, and more work when its time is used up."""

import datetime as dt
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memci.errors import ServiceError
from memci.git.workspace import open_workspace
from memci.publish import target as proposing
from memci.publish.bundle import MANIFEST
from memci.publish.target import PublishRequest
from memci.runs import publish as publishing
from tests.build import NOW, topic_text
from tests.commands.dreams import NOW as AT
from tests.commands.dreams import write_session
from tests.commands.run import memci
from tests.fakes.forge import FakeForge
from tests.publish.scenes import PNPM, REVIEWER, dream_into, make_memory
from tests.publish.stage import BRANCH, publish
from tests.repository import Repo


@pytest.fixture
def bundle(tmp_path: Path, repo: Repo) -> Path:
    return dream_into(tmp_path / "bundle", repo, PNPM)


def change(target: Path, edit: Callable[[Any], object]) -> None:
    content = json.loads((target / MANIFEST).read_text())
    edit(content)
    (target / MANIFEST).write_text(json.dumps(content))


@pytest.mark.parametrize("validate", [(), ("--validate",)])
def test_a_dream_of_the_future_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge, validate: tuple[str, ...]
) -> None:
    late = dream_into(tmp_path / "late", repo, PNPM, now=dt.datetime(2099, 1, 1, tzinfo=dt.UTC))
    done = publish(capsys, repo, late, *validate)
    assert (done.code, forge.writes()) == (5, [])
    assert "the bundle is dated 2099-01-01 00:00 UTC" in done.err


@pytest.mark.parametrize(("minutes", "code"), [(-60 * 24 * 30, 0), (0, 0), (59, 0), (61, 5)])
def test_clocks_may_differ_by_an_hour(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge, minutes: int, code: int
) -> None:
    bundle = dream_into(tmp_path / "bundle", repo, PNPM, now=NOW + dt.timedelta(minutes=minutes))
    done = memci(capsys, repo.root, "publish", str(bundle), "--now", NOW.isoformat())
    assert (done.code, bool(forge.pulls)) == (code, not code), done.err


def test_a_dream_into_the_future_is_proposed_by_the_same_moment(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repo: Repo, forge: FakeForge
) -> None:
    sessions = write_session(tmp_path / "sessions", "s1", "always use pnpm for the front end").parent
    options = ("--engine", "local", "--transcripts", str(sessions), "--now", "2099-01-01", "--format", "json")
    assert memci(capsys, repo.root, "dream", "--pr", *options).json["publish"]["result"] == "created"
    assert len(forge.pulls) == 1


@pytest.mark.parametrize("when", ["2099-01-01", "1969-12-31T23:00:00Z", "9001-01-01T00:00:00Z", "now", ""])
def test_a_time_that_is_none_is_refused(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, bundle: Path, when: str
) -> None:
    change(bundle, lambda manifest: manifest["run"].update(now=when))
    done = publish(capsys, repo, bundle)
    assert (done.code, forge.writes()) == (5, [])


@pytest.mark.parametrize("seconds", [0.0, -1.0])
def test_a_publication_whose_time_is_used_up_asks_nobody(
    repo: Repo, forge: FakeForge, bundle: Path, seconds: float
) -> None:
    request = PublishRequest(
        (bundle,), BRANCH, None, "auto", "origin", draft=False, labels=(), reviewers=(), dry_run=False, now=NOW,
        seconds=seconds,
    )  # fmt: skip
    with pytest.raises(ServiceError, match="the time of the run is used up"):
        publishing.run_publish(open_workspace(repo.root), request, os.environ, lambda _: None)
    assert forge.seen == []
    places = proposing.open_places(open_workspace(repo.root), request, os.environ)
    assert places.forge is not None
    with pytest.raises(ServiceError, match="the time of the run is used up"):
        places.forge.comments.read_user()
    assert forge.seen == []


def test_memory_dated_in_the_future_does_not_stop_later_dreams(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    repo = make_memory(tmp_path / "repo")
    state = '"declined": [],\n"evidence": {},\n"last_consolidated_at": "2099-01-01T00:00:00+00:00",\n"sessions": {},\n'
    repo.write(f"{REVIEWER}/.memci.json", "{\n" + state + '"version": 1\n}\n')
    repo.write(
        f"{REVIEWER}/lost.md", topic_text("No pointer leads here.", name="lost", description="what nobody finds")
    )
    repo.commit()
    done = memci(capsys, repo.root, "dream", "--engine", "local", *AT, "--format", "json", REVIEWER)
    assert [scope["status"] for scope in done.json["scopes"]] == ["changed"]
    assert "2026-11-16T03:00:00+00:00" in (repo.root / REVIEWER / ".memci.json").read_text()
