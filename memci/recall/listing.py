"""The list that a choice is made from: what each topic is called, says of itself, and begins with."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.model.memory import ScopeSnapshot, Topic

# What a client scans of one memory directory: this many files, the newest, and this much of each.
MAX_TOPICS = 200
MAX_LINES = 30
# A line has no limit of its own; what is longer than the longest description seen says nothing new.
MAX_CHARACTERS = 8_192


@dataclass(frozen=True, slots=True)
class TopicEntry:
    """One topic as the list shows it."""

    # The path that people see; no two topics share one.
    id: str
    type: str
    name: str
    description: str
    # The first lines below the frontmatter.
    head: str
    # What the index says of it.
    hook: str = ""
    # When it was last written; None if that is not known, as of a file never committed.
    written: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is chosen from, and how many topics a session would not get to see."""

    entries: tuple[TopicEntry, ...]
    beyond: int


def build_manifest(scopes: Iterable[ScopeSnapshot], written: Mapping[PurePosixPath, dt.datetime]) -> Manifest:
    """List the newest topics of each scope; what is not committed yet is newest."""
    entries: list[TopicEntry] = []
    beyond = 0
    for scope in scopes:
        hooks: dict[PurePosixPath | None, str] = {}
        for pointer in scope.index.pointers if scope.index else ():
            hooks.setdefault(pointer.path, f"{pointer.title} {pointer.hook}")
        newest = sorted(scope.topics, key=lambda topic: (-_age_key(written.get(topic.path)), topic.path))
        beyond += len(newest[MAX_TOPICS:])
        kept = newest[:MAX_TOPICS]
        entries += (_list(topic, hooks.get(topic.path, ""), written.get(topic.path)) for topic in kept)
    return Manifest(tuple(entries), beyond)


def render_entry(entry: TopicEntry) -> str:
    """Return the line that a model is shown of a topic."""
    when = f" ({entry.written:%Y-%m-%d})" if entry.written else ""
    kind = f"[{entry.type}] " if entry.type else ""
    return f"- {kind}{entry.id}{when}: {entry.description or entry.hook}"


def _age_key(moment: dt.datetime | None) -> float:
    return moment.timestamp() if moment else float("inf")


def _list(topic: Topic, hook: str, written: dt.datetime | None) -> TopicEntry:
    lines = topic.text.split("\n", MAX_LINES)[:MAX_LINES]
    head = "\n".join(lines[topic.body_line - 1 :])[:MAX_CHARACTERS]
    name = topic.name or topic.path.stem
    return TopicEntry(
        str(topic.path),
        topic.type or "",
        name[:MAX_CHARACTERS],
        topic.description[:MAX_CHARACTERS],
        head,
        hook[:MAX_CHARACTERS],
        written,
    )
