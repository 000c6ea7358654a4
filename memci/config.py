"""What a repository may set, with its defaults; each field documents one key."""

import fnmatch
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memci.errors import DEFAULT_FAIL_LEVEL

if TYPE_CHECKING:
    from memci.model import Finding


@dataclass(frozen=True, slots=True)
class Ignore:
    """An exception to a rule, with the reason people gave for it."""

    rule: str
    # A glob over repository-relative paths.
    path: str
    reason: str
    # Where it is written, to report it when nothing needs it any more.
    line: int

    def matches(self, finding: "Finding") -> bool:
        """Whether this exception covers a finding."""
        return self.rule == finding.rule and fnmatch.fnmatchcase(str(finding.path), self.path)


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a repository."""

    # Globs of further memory directories; a leading `!` takes directories out.
    scopes: tuple[str, ...] = ()
    # Exceptions: rule, path (a glob, default everything) and the reason.
    ignore: tuple[Ignore, ...] = ()
    # From which severity on `memci check` exits 1: error, warning, info or never.
    fail_on: str = DEFAULT_FAIL_LEVEL
    # Whether `memci dream` may run here at all.
    dream: bool = True
    # Where transcripts are read from if none are named: paths, globs, or `git:REF[:PATH]`.
    transcripts: tuple[str, ...] = ()
    # The id of the scope that gets what no other reason gives a place to.
    route: str | None = None
    # The file these settings were read from; None if there is none.
    path: PurePosixPath | None = field(default=None, compare=False)
