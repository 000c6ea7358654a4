"""The plugin for Claude Code: its manifests, and its hook commands run as the client runs them."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from memci import HOMEPAGE, __version__
from tests.build import topic_text
from tests.repository import Repo, make_repository

ROOT = Path(__file__).parents[1]
PLUGIN = ROOT / "plugin"
MEMORY = ".claude/memory"
SECRET = "ghp_" + "a8Xk2Lm9Qw4Er7Ty1Ui6Op3As5Df0Gh2Jk4L"
GOOD = topic_text("\nReleases go out on Thursday.", name="release-day", description="when releases go out")


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def run(event: str, root: Path, told: dict[str, Any] | str, *, path: str | None = None) -> str:
    """Run the hooks of an event with this input; none of them may fail."""
    (entry,) = read(PLUGIN / "hooks/hooks.json")["hooks"][event]
    (hook,) = entry["hooks"]
    environment = os.environ | {"PATH": path or f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    stdin = told if isinstance(told, str) else json.dumps(told)
    command = ["/bin/sh", "-c", hook["command"]]
    done = subprocess.run(command, cwd=root, env=environment, input=stdin.encode(), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def write(repo: Repo, target: Path, text: str) -> str:
    """Write a file as the agent's tool does, and return what the hook tells the agent."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text)
    told = {"hook_event_name": "PostToolUse", "tool_name": "Write", "session_id": "x", "cwd": str(repo.root)}
    out = run("PostToolUse", repo.root, told | {"tool_input": {"file_path": str(target), "content": text}})
    if not out:
        return ""
    answer = json.loads(out)["hookSpecificOutput"]
    assert answer["hookEventName"] == "PostToolUse"
    return str(answer["additionalContext"])


def wait_for_session(home: Path) -> Path:
    """Wait for a session in the spool; a background process puts it there."""
    for _ in range(600):
        if found := list((home / ".local/state/memci/spool").glob("*/sessions/*/*.jsonl")):
            return found[0]
        time.sleep(0.1)
    raise AssertionError("no session was collected")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = make_repository(tmp_path)
    repo.write(f"{MEMORY}/MEMORY.md", "# Memory\n")
    repo.commit()
    return repo


def test_the_manifests_are_those_of_this_version() -> None:
    plugin, market = read(PLUGIN / ".claude-plugin/plugin.json"), read(ROOT / ".claude-plugin/marketplace.json")
    assert (plugin["name"], plugin["version"], plugin["homepage"]) == ("memci", __version__, HOMEPAGE)
    (listed,) = market["plugins"]
    assert (listed["name"], (ROOT / listed["source"]).resolve()) == (plugin["name"], PLUGIN)
    matchers = [entry["matcher"] for entry in read(PLUGIN / "hooks/hooks.json")["hooks"]["PostToolUse"]]
    assert matchers == ["Write|Edit|MultiEdit"]
    files = [*(PLUGIN / "commands").glob("*.md"), PLUGIN / "skills/memory/SKILL.md"]
    assert sorted(file.stem for file in files) == ["SKILL", "check", "dream"]
    for file in files:
        _, head, body = file.read_text("utf-8").split("---\n", 2)
        assert yaml.safe_load(head)["description"]
        assert "memci" in body


def test_what_is_good_or_no_memory_is_not_mentioned(repo: Repo, home: Path) -> None:
    # The pointer to a new topic is written after it.
    assert write(repo, repo.root / MEMORY / "project_release.md", GOOD) == ""
    bad = topic_text("Done yesterday.", kind="nonsense")
    for name in ("docs/notes.md", "notes.txt", "src/memory.py"):
        assert write(repo, repo.root / name, bad) == ""
    assert write(repo, home / "elsewhere.md", bad) == ""


@pytest.mark.parametrize("told", ["", "not JSON", '["a.md"]', '{"tool_input": {"file_path": "gone.md"}}'])
def test_a_strange_input_disturbs_nobody(repo: Repo, told: str) -> None:
    assert run("PostToolUse", repo.root, told) == ""


def test_without_the_program_nothing_happens(repo: Repo) -> None:
    told = {"cwd": str(repo.root), "tool_input": {"file_path": str(repo.root / MEMORY / "MEMORY.md")}}
    for event in ("PostToolUse", "SessionEnd"):
        assert run(event, repo.root, told, path="/usr/bin:/bin") == ""


def test_a_bad_topic_is_answered_without_its_secret(repo: Repo) -> None:
    text = topic_text(f"Released yesterday with {SECRET}.", kind="nonsense")
    answer = write(repo, repo.root / MEMORY / "project_bad.md", text)
    lines = answer.split("\n")
    assert lines[0] == f"memci checked the memory that was just written to {MEMORY}/project_bad.md; correct this:"
    assert [line.partition("[")[2].partition("]")[0] for line in lines[1:]] == [
        "topic-bad-type",
        "secret",
        "date-relative",
    ]
    assert SECRET not in answer


def test_an_exception_for_a_rule_about_several_files_is_not_called_unused(repo: Repo) -> None:
    for rule, expected in (("duplicate-topic", False), ("date-relative", True)):
        body = f"<!-- memci: ignore {rule} -- wanted -->\nThe release is on Thursday."
        answer = write(repo, repo.root / MEMORY / "project_release.md", topic_text(body, description="on the release"))
        assert ("ignore-unused" in answer) is expected, answer


def test_options_from_the_environment_count(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.write("quiet.yml", "ignore:\n  - rule: date-relative\n    reason: wanted\n")
    target = repo.root / MEMORY / "project_release.md"
    assert "date-relative" in write(repo, target, topic_text("Done yesterday.", description="on the release"))
    monkeypatch.setenv("MEMCI_CONFIG", str(repo.root / "quiet.yml"))
    assert write(repo, target, topic_text("Done yesterday.", description="on the release")) == ""


def test_a_bad_pointer_and_a_stale_citation_are_answered(repo: Repo) -> None:
    assert "no-such-topic.md" in write(repo, repo.root / MEMORY / "MEMORY.md", "- [X](no-such-topic.md) — gone\n")
    repo.write("src/app.py", "x = 1\n")
    text = GOOD.replace("Thursday.", "Thursday, see `src/app.py`.")
    repo.write(f"{MEMORY}/project_release.md", text)
    repo.commit()
    repo.rename("src/app.py", "src/main.py")
    repo.commit()
    assert "src/app.py is now src/main.py" in write(repo, repo.root / MEMORY / "project_release.md", text)


def test_the_persons_own_memory_is_checked_too(repo: Repo, home: Path) -> None:
    slug = "".join(sign if sign.isalnum() else "-" for sign in str(repo.root))
    target = home / ".claude/projects" / slug / "memory/project_bad.md"
    assert "date-relative" in write(repo, target, topic_text("Done yesterday."))


def test_the_end_of_a_session_fills_the_spool(repo: Repo, home: Path) -> None:
    record: dict[str, Any] = {"type": "user", "uuid": "u1", "sessionId": "s1", "timestamp": "2026-11-16T03:00:00Z"}
    record |= {"cwd": str(repo.root), "userType": "external"}
    record["message"] = {"role": "user", "content": "Remember to use tabs."}
    transcript = home / "s1.jsonl"
    transcript.write_text(json.dumps(record) + "\n")
    told = {"session_id": "s1", "transcript_path": str(transcript), "cwd": str(repo.root), "reason": "exit"}
    assert run("SessionEnd", repo.root, told) == ""
    assert "use tabs" in wait_for_session(home).read_text()
