"""`memci recall`: which topics a session would be given for a query."""

import click

from memci.commands.options import Settings, format_option, now_option, user_option
from memci.errors import Exit
from memci.report.console import emit


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
  3  a topic could not be read, or the model gave no answer""",
)
@click.argument("query", nargs=-1)
@click.option("--scope", "scopes", multiple=True, metavar="ID|PATH", help="Look in this scope; may be given again.")
@click.option(
    "--recent-tool", "tools", multiple=True, metavar="NAME", help="Leave out manuals of this tool; may be given again."
)
@click.option("--already", multiple=True, metavar="PATH", help="Leave out this topic; may be given again.")
@click.option(
    "--engine",
    type=click.Choice(("local", "claude")),
    default="local",
    show_default=True,
    help="Who chooses: the words, or a model.",
)
@click.option("--verify", is_flag=True, help="Check what the chosen topics say against the repository.")
@format_option("text", "json")
@user_option
@now_option
@click.pass_obj
def command(settings: Settings, /, engine: str, style: str, **options: object) -> Exit:
    """Show which topics a session would be given for a query, and why.

    At most five topics are shown, each with why it was chosen, how old it is, and as much of its text as the client
    would load.

    QUERY is what one would type as a task; `-` reads it from standard input.
    """
    from memci.git.workspace import open_workspace
    from memci.recall.local_choice import LocalRanker
    from memci.report.recall_result import render_recall, render_recall_json
    from memci.runs.prepare import prepare
    from memci.runs.recall import RecallRequest, recall, recall_with_model

    request = RecallRequest(**options)  # type: ignore[arg-type]  # click has checked them
    workspace, _ = prepare(open_workspace(settings.directory), settings.config, with_user=request.with_user)
    if engine == "local":
        result = recall(workspace, settings.config, request, LocalRanker())
    else:
        result = recall_with_model(workspace, settings.config, request)
    emit(render_recall_json(result) if style == "json" else render_recall(result, quiet=settings.verbosity < 0))
    return Exit.DEGRADED if result.skipped else Exit.DONE
