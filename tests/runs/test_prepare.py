import os
from pathlib import Path, PurePosixPath

import pytest

from memci.errors import Exit
from memci.stores.journal import PENDING, Journal, Rewrite, write_pending
from memci.stores.lock import CLIENT_LOCK
from memci.stores.state_directory import make_state_directory, resolve_state_directory
from tests.commands.dreams import INDEX, SCOPE, TOPIC, make_shop
from tests.commands.run import Done, memci
from tests.report.pages import Parsed
from tests.repository import Repo

Capture = pytest.CaptureFixture[str]
NEW = "# Memory\n"
NOW = ("--now", "2026-11-16")
READERS = (
    ("check", "--format", "json"),
    ("status", "--format", "json"),
    ("review", "--base", "HEAD", "--format", "json"),
    ("report",),
    ("recall", "warehouse", "--format", "json"),
    ("dream", "--dry-run", "--engine", "local", "--format", "json"),
)


def interrupt(repo: Repo) -> Path:
    """Leave what a dream leaves that is killed between two renames; return its state directory."""
    scope = repo.root / SCOPE
    state = resolve_state_directory(scope, repo.root / ".git")
    make_state_directory(state)
    files = (
        Rewrite(PurePosixPath("MEMORY.md"), INDEX.encode(), NEW.encode(), 0o644, 0o644),
        Rewrite(PurePosixPath("warehouse.md"), TOPIC.encode(), None, 0o644, None),
    )
    journal = Journal("0123456789abcdef", files, (), undoes=False)
    write_pending(state, journal)
    (scope / journal.staging).mkdir()
    (scope / "MEMORY.md").rename(scope / journal.staging / "0")
    (scope / "MEMORY.md").write_text(NEW)
    return state


def read_index(repo: Repo) -> str:
    return (repo.root / SCOPE / "MEMORY.md").read_text()


def list_notes(command: tuple[str, ...], done: Done) -> str:
    """Return what the result itself says of problems; those without a place for them say it on the way only."""
    if command[0] == "report":
        return Parsed(done.out).text
    key = {"status": "notes", "check": "skipped", "review": "skipped"}.get(command[0])
    return "\n".join(f"{note['what']}: {note['why']}" for note in done.json[key]) if key else done.err


# What is left alone


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_without_an_interrupted_dream_nothing_is_said(
    tmp_path: Path, capsys: Capture, command: tuple[str, ...]
) -> None:
    repo = make_shop(tmp_path)
    (repo.root / SCOPE / ".memci-of-somebody").mkdir()
    done = memci(capsys, repo.root, *command, *NOW)
    assert (done.code, done.err) == (Exit.DONE, "")


def test_the_dream_of_another_worktree_is_not_ours(tmp_path: Path, capsys: Capture) -> None:
    repo = make_shop(tmp_path / "main")
    interrupt(repo)
    repo.run("worktree", "add", "--quiet", str(tmp_path / "other"))
    assert memci(capsys, tmp_path / "other", "check", *NOW).err == ""
    assert read_index(repo) == NEW


def test_the_time_of_the_last_dream_stays(tmp_path: Path, capsys: Capture) -> None:
    repo = make_shop(tmp_path)
    interrupt(repo)
    lock = repo.write(f"{SCOPE}/{CLIENT_LOCK}", "999999")
    os.utime(lock, ns=(10**18, 10**18))
    memci(capsys, repo.root, "check", *NOW)
    assert (lock.read_text(), lock.stat().st_mtime_ns) == ("999999", 10**18)


# Rolling back


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_an_interrupted_dream_is_rolled_back_before_memory_is_read(
    tmp_path: Path, capsys: Capture, command: tuple[str, ...]
) -> None:
    repo = make_shop(tmp_path)
    expected = memci(capsys, repo.root, *command, *NOW)
    state = interrupt(repo)
    done = memci(capsys, repo.root, *command, *NOW)
    assert done.err == f"memci: warning: {SCOPE}: a dream was interrupted here; it has been rolled back\n"
    assert (done.code, read_index(repo), (state / PENDING).exists()) == (Exit.DONE, INDEX, False)
    if command[0] != "dream":
        assert done.out == expected.out


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_what_cannot_be_rolled_back_is_said_and_the_command_goes_on(
    tmp_path: Path, capsys: Capture, command: tuple[str, ...]
) -> None:
    repo = make_shop(tmp_path)
    (interrupt(repo) / PENDING).write_text("damaged")
    done = memci(capsys, repo.root, *command, *NOW)
    assert f"memci: warning: {SCOPE}: a dream did not finish here and cannot be rolled back now (" in done.err
    assert (done.code in {Exit.DONE, Exit.FINDINGS}, read_index(repo)) == (True, NEW)
    assert SCOPE in list_notes(command, done)


def test_a_file_that_was_edited_since_is_named_with_the_place_of_its_old_text(tmp_path: Path, capsys: Capture) -> None:
    repo = make_shop(tmp_path)
    state = interrupt(repo)
    repo.write(f"{SCOPE}/MEMORY.md", "# Mine\n")
    done = memci(capsys, repo.root, "status", *NOW)
    assert f"MEMORY.md: changed since the interrupted dream and left alone; old text: {state}/left-" in done.err
    assert read_index(repo) == "# Mine\n"


# Settings that have no effect


@pytest.mark.parametrize(
    ("glob", "why"),
    [
        ("../elsewhere", "leads out of the repository, where no scope is looked for"),
        ("docs/../../elsewhere", "leads out of the repository, where no scope is looked for"),
        ("~/notes", "leads out of the repository, where no scope is looked for"),
        ("/srv/notes", "is looked up from the root of the repository and matches no directory with Markdown files"),
        ("nots/*", "matches no directory with Markdown files"),
    ],
)
@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_a_scope_that_is_not_there_is_named(
    tmp_path: Path, capsys: Capture, command: tuple[str, ...], glob: str, why: str
) -> None:
    repo = make_shop(tmp_path)
    repo.write(".memci.yml", f"scopes: ['{glob}']\n")
    repo.commit()
    done = memci(capsys, repo.root, *command, *NOW)
    assert (done.code, done.err) == (Exit.DONE, f"memci: warning: .memci.yml: scopes: '{glob}' {why}\n")
    assert f".memci.yml: scopes: '{glob}' {why}" in list_notes(command, done)


@pytest.mark.parametrize("glob", ["notes", "/notes", "no*/", "**/notes", "!nots", "!../x"])
def test_a_glob_that_finds_a_scope_or_takes_one_out_is_left_alone(tmp_path: Path, capsys: Capture, glob: str) -> None:
    repo = make_shop(tmp_path)
    repo.write("notes/MEMORY.md", "# Notes\n")
    repo.write(".memci.yml", f"scopes: ['{glob}']\n")
    assert memci(capsys, repo.root, "check", *NOW).err == ""


def test_a_scope_that_is_named_and_does_not_exist_is_an_error(tmp_path: Path, capsys: Capture) -> None:
    repo = make_shop(tmp_path)
    assert memci(capsys, repo.root, "check", "notes").code == Exit.USAGE
    assert memci(capsys, repo.root, "check", "../notes").code == Exit.USAGE
