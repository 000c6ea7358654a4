"""The nouns of a dream as frozen values: proposed changes, what became of them, and where each line went."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from memci.model.memory import Scope
from memci.model.session import Signal


class EvidenceKind(enum.StrEnum):
    """The kind of evidence for a change."""

    # A person's own words, in a session or a daily log.
    SIGNAL = "signal"
    # A verdict on a claim, or a finding of a rule.
    FINDING = "finding"
    # Lines that are in memory already.
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence: its source (a signal id, a rule id, a path), and the words themselves."""

    kind: EvidenceKind
    source: str
    quote: str


class OperationKind(enum.StrEnum):
    """The six ways in which a dream may change memory."""

    CREATE = "create"
    UPDATE = "update"
    MERGE = "merge"
    REPAIR = "repair"
    RETIRE = "retire"
    REINDEX = "reindex"


@dataclass(frozen=True, slots=True)
class Operation:
    """A proposed change: the files that get another text (None: the file leaves), with reason and evidence."""

    kind: OperationKind
    # The file that the operation is about; `texts` may name others (merged topics, the index).
    file: PurePosixPath
    texts: Mapping[PurePosixPath, str | None]
    reason: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """An operation that a guard refused."""

    operation: Operation
    guard: str
    why: str


@dataclass(frozen=True, slots=True)
class NeedsPerson:
    """Something that memci leaves to people to decide."""

    reason: str
    file: PurePosixPath | None = None
    evidence: tuple[Evidence, ...] = ()


class Fate(enum.StrEnum):
    """What became of an old line."""

    KEPT = "kept"
    MOVED = "moved"
    MERGED = "merged"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One old line and its fate; `to` is where it is now, `reason` why it was removed."""

    file: PurePosixPath
    line: int
    text: str
    fate: Fate
    to: PurePosixPath | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where every line of the old memory went."""

    entries: tuple[LedgerEntry, ...] = ()

    def count(self, fate: Fate) -> int:
        """Return how many lines met this fate."""
        return sum(entry.fate is fate for entry in self.entries)

    @property
    def retired(self) -> tuple[LedgerEntry, ...]:
        """The lines that were removed."""
        return tuple(entry for entry in self.entries if entry.fate is Fate.RETIRED)


class PlanStatus(enum.StrEnum):
    """What a dream did to a scope."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ScopePlan:
    """What a dream would do to one scope: the operations that passed, those refused, and what people have to decide."""

    scope: Scope
    status: PlanStatus
    reason: str = ""
    operations: tuple[Operation, ...] = ()
    refused: tuple[Refused, ...] = ()
    needs_person: tuple[NeedsPerson, ...] = ()
    signals: tuple[Signal, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)
    # Every text of the scope before and after; a path that is absent has no file.
    before: Mapping[PurePosixPath, str] = field(default_factory=dict)
    after: Mapping[PurePosixPath, str] = field(default_factory=dict)
