import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.build import topic_text
from tests.commands.run import memci
from tests.gate import in_gate
from tests.repository import make_repository

NOW = ("--now", "2026-11-16")


def test_no_memory_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = memci(capsys, tmp_path, "status")
    assert done.code == 0
    assert done.out.startswith("no memory found")


def test_shows_figures_of_every_scope_from_the_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_repository(tmp_path)
    repo.write(".claude/memory/a.md", topic_text("Alpha.", name="a", kind="feedback"))
    repo.write(".claude/memory/2026-11-01.md", "- noted")
    repo.commit(date="2026-10-01T12:00:00Z")
    repo.write(".claude/memory/b.md", topic_text("Beta.", name="b"))
    repo.write(".claude/memory/MEMORY.md", "- [A](a.md) — x\n- [B](b.md) — y\n- [Gone](gone.md)\n")
    repo.commit(date="2026-11-12T12:00:00Z")
    repo.write(".claude/memory/c.md", "no head")
    done = memci(capsys, tmp_path, "status", *NOW)
    assert done.code == 0
    assert done.out == (
        "project  .claude/memory  committed\n"
        "  topics    3: 1 feedback, 1 project, 1 without a type; 1 daily log\n"
        "  index     [....................] 3 of 200 lines, 50 of 25,000 characters, 3 pointers\n"
        "  age       last change 2026-11-12 (4 days ago), oldest topic 2026-10-01 (46 days ago), 1 file not committed\n"
        "  dream     never yet; due\n"
        "  problems  1 error, 2 warnings: index-dangling, index-orphan, topic-no-frontmatter\n"
        "\n"
        "1 scope, 3 topics, 1 error; run memci check\n"
    )


def test_outside_of_git_nothing_is_committed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / ".claude/memory/a.md"
    target.parent.mkdir(parents=True)
    target.write_text(topic_text("Alpha.", name="a"))
    assert memci(capsys, tmp_path, "status", *NOW).out.startswith("project  .claude/memory  local\n")


def test_says_what_the_client_would_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_repository(tmp_path)
    for number in range(205):
        repo.write(f".claude/memory/t{number:03}.md", topic_text(f"Fact {number}.", name=f"t{number}"))
    repo.write(".claude/memory/MEMORY.md", "".join(f"- [T](t{number:03}.md) — x\n" for number in range(205)))
    done = memci(capsys, tmp_path, "status", *NOW)
    assert "[####################] 205 of 200 lines" in done.out
    assert "cut       the client does not load line 201 and below: t200.md, t201.md, t202.md and 2 more\n" in done.out


def test_json_holds_the_same_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repo = make_repository(tmp_path)
    repo.write(".claude/agent-memory/x/a.md", topic_text("Alpha."))
    (scope,) = memci(capsys, tmp_path, "status", "--format", "json", *NOW).json["scopes"]
    assert scope == {
        "id": "agent:x",
        "path": ".claude/agent-memory/x",
        "trust": "committed",
        "topics": 1,
        "types": {"project": 1},
        "logs": 0,
        "index": None,
        "cut": None,
        "newest": None,
        "oldest": None,
        "uncommitted": 1,
        "dream": {"last": None, "due": True, "reason": "", "locked": False},
        "claims": {"verified": 0, "moved": 0, "missing": 0, "unverifiable": 0},
        "problems": {"warning": 1},
        "rules": {"index-orphan": 1},
        "use": {"topics": {}, "repeated": {}, "never_opened": [], "months": {}},
    }


def make_claims(root: Path) -> None:
    repo = make_repository(root)
    repo.write("README.md", "# Shop\n")
    repo.write(".claude/memory/a.md", topic_text("See `README.md` and [[nowhere]].", name="a"))
    repo.write(".claude/memory/MEMORY.md", "- [A](a.md) — x\n- [Gone](gone.md) — y\n")
    repo.commit()


def test_counts_claims_by_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_claims(tmp_path)
    assert "  claims    1: 1 verified\n" in memci(capsys, tmp_path, "status", *NOW).out


@pytest.mark.parametrize("command", ["status", "dream"])
def test_a_narrow_terminal_gets_short_lines_and_every_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    make_claims(tmp_path)
    # Without -v a dream takes one line for each change, and cuts it.
    words = (command, *NOW, *(("--dry-run", "-v") if command == "dream" else ()))
    wide = memci(capsys, tmp_path, *words).out
    monkeypatch.setenv("COLUMNS", "40")
    narrow = memci(capsys, tmp_path, *words).out
    assert narrow.split() == wide.split()
    assert narrow != wide
    # A word that is longer than the terminal stays whole.
    for line in narrow.split("\n"):
        assert len(line) <= 40 or " " not in line.strip() or line.startswith(("project  ", "1 scope", "diff  "))


@pytest.mark.parametrize("columns", ["0", "", "wide", "-5", "١٢", "9" * 5_000])
def test_columns_that_are_no_number_do_not_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    make_claims(tmp_path)
    usual = memci(capsys, tmp_path, "status", *NOW).out
    monkeypatch.setenv("COLUMNS", columns)
    assert memci(capsys, tmp_path, "status", *NOW).out == usual


@pytest.mark.parametrize(
    ("environment", "coloured"),
    in_gate(
        [
            ({"TERM": "xterm"}, True),
            ({"TERM": "xterm", "NO_COLOR": "1"}, False),
            ({"TERM": "xterm", "NO_COLOR": ""}, True),
            ({"TERM": "dumb"}, False),
        ],
        2,
    ),
)
@pytest.mark.parametrize("command", in_gate(["status", "dream"]))
def test_colour_is_for_terminals_that_want_it(
    tmp_path: Path, command: str, environment: dict[str, str], *, coloured: bool
) -> None:
    make_claims(tmp_path)
    out = run_on_terminal(tmp_path, [command, *NOW, *(["--dry-run"] if command == "dream" else [])], environment)
    assert ("\x1b[" in out) == coloured
    assert "pointer" in out


def run_on_terminal(root: Path, arguments: list[str], environment: dict[str, str]) -> str:
    """Run memci on a terminal of 50 columns and return what it shows."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 50, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "NO_COLOR", "TERM"}}
    command = [sys.executable, "-m", "memci", "-C", str(root), *arguments]
    process = subprocess.Popen(command, stdout=other, stderr=subprocess.DEVNULL, env=kept | environment)
    os.close(other)
    shown = b""
    # A terminal that nobody writes to any more is an error on Linux.
    with contextlib.suppress(OSError):
        while chunk := os.read(main, 4_096):
            shown += chunk
    os.close(main)
    assert process.wait() == 0
    return shown.decode()
