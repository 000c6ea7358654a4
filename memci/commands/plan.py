"""`memci plan`: shards for a matrix."""

from pathlib import Path

import click

from memci.commands.options import Settings, format_option
from memci.errors import Exit, UsageError
from memci.report.console import emit


@click.command(
    "plan",
    epilog="""\b
Examples:
  memci plan --shards 8                        who would dream over what
  memci plan --format github-matrix            for `matrix: ${{ fromJSON(…) }}`
  memci dream --shard 2/8 --bundle bundle-2    the second of eight jobs
  memci plan --repositories repositories.txt --format github-matrix""",
)
@click.argument("scopes", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--shards",
    type=click.IntRange(1, 256),
    metavar="N",
    default=8,
    show_default=True,
    help="At most this many; GitHub makes 256 jobs of a matrix.",
)
@click.option(
    "--repositories",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Plan a job for each repository that is listed here, one owner/name on a line, not for scopes.",
)
@format_option("text", "json", "github-matrix", "gitlab")
@click.pass_obj
def command(
    settings: Settings, /, scopes: tuple[Path, ...], shards: int, repositories: Path | None, style: str
) -> Exit:
    """Divide the scopes among the jobs of a matrix.

    They are packed by size, and the same commit is always divided the same way.

    SCOPES are memory directories; all of this repository if none is named.
    """
    from memci.git.workspace import open_workspace
    from memci.runs import shard

    if repositories is not None:
        if scopes:
            raise UsageError("--repositories and SCOPES do not go together")
        emit(shard.render_repositories(shard.read_repositories(repositories), style))
        return Exit.DONE
    found = shard.find_shards(open_workspace(settings.directory), scopes, shards, settings.config)
    emit(shard.render_plan(found, style))
    return Exit.DONE
