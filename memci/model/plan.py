"""The values of a dream: proposed operations, verdicts on them, and the ledger of lines."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from memci.model.memory import Scope
from memci.model.session import Signal
from memci.model.use import ScopeUse


class EvidenceKind(enum.StrEnum):
    """What a change is based on."""

    # A person's own words, in a session or a daily log.
    SIGNAL = "signal"
    # The result of a rule.
    FINDING = "finding"
    # Lines that are already in the memory.
    MEMORY = "memory"
    # What the repository says: the source is the question, such as `lines:src/app.py:1-20`.
    LOOKUP = "lookup"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One proof: its source (a signal id, a fingerprint, a path, a question to the repository) and the quoted words."""

    kind: EvidenceKind
    source: str
    quote: str


class FlagKind(enum.StrEnum):
    """Why a reviewer should compare a statement with its quotation."""

    REWORDED = "reworded"
    TRANSLATED = "translated"
    # What the words refer to was said by the agent, right before.
    CONTEXT = "context"
    # A line that leaves: a model confirmed that the evidence ends or replaces it.
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class Flag:
    """A statement whose wording, or whose end, was confirmed by a model, not by code."""

    statement: str
    kind: FlagKind


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
    """A proposed change: new texts of files (None removes one), with reason and evidence."""

    kind: OperationKind
    # The file that the operation is about; `texts` may name others (merged topics, the index).
    file: PurePosixPath
    # Only what the proposer decides. What a file was before is read from the draft, so it cannot be forged.
    texts: Mapping[PurePosixPath, str | None]
    reason: str
    evidence: tuple[Evidence, ...] = ()
    flags: tuple[Flag, ...] = ()

    def __post_init__(self) -> None:
        """Copy the texts: what guards have judged must not change afterwards."""
        object.__setattr__(self, "texts", MappingProxyType(dict(self.texts)))

    def __hash__(self) -> int:
        """Hash all fields; a mapping has no hash of its own."""
        return hash((self.kind, self.file, frozenset(self.texts.items()), self.reason, self.evidence, self.flags))


class Refusal(NamedTuple):
    """Why something is refused: by which guard, and which field or statement of it, if it is one."""

    guard: str
    why: str
    # "name", "description", "title", "hook" or "heading"; "" for statements, and for the whole.
    field: str = ""
    # The words that are refused.
    text: str = ""
    # Whether it passes if a reader confirms that its evidence says it in other words.
    soft: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """An operation that a guard refused."""

    operation: Operation
    guard: str
    why: str


@dataclass(frozen=True, slots=True)
class NeedsPerson:
    """A question that memci does not decide."""

    reason: str
    file: PurePosixPath | None = None
    evidence: tuple[Evidence, ...] = ()
    # The proposed answer; "" if there is none.
    proposal: str = ""


class Waiting(NamedTuple):
    """A change that is left to a later dream: its file, what it is to a reviewer, and the messages it is based on."""

    file: PurePosixPath
    what: str
    # Session and record of each.
    messages: tuple[tuple[str, str], ...] = ()


class LeftOut(NamedTuple):
    """Something a person said that was not written, and why; `day` is "" if it is not known."""

    words: str
    why: str
    day: str


class Fate(enum.StrEnum):
    """What became of an old line."""

    KEPT = "kept"
    MOVED = "moved"
    MERGED = "merged"
    # In place, with other words.
    REWORDED = "reworded"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One old line and its fate; `to` is the file that has it now, `reason` is why it was removed."""

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
        """Return the number of lines with this fate."""
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
    """What a dream would do to one scope: operations that passed, those that were refused, and open questions."""

    scope: Scope
    status: PlanStatus
    reason: str = ""
    operations: tuple[Operation, ...] = ()
    refused: tuple[Refused, ...] = ()
    needs_person: tuple[NeedsPerson, ...] = ()
    signals: tuple[Signal, ...] = ()
    # Candidates that a person may accept, best first, and those that this plan writes because a person did.
    offered: tuple[Signal, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)
    # Every text of the scope before and after; a path that is absent has no file.
    before: Mapping[PurePosixPath, str] = field(default_factory=dict)
    after: Mapping[PurePosixPath, str] = field(default_factory=dict)
    # Changes that are left to later dreams.
    waiting: tuple[Waiting, ...] = ()
    # What looked as if it should last, and was not written on purpose; only shown.
    left_out: tuple[LeftOut, ...] = ()
    # What became of the topics so far.
    use: ScopeUse = field(default_factory=ScopeUse)

    @property
    def changed_files(self) -> list[PurePosixPath]:
        """The files whose text changes, comes or goes, sorted."""
        return sorted(path for path in {*self.before, *self.after} if self.before.get(path) != self.after.get(path))

    @property
    def cited_signals(self) -> frozenset[str]:
        """The ids of the signals that the operations are based on."""
        proofs = (proof for operation in self.operations for proof in operation.evidence)
        return frozenset(proof.source for proof in proofs if proof.kind is EvidenceKind.SIGNAL)

    @property
    def left_offered(self) -> tuple[Signal, ...]:
        """The candidates that are not written."""
        return tuple(signal for signal in self.offered if signal.id not in self.cited_signals)
