"""`memci init`: the workflow, the settings, and what people do next."""

import os

import click

from memci.commands.options import Settings, format_option
from memci.errors import Exit
from memci.report.console import emit


@click.command(
    "init",
    epilog="""\b
Examples:
  memci init --dry-run    show the files and write nothing
  memci init
  memci init --collect    also collect sessions: a hook pushes them, redacted, to the branch memci/sessions
  memci doctor --online   look whether all of it works""",
)
@click.option("--gitlab/--github", "gitlab", default=None, help="For this forge.  [default: as the remote says]")
@click.option("--collect", is_flag=True, help="Add the hook that pushes sessions, redacted, to memci/sessions.")
@click.option("--dry-run", is_flag=True, help="Print the files and write nothing.")
@format_option("text", "json")
@click.pass_obj
def command(settings: Settings, /, style: str, *, gitlab: bool | None, collect: bool, dry_run: bool) -> Exit:
    """Write the workflow and the settings for a nightly dream.

    A file that is there already is kept as it is.
    """
    from memci.runs.init import SetupOptions, start
    from memci.runs.init_result import render_start, render_start_json

    done = start(settings.directory, SetupOptions(gitlab, collect, dry_run), os.environ)
    emit(render_start_json(done) if style == "json" else render_start(done, quiet=settings.verbosity < 0))
    return Exit.DONE
