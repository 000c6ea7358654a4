"""What a dream is made from; with the engine's replies it decides the plan, and nothing else does."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from memci.config import Config
from memci.dream.state import DreamState
from memci.model.finding import Finding
from memci.model.memory import ScopeSnapshot, Snapshot
from memci.model.session import Signal


@dataclass(frozen=True, slots=True)
class Sources:
    """Memory as it was read, what the rules say about it, and what people said."""

    snapshot: Snapshot
    config: Config
    now: dt.datetime
    findings: tuple[Finding, ...]
    signals: tuple[Signal, ...] = ()
    # Where in its session a record stands, by session and record.
    positions: Mapping[tuple[str, str], int] = field(default_factory=dict)
    # By scope path; a scope that never dreamt has none.
    states: Mapping[PurePosixPath, DreamState] = field(default_factory=dict)
    # Scopes that do not dream now; what belongs to them goes nowhere else.
    others: tuple[ScopeSnapshot, ...] = ()
    # Where git says that a topic went which a pointer still names.
    renamed: Mapping[PurePosixPath, PurePosixPath] = field(default_factory=dict)

    def find_own(self, scope: ScopeSnapshot) -> tuple[Finding, ...]:
        """Return what the rules say about the files of one scope."""
        files = {*scope.files, scope.index_path}
        return tuple(finding for finding in self.findings if finding.path in files)
