"""`memci adopt`: a person's own memory becomes the memory of the project."""

import datetime as dt
import os
from pathlib import Path

import click

from memci.commands.options import Settings, format_option, now_option
from memci.errors import Exit
from memci.model.plan import PlanStatus
from memci.report.output import emit, terminal_width, wants_colour


@click.command(
    "adopt",
    epilog="""\b
Examples:
  memci adopt                     show what would be adopted into .claude/memory
  memci adopt --diff              also every line
  memci adopt --write             write it; memci undo takes it back
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
@click.option("--diff", is_flag=True, help="Also print the change of every file.")
@format_option("text", "json")
@now_option
@click.pass_obj
def command(
    settings: Settings,
    /,
    scope: Path | None,
    include: tuple[str, ...],
    style: str,
    now: dt.datetime,
    *,
    write: bool,
    diff: bool,
) -> Exit:
    """Take topics of your own memory over into the memory of the project.

    Reads what Claude Code remembers for you (~/.claude/projects/*/memory) about this repository: for its root, its
    worktrees, and other clones of the same remote. Your own files are never changed. Topics about you stay unless
    --include names them; topics with secrets, hidden text or planted instructions always stay, and so does the text of
    your MEMORY.md. What the project's memory says already is not added again, an addition to a topic of the same name
    is appended to it, and a contradiction is a question. Session ids and times are not taken over.

    Every change passes all guards. Without --write nothing is changed.
    """
    from memci.runs.adopt import AdoptRequest, adopt, render_adoption, render_adoption_json
    from memci.runs.scopes import prepare

    workspace, _ = prepare(settings.directory, settings.config)
    done = adopt(workspace, AdoptRequest(scope, include, write, now), settings.config, os.environ)
    if style == "json":
        emit(render_adoption_json(done))
    else:
        emit(render_adoption(done, diff=diff, colour=wants_colour(), width=terminal_width(0)))
    return Exit.DEGRADED if done.plan.status is PlanStatus.FAILED else Exit.DONE
