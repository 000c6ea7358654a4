"""What a dream did, as one value for every format, and what must not be shown of it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import PurePosixPath

from memci.model.plan import PlanStatus, ScopePlan
from memci.model.session import TurnedDown
from memci.report.escape import visible

# As much of an id as git shows of a commit: enough to find the file.
_MAX_SESSION = 8
# Shorter lines of a secret may be part of any text.
_MIN_SECRET = 16


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """What the calls of one phase came to."""

    name: str
    calls: int
    input_tokens: int
    output_tokens: int
    cache_hit_rate: float
    usd: Decimal


@dataclass(frozen=True, slots=True)
class CostReport:
    """What the model cost; nothing, if there was none."""

    usd: Decimal = Decimal(0)
    # The most that calls may have cost whose end was never seen.
    unseen_usd: Decimal = Decimal(0)
    phases: tuple[PhaseReport, ...] = ()
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the cost as a JSON object."""
        return {
            "usd": self.usd,
            "unseen_usd": self.unseen_usd,
            "calls": sum(phase.calls for phase in self.phases),
            "phases": self.phases,
            "warnings": self.warnings,
        }


@dataclass(frozen=True, slots=True)
class DreamResult:
    """What a dream did, or would do."""

    now: dt.datetime
    engine: str
    plans: tuple[ScopePlan, ...]
    turned_down: tuple[TurnedDown, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    # Transcripts with broken lines, and where; the rest of them was read.
    broken: tuple[tuple[str, str], ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    dry_run: bool = False
    # How many sessions were read.
    sessions: int = 0
    # When the latest of them ended, if known.
    newest: dt.datetime | None = None
    # Set if nothing was looked at.
    skipped: str = ""
    # Which engine, and why; what of it did not work; what it cost.
    why: str = ""
    failures: tuple[str, ...] = ()
    cost: CostReport = field(default_factory=CostReport)
    # How many statements a model proposed, how many were refused at first, and how many were left to people.
    proposals: Mapping[str, int] = field(default_factory=dict)
    # The rule of each finding that may be evidence, by its fingerprint.
    rules: Mapping[str, str] = field(default_factory=dict)

    @property
    def degraded(self) -> bool:
        """Whether part of it could not be done."""
        return bool(self.notes or self.failures or any(plan.status is PlanStatus.FAILED for plan in self.plans))


def redact_line(text: str, hidden: frozenset[str] = frozenset()) -> str:
    """Take secrets out of a text; one with a line that `find_secret_lines` returns goes as a whole."""
    # Old lines of memory may contain secrets that this very dream removes.
    from memci.redaction.secrets import redact

    known = text.strip() in hidden or any(len(row) >= _MIN_SECRET and row in text for row in hidden)
    return "[REDACTED]" if known else redact(text)


def find_secret_lines(plan: ScopePlan) -> frozenset[str]:
    """Return the lines of memory that are part of a secret over several lines: alone, none of them looks like one."""
    from memci.redaction.secrets import find_secrets

    spans = ((text, secret) for text in {*plan.before.values()} for secret in find_secrets(text))
    rows = (row for text, secret in spans for row in text[secret.start : secret.end].split("\n")[1:])
    return frozenset(row.strip() for row in rows if row.strip())


def name_session(session: str) -> str:
    """Return a name short enough for a line: the log, or the beginning of an id."""
    log = session.removeprefix("log:")
    return visible(session[:_MAX_SESSION] if log == session else f"log {PurePosixPath(log).name}")
