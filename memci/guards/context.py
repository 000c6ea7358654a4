"""What a guard is: a name, and a function that says why an operation must not pass."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from memci.memory.replace_texts import Texts
from memci.model.finding import Finding
from memci.model.memory import Guide
from memci.model.plan import Operation
from memci.model.session import Signal


@dataclass(frozen=True, slots=True)
class Ground:
    """Everything a guard may look at; nothing in it comes from an engine."""

    scope: PurePosixPath
    # The index and the topics as they were read, and as they are right before this operation.
    original: Mapping[PurePosixPath, str]
    draft: Texts
    # Other files of the scope: logs, unread files, files of other types.
    taken: Collection[PurePosixPath] = ()
    signals: Mapping[str, Signal] = field(default_factory=dict)
    # By fingerprint: what the rules said about the scope before the dream.
    findings: Mapping[str, Sequence[Finding]] = field(default_factory=dict)
    guides: tuple[Guide, ...] = ()
    # Names in proposed texts that the repository neither has nor ever had.
    unknown: Collection[str] = ()


def group_findings(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Return findings by fingerprint: equal lines of a file give several that are one problem to a baseline."""
    grouped: dict[str, list[Finding]] = {}
    for finding in findings:
        grouped.setdefault(finding.fingerprint, []).append(finding)
    return grouped


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard; `check` returns why the operation is refused, or None."""

    id: str
    summary: str
    check: Callable[[Operation, Ground], str | None]
