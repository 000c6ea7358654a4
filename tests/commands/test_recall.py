import io
import os
import string
import sys
from pathlib import Path
from random import Random

import pytest

from tests.build import topic_text
from tests.commands.run import Done, memci
from tests.repository import Repo, make_repository

NOW = ("--now", "2026-11-16")
REFUNDS = ".claude/memory/refunds.md"
# Made here, because no file of this project may hold one.
KEY = "ghp_" + "".join(Random(3).choices(string.ascii_letters + string.digits, k=36))


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = make_repository(tmp_path)
    made.write(REFUNDS, topic_text("Ask Anna.", name="refunds", description="Refunds need approval", kind="feedback"))
    made.write(
        ".claude/memory/docker-usage.md",
        topic_text("`docker compose up`", name="docker-usage", description="Docker commands", kind="reference"),
    )
    made.write(".claude/agent-memory/reviewer/locks.md", topic_text("Short.", name="locks", description="Table locks"))
    made.write(".claude/memory/MEMORY.md", "- [Refunds](refunds.md) — approval by finance\n")
    made.commit(date="2026-10-01T12:00:00Z")
    return made


def recall(capsys: pytest.CaptureFixture[str], root: Path, *arguments: str) -> Done:
    return memci(capsys, root, "recall", "--format", "json", *NOW, *arguments)


def files(done: Done) -> list[str]:
    return [topic["file"] for topic in done.json["topics"]]


def test_no_memory_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = memci(capsys, tmp_path, "recall", "refund")
    assert (done.code, done.out) == (0, "nothing to recall: no memory was found\n")
    assert files(recall(capsys, tmp_path, "refund")) == []


def test_nothing_relevant_is_said(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    done = memci(capsys, repo.root, "recall", "write", "a", "quicksort")
    assert (done.code, done.out) == (0, "nothing relevant among 3 topics, local engine\n")
    assert memci(capsys, repo.root, "-q", "recall", "quicksort").out == ""


@pytest.mark.parametrize("query", [[], [""], [" \n\t"]])
def test_an_empty_query_is_wrong_usage(repo: Repo, capsys: pytest.CaptureFixture[str], query: list[str]) -> None:
    done = memci(capsys, repo.root, "recall", *query)
    assert done.code == 2
    assert "the query is empty" in done.err


def test_shows_the_topic_its_age_and_why(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    done = memci(capsys, repo.root, "recall", *NOW, "add a refund button")
    assert done.code == 0
    score = recall(capsys, repo.root, "add a refund button").json["topics"][0]["score"]
    assert done.out == (
        f".claude/memory/refunds.md  feedback  {score:.2f}\n"
        "  Refunds need approval\n"
        "  matches refund\n"
        "  written 45 days ago, verify before relying on it\n"
        "  | ---\n"
        "  | name: refunds\n"
        "  | description: Refunds need approval\n"
        "  | metadata:\n"
        "  |   type: feedback\n"
        "  | ---\n"
        "  | Ask Anna.\n"
        "\n"
        "1 of 3 topics, local engine\n"
    )


def test_json_holds_the_same_and_nothing_else_is_printed(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    done = recall(capsys, repo.root, "add a refund button")
    assert done.err == ""
    (topic,) = done.json["topics"]
    assert topic.pop("text").endswith("---\nAsk Anna.")
    assert 0 < topic.pop("score") < 1
    assert topic == {
        "file": REFUNDS,
        "scope": "project",
        "type": "feedback",
        "name": "refunds",
        "description": "Refunds need approval",
        "why": ["refund"],
        "written": "2026-10-01T12:00:00+00:00",
        "notes": ["written 45 days ago, verify before relying on it"],
    }
    rest = {key: value for key, value in done.json.items() if key != "topics"}
    assert rest == {
        "schema": "memci/recall/1",
        "now": "2026-11-16T00:00:00+00:00",
        "query": "add a refund button",
        "engine": "local",
        "set_aside": [],
        "skipped": [],
        "scopes": 2,
        "scanned": 3,
        "beyond": 0,
    }


def test_a_topic_that_is_not_committed_has_no_age(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(".claude/memory/vat.md", topic_text(name="vat", description="Rates of VAT"))
    (topic,) = recall(capsys, repo.root, "vat of portugal").json["topics"]
    assert (topic["written"], topic["notes"]) == (None, [])


def test_the_query_can_come_from_standard_input(
    repo: Repo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a refund \xff please")))
    done = recall(capsys, repo.root, "-")
    assert done.json["query"] == "a refund \ufffd please"
    assert files(done) == [REFUNDS]


@pytest.mark.parametrize("name", ["agent:reviewer", ".claude/agent-memory/reviewer", ".claude/agent-memory/reviewer/"])
def test_only_the_named_scopes_are_looked_at(repo: Repo, capsys: pytest.CaptureFixture[str], name: str) -> None:
    done = recall(capsys, repo.root, "--scope", name, "refund while the table locks")
    assert files(done) == [".claude/agent-memory/reviewer/locks.md"]
    assert done.json["scanned"] == 1
    both = recall(capsys, repo.root, "--scope", name, "--scope", "project", "refund while the table locks")
    assert sorted(files(both)) == [".claude/agent-memory/reviewer/locks.md", REFUNDS]


def test_an_unknown_scope_is_wrong_usage(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    done = memci(capsys, repo.root, "recall", "--scope", "agent:nobody", "refund")
    assert done.code == 2
    assert "there is no scope 'agent:nobody'" in done.err
    assert "scopes found: agent:reviewer, project" in done.err


def test_what_was_shown_before_is_left_out(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    for named in (REFUNDS, f"./{REFUNDS}", str(repo.root / REFUNDS)):
        done = recall(capsys, repo.root, "--already", named, "refund")
        assert files(done) == []
        assert done.json["set_aside"] == [{"file": REFUNDS, "reason": "already shown"}]
    below = memci(capsys, repo.root / ".claude", "recall", "--already", "memory/refunds.md", "refund")
    assert "set aside  .claude/memory/refunds.md: already shown\n" in below.out
    done = memci(capsys, repo.root, "recall", "--already", "nothing.md", "refund")
    assert done.code == 2
    assert "nothing.md is no topic of these scopes" in done.err


def test_a_session_is_not_shown_more_than_it_may(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    long = [f".claude/memory/long{number:02}.md" for number in range(15)]
    for path in long:
        repo.write(path, topic_text(("word " * 20 + "\n") * 100, name="long"))
    already = [part for path in long for part in ("--already", path)]
    done = recall(capsys, repo.root, *already, "refund")
    assert files(done) == []
    assert {"file": REFUNDS, "reason": "the session has been shown enough"} in done.json["set_aside"]


def test_the_manual_of_a_tool_in_use_is_left_out(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert files(recall(capsys, repo.root, "start docker")) == [".claude/memory/docker-usage.md"]
    done = recall(capsys, repo.root, "start docker", "--recent-tool", "Read", "--recent-tool", "Bash(docker ps)")
    assert files(done) == []
    assert done.json["set_aside"][0]["reason"] == "only says how to use a tool that is in use"


def test_own_memory_is_dated_by_the_disk(repo: Repo, capsys: pytest.CaptureFixture[str], home: Path) -> None:
    own = home / ".claude/agent-memory/me/vat.md"
    own.parent.mkdir(parents=True)
    own.write_text(topic_text(name="vat", description="Rates of VAT"))
    os.utime(own, (1_790_000_000, 1_790_000_000))
    assert files(recall(capsys, repo.root, "vat of portugal")) == []
    (topic,) = recall(capsys, repo.root, "--user", "vat of portugal").json["topics"]
    assert topic["file"] == "~/.claude/agent-memory/me/vat.md"
    assert topic["written"].startswith("2026-09-21")
    for named in (topic["file"], str(own)):
        assert files(recall(capsys, repo.root, "--user", "--already", named, "vat of portugal")) == []


def test_secrets_are_printed_nowhere(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write(REFUNDS, topic_text(f"The token is {KEY}.", name="refunds", description=f"Refunds with {KEY}"))
    for style in ("text", "json"):
        done = memci(capsys, repo.root, "recall", "--format", style, f"refund with token={KEY}")
        assert done.code == 0
        assert "[REDACTED:" in done.out
        assert KEY not in done.out + done.err


def test_a_secret_at_the_cut_is_not_shown_by_halves(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    body = "x" * 3_980 + f"\ntoken: {KEY} "
    repo.write(REFUNDS, topic_text(body, name="refunds", description="Refunds need approval"))
    assert KEY[:12] not in memci(capsys, repo.root, "recall", "refund").out
    assert KEY[:12] not in recall(capsys, repo.root, "w " * 4_085 + KEY).out


def test_hostile_text_is_escaped_and_stays_behind_its_bar(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    body = "\x1b[2Jnice\r\n1 of 3 topics, local engine\n\u202egnp\u200b.exe\ttab"
    repo.write(REFUNDS, topic_text(body, name="refunds", description="Refunds \x07 need approval"))
    out = memci(capsys, repo.root, "recall", "refund\x1b[31m").out
    assert all(character not in out for character in "\x1b\x07\r\u202e\u200b")
    assert "  | \\x1b[2Jnice\\r\n  | 1 of 3 topics, local engine\n  | \\u202egnp\\u200b.exe\ttab\n" in out


@pytest.mark.parametrize(
    "query",
    ["refund " * 20_000, "\ud800 refund", "refund\x00", "(((", "Ω" * 30_000, "退款需要审批吗", "возврат", "-refund"],
)
def test_any_query_is_answered(repo: Repo, capsys: pytest.CaptureFixture[str], query: str) -> None:
    done = recall(capsys, repo.root, "--", query)
    assert done.code == 0
    assert len(done.json["query"]) <= 8_192


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_shown(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    repo.write(".claude/memory/broken.md", b"\xff\xfe\x00refund")
    done = recall(capsys, repo.root, "refund")
    assert done.code == 3
    assert files(done) == [REFUNDS]
    assert [item["file"] for item in done.json["skipped"]] == [".claude/memory/broken.md"]


def test_what_no_longer_holds_is_said(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.write("shop/refunds.py", "def refund():\n    return 1\n")
    repo.write(REFUNDS, topic_text("See `shop/refunds.py`.", name="refunds", description="Refunds need approval"))
    repo.commit()
    assert recall(capsys, repo.root, "refund").json["topics"][0]["notes"][1:] == []
    repo.rename("shop/refunds.py", "shop/returns.py")
    repo.commit()
    (note,) = recall(capsys, repo.root, "refund").json["topics"][0]["notes"][1:]
    assert note.startswith("line 7: ")
    assert note.endswith("(path-moved)")


def test_the_same_question_has_the_same_answer(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert recall(capsys, repo.root, "refund docker locks").out == recall(capsys, repo.root, "refund docker locks").out
