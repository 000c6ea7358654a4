"""`memci dream`: the four phases, then the files."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import click

from memci.commands.options import Settings, now_option, user_option
from memci.commands.output import emit, progress, wants_colour
from memci.errors import Exit


@click.command(
    "dream",
    epilog="""\b
Examples:
  memci dream --dry-run                        show what would change
  memci dream --transcripts ~/.claude/projects/-home-me-shop
  memci dream .claude/memory --force           one scope, now
  memci dream --engine claude --max-cost 0.50  with a model, within a limit
  memci undo                                   take the last dream back""",
)
@click.argument("scopes", nargs=-1, type=click.Path(path_type=Path))
@click.option("--transcripts", multiple=True, metavar="PATH", help="Read sessions from here; may be given again.")
@click.option("--engine", type=click.Choice(("auto", "local", "claude")), default="auto", show_default=True)
@click.option(
    "--max-cost",
    metavar="USD",
    type=click.FloatRange(min=0),
    default=1.0,
    show_default=True,
    help="Never spend more than this.",
)
@click.option("--batch", is_flag=True, help="Ask the model in batches: half the price, up to an hour.")
@click.option("--record", type=click.Path(path_type=Path), metavar="DIR", help="Keep the model's replies here.")
@click.option(
    "--replay", type=click.Path(path_type=Path), metavar="DIR", help="Use replies that were kept, not the model."
)
@click.option("--dry-run", is_flag=True, help="Print the diff and write nothing.")
@click.option(
    "--bundle", type=click.Path(path_type=Path), metavar="DIR", help="Write a bundle for memci publish, nothing else."
)
@click.option("--force", is_flag=True, help="Dream now, however short ago the last one was.")
@click.option("--format", "style", type=click.Choice(("text", "json")), default="text", show_default=True)
@user_option
@now_option
@click.pass_obj
def command(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    /,
    *,
    scopes: tuple[Path, ...],
    transcripts: tuple[str, ...],
    engine: str,
    max_cost: float,
    record: Path | None,
    replay: Path | None,
    style: str,
    bundle: Path | None,
    now: dt.datetime,
    batch: bool,
    dry_run: bool,
    force: bool,
    with_user: bool,
) -> Exit:
    """Consolidate memory: repair what moved, keep what people said, fit the index.

    SCOPES are memory directories; all of this repository if none is named.
    """
    from memci.commands import dreaming
    from memci.commands.choosing import Wanted, choose_engine, find_batch_state
    from memci.report.dream import render_diff, render_dream, render_dream_json
    from memci.sources.workspace import open_workspace

    request = dreaming.Request(scopes, transcripts, dry_run, force, with_user, now, bundle)
    workspace = open_workspace(settings.directory)
    quiet = settings.verbosity < 0
    wanted = Wanted(engine, Decimal(str(max_cost)), batch, record, replay, find_batch_state(workspace), quiet)
    with progress(quiet=quiet) as show, choose_engine(wanted) as choice:
        result = dreaming.run_dream(workspace, request, settings.config, choice, show)
    result = replace(result, cost=choice.cost)
    if style == "json":
        emit(render_dream_json(result))
    else:
        diff = "".join(render_diff(plan) for plan in result.plans) if dry_run else ""
        emit(diff + render_dream(result, colour=wants_colour()))
    return Exit.DEGRADED if result.degraded else Exit.DONE
