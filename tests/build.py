"""Builders for snapshots: what tests need to speak about memory in a few words."""

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.checks.fix import fix_snapshot
from memci.checks.rule import Material, Rule
from memci.memory.snapshot import read_scope
from memci.memory.topic import parse_topic
from memci.model.finding import Finding
from memci.model.memory import Guide, Scope, ScopeSnapshot, Snapshot, Topic, Trust, Unread, Unreadable

SCOPE = PurePosixPath(".claude/agent-memory/reviewer")
NOW = dt.datetime(2026, 11, 16, 3, 0, tzinfo=dt.UTC)

# The line on which the body of `topic_text` starts.
BODY_LINE = 7


def topic_text(
    body: str = "Text.", *, name: str = "a-topic", description: str = "what it says", kind: str = "project"
) -> str:
    """Return a well-formed topic file."""
    return f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n{body}\n"


def topic(body: str, file: str = "topic.md") -> Topic:
    """Return a parsed, well-formed topic."""
    return parse_topic(SCOPE / file, topic_text(body))


def scope_of(*topics: Topic) -> ScopeSnapshot:
    """Return a scope with these topics and no index."""
    return ScopeSnapshot(Scope("agent:reviewer", SCOPE, Trust.COMMITTED, Path("/nowhere")), None, topics)


@dataclass(frozen=True, slots=True)
class Files:
    """A tree of texts in memory, by path inside the scope."""

    texts: Mapping[str, str | Unread]

    def paths(self) -> Sequence[str]:
        return sorted(str(SCOPE / name) for name in self.texts)

    def below(self, directory: PurePosixPath) -> Sequence[PurePosixPath | Unread]:
        assert directory == SCOPE
        return [item if isinstance(item, Unread) else SCOPE / name for name, item in sorted(self.texts.items())]

    def read(self, path: PurePosixPath) -> str | Unread:
        return self.texts.get(str(path.relative_to(SCOPE)), Unread(path, Unreadable.ABSENT))


def snapshot_of(files: Mapping[str, str | Unread]) -> Snapshot:
    """Return a snapshot of one scope with these files."""
    scope = Scope("agent:reviewer", SCOPE, Trust.COMMITTED, Path("/nowhere"))
    return Snapshot((read_scope(Files(files), scope),))


def material(
    *scopes: ScopeSnapshot,
    guides: Mapping[str, str] | None = None,
    base: Snapshot | None = None,
    now: dt.datetime = NOW,
) -> Material:
    """Return what a rule is given."""
    found = tuple(Guide(PurePosixPath(path), text) for path, text in (guides or {}).items())
    return Material(Snapshot(scopes, found), now, base)


def findings_in(
    check: Callable[[Material], Iterator[Finding]], *bodies: str, now: dt.datetime = NOW
) -> list[tuple[str, int]]:
    """Run a rule over topics with these bodies; return file name and line within the body of each finding."""
    topics = [topic(body, f"t{number}.md") for number, body in enumerate(bodies)]
    found = check(material(scope_of(*topics), now=now))
    return [(finding.path.name, finding.line - BODY_LINE + 1) for finding in found]


def run_rule(
    rule: Rule, files: Mapping[str, str | Unread], before: Mapping[str, str | Unread] | None = None
) -> list[Finding]:
    """Run a rule over a scope with these files, and with `before` as it was before the change."""
    base = None if before is None else snapshot_of(before)
    return list(rule.check(Material(snapshot_of(files), NOW, base)))


def places(findings: Sequence[Finding]) -> list[tuple[str, int]]:
    """Return where findings are: path inside the scope, and line."""
    return [(str(finding.path.relative_to(SCOPE)), finding.line) for finding in findings]


def fixed(rule: Rule, files: Mapping[str, str]) -> dict[str, str]:
    """Apply the fixes of one rule and return the files that changed; a second pass must change nothing."""

    def find(snapshot: Snapshot) -> list[Finding]:
        return list(rule.check(Material(snapshot, NOW)))

    result = fix_snapshot(snapshot_of(files), find)
    assert fix_snapshot(result.snapshot, find).texts == {}
    return {str(path.relative_to(SCOPE)): text for path, text in result.texts.items()}
