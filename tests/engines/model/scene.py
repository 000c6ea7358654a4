"""A repository with memory, sessions of people, and a model that says what a test tells it to."""

import datetime as dt
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from memci.engines.select import EngineOptions, choose_engine
from memci.git.workspace import open_workspace
from memci.report.dream_result import DreamResult
from memci.runs.dream import DreamRequest, run_dream
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

# What a reply of the model is made from: the last block of the request, and what kind of call it is.
Told = dict[str, Any]
Answer = Callable[[str, Told], object]


def operation(kind: str = "create", **fields: object) -> Told:
    """Return an operation of a reply; what is not given is empty."""
    empty = dict.fromkeys(("file", "replaces", "name", "description", "rule", "why", "how"), "")
    told = {"kind": kind, **empty, "merged": [], "type": "feedback", "evidence": []}
    return {**told, **fields}


def cite(signal: Mapping[str, Any], quote: str = "") -> list[dict[str, str]]:
    """Return the evidence that quotes a signal of a prompt."""
    return [{"signal": signal["signal"], "quote": quote or signal["said"]}]


def good(signal: Mapping[str, Any]) -> Told:
    """Return the topic that a good model makes of PUSH."""
    return operation(
        name="no-direct-push-to-main",
        description="Changes reach main only through a pull request",
        rule="Never push directly to main; always go through a pull request and wait for the review by Ana.",
        evidence=cite(signal),
    )


def consolidate(operations: Iterable[object] = (), passed_over: Iterable[object] = ()) -> dict[str, object]:
    return {"operations": list(operations), "passed_over": list(passed_over)}


def find_signal(told: Told, text: str) -> Told:
    """Return the signal of a prompt that says this."""
    return next(signal for signal in told["signals"] if text in signal["said"])


def read_last(params: Mapping[str, Any]) -> Told:
    """Return the last block of a request."""
    last: Told = json.loads(params["messages"][0]["content"][-1]["text"])
    return last


def name_phase(told: Told) -> str:
    return "gather" if "messages" in told else "repair" if "refused" in told else "consolidate"


def answer_with(**replies: Answer | object) -> Callable[[dict[str, Any]], object]:
    """Return the answer of a fake; phases that are not told find nothing and propose nothing."""

    def answer(params: dict[str, Any]) -> object:
        told = read_last(params)
        phase = name_phase(told)
        reply = replies.get(phase, {"signals": []} if phase == "gather" else consolidate())
        return reply(phase, told) if callable(reply) else reply

    return answer


def by_signal(text: str, make: Callable[[Told], Told] = good) -> Answer:
    """Return an answer that proposes one operation for the signal that says this."""
    return lambda _, told: consolidate([make(find_signal(told, text))])


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
        return [name_phase(read_last(seen.params)) for seen in self.api.posts()]


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
    workspace = open_workspace(scene.repo.root)
    places = (str(scene.transcripts),)
    now = dt.datetime.fromisoformat(NOW)
    asked = DreamRequest((), places, dry_run=not write, force=True, with_user=False, now=now)
    state = scene.transcripts.parent / "state" / "memci" / "repo"
    wanted = EngineOptions(
        "local" if local else "claude", limit, batch=False, record=None, replay=None, state=state, quiet=True
    )
    with choose_engine(wanted, (time or FakeTime()).clock) as choice:
        return replace(run_dream(workspace, asked, None, choice, lambda _: None), cost=choice.cost)
