"""`memci signals`: what the gather phase accepts and rejects, and why."""

import datetime as dt

import click

from memci.commands.options import Settings, format_option, now_option, transcripts_option
from memci.errors import Exit
from memci.report.output import emit, progress


@click.command(
    "signals",
    epilog="""\b
Examples:
  memci signals --transcripts ~/.claude/projects/-home-me-shop
  memci signals --transcripts sessions.zip --format json
  memci signals --transcripts git:entire/checkpoints/v1

\b
Exit codes:
  3  a file could not be read; the others are shown""",
)
@transcripts_option
@format_option("text", "json")
@now_option
@click.pass_obj
def command(settings: Settings, /, transcripts: tuple[str, ...], style: str, now: dt.datetime) -> Exit:
    """Show what people said that is worth remembering, and what was rejected.

    Reads transcripts and the daily logs of all scopes; writes nothing. Only what a person typed can be a signal; each
    is shown with its kind and source. Rejected sentences are shown with the reason.
    """
    from memci.runs.scopes import prepare
    from memci.runs.signals import read_signals, render_signals, render_signals_json

    found = prepare(settings.directory, settings.config)
    with progress(quiet=settings.verbosity < 0) as show:
        result = read_signals(found, transcripts, now, show)
    emit(render_signals_json(result) if style == "json" else render_signals(result))
    return Exit.DEGRADED if any(file.reason for file in result.reading.files) else Exit.DONE
