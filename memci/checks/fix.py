"""Applies fixes to a snapshot in rounds until no rule offers one; writes no files."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memci.memory.apply_edits import apply_edits, lines_of
from memci.memory.snapshot import replace_texts
from memci.model.finding import Edit, Finding
from memci.model.memory import Guide, ScopeSnapshot, Snapshot

# A fix can make room for another (a shorter hook lets the index fit); chains longer than this do not occur.
MAX_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Fixed:
    """The memory after the fixes, which fixes were made, and the texts that changed."""

    snapshot: Snapshot
    applied: tuple[Finding, ...]
    texts: Mapping[PurePosixPath, str]


def fix_snapshot(snapshot: Snapshot, find: Callable[[Snapshot], Iterable[Finding]]) -> Fixed:
    """Apply every fix that `find` offers, and those that become possible through them."""
    before = _texts(snapshot)
    applied: list[Finding] = []
    for _ in range(MAX_ROUNDS):
        chosen = _choose(find(snapshot))
        if not chosen:
            break
        edits = [edit for finding in chosen if finding.fix for edit in finding.fix.edits]
        snapshot = _replace_texts(snapshot, apply_edits(_texts(snapshot), edits))
        applied += chosen
    changed = {path: text for path, text in _texts(snapshot).items() if before.get(path) != text}
    return Fixed(snapshot, tuple(applied), changed)


def _choose(findings: Iterable[Finding]) -> list[Finding]:
    """Take fixes in order, leaving out those that touch a line that is taken; they get the next round."""
    taken: set[tuple[PurePosixPath, int]] = set()
    chosen = []
    for finding in findings:
        lines = {place for edit in finding.fix.edits for place in _places(edit)} if finding.fix else set()
        if finding.fix and not lines & taken:
            taken |= lines
            chosen.append(finding)
    return chosen


def _places(edit: Edit) -> Iterable[tuple[PurePosixPath, int]]:
    return ((edit.path, line) for line in lines_of(edit))


def _texts(snapshot: Snapshot) -> dict[PurePosixPath, str]:
    return {text.path: text.text for text in snapshot.texts}


def _replace_texts(snapshot: Snapshot, changed: Mapping[PurePosixPath, str]) -> Snapshot:
    return replace(
        snapshot,
        scopes=tuple(replace_texts(scope, _select_own(scope, changed)) for scope in snapshot.scopes),
        checked_guides=tuple(Guide(one.path, changed.get(one.path, one.text)) for one in snapshot.checked_guides),
    )


def _select_own(scope: ScopeSnapshot, changed: Mapping[PurePosixPath, str]) -> dict[PurePosixPath, str]:
    """Leave out the texts of scopes that lie inside this one."""
    return {path: text for path, text in changed.items() if path == scope.index_path or scope.topic(path)}
