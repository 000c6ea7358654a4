"""`memci dream --pr`: from transcripts to a pull request in one go, on anybody's machine."""

from pathlib import Path

import pytest

from tests.commands.dreams import NOW, write_session
from tests.commands.run import Done, memci
from tests.fakes.forge import FakeForge
from tests.gate import in_gate
from tests.publish.stage import BRANCH, KINDS, push_as_person
from tests.repository import Repo

SAID = "Always use pnpm for the front end, because the lock file is pnpm's."


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    return write_session(tmp_path / "sessions", "s1", SAID).parent


def dream_pr(capsys: pytest.CaptureFixture[str], repo: Repo, *arguments: str | Path) -> Done:
    common = ("--engine", "local", "--force", *NOW, "--format", "json")
    return memci(capsys, repo.root, "dream", "--pr", *common, *map(str, arguments))


@pytest.mark.parametrize("forge", in_gate(KINDS), indirect=True)
def test_a_dream_becomes_a_pull_request_and_nothing_here_changes(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, transcripts: Path
) -> None:
    done = dream_pr(capsys, repo, "--transcripts", transcripts, "--label", "memory", "--draft")
    assert (done.code, done.json["schema"], done.json["publish"]["result"]) == (0, "memci/dream/1", "created"), done.err
    (pull,) = forge.pulls
    assert (pull.head, pull.draft or pull.title.startswith("WIP: "), pull.labels) == (BRANCH, True, ["memory"])
    assert "pnpm" in forge.git("diff", "main", BRANCH)
    assert repo.run("status", "--porcelain") == ""

    forge.seen.clear()
    again = dream_pr(capsys, repo, "--transcripts", transcripts, "--label", "memory")
    assert (again.code, again.json["publish"]["result"], forge.writes()) == (0, "not-updated", [])


def test_nothing_is_pushed_if_nothing_changed(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, tmp_path: Path
) -> None:
    (tmp_path / "none").mkdir()
    done = dream_pr(capsys, repo, "--transcripts", tmp_path / "none")
    assert (done.code, done.json["publish"]["result"], forge.writes()) == (0, "none", [])
    repo.write(".memci.yml", "dream: false\n")
    off = dream_pr(capsys, repo)
    assert (off.code, "publish" in off.json, forge.writes()) == (0, False, [])


def test_a_dry_run_shows_what_would_be_proposed(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, transcripts: Path
) -> None:
    options = ("--pr", "--dry-run", "--engine", "local", "--force", *NOW, "--transcripts", str(transcripts))
    done = memci(capsys, repo.root, "dream", *options)
    assert (done.code, "would be created" in done.out, "| +" in done.out) == (0, True, True)
    assert (forge.writes(), repo.run("status", "--porcelain")) == ([], "")


def test_what_cannot_be_published_is_refused_before_anything_is_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, repo: Repo, forge: FakeForge
) -> None:
    nowhere = ("--transcripts", "/nowhere")
    assert dream_pr(capsys, repo, "--bundle", "b").code == 2
    assert dream_pr(capsys, repo, "--user").code == 2
    alone = memci(capsys, repo.root, "dream", "--label", "memory")
    assert (alone.code, "add --pr" in alone.err) == (2, True)
    repo.run("checkout", "--quiet", "--detach")
    detached = dream_pr(capsys, repo, *nowhere)
    assert (detached.code, "--base main" in detached.err) == (2, True)
    monkeypatch.delenv("MEMCI_TOKEN")
    done = dream_pr(capsys, repo, "--base", "main", *nowhere)
    assert (done.code, "GITHUB_TOKEN" in done.err) == (2, True)
    assert forge.writes() == []


def test_exit_codes_are_those_of_publish(
    capsys: pytest.CaptureFixture[str], repo: Repo, forge: FakeForge, transcripts: Path, tmp_path: Path
) -> None:
    options = ("--transcripts", transcripts)
    forge.may_open = False
    assert dream_pr(capsys, repo, *options).code == 4
    forge.may_open = True
    assert dream_pr(capsys, repo, *options).code == 0
    theirs = push_as_person(forge, tmp_path)
    write_session(transcripts, "s2", "Never reformat generated files.")
    blocked = dream_pr(capsys, repo, *options)
    assert (blocked.code, blocked.json["publish"]["result"], forge.head(BRANCH)) == (5, "blocked", theirs)
    repo.write(".claude/memory/releases.md", "edited\n")
    assert dream_pr(capsys, repo, *options).code == 5
