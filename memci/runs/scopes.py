"""Prepares a workspace for a command: its settings, its scopes, and dreams in it that were interrupted."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from memci.config import Config
from memci.errors import MemciError, UsageError
from memci.git.workspace import Workspace, open_workspace, resolve_inside
from memci.memory.scopes import find_scopes, list_idle_globs
from memci.memory.user_scopes import find_user_scopes
from memci.model.memory import Scope
from memci.report.output import warn
from memci.settings_file import read_config

# Subject and message.
Notes = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A workspace with its settings and its scopes."""

    workspace: Workspace
    config: Config
    scopes: tuple[Scope, ...]
    # The person's own scopes; none without `--user`.
    own: tuple[Scope, ...]
    # Problems of the memory.
    notes: Notes = ()

    def select(self, named: Sequence[Path]) -> tuple[Scope, ...]:
        """Return the scopes at, above or below the paths that a person named; all if none is named."""
        return select_scopes(self.scopes, [resolve_inside(self.workspace, path) for path in named])

    def reopen(self) -> "Prepared":
        """Return the same after files have changed."""
        workspace = open_workspace(self.workspace.start)
        return replace(
            self, workspace=workspace, scopes=find_scopes(workspace.tree, workspace.root, self.config.scopes)
        )


def open_scopes(directory: Path, config_path: Path | None, *, with_user: bool = False) -> Prepared:
    """Return the workspace of a directory as it is; the settings are read from the named file if there is one."""
    workspace = open_workspace(directory)
    config = read_config(workspace.tree, resolve_inside(workspace, config_path) if config_path else None)
    own = find_user_scopes(workspace.root, workspace.repository, os.environ) if with_user else ()
    return Prepared(workspace, config, find_scopes(workspace.tree, workspace.root, config.scopes), own)


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


def prepare(directory: Path, config_path: Path | None, *, with_user: bool = False) -> Prepared:
    """Open a workspace, roll back dreams that were interrupted, and note problems, which are also printed."""
    # Not for the hooks of a session, which only look for scopes.
    from memci.stores.apply import find_unfinished, has_staging
    from memci.stores.state_directory import resolve_state_directory, state_base

    found = open_scopes(directory, config_path, with_user=with_user)
    common = found.workspace.repository.common if found.workspace.repository else None
    unfinished = find_unfinished(state_base(common))
    notes = [(str(found.config.path), f"scopes: {why}") for why in list_idle_globs(found.config.scopes, found.scopes)]
    for scope in (*found.scopes, *found.own):
        state = resolve_state_directory(scope.target, common)
        # A dream that was stopped without a staging directory has changed nothing.
        if state in unfinished and has_staging(scope.target):
            notes += _settle(scope, state)
    warn(notes)
    return replace(found.reopen() if unfinished else found, notes=tuple(notes))


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
