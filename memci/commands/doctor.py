"""`memci doctor`: problems of the setup, and how to fix them."""

import os

import click

from memci.commands.options import Settings, format_option
from memci.errors import Exit
from memci.report.output import emit, progress


@click.command(
    "doctor",
    epilog="""\b
Examples:
  memci doctor                            offline checks
  GITHUB_TOKEN=… memci doctor --online    also query the forge, read-only

\b
Exit codes:
  0  no problem
  1  problems were found""",
)
@click.option("--online", is_flag=True, help="Also check the token and the repository settings at the forge.")
@format_option("text", "json")
@click.pass_obj
def command(settings: Settings, /, style: str, *, online: bool) -> Exit:
    """Find problems of the setup, and explain how to fix them.

    Checks git, the clone, memory, settings, transcripts, workflows, credentials and locks. Secrets are never shown.
    """
    from memci.runs.doctor.local import examine
    from memci.runs.doctor.result import count_problems, render_diagnoses, render_diagnoses_json

    with progress(quiet=settings.verbosity < 0) as show:
        show("looking around")
        found, here = examine(settings.directory, settings.config, os.environ)
        if online and here is not None:
            from memci.runs.doctor.forge import examine_forge

            show("asking the forge")
            found += examine_forge(here)
    emit(render_diagnoses_json(found) if style == "json" else render_diagnoses(found, quiet=settings.verbosity < 0))
    return Exit.FINDINGS if count_problems(found) else Exit.DONE
