"""A repository with memory, sessions of people, and a model that says what a test tells it to."""

import datetime as dt
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from memci.dream.inputs import DreamRequest
from memci.engines.select import EngineOptions, choose_engine
from memci.report.dream_result import DreamResult
from memci.runs.dream import run_dream
from memci.runs.scopes import open_scopes
from tests.build import topic_text
from tests.commands.run import Done, memci
from tests.engines.claude.run import FakeTime
from tests.fakes.anthropic_api import FakeApi
from tests.repository import Repo, make_repository

SCOPE = ".claude/memory"
NOW = "2026-11-16T03:00:00Z"
PUSH = "never push directly to main, always go through a pull request and wait for the review by Ana"
TABS = "from now on use tabs for indentation, never spaces"
TOPICS = {
    "feedback_commits.md": topic_text(
        "Commit messages: imperative mood, subject under 60 characters.",
        name="commit-messages",
        description="how commit messages are written in this repo",
        kind="feedback",
    ),
    "project_coverage.md": topic_text(
        "The coverage threshold in ci is 80%.",
        name="coverage-threshold",
        description="coverage threshold that ci enforces",
        kind="project",
    ),
    "project_search.md": topic_text(
        "Search queries are stemmed differently per tenant.", name="search", description="how search queries are built"
    ).replace("metadata:", "pinned: true\nmetadata:"),
    "user_zone.md": topic_text(
        "Works from Lisbon, starts late.", name="zone", description="time zone of the person", kind="user"
    ),
}

# What a reply of the model is made from: all blocks of the request as one, and what kind of call it is.
Told = dict[str, Any]
Answer = Callable[[str, Told], object]
NEW = "feedback_no_direct_push_to_main.md"
GOOD = "Never push directly to main; always go through a pull request and wait for the review by Ana."


def cite(name: str, quote: str = "") -> Told:
    """Return one piece of evidence."""
    return {"id": name, "quote": quote}


def state(text: str, *evidence: Told, part: str = "statement") -> Told:
    """Return a new statement of a draft."""
    return {"keep": "", "part": part, "text": text, "evidence": list(evidence)}


def keep(*lines: str) -> list[Told]:
    """Return the statements that keep or move lines."""
    return [{"keep": line, "part": "statement", "text": "", "evidence": []} for line in lines]


def retire(line: str, *evidence: Told, reason: str = "taken back by a person") -> Told:
    """Return a line that goes."""
    return {"line": line, "reason": reason, "evidence": list(evidence)}


def draft(topic: str = "", **fields: object) -> Told:
    """Return the draft of a topic; what is not given is empty, a new topic goes to the project's scope."""
    empty = dict.fromkeys(("name", "type", "description", "heading", "title", "hook"), "")
    return {"topic": topic, "scope": "" if topic else "project", **empty, "statements": [], "retired": []} | fields


def index_draft(scope: str = "project", **fields: object) -> Told:
    """Return the draft of an index."""
    return {"scope": scope, "statements": [], "retired": [], "groups": []} | fields


def group(heading: str, *topics: str) -> Told:
    """Return an index that only puts topics under a heading."""
    return index_draft(groups=[{"heading": heading, "topics": list(topics)}])


def repair(refused: Told | str, *evidence: Told, **fields: object) -> Told:
    """Return the correction of a refused statement."""
    name = refused if isinstance(refused, str) else refused["refused"]
    return {"refused": name, "withdraw": False, "text": "", "description": "", "evidence": list(evidence)} | fields


def make_reply(*topics: Told, **lists: object) -> Told:
    """Return a reply to a consolidation; what is not given is empty."""
    names = ("lookups", "indexes", "questions", "passed_over", "repairs")
    return {"topics": list(topics), **{name: [] for name in names}} | lists


def look_up(subject: str, kind: str = "name", first: int = 0, last: int = 0) -> Told:
    """Return a question to the repository."""
    return {"kind": kind, "subject": subject, "first": first, "last": last}


def good(message: Mapping[str, Any]) -> Told:
    """Return the topic that a good model makes of PUSH."""
    return draft(
        name="no-direct-push-to-main",
        type="feedback",
        description="Changes reach main only through a pull request",
        title="Push to main",
        hook="never directly, always through a pull request",
        statements=[state(GOOD, cite(message["id"], message["said"]))],
    )


def list_messages(told: Told) -> list[Told]:
    """Return the messages of a prompt."""
    return [message for talk in told["sessions"] for message in talk["messages"]]


def find_message(told: Told, text: str) -> Told:
    """Return the message of a prompt that says this."""
    return next(message for message in list_messages(told) if text in str(message["said"]))


def find_topic(told: Told, name: str) -> Told:
    """Return the topic of a prompt with this name."""
    return next(topic for scope in told["scopes"] for topic in scope["topics"] if topic["name"] == name)


def read_told(params: Mapping[str, Any]) -> Told:
    """Return the blocks of a request as one."""
    told: Told = {}
    for block in params["messages"][0]["content"]:
        told |= json.loads(block["text"])
    return told


def name_phase(told: Told) -> str:
    for phase, key in (("repetitions", "rules"), ("gather", "messages"), ("verify", "pairs"), ("repair", "refused")):
        if key in told:
            return phase
    return "consolidate"


def confirm(_: str, told: Told) -> object:
    """Confirm every pair."""
    return {"pairs": [{"pair": pair["pair"], "says": True, "own": True} for pair in told["pairs"]]}


def answer_with(**replies: Answer | object) -> Callable[[dict[str, Any]], object]:
    """Return the answer of a fake; phases that are not told choose everything, confirm all, and change nothing."""
    defaults: dict[str, Answer | object] = {
        "gather": lambda _, told: {"messages": [message["id"] for message in told["messages"]]},
        "repetitions": {"repeated": []},
        "verify": confirm,
        "consolidate": make_reply(),
        "repair": make_reply(),
    }

    def answer(params: dict[str, Any]) -> object:
        told = read_told(params)
        phase = name_phase(told)
        reply = (defaults | replies)[phase]
        return reply(phase, told) if callable(reply) else reply

    return answer


def by_message(text: str, make: Callable[[Told], Told] = good) -> Answer:
    """Return an answer with one draft, made of the message that says this."""
    return lambda _, told: make_reply(make(find_message(told, text)))


def insist(_: str, told: Told) -> object:
    """Correct what is refused with the same words and the same evidence."""
    return make_reply(
        repairs=[
            repair(entry, *entry["evidence"], text=entry.get("text", ""), description=entry.get("description", ""))
            for entry in told["refused"]
        ]
    )


@dataclass
class Scene:
    """A repository, its transcripts, and the fake that answers."""

    repo: Repo
    api: FakeApi
    capsys: pytest.CaptureFixture[str]
    transcripts: Path
    sessions: int = field(default=0)

    def say(self, *texts: str, extra: Sequence[Mapping[str, object]] = (), name: str = "") -> str:
        """Write a session in which a person says this; return its id."""
        self.sessions += 1
        session = f"00000000-0000-4000-8000-{self.sessions:012d}"
        records = [
            {
                "type": "user",
                "uuid": f"11111111-0000-4000-8000-{self.sessions:06d}{number:06d}",
                "sessionId": session,
                "timestamp": f"2026-11-12T09:{number % 60:02d}:00.000Z",
                "isSidechain": False,
                "userType": "external",
                "version": "2.1.100",
                "cwd": "/home/ines/work/shop",
                "message": {"role": "user", "content": text},
            }
            for number, text in enumerate(texts)
        ]
        common = {"sessionId": session, "timestamp": "2026-11-12T10:00:00.000Z", "isSidechain": False}
        lines = [json.dumps(record) for record in (*records, *({**common, **record} for record in extra))]
        self.transcripts.mkdir(exist_ok=True)
        (self.transcripts / f"{name or session}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return session

    def dream(self, *arguments: str, engine: str = "claude") -> Done:
        """Run `memci dream` through the command line."""
        given = ["--transcripts", str(self.transcripts)] if self.transcripts.exists() else []
        return memci(
            self.capsys, self.repo.root, "dream", "--engine", engine, "--force", "--now", NOW, *given, *arguments
        )

    def dream_json(self, *arguments: str) -> Any:
        return self.dream("--format", "json", *arguments).json

    def read(self, scope: str = SCOPE) -> dict[str, str]:
        """Return the texts of a scope, without the state."""
        return {path.name: path.read_text(encoding="utf-8") for path in sorted((self.repo.root / scope).glob("*.md"))}

    def asked(self) -> list[str]:
        """Return the phases of the calls that were made."""
        return [name_phase(read_told(seen.params)) for seen in self.api.posts()]


def write_scope(repo: Repo, scope: str = SCOPE, topics: Mapping[str, str] = TOPICS) -> None:
    """Write a scope whose index points to every topic."""
    pointers = [f"- [{name.removesuffix('.md')}]({name}) — what it says\n" for name in topics]
    repo.write(f"{scope}/MEMORY.md", "# Memory\n\n" + "".join(pointers))
    for name, text in topics.items():
        repo.write(f"{scope}/{name}", text)


def make_scene(directory: Path, api: FakeApi, capsys: pytest.CaptureFixture[str]) -> Scene:
    repo = make_repository(directory / "repo")
    write_scope(repo)
    repo.write("src/app.py", "def validate_token():\n    return True\n")
    repo.commit()
    return Scene(repo, api, capsys, directory / "transcripts")


def dream_in_no_time(
    scene: Scene,
    time: FakeTime | None = None,
    *,
    local: bool = False,
    limit: Decimal = Decimal(100),
    write: bool = False,
) -> DreamResult:
    """Dream without waiting, and without writing unless told to: all of the program but its command line."""
    found = open_scopes(scene.repo.root, None)
    places = (str(scene.transcripts),)
    now = dt.datetime.fromisoformat(NOW)
    asked = DreamRequest((), places, dry_run=not write, force=True, now=now)
    state = scene.transcripts.parent / "state" / "memci" / "repo"
    wanted = EngineOptions(
        "local" if local else "claude", limit, batch=False, record=None, replay=None, state=state, quiet=True
    )
    with choose_engine(wanted, (time or FakeTime()).clock) as choice:
        return run_dream(found, asked, choice, lambda _: None)
