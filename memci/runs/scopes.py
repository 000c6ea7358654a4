"""Prepares a workspace for a command: its settings, its scopes, and dreams in it that were interrupted."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from memci.config import Config
from memci.errors import MemciError, UsageError
from memci.git.workspace import Workspace, open_workspace, resolve_inside
from memci.memory.scopes import find_scopes, list_idle_globs
from memci.memory.user_scopes import find_user_scopes
from memci.model.memory import Scope
from memci.report.output import warn
from memci.settings_file import read_config


def read_settings(workspace: Workspace, named: Path | None) -> Config:
    """Read the settings of a workspace, or the file that is named with `--config`."""
    return read_config(workspace.tree, resolve_inside(workspace, named) if named else None)


def list_scopes(workspace: Workspace, config: Config) -> tuple[Scope, ...]:
    """Return all scopes of the workspace."""
    return tuple(find_scopes(workspace.tree, workspace.root, config.scopes))


def list_own_scopes(workspace: Workspace, *, with_user: bool) -> tuple[Scope, ...]:
    """Return the person's own scopes; none without `--user`."""
    return tuple(find_user_scopes(workspace.root, workspace.repository, os.environ)) if with_user else ()


def select_scopes(scopes: Sequence[Scope], wanted: Sequence[PurePosixPath]) -> tuple[Scope, ...]:
    """Return the scopes at, above or below the wanted paths; all if none is wanted."""
    if not wanted:
        return tuple(scopes)
    for path in wanted:
        if not any(scope.path.is_relative_to(path) or path.is_relative_to(scope.path) for scope in scopes):
            known = ", ".join(str(scope.path) for scope in scopes[:5]) or "none"
            raise UsageError(f"{path} is in no memory scope", hint=f"scopes found: {known}")
    return tuple(
        scope
        for scope in scopes
        if any(scope.path.is_relative_to(path) or path.is_relative_to(scope.path) for path in wanted)
    )


# Subject and message.
Notes = tuple[tuple[str, str], ...]


def prepare(directory: Path, config_path: Path | None, *, with_user: bool = False) -> tuple[Workspace, Notes]:
    """Return the workspace to read and notes on its problems, which are also printed to standard error."""
    # Not for the hooks of a session, which only look for scopes.
    from memci.stores.apply import find_unfinished, has_staging
    from memci.stores.state_directory import resolve_state_directory, state_base

    workspace = open_workspace(directory)
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
    from memci.stores.apply import settle

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
