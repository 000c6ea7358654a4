"""`memci plan`: shards for a matrix."""

from pathlib import Path

import click

from memci.commands.options import Settings, format_option, scopes_argument
from memci.errors import Exit, UsageError
from memci.report.output import emit


@click.command(
    "plan",
    epilog="""\b
Examples:
  memci plan --shards 8                        the scopes of each job
  memci plan --format github-matrix            for `matrix: ${{ fromJSON(…) }}`
  memci dream --shard 2/8 --bundle bundle-2    the second of eight jobs
  memci plan --repositories repositories.txt --format github-matrix""",
)
@scopes_argument
@click.option(
    "--shards",
    type=click.IntRange(1, 256),
    metavar="N",
    default=8,
    show_default=True,
    help="Maximum number of shards; GitHub allows 256 jobs in a matrix.",
)
@click.option(
    "--repositories",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Plan one job per repository of this list (one owner/name per line), not per scope.",
)
@format_option("text", "json", "github-matrix")
@click.pass_obj
def command(
    settings: Settings, /, scopes: tuple[Path, ...], shards: int, repositories: Path | None, style: str
) -> Exit:
    """Divide the scopes among the jobs of a matrix.

    Scopes are packed by size, and the same commit always gives the same shards.

    SCOPES are memory directories; all scopes of this repository by default.
    """
    from memci.runs import shard
    from memci.runs.scopes import open_scopes

    if repositories is not None:
        if scopes:
            raise UsageError("--repositories and SCOPES cannot be combined")
        emit(shard.render_repositories(shard.read_repositories(repositories), style))
        return Exit.DONE
    found = shard.list_shards(open_scopes(settings.directory, settings.config), scopes, shards)
    emit(shard.render_plan(found, style))
    return Exit.DONE
