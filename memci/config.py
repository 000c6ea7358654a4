"""The settings of a repository with their defaults; each field documents one key."""

import fnmatch
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeVar

from memci.errors import DEFAULT_FAIL_LEVEL, FAIL_LEVELS

if TYPE_CHECKING:
    from memci.model.finding import Finding

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Ignore:
    """An exception to a rule, with its reason."""

    rule: str
    # A glob over repository-relative paths.
    path: str
    reason: str
    # Its line in the file, to report it when it is no longer needed.
    line: int

    def matches(self, finding: "Finding") -> bool:
        """Tell whether this exception covers a finding."""
        return self.covers(finding.rule, finding.path)

    def covers(self, rule: str, path: PurePosixPath) -> bool:
        """Tell whether this exception covers all findings of a rule in a file."""
        return self.rule == rule and fnmatch.fnmatchcase(str(path), self.path)


def _key(default: _Value, values: str, meaning: str) -> _Value:
    """Declare a key with its default, its values, and its documentation."""
    return field(default=default, metadata={"values": values, "meaning": meaning})


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a repository."""

    scopes: tuple[str, ...] = _key((), "globs", "Further memory directories; a leading `!` takes directories out.")
    ignore: tuple[Ignore, ...] = _key(
        (),
        "entries",
        "Exceptions: `rule`, `path` (a glob; everything if not named) and the `reason`, which is required.",
    )
    fail_on: str = _key(
        DEFAULT_FAIL_LEVEL,
        " or ".join(FAIL_LEVELS),
        "From which severity on findings make `memci check` and `memci review` exit 1.",
    )
    severity: tuple[tuple[str, str], ...] = _key(
        (), "levels by rule", "The severity of single rules: `index-prose: info`; one of error, warning and info."
    )
    dream: bool = _key(True, "true or false", "Whether `memci dream` may run here at all.")  # noqa: FBT003 -- a default
    transcripts: tuple[str, ...] = _key(
        (), "places", "Where sessions are read from if none are named: see [below](#where-sessions-are-read-from)."
    )
    automation: tuple[str, ...] = _key(
        (),
        "globs",
        "Prompts of this repository's own programs, such as `Nightly triage:*`; nothing is learned from them.",
    )
    route: str | None = _key(None, "the id of a scope", "The scope that gets what no other reason gives a place to.")
    # The file these settings were read from; None if there is none.
    path: PurePosixPath | None = field(default=None, compare=False)
