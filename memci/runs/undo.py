"""Runs `memci undo`: restores every scope as it was before its last local dream."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memci.errors import UnsafeError
from memci.report.escape import json_text, visible
from memci.runs.scopes import Prepared
from memci.stores.apply import undo
from memci.stores.lock import hold_lock
from memci.stores.state_directory import resolve_state_directory


@dataclass(frozen=True, slots=True)
class UndoOutcome:
    """The files that were restored and removed, and the scopes that were refused with the reason."""

    restored: tuple[str, ...]
    removed: tuple[str, ...]
    refused: tuple[str, ...]


def undo_scopes(found: Prepared, named: Sequence[Path]) -> UndoOutcome:
    """Undo the last dream of each scope; a scope whose files changed since is left alone and named."""
    repository = found.workspace.repository
    common = repository.common if repository else None
    restored: list[str] = []
    removed: list[str] = []
    refused: list[str] = []
    for scope in (*found.select(named), *found.own):
        state = resolve_state_directory(scope.target, common)
        if not state.exists():
            continue
        try:
            with hold_lock(scope.target, state) as lock:
                undone = undo(lock)
        except UnsafeError as error:
            refused.append(f"{scope.path}: {error.message}")
            continue
        for file in undone:
            (removed if file.old is None else restored).append(str(scope.path / file.path))
    return UndoOutcome(tuple(restored), tuple(removed), tuple(refused))


def render_undone(done: UndoOutcome) -> str:
    """Return the restored and removed files as text."""
    lines = [f"restored  {visible(path)}\n" for path in done.restored]
    lines += [f"removed   {visible(path)}\n" for path in done.removed]
    return "".join(lines) or ("" if done.refused else "nothing to undo\n")


def render_undone_json(done: UndoOutcome) -> str:
    """Return the result as JSON."""
    content = {"restored": done.restored, "removed": done.removed, "refused": done.refused}
    return json_text({"schema": "memci/undo/1", **{name: list(paths) for name, paths in content.items()}})
