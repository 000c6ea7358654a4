"""The inputs of a dream; together with the engine's replies they determine the plan."""

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
    """The memory that was read, the findings of the rules, and the signals."""

    snapshot: Snapshot
    config: Config
    now: dt.datetime
    findings: tuple[Finding, ...]
    signals: tuple[Signal, ...] = ()
    # The position of each record in its session, by session and record.
    positions: Mapping[tuple[str, str], int] = field(default_factory=dict)
    # By scope path; a scope without a dream has none.
    states: Mapping[PurePosixPath, DreamState] = field(default_factory=dict)
    # Scopes that are not due; their signals are not routed to other scopes.
    others: tuple[ScopeSnapshot, ...] = ()
    # Renamed topics that a pointer still names by their old path, from git.
    renamed: Mapping[PurePosixPath, PurePosixPath] = field(default_factory=dict)

    def find_own(self, scope: ScopeSnapshot) -> tuple[Finding, ...]:
        """Return the findings in the files of one scope."""
        files = {*scope.files, scope.index_path}
        return tuple(finding for finding in self.findings if finding.path in files)
