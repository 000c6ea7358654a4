"""Problems that rules report, and the edits that fix them."""

import enum
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from memci.model.citation import Claim


class Severity(enum.StrEnum):
    """The severity of a finding; `rank` orders them."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """Return 0 for info up to 2 for error."""
        return list(Severity).index(self)

    def reaches(self, level: str) -> bool:
        """Whether it is at or above a fail level; "never" is above all."""
        return level != "never" and self.rank >= Severity(level).rank


class Edit(NamedTuple):
    """Replace the lines `old`, the first of which is `line`, with `new`; an empty `old` inserts before the line."""

    path: PurePosixPath
    line: int
    old: str
    new: str


class Fix(NamedTuple):
    """Edits that belong together and are safe to apply without asking."""

    summary: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem: which rule, where, what, and what to do."""

    rule: str
    severity: Severity
    path: PurePosixPath
    message: str
    line: int = 1
    column: int = 1
    suggestion: str = ""
    fix: Fix | None = None
    # Identifies the finding across runs although counts in the message change; the message if empty.
    key: str = field(default="", compare=False)
    # The claim that does not hold, for findings of the truth rules.
    claim: Claim | None = field(default=None, compare=False, repr=False)

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """The sort key: by place."""
        return str(self.path), self.line, self.column, self.rule, self.message

    @property
    def is_conditional(self) -> bool:
        """Whether a claim is proven stale, but its text may describe the past."""
        return self.claim is not None and self.severity is Severity.INFO

    @property
    def fingerprint(self) -> str:
        """Identify the problem independent of its line number."""
        import hashlib

        parts = (self.rule, str(self.path), self.key or self.message)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
