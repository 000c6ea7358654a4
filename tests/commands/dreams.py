"""Repositories with memory, and sessions in which people say things, for tests of whole commands."""

import json
import uuid
from collections.abc import Mapping
from pathlib import Path

from tests.build import topic_text
from tests.repository import Repo, make_repository

SCOPE = ".claude/memory"
NOW = ("--now", "2026-11-16T03:00:00Z")
RULE = "Never mock the database in integration tests."
SAID = "never mock the database in integration tests, because mocks hid a broken migration"
TOPIC = topic_text("The shop has one warehouse, in Lyon.", name="warehouse", description="where the warehouse is")
INDEX = "# Memory\n\n- [Warehouse](warehouse.md) — where the warehouse is\n"
CREATED = "feedback_never_mock_database.md"


def make_shop(root: Path, files: Mapping[str, str] | None = None) -> Repo:
    """Make a repository with one scope; `files` are texts inside the scope."""
    repo = make_repository(root)
    for name, text in ({"MEMORY.md": INDEX, "warehouse.md": TOPIC} if files is None else files).items():
        repo.write(f"{SCOPE}/{name}", text)
    repo.write("README.md", "# Shop\n")
    repo.commit()
    return repo


def make_record(session: str, number: int, text: str, day: str) -> dict[str, object]:
    """Return one thing that a person typed, as the client records it."""
    return {
        "type": "user",
        "message": {"role": "user", "content": text},
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{session}/{number}")),
        "parentUuid": None,
        "timestamp": f"{day}T09:{number:02}:00.000Z",
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/mara/shop",
        "sessionId": session,
        "version": "2.1.197",
    }


def write_session(directory: Path, session: str, *texts: str, day: str = "2026-11-12", agent: str = "") -> Path:
    """Write a transcript with what a person typed, perhaps to a certain agent."""
    directory.mkdir(parents=True, exist_ok=True)
    records = [make_record(session, number, text, day) for number, text in enumerate(texts, 1)]
    if agent:
        records.insert(0, {"type": "agent-setting", "agentSetting": agent, "sessionId": session})
    path = directory / f"{session}.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def read_tree(root: Path) -> dict[str, tuple[bytes, int]]:
    """Return bytes and mode of every file of the memory."""
    base = root / ".claude"
    return {
        str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mode)
        for path in sorted(base.rglob("*"))
        if path.is_file() and path.name != ".consolidate-lock"
    }
