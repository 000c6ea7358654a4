"""Reads the settings of a workspace and lists the scopes that a command is about."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from memci.config import Config
from memci.errors import UsageError
from memci.git.workspace import Workspace, resolve_inside
from memci.memory.scopes import find_scopes, find_user_scopes
from memci.model.memory import Scope
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
