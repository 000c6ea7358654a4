"""What look-ups never show: memory, transcripts and files that may hold secrets."""

from pathlib import Path, PurePosixPath

import pytest

from memci.citations.answers.asked_commit import is_hidden, list_hidden
from memci.config import Config
from memci.model.memory import Scope, Trust


def scope(path: str) -> Scope:
    return Scope(path, PurePosixPath(path), Trust.COMMITTED, Path("/repo") / path)


@pytest.mark.parametrize(
    "path",
    [
        "src/app.py",
        ".env.example",
        "app/.env.sample",
        "docs/memory.md",
        "notes-old/a.md",
        "src/environment.ts",
        "src/keys.py",
        ".claude/settings.json",
        ".github/CODEOWNERS",
        "package.json",
        "sessions.py",
    ],
)
def test_what_may_be_shown(path: str) -> None:
    assert not is_hidden(path, ("notes", "sessions"))


@pytest.mark.parametrize(
    "path",
    [
        "notes",
        "notes/a.md",
        "notes/deep/a.txt",
        "sessions/x.json",
        ".claude/memory/a.md",
        "packages/web/.claude/agent-memory/bot/MEMORY.md",
        ".git/config",
        "sub/.git/config",
        ".env",
        "app/.env.production",
        "deploy/prod.env",
        ".npmrc",
        "keys/id_rsa",
        "keys/server.PEM",
        "infra/prod.tfvars",
        "data/session.jsonl",
        "data/session.jsonl.gz",
    ],
)
def test_what_is_hidden(path: str) -> None:
    assert is_hidden(path, ("notes", "sessions"))


def test_memory_in_the_root_is_hidden_and_code_is_not() -> None:
    assert is_hidden("a.md", ["."])
    assert not is_hidden("src/app.py", ["."])


def test_scopes_and_transcripts_of_the_repository_are_listed() -> None:
    config = Config(transcripts=("./sessions/", "git:refs/memci", "artifact:sessions", "~/x", "/var/y", "sessions"))

    assert list_hidden([scope(".claude/memory"), scope("notes"), scope("~/own")], config) == (
        ".claude/memory",
        "notes",
        "sessions",
    )
