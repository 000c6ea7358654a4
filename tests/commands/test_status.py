from pathlib import Path

import pytest

from tests.build import topic_text
from tests.commands.run import memci
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
        "  index     [....................] 3 of 200 lines, 54 of 25,000 bytes, 3 pointers\n"
        "  age       last change 2026-11-12 (4 days ago), oldest topic 2026-10-01 (46 days ago), 1 file not committed\n"
        "  dream     never yet; due\n"
        "  problems  1 error, 2 warnings: index-dangling, index-orphan, topic-no-frontmatter\n"
        "\n"
        "1 scope, 3 topics, 1 error; run memci check\n"
    )


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
        "problems": {"warning": 1},
        "rules": {"index-orphan": 1},
    }
