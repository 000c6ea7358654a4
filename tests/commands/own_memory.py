"""A made-up home with memory of three checkouts of one repository, and of another project."""

import json
from pathlib import Path

from tests.build import topic_text
from tests.repository import make_repository

MEMORY = ".claude/memory"
RELEASE = "Releases go out on Thursday, never on Friday."
SECRET = "ghp_" + "a8Xk2Lm9Qw4Er7Ty1Ui6Op3As5Df0Gh2Jk4L"
SESSION = "4c1f7a52-1111-4222-8333-944445555666"
TESTS = f"""---
name: run-tests-first
description: Run the unit tests before every commit
metadata:
  node_type: memory
  type: feedback
  originSessionId: {SESSION}
  modified: 2026-11-01T10:00:00.000Z
---

Run `make unit` before every commit.

**Why:** CI takes twenty minutes, and a red build blocks everybody.
"""


class Person:
    """A home directory with memory by the directory that it is about."""

    def __init__(self, home: Path) -> None:
        self.projects = home / ".claude/projects"

    def remember(self, place: Path, name: str, text: str) -> Path:
        """Write a file into the memory of a directory, as the client names it."""
        slug = "".join(sign if sign.isalnum() else "-" for sign in str(place))
        target = self.projects / slug / "memory" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        return target

    def work_in(self, place: Path) -> None:
        """Leave a session behind that ran in a directory."""
        slug = "".join(sign if sign.isalnum() else "-" for sign in str(place))
        (self.projects / slug / "a.jsonl").write_text(json.dumps({"type": "user", "cwd": str(place)}) + "\n")

    def files(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.projects.rglob("*") if path.is_file()}


def make_person(home: Path, root: Path, tmp_path: Path) -> Person:
    """Return a person with memory of a repository, of its worktree and of a clone."""
    person = Person(home)
    person.remember(root, "feedback_tests.md", TESTS)
    person.remember(root, "user_role.md", topic_text("Has written Go for ten years.", name="role", kind="user"))
    person.remember(root, "staging.md", topic_text(f"Connect with the token {SECRET}.", name="staging"))
    person.remember(root, "MEMORY.md", "- [Tests](feedback_tests.md) — first\n\nAlways answer in German.\n")
    more = f"{RELEASE}\n\nThe release notes are written on Wednesday."
    person.remember(tmp_path / "wt", "release_day.md", topic_text(more, name="release-day", description="release"))
    person.remember(tmp_path / "wt", "tests.md", TESTS)
    clone = make_repository(tmp_path / "clone")
    clone.run("remote", "add", "upstream", "https://github.com/Acme/shop")
    latency = "The latency of the checkout is at https://grafana.example.org/d/checkout."
    text = topic_text(latency, name="latency", description="where the latency of the checkout is", kind="reference")
    person.remember(clone.root, "Latency.md", text)
    person.work_in(clone.root)
    other = make_repository(tmp_path / "other")
    person.remember(other.root, "foreign.md", topic_text("This is about another project.", name="foreign"))
    person.work_in(other.root)
    return person
