"""The inputs of a dream; together with the replies of the engine they determine the plan."""

import datetime as dt
import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from memci.citations.verdict import JudgedClaims
from memci.config import Config
from memci.dream.state import DreamState
from memci.git.workspace import Workspace
from memci.model.finding import Finding
from memci.model.memory import Scope, ScopeSnapshot, Snapshot
from memci.model.plan import NeedsPerson
from memci.model.session import Signal, TurnedDown
from memci.model.use import ScopeUse
from memci.sessions.read_result import Reading


@dataclass(frozen=True, slots=True)
class DreamRequest:
    """The options of a dream."""

    scopes: tuple[Path, ...]
    # Places of transcripts; the settings name them otherwise.
    transcripts: tuple[str, ...]
    dry_run: bool
    # Dream even if a scope is not due.
    force: bool
    now: dt.datetime
    # Write the result to this directory as a bundle instead of changing files.
    bundle: Path | None = None
    # (2, 5): only the scopes of the second of five shards.
    shard: tuple[int, int] | None = None
    # The ids, or their beginnings, of candidates to take in.
    accept: tuple[str, ...] = ()
    # The ids of candidates that were ticked in a pull request; those that are written or gone by now do not count.
    ticked: tuple[str, ...] = ()
    # The most changes for one pull request, the others wait; None is without limit.
    max_changes: int | None = None

    @property
    def writes(self) -> bool:
        """Whether the memory itself changes."""
        return not self.dry_run and self.bundle is None


@dataclass(frozen=True, slots=True)
class DreamTask:
    """Which scopes dream, and where."""

    workspace: Workspace
    config: Config
    request: DreamRequest
    scopes: tuple[Scope, ...]
    # The person's own scopes, outside the repository.
    own: tuple[Scope, ...]
    # Scopes that were not asked for; signals may belong to them.
    others: tuple[Scope, ...]


@dataclass(frozen=True, slots=True)
class Gathered:
    """The signals, the sentences that were turned down, and an account of every record that was read."""

    signals: tuple[Signal, ...] = ()
    turned_down: tuple[TurnedDown, ...] = ()
    reading: Reading = field(default_factory=Reading)
    # All candidates, best first: shown to people, written only when they are accepted.
    candidates: tuple[Signal, ...] = ()
    # The number of a record among the turns of its session, from 1, by session and record; for logs the line.
    positions: Mapping[tuple[str, str], int] = field(default_factory=dict)


# A question, and the words that it quotes.
UseQuestion = tuple[NeedsPerson, tuple[Signal, ...]]


@dataclass(frozen=True, slots=True)
class FoundUse:
    """What became of each scope, and what to ask about it."""

    by_scope: Mapping[PurePosixPath, ScopeUse] = field(default_factory=dict)
    questions: Mapping[PurePosixPath, tuple[UseQuestion, ...]] = field(default_factory=dict)


# Without slots, because of the cached property.
@dataclass(frozen=True)
class Sources:
    """Memory as it was read, the findings about it, and what people said."""

    snapshot: Snapshot
    config: Config
    now: dt.datetime
    findings: tuple[Finding, ...]
    gathered: Gathered = field(default_factory=Gathered)
    # By scope path; a scope without a dream has none.
    states: Mapping[PurePosixPath, DreamState] = field(default_factory=dict)
    # Scopes that do not dream now; their signals are not routed to another scope.
    others: tuple[ScopeSnapshot, ...] = ()
    # Topics that pointers still name, with the path they were renamed to; None if git saw them deleted.
    fates: Mapping[PurePosixPath, PurePosixPath | None] = field(default_factory=dict)
    # The verdicts behind the findings of the truth rules.
    judged: JudgedClaims = field(default_factory=lambda: JudgedClaims(()))
    # What the exceptions of the settings and of comments cover; a dream leaves it alone as `check --fix` does.
    suppressed: tuple[Finding, ...] = ()
    use: FoundUse = field(default_factory=FoundUse)

    @functools.cached_property
    def files(self) -> frozenset[PurePosixPath]:
        """Every file of every scope: an index may point into a scope below its own."""
        return frozenset(path for scope in (*self.snapshot.scopes, *self.others) for path in scope.files)

    @functools.cached_property
    def _spared(self) -> frozenset[tuple[str, PurePosixPath, str]]:
        """Rule, file and line of what is excepted; "" stands for the whole file."""
        lines = {text.path: text.text.split("\n") for scope in self.snapshot.scopes for text in scope.texts}
        rows = ((found, lines.get(found.path, [])[found.line - 1 : found.line]) for found in self.suppressed)
        return frozenset((found.rule, found.path, line.rstrip("\r")) for found, row in rows for line in ("", *row))

    def spares(self, rule: str, path: PurePosixPath, line: str = "") -> bool:
        """Tell whether an exception covers a rule in a file, or in one line of it."""
        return (rule, path, line) in self._spared or any(entry.covers(rule, path) for entry in self.config.ignore)

    def list_states(self) -> list[DreamState]:
        """Return the states of the scopes that were read."""
        return [self.states[scope.scope.path] for scope in self.snapshot.scopes]

    def find_own(self, scope: ScopeSnapshot) -> tuple[Finding, ...]:
        """Return the findings about the files of one scope."""
        files = {*scope.files, scope.index_path}
        return tuple(finding for finding in self.findings if finding.path in files)
