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
  memci init --merge-driver   also let git merge memory with memci
  memci doctor --online   check the setup""",
)
@click.option("--gitlab/--github", "gitlab", default=None, help="The forge.  [default: detected from the remote URL]")
@click.option("--collect", is_flag=True, help="Add a hook that pushes redacted sessions to memci/sessions.")
@click.option("--merge-driver", is_flag=True, help="Let git merge memory with memci: adds lines to .gitattributes.")
@click.option("--dry-run", is_flag=True, help="Print the files and write nothing.")
@format_option("text", "json")
@click.pass_obj
def command(
    settings: Settings, /, style: str, *, gitlab: bool | None, collect: bool, merge_driver: bool, dry_run: bool
) -> Exit:
    """Write the workflow and the settings for a nightly dream.

    Existing files are not changed, except that --collect and --merge-driver add to .claude/settings.json and
    .gitattributes.
    """
    from memci.runs.init import SetupOptions, render_start, render_start_json, set_up

    done = set_up(settings.directory, SetupOptions(gitlab, collect, merge_driver, dry_run), os.environ)
    emit(render_start_json(done) if style == "json" else render_start(done, quiet=settings.verbosity < 0))
    return Exit.DONE
