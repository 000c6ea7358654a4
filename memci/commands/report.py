"""`memci report`: one HTML page on the state of memory."""

import datetime as dt
import os
import sys
from pathlib import Path

import click

from memci.commands.options import Settings, now_option, scopes_argument, user_option
from memci.errors import Exit, UsageError
from memci.report.escape import visible
from memci.report.output import emit, progress


@click.command(
    "report",
    epilog="""\b
Examples:
  memci report --out memory.html          a single file to open in a browser
  memci report .claude/memory > memory.html
  memci dream --report dream.html         the same, with the dream itself""",
)
@scopes_argument
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write to this file instead of standard output.",
)
@user_option
@now_option
@click.pass_obj
def command(
    settings: Settings, /, scopes: tuple[Path, ...], out: Path | None, now: dt.datetime, *, with_user: bool
) -> Exit:
    """Show the state of memory on one self-contained page.

    The page shows the budget of each index, topics by type and age, claims about the repository and their verdicts,
    problems, what a session would load, and all findings of memci check.

    SCOPES are memory directories; all scopes of this repository by default.
    """
    if out is None and sys.stdout.isatty():
        raise UsageError("an HTML page cannot be shown on a terminal", hint="--out memory.html, or memci status")
    from memci.stores.files import check_parent

    if out is not None:
        check_parent(out)
    from memci.report.page.render import render_page
    from memci.runs.forge_links import find_links
    from memci.runs.report import ReportRequest, make_report, write_report
    from memci.runs.scopes import prepare

    found = prepare(settings.directory, settings.config, with_user=with_user)
    request = ReportRequest(scopes, now, find_links(found.workspace, os.environ))
    with progress(quiet=settings.verbosity < 0) as show:
        report = make_report(found, request, show)
    text = render_page(report)
    if out is None:
        emit(text)
    else:
        write_report(out, text)
        emit("" if settings.verbosity < 0 else f"wrote {visible(str(out))}: {visible(report.headline)}\n")
    return Exit.DONE
