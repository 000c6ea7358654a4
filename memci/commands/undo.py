"""`memci undo`: take the last local dream back."""

import datetime as dt
import os
from collections.abc import Sequence
from pathlib import Path

import click

from memci.commands.options import Settings, format_option, user_option
from memci.errors import Exit, UnsafeError
from memci.report.console import emit


@click.command(
    "undo",
    epilog="""\b
Examples:
  memci undo                    all scopes of this repository
  memci undo .claude/memory     one scope

\b
Exit codes:
  5  refused: somebody changed a file since the dream""",
)
@click.argument("scopes", nargs=-1, type=click.Path(path_type=Path))
@format_option("text", "json")
@user_option
@click.pass_obj
def command(settings: Settings, /, scopes: tuple[Path, ...], style: str, *, with_user: bool) -> Exit:
    """Restore the memory as it was before the last dream.

    The bytes before a dream are kept in a journal outside of the memory. A file that somebody changed since is never
    overwritten: then nothing of that scope is restored. What was published is taken back with git.

    SCOPES are memory directories; all of this repository if none is named.
    """
    from memci.git.workspace import find_inside, open_workspace
    from memci.memory.scopes import find_scopes
    from memci.memory.user_scopes import find_user_scopes
    from memci.runs.check import select_scopes
    from memci.settings import read_config
    from memci.stores.lock import hold_lock
    from memci.stores.state_directory import find_state_directory
    from memci.stores.undo import undo

    workspace = open_workspace(settings.directory)
    config = read_config(workspace.tree, find_inside(workspace, settings.config) if settings.config else None)
    wanted = [find_inside(workspace, path) for path in scopes]
    own = find_user_scopes(workspace.root, workspace.repository, os.environ) if with_user else ()
    common = workspace.repository.common if workspace.repository else None
    restored: list[str] = []
    removed: list[str] = []
    refused: list[str] = []
    for scope in (*select_scopes(find_scopes(workspace.tree, workspace.root, config.scopes), wanted), *own):
        state = find_state_directory(scope.target, common, os.environ)
        if not state.exists():
            continue
        try:
            with hold_lock(scope.target, state, now=dt.datetime.now(dt.UTC)) as lock:
                undone = undo(lock)
        except UnsafeError as error:
            refused.append(f"{scope.path}: {error.message}")
            continue
        if undone:
            restored += [str(scope.path / path) for path in undone.restored]
            removed += [str(scope.path / path) for path in undone.removed]
    if style == "json":
        from memci.report.escape import json_text

        content = {"restored": restored, "removed": removed, "refused": refused}
        emit(json_text({"schema": "memci/undo/1", **content}))
        return Exit.UNSAFE if refused else Exit.DONE
    emit(_render(restored, removed, refused))
    if refused:
        # What other scopes were before is restored all the same, and was said.
        hint = "if the memory is as it should be, there is nothing to undo; git has the rest"
        raise UnsafeError("; ".join(refused), hint=hint)
    return Exit.DONE


def _render(restored: Sequence[str], removed: Sequence[str], refused: Sequence[str]) -> str:
    from memci.report.escape import visible

    lines = [f"restored  {visible(path)}" for path in restored] + [f"removed   {visible(path)}" for path in removed]
    return "".join(f"{line}\n" for line in lines) or ("" if refused else "nothing to undo\n")
