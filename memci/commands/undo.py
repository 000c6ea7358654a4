"""`memci undo`: take the last local dream back."""

from pathlib import Path

import click

from memci.commands.options import Settings, format_option, scopes_argument, user_option
from memci.errors import Exit, UnsafeError
from memci.report.output import emit


@click.command(
    "undo",
    epilog="""\b
Examples:
  memci undo                    all scopes of this repository
  memci undo .claude/memory     one scope

\b
Exit codes:
  5  refused: a file has changed since the dream""",
)
@scopes_argument
@format_option("text", "json")
@user_option
@click.pass_obj
def command(settings: Settings, /, scopes: tuple[Path, ...], style: str, *, with_user: bool) -> Exit:
    """Restore the memory as it was before the last dream.

    The files from before a dream are kept in a journal outside the memory. If a file has changed since, it is never
    overwritten and nothing of its scope is restored. Use git to revert what was published.

    SCOPES are memory directories; all scopes of this repository by default.
    """
    from memci.runs.scopes import open_scopes
    from memci.runs.undo import render_undone, render_undone_json, undo_scopes

    done = undo_scopes(open_scopes(settings.directory, settings.config, with_user=with_user), scopes)
    if style == "json":
        emit(render_undone_json(done))
        return Exit.UNSAFE if done.refused else Exit.DONE
    emit(render_undone(done))
    if done.refused:
        # The other scopes are restored and reported all the same.
        hint = "if the memory is as it should be, there is nothing to undo; git has the rest"
        raise UnsafeError("; ".join(done.refused), hint=hint)
    return Exit.DONE
