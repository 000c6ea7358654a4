"""What a rule is, and what it is given."""

import datetime as dt
import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from memci.config import Config
from memci.model.citation import Verdict
from memci.model.finding import Finding, Fix, Severity
from memci.model.memory import Snapshot

__all__ = ["Finding", "Findings", "Fix", "Group", "Material", "Rule", "Severity"]
Findings = Iterator[Finding]


class Group(enum.StrEnum):
    """The chapters of the rule documentation."""

    INDEX = "Index"
    TOPIC = "Topic"
    FILE = "File"
    TRUTH = "Truth"
    TIME = "Time"
    CONTENT = "Content"
    SAFETY = "Safety"
    CHANGE = "Change"


@dataclass(frozen=True, slots=True)
class Material:
    """What a rule may look at."""

    snapshot: Snapshot
    now: dt.datetime
    # The memory before the change under review; None without `--since`.
    base: Snapshot | None = None
    # The verdict on every claim of the snapshot.
    verdicts: tuple[Verdict, ...] = ()
    # The settings now, and before the change under review.
    config: Config = field(default_factory=Config)
    base_config: Config | None = None


class Rule(NamedTuple):
    """One rule: its name, its documentation, and the check itself."""

    id: str
    group: Group
    severity: Severity
    # One sentence: what is wrong when this rule fires.
    summary: str
    # Why it matters to the reader of the memory.
    why: str
    # A few lines that make the rule fire.
    example: str
    # What a person should do.
    remedy: str
    check: Callable[[Material], Findings]
    # What `--fix` does; "" if the rule has no fix.
    fix: str = ""

    def finding(  # noqa: PLR0913 -- mirrors the fields of a finding
        self,
        path: PurePosixPath,
        message: str,
        *,
        line: int = 1,
        column: int = 1,
        suggestion: str = "",
        fix: Fix | None = None,
        key: str = "",
        severity: Severity | None = None,
    ) -> Finding:
        """Return a finding of this rule."""
        return Finding(self.id, severity or self.severity, path, message, line, column, suggestion, fix, key)

    def claim_finding(
        self, verdict: Verdict, message: str, *, suggestion: str, fix: Fix | None = None, key: str = ""
    ) -> Finding:
        """Return a finding about a claim that does not hold; information where the text may describe the past."""
        claim, exemption = verdict.claim, verdict.exemption
        said = f"{message} (may describe the past: {exemption})" if exemption else message
        place = (claim.path, said, claim.line, claim.column)
        severity = Severity.INFO if exemption else self.severity
        return Finding(self.id, severity, *place, suggestion, fix, key or claim.text, claim)
