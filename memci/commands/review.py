"""`memci review`: what a change does to memory, in meaning."""

import datetime as dt
import os

import click

from memci.commands.options import Settings, forge_option, format_option, now_option
from memci.errors import FAIL_LEVELS, Exit, ServiceError
from memci.report.escape import visible
from memci.report.output import emit, progress, terminal_width, wants_colour


@click.command(
    "review",
    epilog="""\b
Examples:
  memci review --base origin/main            what this branch does to memory
  memci review --base v1.0 --head v1.1       between two commits
  memci review --base origin/main --format markdown >> "$GITHUB_STEP_SUMMARY"
  memci review --base origin/main --comment  also comment on the pull request

\b
Exit codes:
  0  no point at or above the fail level
  1  points at or above the fail level; nothing else exits 1
  3  the review is complete, but the comment was not written""",
)
@click.option("--base", metavar="REV", required=True, help="Compare with the merge base of this revision.")
@click.option("--head", metavar="REV", default="HEAD", show_default=True, help="The revision to review.")
@format_option("text", "json", "markdown")
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_LEVELS),
    show_default="fail-on of the base's settings, else error",
    help="Exit 1 at this severity or above.",
)
@click.option("--comment", is_flag=True, help="Create or update one comment on the pull request; needs a token.")
@click.option("--pull", type=click.IntRange(1), metavar="N", help="Pull request number; detected on CI runners.")
@forge_option("auto", "github", "gitea", "gitlab")
@click.option("--remote", metavar="NAME", default="origin", show_default=True, help="The remote of the pull request.")
@now_option
@click.pass_obj
def command(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    /,
    base: str,
    head: str,
    *,
    style: str,
    fail_on: str | None,
    comment: bool,
    pull: int | None,
    forge: str,
    remote: str,
    now: dt.datetime,
) -> int:
    """Summarize what a change does to memory: facts added, reworded, moved and lost.

    The first line says whether the change needs review, and why.
    The settings of the base apply; only --comment needs a token.
    """
    from memci.runs import review
    from memci.runs.scopes import prepare

    found = prepare(settings.directory, None)
    failed = False
    with progress(quiet=settings.verbosity < 0) as show:
        reviewed, level = review.run_review(found, base, head, now, show)
        reviewed = review.name_pull(reviewed, pull, os.environ)
        if comment:
            show("talking to the forge")
            try:
                said = f"comment {review.update_comment(found.workspace, reviewed, forge, remote, os.environ).value}"
            except ServiceError as error:
                # A token without write access must not suppress the review itself.
                said, failed = f"the comment was not written: {error.message}", True
            if failed or settings.verbosity >= 0:
                click.echo(f"memci: {visible(said)}", err=True)
    wanted = {"colour": wants_colour(), "everything": settings.verbosity > 0}
    text = review.render(reviewed, style, width=terminal_width(), **wanted)
    emit(text)
    code = review.exit_code(reviewed, fail_on or level)
    return Exit.DEGRADED if failed and code is Exit.DONE else code
