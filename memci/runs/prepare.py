"""Runs before a command reads memory: rolls back interrupted dreams, and reports settings without effect."""

from collections.abc import Iterator
from pathlib import Path

from memci.errors import MemciError
from memci.git.workspace import Workspace, open_workspace
from memci.memory.scopes import list_idle_globs
from memci.model.memory import Scope
from memci.report.output import warn
from memci.runs.scopes import list_own_scopes, list_scopes, read_settings
from memci.stores.apply import find_unfinished, has_staging, settle
from memci.stores.state_directory import resolve_state_directory, state_base

# Subject and message.
Notes = tuple[tuple[str, str], ...]


def prepare(workspace: Workspace, config_path: Path | None, *, with_user: bool = False) -> tuple[Workspace, Notes]:
    """Return the workspace to read and notes on its problems, which are also printed to standard error."""
    common = workspace.repository.common if workspace.repository else None
    unfinished = find_unfinished(state_base(common))
    config = read_settings(workspace, config_path)
    if not unfinished and not config.scopes:
        return workspace, ()
    scopes = list_scopes(workspace, config)
    notes = [(str(config.path), f"scopes: {why}") for why in list_idle_globs(config.scopes, scopes)]
    own = list_own_scopes(workspace, with_user=with_user and bool(unfinished))
    for scope in (*scopes, *own):
        state = resolve_state_directory(scope.target, common)
        # A dream that was stopped without a staging directory has changed nothing.
        if state in unfinished and has_staging(scope.target):
            notes += _settle(scope, state)
    warn(notes)
    if unfinished:
        # Files have moved since they were listed.
        workspace = open_workspace(workspace.start)
    return workspace, tuple(notes)


def _settle(scope: Scope, state: Path) -> Iterator[tuple[str, str]]:
    try:
        recovery = settle(scope.target, state)
    except MemciError as error:
        why = f"a dream did not finish here and cannot be rolled back now ({error.message})"
        yield str(scope.path), f"{why}; files may be partly old and partly new"
        return
    if recovery.restored:
        # The memory is consistent again, so the result needs no note.
        warn([(str(scope.path), "a dream was interrupted here; it has been rolled back")])
    if recovery.left:
        names = ", ".join(str(path) for path in recovery.left)
        yield str(scope.path), f"{names}: changed since the interrupted dream and left alone; old text: {recovery.kept}"
