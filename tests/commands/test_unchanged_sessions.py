"""A night without new sessions opens none of them, and says the same as if it had."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.commands.dreams import SAID, make_record, make_shop, write_session
from tests.commands.run import memci
from tests.repository import Repo

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def shop(tmp_path: Path, capsys: Capture) -> Repo:
    """Return a repository that dreamt over five sessions."""
    repo = make_shop(tmp_path / "shop")
    for number in range(5):
        write_session(tmp_path / "sessions", f"s{number}", SAID, f"what is in file {number}?")
    assert dream(capsys, repo, 16)["gathers"]
    repo.commit("night")
    return repo


def dream(capsys: Capture, repo: Repo, day: int, *options: str) -> dict[str, Any]:
    """Dream, and add whether sessions were read; only then there is a phase for it."""
    places = ("--transcripts", str(repo.root.parent / "sessions"), "--now", f"2026-11-{day}T03:00:00Z")
    done = memci(capsys, repo.root, "dream", "--engine", "local", "--format", "json", *places, *options)
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found | {"gathers": "gather" in found.pop("timings")}


def test_a_night_without_new_sessions_reads_none_and_says_the_same(capsys: Capture, shop: Repo) -> None:
    kept = dream(capsys, shop, 19)
    assert not kept.pop("gathers")
    shutil.rmtree(shop.root / ".git/memci")
    read = dream(capsys, shop, 19)
    assert read.pop("gathers")
    assert kept == read
    assert kept["scopes"][0]["reason"] == "0 new sessions, and 5 have to come together"
    assert shop.run("status", "--porcelain") == ""


def test_a_session_that_goes_on_is_read(capsys: Capture, shop: Repo) -> None:
    with (shop.root.parent / "sessions/s1.jsonl").open("a") as file:
        file.write(json.dumps(make_record("s1", 9, "and always run the linter first", "2026-11-17")) + "\n")
    assert dream(capsys, shop, 19)["gathers"]
    assert not dream(capsys, shop, 20)["gathers"]


def test_a_new_session_a_lost_one_and_another_place_are_noticed(capsys: Capture, shop: Repo) -> None:
    new = write_session(shop.root.parent / "sessions", "s6", "hello")
    assert dream(capsys, shop, 19)["gathers"]
    new.unlink()
    assert dream(capsys, shop, 19)["gathers"]
    other = write_session(shop.root.parent / "others", "s7", "hello")
    assert dream(capsys, shop, 19, "--transcripts", str(other.parent))["gathers"]


def test_another_content_of_the_same_size_and_time_is_noticed(capsys: Capture, shop: Repo) -> None:
    path = shop.root.parent / "sessions/s2.jsonl"
    before = path.stat()
    path.write_bytes(path.read_bytes().replace(b"never mock", b"always mo "))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert dream(capsys, shop, 19)["gathers"]


def test_sessions_on_a_branch_are_known_by_their_content(capsys: Capture, shop: Repo) -> None:
    repo, sessions = shop, shop.root.parent / "sessions"
    repo.run("switch", "--quiet", "--orphan", "sessions")
    shutil.copytree(sessions, repo.root / "kept")
    repo.commit("sessions")
    repo.run("switch", "--quiet", "main")
    shutil.rmtree(sessions)
    sessions.mkdir()
    place = ("--transcripts", "git:sessions")
    assert dream(capsys, repo, 19, *place)["gathers"]
    assert not dream(capsys, repo, 20, *place)["gathers"]
    repo.run("update-ref", "refs/heads/sessions", repo.run("commit-tree", "-m", "none", "main^{tree}").strip())
    assert dream(capsys, repo, 21, *place)["gathers"]


@pytest.mark.parametrize("data", [b"", b"x\n[[],[]]", b"\xff\x00"])
def test_a_damaged_account_is_not_believed(capsys: Capture, shop: Repo, data: bytes) -> None:
    path = shop.root / ".git/memci/sessions"
    whole = path.read_bytes()
    path.write_bytes(data or whole[:-9])
    assert dream(capsys, shop, 19)["gathers"]
    assert path.read_bytes() == whole


def test_who_asks_for_more_gets_it(capsys: Capture, shop: Repo) -> None:
    assert dream(capsys, shop, 19, "--force", "--dry-run")["gathers"]
    with pytest.raises(AssertionError, match="names no candidate of these sessions"):
        dream(capsys, shop, 19, "--accept", "0123456789ab", "--dry-run")


def test_no_words_and_no_names_of_people_are_kept(shop: Repo) -> None:
    kept = (shop.root / ".git/memci/sessions").read_text()
    assert "mock" not in kept
    assert "mara" not in kept
