"""`memci init`: the workflow, the settings, and the next steps."""

import os

import click

from memci.commands.options import Settings, format_option
from memci.errors import Exit
from memci.report.output import emit


@click.command(
    "init",
    epilog="""\b
Examples:
  memci init --dry-run    show the files and write nothing
  memci init
  memci init --collect    also add a hook that pushes redacted sessions to memci/sessions
  memci doctor --online   check the setup""",
)
@click.option("--gitlab/--github", "gitlab", default=None, help="The forge.  [default: detected from the remote URL]")
@click.option("--collect", is_flag=True, help="Add a hook that pushes redacted sessions to memci/sessions.")
@click.option("--dry-run", is_flag=True, help="Print the files and write nothing.")
@format_option("text", "json")
@click.pass_obj
def command(settings: Settings, /, style: str, *, gitlab: bool | None, collect: bool, dry_run: bool) -> Exit:
    """Write the workflow and the settings for a nightly dream.

    Existing files are not changed.
    """
    from memci.runs.init import render_start, render_start_json, set_up

    done = set_up(settings.directory, os.environ, gitlab=gitlab, collect=collect, dry_run=dry_run)
    emit(render_start_json(done) if style == "json" else render_start(done, quiet=settings.verbosity < 0))
    return Exit.DONE
