"""`memci status`: scopes, budgets, ages and problems at a glance."""

import datetime as dt

import click

from memci.commands.options import Settings, format_option, now_option, user_option
from memci.errors import Exit
from memci.report.output import emit, progress, terminal_width, wants_colour


@click.command(
    "status",
    epilog="""\b
Examples:
  memci status                  the scopes of this repository
  memci status --user           also your own memory
  memci status --format json""",
)
@format_option("text", "json")
@user_option
@now_option
@click.pass_obj
def command(settings: Settings, /, style: str, *, with_user: bool, now: dt.datetime) -> Exit:
    """Show scopes, budgets, ages and problems at a glance.

    Shows for each scope its topics by type, how much of the index the client would load, when it changed, when it last
    dreamt, whether a dream is due, and the findings of `memci check`.
    """
    from memci.report.status_result import render_status, render_status_json
    from memci.runs.scopes import prepare
    from memci.runs.status import read_health

    found = prepare(settings.directory, settings.config, with_user=with_user)
    with progress(quiet=settings.verbosity < 0) as show:
        show("reading memory")
        statuses = read_health(found, now).statuses
    if style == "json":
        emit(render_status_json(statuses, now, found.notes))
    else:
        emit(render_status(statuses, now, colour=wants_colour(), width=terminal_width(0)))
    return Exit.DONE
