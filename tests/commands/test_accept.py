"""Candidates: shown with their words by every command, and written only when a person accepts them."""

from pathlib import Path

import pytest

from memci.errors import Exit
from tests.commands.dreams import NOW, make_shop, read_tree, write_session
from tests.commands.run import memci

Capture = pytest.CaptureFixture[str]
WEAK = "we should name the queues after the team that reads them"


def test_a_candidate_is_shown_and_written_when_it_is_accepted(capsys: Capture, tmp_path: Path) -> None:
    repo = make_shop(tmp_path / "shop")
    places = ("--transcripts", str(write_session(tmp_path / "sessions", "s1", WEAK, "rename the cart module")))
    (offered,) = memci(capsys, repo.root, "signals", *places, "--format", "json").json["offered"]
    assert offered["text"] == WEAK
    dream = ("dream", *places, "--engine", "local", *NOW)
    before = read_tree(repo.root)
    done = memci(capsys, repo.root, *dream, "--force", "--dry-run")
    assert offered["id"] in done.out
    assert WEAK in done.out
    assert read_tree(repo.root) == before
    memci(capsys, repo.root, *dream, "--force")
    assert not any("queues" in name for name in read_tree(repo.root))
    # The session was read already, and the scope dreamt today.
    done = memci(capsys, repo.root, *dream, "--accept", offered["id"][:8], "--format", "json")
    assert done.code == Exit.DONE
    assert [each["text"] for scope in done.json["scopes"] for each in scope["signals"]] == [WEAK]
    (file,) = (name for name in read_tree(repo.root) if "queues" in name)
    assert b"We should name the queues after the team that reads them." in read_tree(repo.root)[file][0]


def test_an_id_that_is_no_candidate_is_named(capsys: Capture, tmp_path: Path) -> None:
    repo = make_shop(tmp_path / "shop")
    places = ("--transcripts", str(write_session(tmp_path / "sessions", "s1", WEAK)))
    done = memci(capsys, repo.root, "dream", *places, "--engine", "local", *NOW, "--accept", "abcdef012345")
    assert done.code == Exit.USAGE
    assert "--accept abcdef012345 names no candidate of these sessions" in done.err
