"""What the page and its JSON are made of: plain values, without secrets, in the order in which they are shown."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from memci.model.finding import Severity
from memci.model.use import TopicUse
from memci.report.dream_result import CostReport
from memci.report.page.diff import DiffRow
from memci.report.status_result import ScopeStatus

# How a topic can be found by its own description.
NOT_LISTED = -1
NOT_SHOWN = 0


@dataclass(frozen=True, slots=True)
class Proof:
    """What a change rests on; the session and the day are those of a person's words."""

    kind: str
    # The rule that found it, or the file it is from.
    source: str
    quote: str
    session: str = ""
    day: str = ""
    times: int = 1


@dataclass(frozen=True, slots=True)
class FileChange:
    """What an operation does to one file."""

    path: str
    # One of added, removed, modified, unchanged.
    status: str
    rows: tuple[DiffRow, ...]


@dataclass(frozen=True, slots=True)
class PageChange:
    """An operation, or one that a guard refused."""

    scope: str
    kind: str
    file: str
    type: str
    reason: str
    proofs: tuple[Proof, ...]
    files: tuple[FileChange, ...]
    guard: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that a person has to decide."""

    scope: str
    reason: str
    file: str
    type: str
    proofs: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class OldLine:
    """A line of the old memory that is not where it was."""

    scope: str
    file: str
    line: int
    text: str
    fate: str
    to: str
    reason: str


@dataclass(frozen=True, slots=True)
class ScopeRun:
    """What became of one scope."""

    id: str
    path: str
    status: str
    reason: str
    files: int
    signals: int
    # Lines and bytes of the index afterwards.
    lines: int
    size: int
    ledger: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PageRun:
    """One dream."""

    engine: str
    why: str
    dry_run: bool
    skipped: str
    sessions: int
    turned_down: int
    scopes: tuple[ScopeRun, ...]
    changes: tuple[PageChange, ...]
    refused: tuple[PageChange, ...]
    questions: tuple[Question, ...]
    lines: tuple[OldLine, ...]
    cost: CostReport
    notes: tuple[tuple[str, str], ...]
    failures: tuple[str, ...]
    # What people said that is not in memory: words, day, and why, or how to accept it.
    unwritten: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class PageProblem:
    """One finding."""

    rule: str
    severity: Severity
    file: str
    line: int
    message: str
    suggestion: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicHealth:
    """One topic."""

    file: str
    type: str
    name: str
    description: str
    size: int
    written: dt.date | None
    # Whether a pointer leads to it, and whether the client loads the line of that pointer.
    pointed: bool
    loaded: bool
    # How many claims got which verdict.
    claims: Mapping[str, int]
    # The place among what recall shows for the topic's own description.
    rank: int
    # In how many sessions it was opened and edited.
    use: TopicUse


@dataclass(frozen=True, slots=True)
class FalseClaim:
    """A claim in memory that is wrong, and the commit that broke it."""

    day: dt.date
    commit: str
    verdict: str
    text: str
    file: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeHealth:
    """How one scope is doing."""

    status: ScopeStatus
    topics: tuple[TopicHealth, ...]
    problems: tuple[PageProblem, ...]
    # Of the claims that cannot be verified, how many for which reason.
    reasons: Mapping[str, int] = field(default_factory=dict)
    false_claims: tuple[FalseClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The content of the page."""

    name: str
    now: dt.datetime
    # The one sentence on top.
    headline: str
    scopes: tuple[ScopeHealth, ...]
    # What could not be looked at, and why.
    skipped: tuple[tuple[str, str], ...] = ()
    run: PageRun | None = None
