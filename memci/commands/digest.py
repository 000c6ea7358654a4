"""`memci digest`: the ten-section session memory of transcripts."""

import click

from memci.commands.options import Settings, format_option
from memci.errors import Exit
from memci.report.output import emit, progress


@click.command(
    "digest",
    epilog="""\b
Examples:
  memci digest ~/.claude/projects/-home-me-shop/6f1c….jsonl
  memci digest sessions.zip --format json
  memci digest git:memci/sessions

\b
Exit codes:
  3  a transcript could not be read; the others are shown""",
)
@click.argument("transcripts", nargs=-1, required=True, metavar="TRANSCRIPT...")
@format_option("markdown", "json")
@click.pass_obj
def command(settings: Settings, /, transcripts: tuple[str, ...], style: str) -> Exit:
    """Show the session memory of transcripts: ten sections, without a model.

    TRANSCRIPT is a file, a directory, a bundle or git:REF[:PATH]. A section has at most 2,000 tokens and a digest
    12,000, estimated as three ASCII characters or two bytes of other scripts per token. Secrets are redacted.
    """
    from memci.git.repository import find_repository
    from memci.report.digest_text import render_digest, render_digests_json
    from memci.report.escape import workflow_line
    from memci.runs.digest import make_digests

    repository = find_repository(settings.directory.resolve())
    with progress(quiet=settings.verbosity < 0) as show:
        made = make_digests(transcripts, repository, show)
    if style == "json":
        emit(render_digests_json(made.digests, made.skipped))
    else:
        emit("\n".join(render_digest(digest) for digest in made.digests))
    for name, reason in made.skipped:
        click.echo(f"memci: {workflow_line(name)}: {workflow_line(reason)}", err=True)
    if made.skipped:
        return Exit.DEGRADED
    if not made.digests:
        click.echo("memci: no transcript found", err=True)
    return Exit.DONE
