"""A year of a made-up project: its memory, its history, and 52 sessions whose use of memory is known."""

import datetime as dt
from collections.abc import Iterable
from pathlib import Path

from tests.build import topic_text
from tests.repository import Repo, make_repository
from tests.sessions.build import Json, write

MEMORY = ".claude/memory"
_RULES = {
    "package-manager.md": "Use pnpm in every package, never npm.\n\n**Why:** two lock files went apart.",
    "real-database.md": "Never mock the database in integration tests.",
    "commit-size.md": "Never put two features into one commit.",
}
_FACTS = {
    "release-day.md": "The release branch is cut on Thursday.",
    "checkout-tests.md": "The checkout tests need the payment stub.",
    "stock-import.md": "The supplier sends its stock list at six.",
}
GUIDE = "# Shop\n\n- Never run `git push --force` on a shared branch.\n- Keep functions short.\n"
# What the agent wrote, with the session (week) that did it.
_WRITTEN = {
    20: ("emoji.md", "The user wants an emoji in front of every commit subject."),
    22: ("changelog.md", "Add a line to the changelog for every change of the API."),
    24: ("ports.md", "Local services listen on ports above 9000."),
    26: ("answers.md", "Answer in short sentences without lists."),
}
_ASKED = {
    22: "please always add a changelog line when you change the api",
    26: "antworte mir bitte kurz und ohne Aufzählungen, ich lese das auf dem Handy",
}
# Corrections and remarks, by week.
_SAID = {
    # Before the rule was written: this is where it comes from.
    4: "never mock the database in the integration tests",
    9: "No, use pnpm in every package, never npm.",
    12: "no: never run git push --force on a shared branch",
    15: "is it still true that we use pnpm in every package, never npm?",
    28: "no, pnpm in every package, never npm!",
    30: "never mock the database in integration tests",
    33: "never run `git push --force` on a shared branch!",
    35: "the ticket says:\n> Never put two features into one commit.\n> Never put two features into one commit.",
}
# The first message of a session asks for something; nothing was done wrong yet.
_FIRST = dict.fromkeys((37, 38, 39), "Never put two features into one commit. Add the gift card field")
_OPENED = {
    5: "release-day.md",
    11: "release-day.md",
    29: "release-day.md",
    40: "release-day.md",
    41: "real-database.md",
}
_RECALLED = {7: "checkout-tests.md", 8: "checkout-tests.md", 42: "checkout-tests.md"}
_FAILED = {43: "stock-import.md"}
_EDITED = {40: "release-day.md"}
# The person chose an answer that the agent offered.
_CHOSEN = 24


def build_year(root: Path) -> tuple[Repo, Path]:
    """Write the repository and its sessions; return both."""
    repo = make_repository(root / "shop")
    first = _RULES | _FACTS
    del first["real-database.md"]
    for name, body in first.items():
        kind = "feedback" if name in _RULES else "project"
        repo.write(f"{MEMORY}/{name}", topic_text(body, name=name[:-3], description=f"on {name[:-3]}", kind=kind))
    repo.write("CLAUDE.md", GUIDE)
    _point(repo, first)
    repo.commit(date="2026-01-01T08:00:00Z")
    rule = topic_text(_RULES["real-database.md"], name="real-database", description="on tests", kind="feedback")
    repo.write(f"{MEMORY}/real-database.md", rule)
    _point(repo, (*first, "real-database.md"))
    repo.commit(date="2026-02-20T08:00:00Z")
    for name, body in _WRITTEN.values():
        repo.write(f"{MEMORY}/{name}", _write_topic(name, body))
    # One pointer leads nowhere, so that the dream has something to change.
    _point(repo, (*first, "real-database.md", *(name for name, _ in _WRITTEN.values()), "gone.md"))
    repo.commit(date="2026-07-15T08:00:00Z")
    for week in range(52):
        write(root / "sessions", f"{_name(week)}.jsonl", *_play(week))
    return repo, root / "sessions"


def _point(repo: Repo, names: Iterable[str]) -> None:
    repo.write(f"{MEMORY}/MEMORY.md", "".join(f"- [{name[:-3]}]({name}) — on {name[:-3]}\n" for name in names))


def _write_topic(name: str, body: str) -> str:
    return topic_text(body, name=name[:-3], description=f"on {name[:-3]}", kind="feedback")


def _name(week: int) -> str:
    return f"{week:08x}-0000-4000-8000-000000000000"


class _Session:
    """The records of one session."""

    def __init__(self, week: int) -> None:
        self._week = week
        self._start = dt.datetime(2026, 1, 5, 9, tzinfo=dt.UTC) + dt.timedelta(weeks=week)
        self.records: list[Json] = []

    def add(self, kind: str, **fields: object) -> None:
        """Add a record."""
        number = len(self.records) + 1
        time = (self._start + dt.timedelta(minutes=number)).isoformat()
        uuid = f"{self._week:08x}-0000-4000-9000-{number:012}"
        place: Json = {"sessionId": _name(self._week), "cwd": "/home/ines/shop", "isSidechain": False}
        self.records.append({"type": kind, "uuid": uuid, "timestamp": time} | place | fields)

    def say(self, text: str) -> None:
        """Add a message of the person."""
        self.add("user", message={"role": "user", "content": text})

    def act(self, name: str, values: Json, *, error: bool = False, **fields: object) -> None:
        """Add a call of a tool and its result."""
        call = f"toolu_{self._week}_{len(self.records)}"
        block: Json = {"type": "tool_use", "id": call, "name": name, "input": values}
        self.add("assistant", message={"role": "assistant", "content": [block]})
        block = {"type": "tool_result", "tool_use_id": call, "content": "done", "is_error": error}
        self.add("user", message={"role": "user", "content": [block]}, **fields)


def _play(week: int) -> list[Json]:
    """Return the records of one session."""
    session = _Session(week)
    session.say(_FIRST.get(week, f"let us go on with the basket page, ticket {week}, in the usual way"))
    session.act("Bash", {"command": "make test"})
    _use_memory(week, session)
    for text in filter(None, (_SAID.get(week), _ASKED.get(week))):
        session.say(text)
        session.act("Bash", {"command": "git status"})
    if week == _CHOSEN:
        asked = [{"question": "Which ports?", "options": [{"label": "Ports above 9000"}, {"label": "Ports below"}]}]
        answers = {"questions": asked, "answers": {"Which ports?": "Ports above 9000"}}
        session.act("AskUserQuestion", {"questions": asked}, toolUseResult=answers)
    if week in _WRITTEN:
        name, body = _WRITTEN[week]
        session.act("Write", {"file_path": _locate(name), "content": _write_topic(name, body)})
    session.say("thanks, that is all for today")
    return session.records


def _use_memory(week: int, session: _Session) -> None:
    for name in filter(None, (_OPENED.get(week), _FAILED.get(week))):
        session.act("Read", {"file_path": _locate(name)}, error=week in _FAILED)
    if week in _RECALLED:
        shown = [{"path": _locate(_RECALLED[week]), "content": "The checkout tests need …", "mtimeMs": 1}]
        session.add("attachment", attachment={"type": "relevant_memories", "memories": shown})
    if week in _EDITED:
        edit: Json = {"file_path": _locate(_EDITED[week]), "old_string": "Thursday", "new_string": "Thursday"}
        session.act("Edit", edit)


def _locate(name: str) -> str:
    return f"/home/ines/shop/{MEMORY}/{name}"
