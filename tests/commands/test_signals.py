from pathlib import Path

import pytest

from memci.errors import Exit
from tests.commands.dreams import INDEX, SAID, TOPIC, make_shop, read_tree, write_session
from tests.commands.run import Done, memci
from tests.dream.scenes import make_key_id
from tests.repository import Repo

Capture = pytest.CaptureFixture[str]
TASK = "please rename the cart module and run the tests"


def signals(capsys: Capture, repo: Repo, *arguments: str) -> Done:
    return memci(capsys, repo.root, "signals", "--now", "2026-11-16", *arguments)


def test_without_sessions_and_logs_there_is_nothing(capsys: Capture, tmp_path: Path) -> None:
    done = signals(capsys, make_shop(tmp_path))
    assert done.code == Exit.DONE
    assert done.out == (
        "0 signals, 0 offered, 0 turned down; 0 files: 0 records by people, 0 others, 0 broken; "
        "name transcripts with --transcripts or in the settings\n"
    )


def test_a_task_is_no_signal(capsys: Capture, tmp_path: Path) -> None:
    path = write_session(tmp_path / "sessions", "s1", TASK)
    done = signals(capsys, make_shop(tmp_path / "shop"), "--transcripts", str(path), "--format", "json")
    assert (done.json["signals"], done.json["records"]["used"]) == ([], 1)


def test_every_signal_is_shown_with_its_words_and_why_it_was_taken(capsys: Capture, tmp_path: Path) -> None:
    path = write_session(tmp_path / "sessions", "s1", SAID, TASK)
    repo = make_shop(tmp_path / "shop")
    before = read_tree(repo.root)
    text = signals(capsys, repo, "--transcripts", str(path)).out
    assert "preference → feedback  2026-11-12  s1" in text
    assert f"“{SAID.removeprefix('no, ')}”" in text
    done = signals(capsys, repo, "--transcripts", str(path), "--format", "json")
    assert set(done.json) == {"schema", "signals", "offered", "turned_down", "records", "files"}
    (said,) = done.json["signals"]
    assert set(said) == {
        "id", "session", "uuid", "timestamp", "origin", "kind", "type", "strength", "text", "reason",
    }  # fmt: skip
    assert (said["text"], said["strength"], done.json["records"]["used"]) == (SAID.removeprefix("no, "), 1, 2)
    assert read_tree(repo.root) == before


def test_the_order_of_sessions_does_not_matter(capsys: Capture, tmp_path: Path) -> None:
    repo = make_shop(tmp_path / "shop")
    places = []
    for names in (("a", "b"), ("b", "a")):
        directory = tmp_path / "".join(names)
        for name, session in zip(names, ("s1", "s2"), strict=True):
            write_session(directory, session, SAID, day="2026-11-12").rename(directory / f"{name}.jsonl")
        places.append(signals(capsys, repo, "--transcripts", str(directory), "--format", "json").json["signals"])
    assert places[0] == places[1]
    assert places[0][0]["strength"] == 2


def test_daily_logs_are_read_without_being_asked(capsys: Capture, tmp_path: Path) -> None:
    log = "- 09:10 user: never mock the database in integration tests\n"
    repo = make_shop(tmp_path, {"MEMORY.md": INDEX, "warehouse.md": TOPIC, "logs/2026/11/2026-11-12.md": log})
    (said,) = signals(capsys, repo, "--format", "json").json["signals"]
    assert (said["origin"], said["uuid"]) == ("log", "L1")


@pytest.mark.parametrize("style", ["text", "json"])
def test_secrets_are_shown_nowhere(capsys: Capture, tmp_path: Path, style: str) -> None:
    key = make_key_id()
    said = f"always upload with {key} to the archive bucket"
    log = f"- 09:10 user: {said}\n- 09:11 user: can you upload with {key}?\n"
    repo = make_shop(tmp_path / "shop", {"MEMORY.md": "", "logs/2026/11/2026-11-12.md": log})
    path = write_session(tmp_path / "sessions", "s1", f"{said} every day")
    done = signals(capsys, repo, "--transcripts", str(path), "--format", style)
    assert done.code == Exit.DONE
    assert key not in done.out + done.err


@pytest.mark.parametrize(
    ("arguments", "message"), [(["--transcripts", "/no/such/place"], "/no/such/place"), (["--format", "xml"], "xml")]
)
def test_wrong_usage_is_named(capsys: Capture, tmp_path: Path, arguments: list[str], message: str) -> None:
    done = signals(capsys, make_shop(tmp_path), *arguments)
    assert (done.code, message in done.err, done.out) == (Exit.USAGE, True, "")


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_used(capsys: Capture, tmp_path: Path) -> None:
    write_session(tmp_path / "sessions", "s1", SAID)
    (tmp_path / "sessions" / "s2.jsonl").write_bytes(b"\x00\x01\x02 not json\n" * 20)
    done = signals(capsys, make_shop(tmp_path / "shop"), "--transcripts", str(tmp_path / "sessions"))
    assert (done.code, "s2.jsonl" in done.out, "1 signals" in done.out) == (Exit.DEGRADED, True, True)


def test_a_broken_line_is_named_and_fails_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = write_session(tmp_path / "sessions", "s1", "always use pnpm", "never use npm")
    first, second = session.read_text().splitlines()
    session.write_text(f"{first}\n{second[:80]}\n{second}\n")
    done = memci(capsys, tmp_path, "signals", "--transcripts", str(session))
    assert (done.code, "used  " in done.out) == (Exit.DONE, True)
    assert "s1.jsonl: broken records: 1, the first in line 2\n" in done.out


def test_settings_of_a_clone_name_no_sessions_outside_of_it(capsys: Capture, tmp_path: Path) -> None:
    write_session(tmp_path / "sessions", "s1", SAID)
    repo = make_shop(tmp_path / "shop")
    (repo.root / "linked").symlink_to(tmp_path / "sessions")
    for place in (str(tmp_path / "sessions"), "../sessions", "linked"):
        repo.write(".memci.yml", f"transcripts: [{place!r}]\n")
        done = signals(capsys, repo, "--format", "json")
        assert done.json["signals"] == []
        assert "outside of the repository" in done.err
    write_session(repo.root / "sessions", "s1", SAID)
    repo.write(".memci.yml", "transcripts: [sessions]\n")
    assert len(signals(capsys, repo, "--format", "json").json["signals"]) == 1
