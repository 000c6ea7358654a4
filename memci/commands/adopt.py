"""`memci adopt`: a person's own memory becomes the memory of the project."""

import os
from pathlib import Path
from typing import Any

import click

from memci.commands.options import (
    Settings,
    format_option,
    now_option,
    take_pull_request,
    target_options,
)
from memci.errors import Exit, UsageError
from memci.model.plan import PlanStatus
from memci.report.output import emit, progress, terminal_width, wants_colour


@click.command(
    "adopt",
    epilog="""\b
Examples:
  memci adopt                     show what would be adopted into .claude/memory
  memci adopt --diff              also every line
  memci adopt --write             write it; memci undo takes it back
  memci adopt --pr                propose it as a pull request
  memci adopt --scope .claude/agent-memory/reviewer --include user_role

\b
Exit codes:
  5  refused: a dream is running, or the memory changed meanwhile""",
)
@click.option(
    "--scope",
    type=click.Path(path_type=Path),
    metavar="DIR",
    show_default=".claude/memory",
    help="The memory that gets the topics.",
)
@click.option("--include", multiple=True, metavar="NAME", help="Also adopt this topic about you; may be repeated.")
@click.option("--write", is_flag=True, help="Write the files.")
@click.option("--pr", "with_pr", is_flag=True, help="Propose the result as a pull request; write no files here.")
@target_options("memci/adopt")
@click.option("--diff", is_flag=True, help="Also print the change of every file.")
@format_option("text", "json")
@now_option
@click.pass_obj
def command(settings: Settings, /, *, style: str, diff: bool, **options: Any) -> Exit:
    """Take topics of your own memory over into the memory of the project.

    Reads what Claude Code remembers for you (~/.claude/projects/*/memory) about this repository: for its root, its
    worktrees, and other clones of the same remote. Your own files are never changed. Topics about you stay unless
    --include names them; topics with secrets, hidden text or planted instructions always stay, and so does the text of
    your MEMORY.md. What the project's memory says already is not added again, an addition to a topic of the same name
    is appended to it, and a contradiction is a question. Session ids and times are not taken over.

    Every change passes all guards. Without --write or --pr nothing is changed. A pull request names nothing of what
    stays with you.
    """
    pull = take_pull_request(options, settings)
    if options["write"] and pull:
        raise UsageError("--write and --pr cannot be combined", hint="--pr writes no files")
    from memci.runs.adopt import AdoptRequest, adopt, render_adoption, render_adoption_json
    from memci.runs.scopes import prepare

    found = prepare(settings.directory, settings.config)
    with progress(quiet=settings.verbosity < 0) as show:
        done = adopt(found, AdoptRequest(**options, pull=pull), os.environ, show)
    if style == "json":
        emit(render_adoption_json(done))
    else:
        emit(render_adoption(done, diff=diff, colour=wants_colour(), width=terminal_width(0)))
    if done.published and done.published.exit_code:
        return done.published.exit_code
    return Exit.DEGRADED if done.plan.status is PlanStatus.FAILED else Exit.DONE
