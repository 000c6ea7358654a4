"""`memci digest` from end to end."""

import json
import random
from pathlib import Path

import pytest

from tests.commands.run import Done, memci
from tests.digest.tape import SESSION, Tape, make_shift


def sections(done: Done) -> dict[str, str]:
    parts = done.out.split("\n## ")[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def test_a_digest_has_ten_sections_with_what_belongs_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = memci(capsys, tmp_path, "digest", str(make_shift().write(tmp_path / "a.jsonl")))
    found = sections(done)
    assert (done.code, done.err, len(found)) == (0, "", 10)
    assert "`please make the cart round prices half up" in found["Session title"]
    assert "model: `Prices are rounded half up now.`" in found["Current state"]
    assert "`docs/rounding.md`" in found["Current state"]
    assert "person: `please make the cart" in found["Task specification"]
    assert "`src/cart.py` — edited, read, failed or refused" in found["Files and functions"]
    assert "`pytest -q tests/test_cart.py` — 2 times, 1 failed" in found["Workflow"]
    assert "`ls src`" in found["Workflow"]
    assert "person: `never use float for money, always Decimal`" in found["Errors and corrections"]
    assert "the same went through later" in found["Errors and corrections"]
    assert "AssertionError: 3 != 4" in found["Errors and corrections"]
    assert "`README.md` — read" in found["Codebase and system documentation"]
    assert "never use float for money" in found["Learnings"]
    assert "commit: `Round half up`" in found["Key results"]
    assert "`3 passed in 0.1s`" in found["Key results"]
    assert "changed: `src/cart.py`" in found["Worklog"]


def test_the_same_transcript_gives_the_same_digest(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = str(make_shift().write(tmp_path / "a.jsonl"))
    assert memci(capsys, tmp_path, "digest", place) == memci(capsys, tmp_path, "digest", place)


def test_the_json_says_how_long_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    done = memci(capsys, tmp_path, "digest", str(make_shift().write(tmp_path / "a.jsonl")), "--format", "json")
    (session,) = done.json["sessions"]
    assert session["session"] == SESSION
    assert 0 < session["tokens"] <= 12_000
    assert all(0 < section["tokens"] <= 2_000 for section in session["sections"])


def test_a_long_session_stays_within_its_limits_and_keeps_beginning_and_end(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tape = Tape()
    for at in range(150):
        tape.say(f"step {at}: please look at the module number {at} and explain what it does in detail " * 3)
        tape.call("Read", "x" * 20_000, file_path=f"/home/ines/shop/src/module_{at}.py")
        tape.run(f"tool{at} --check", f"Exit code 1\nerror: problem {at}" + "y" * 5_000, error=True)
        tape.call("Edit", file_path=f"/home/ines/shop/src/module_{at}.py", new_string=f"def function_{at}(): pass")
    done = memci(capsys, tmp_path, "digest", str(tape.write(tmp_path / "a.jsonl")), "--format", "json")
    (session,) = done.json["sessions"]
    assert session["tokens"] <= 12_000
    assert all(section["tokens"] <= 2_000 for section in session["sections"])
    worklog = json.dumps(session["sections"][9])
    assert "step 0:" in worklog
    assert "step 149:" in worklog
    assert "xxxxxxxxxxxxxxxxxxxx" not in done.out


def test_no_secret_is_shown_wherever_it_stands(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    chance = random.Random(7)
    canary = "ghp_" + "".join(chance.choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNP23456789", k=36))
    tape = Tape()
    tape.say(f"the token is {canary}, please remember to never print it in the logs")
    tape.run(f"curl -H 'Authorization: token {canary}' https://forge.example", f"error: {canary} denied", error=True)
    tape.call("Write", file_path=f"/home/ines/shop/{canary}.py", content=canary)
    # Where the preview ends in the middle of it.
    for size in range(1_470, 1_510, 3):
        tape.say(f"case {size}: " + "a " * (size // 2) + canary)
    tape.reply(f"Done, {canary} is set.")
    for style in ("markdown", "json"):
        done = memci(capsys, tmp_path, "digest", str(tape.write(tmp_path / "a.jsonl")), "--format", style)
        assert canary[:16] not in done.out + done.err
        assert "REDACTED" in done.out


def test_what_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = make_shift().write(tmp_path / "a.jsonl")
    target.write_text(target.read_text() + '{"type": "user", "mess\n')
    done = memci(capsys, tmp_path, "digest", str(target))
    assert done.code == 3
    assert "1 lines are broken" in done.err
    (tmp_path / "other.jsonl").write_text('{"hello": 1}\n')
    assert memci(capsys, tmp_path, "digest", str(tmp_path / "other.jsonl")).code == 3
    assert memci(capsys, tmp_path, "digest", str(tmp_path / "missing.jsonl")).code == 2
    assert memci(capsys, tmp_path, "digest").code == 2
