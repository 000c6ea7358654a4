"""`memci recall`: which topics a session would be given for a query."""

import click

from memci.commands.options import Settings, format_option, now_option, user_option
from memci.errors import Exit
from memci.report.output import emit


@click.command(
    "recall",
    epilog="""\b
Examples:
  memci recall fix the flaky checkout test
  memci recall --scope agent:reviewer "rename a column" --format json
  memci recall --recent-tool "Bash(docker)" --already .claude/memory/ports.md start the stack
  git log -1 --format=%B | memci recall -

\b
Exit codes:
  3  a topic could not be read, or the model did not answer""",
)
@click.argument("query", nargs=-1)
@click.option("--scope", "scopes", multiple=True, metavar="ID|PATH", help="Search only this scope; may be repeated.")
@click.option(
    "--recent-tool", "tools", multiple=True, metavar="NAME", help="Exclude manuals of this tool; may be repeated."
)
@click.option("--already", multiple=True, metavar="PATH", help="Exclude this topic; may be repeated.")
@click.option(
    "--engine",
    type=click.Choice(("local", "claude")),
    default="local",
    show_default=True,
    help="Rank by words, or with a model.",
)
@format_option("text", "json")
@user_option
@now_option
@click.pass_obj
def command(settings: Settings, /, engine: str, style: str, *, with_user: bool, **options: object) -> Exit:
    """Show which topics a session would be given for a query, and why.

    Shows at most five topics, each with the reason, its age, what in it no longer holds, and as much of its text as the
    client would load.

    QUERY is the task as typed into a session; `-` reads it from standard input.
    """
    from memci.recall.local_choice import LocalRanker
    from memci.runs.recall import RecallRequest, recall, recall_with_model, render_recall, render_recall_json
    from memci.runs.scopes import prepare

    request = RecallRequest(**options)  # type: ignore[arg-type]  # click has checked them
    found = prepare(settings.directory, settings.config, with_user=with_user)
    result = recall(found, request, LocalRanker()) if engine == "local" else recall_with_model(found, request)
    emit(render_recall_json(result) if style == "json" else render_recall(result, quiet=settings.verbosity < 0))
    return Exit.DEGRADED if result.skipped else Exit.DONE
