"""`memci dream`: the four phases, then the files or a pull request."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from memci.commands.options import (
    Settings,
    amount_type,
    format_option,
    now_option,
    parse_shard,
    scopes_argument,
    take_pull_request,
    target_options,
    transcripts_option,
    user_option,
)
from memci.errors import Exit, UsageError

_ENGINE = ("engine", "max_cost", "max_minutes", "batch", "record", "replay")


@click.command(
    "dream",
    epilog="""\b
Examples:
  memci dream --dry-run                        show what would change; --diff shows every line
  memci dream --transcripts ~/.claude/projects/-home-me-shop
  memci dream .claude/memory --force           one scope, now
  memci dream --engine claude --max-cost 0.50  with a model, within a limit
  memci dream --accept 3f9c2a10b7d4             write what was only offered
  memci dream --pr                             propose the result as a pull request
  memci undo                                   take the last dream back

\b
Exit codes:
  0  dreamt, or skipped with a reason
  3  partial failure; what succeeded is kept
  5  refused: another dream is running, or the memory changed meanwhile""",
)
@scopes_argument
@transcripts_option
@click.option(
    "--engine",
    type=click.Choice(("auto", "local", "claude")),
    default="auto",
    show_default=True,
    help="local uses no model; auto uses Claude if credentials are set.",
)
@click.option(
    "--max-cost",
    type=amount_type("a dollar amount such as 0.50"),
    metavar="USD",
    default=1.0,
    show_default=True,
    help="Spend at most this on the model.",
)
@click.option(
    "--max-time",
    "max_minutes",
    type=amount_type("a number of minutes such as 30"),
    metavar="MINUTES",
    show_default="30, with --batch 120",
    help="Time limit for the model; the local engine does the rest.",
)
@click.option(
    "--max-changes",
    type=click.IntRange(1),
    metavar="N",
    default=25,
    show_default=True,
    help="Make at most so many changes besides what people said, the most valuable first; the others wait.",
)
@click.option("--batch", is_flag=True, help="Use the batch API: half the price, takes up to an hour.")
@click.option("--record", type=click.Path(path_type=Path), metavar="DIR", help="Save the model's replies here.")
@click.option("--replay", type=click.Path(path_type=Path), metavar="DIR", help="Use recorded replies, not the model.")
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@click.option("--diff", is_flag=True, help="Also print the change of every file.")
@click.option("--bundle", type=click.Path(path_type=Path), metavar="DIR", help="Only write a bundle for memci publish.")
@click.option("--shard", type=parse_shard, metavar="I/N", help="Dream only over this shard of memci plan --shards N.")
@click.option("--pr", "with_pr", is_flag=True, help="Propose the result as a pull request; write no files here.")
@target_options("memci/dream")
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.html",
    help="Also write an HTML report on the dream and the memory.",
)
@click.option(
    "--accept", multiple=True, metavar="ID", help="Write a candidate that a dream without a model offered; repeatable."
)
@click.option(
    "--ticked",
    metavar="IDS",
    callback=lambda _context, _option, ids: tuple((ids or "").replace(",", " ").split()),
    help="Write the candidates that memci publish --ticked prints; --pr asks the forge itself.",
)
@click.option("--force", is_flag=True, help="Dream even if no scope is due.")
@format_option("text", "json")
@user_option
@now_option
@click.pass_obj
def command(settings: Settings, /, *, style: str, report: Path | None, diff: bool, **options: Any) -> Exit:
    """Consolidate memory: repair what moved, keep what people said, fit the index.

    Four phases: orient reads memory and checks it against the repository, gather reads daily logs and transcripts,
    consolidate repairs, merges and adds, prune fits the index. Every change has a reason and evidence and passes all
    guards. A scope dreams at most once in 24 hours, and only after five new sessions.

    SCOPES are memory directories; all scopes of this repository by default.
    """
    pull = take_pull_request(options, settings)
    for name in ("with_user", "bundle", "shard"):
        if pull and options[name]:
            raise UsageError(f"--pr and --{name.removeprefix('with_')} cannot be combined")
    from memci.dream.inputs import DreamRequest
    from memci.engines.select import EngineOptions, batch_state_directory
    from memci.runs.dream_and_publish import DreamJob, run_dream_job
    from memci.runs.scopes import prepare
    from memci.stores.files import check_parent

    if report is not None:
        # Before a model is paid.
        check_parent(report)
    found = prepare(settings.directory, settings.config, with_user=options.pop("with_user"))
    quiet = settings.verbosity < 0
    wanted = {name: options.pop(name) for name in _ENGINE}
    engine = EngineOptions(**wanted, state=batch_state_directory(found.workspace), quiet=quiet)
    request = DreamRequest(**options)
    if pull:
        # The bundle is written all the same.
        pull, request = replace(pull, dry_run=request.dry_run), replace(request, dry_run=False)
    verbose = settings.verbosity > 0
    return run_dream_job(found, DreamJob(request, engine, pull, report, style, quiet, verbose, diff))
