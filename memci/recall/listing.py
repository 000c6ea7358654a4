"""Lists the topics to choose from: name, description, hook and first lines of each."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.memory.client_limit import MAX_HEAD_LINES
from memci.model.memory import ScopeSnapshot, Topic

# The client scans this many files of a memory directory, the newest first.
MAX_TOPICS = 200
# Lines have no limit of their own; this is longer than the longest description seen.
MAX_CHARACTERS = 8_192


@dataclass(frozen=True, slots=True)
class TopicEntry:
    """One topic on the list."""

    # The displayed path, unique among the entries.
    id: str
    type: str
    name: str
    description: str
    # The first lines below the frontmatter.
    head: str
    # Title and hook of its pointer in the index.
    hook: str = ""
    # The last change; None if it is unknown, as for a file that was never committed.
    written: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """The entries to choose from, and how many topics are beyond the limit of the client."""

    entries: tuple[TopicEntry, ...]
    beyond: int


def build_manifest(scopes: Iterable[ScopeSnapshot], written: Mapping[PurePosixPath, dt.datetime]) -> Manifest:
    """List the newest topics of each scope; uncommitted ones count as newest."""
    entries: list[TopicEntry] = []
    beyond = 0
    for scope in scopes:
        hooks: dict[PurePosixPath | None, str] = {}
        for pointer in scope.index.pointers if scope.index else ():
            hooks.setdefault(pointer.path, f"{pointer.title} {pointer.hook}")
        newest = sorted(scope.topics, key=lambda topic: (-_written_key(written.get(topic.path)), topic.path))
        beyond += len(newest[MAX_TOPICS:])
        kept = newest[:MAX_TOPICS]
        entries += (_make_entry(topic, hooks.get(topic.path, ""), written.get(topic.path)) for topic in kept)
    return Manifest(tuple(entries), beyond)


def render_entry(entry: TopicEntry) -> str:
    """Render the line about a topic in the prompt."""
    when = f" ({entry.written:%Y-%m-%d})" if entry.written else ""
    kind = f"[{entry.type}] " if entry.type else ""
    return f"- {kind}{entry.id}{when}: {entry.description or entry.hook}"


def _written_key(moment: dt.datetime | None) -> float:
    return moment.timestamp() if moment else float("inf")


def _make_entry(topic: Topic, hook: str, written: dt.datetime | None) -> TopicEntry:
    lines = topic.text.split("\n", MAX_HEAD_LINES)[:MAX_HEAD_LINES]
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
