"""`memci dream`: the four phases, then the files."""

import contextlib
import datetime as dt
import os
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memci.commands.options import Dollars, Minutes, Settings, ShardType, format_option, now_option, user_option
from memci.commands.publish import WHERE, render_json, render_text, where_options
from memci.errors import Exit, MemciError, UsageError
from memci.report.console import emit, progress, terminal_width, wants_colour

if TYPE_CHECKING:
    from memci.git.workspace import Workspace
    from memci.report.dream_result import DreamResult
    from memci.runs.dream import DreamRequest
    from memci.runs.publish import Published


@click.command(
    "dream",
    epilog="""\b
Examples:
  memci dream --dry-run                        show what would change
  memci dream --transcripts ~/.claude/projects/-home-me-shop
  memci dream .claude/memory --force           one scope, now
  memci dream --engine claude --max-cost 0.50  with a model, within a limit
  memci dream --pr                             propose the result as a pull request
  memci undo                                   take the last dream back

\b
Exit codes:
  0  dreamt, or skipped with a reason
  3  part of it failed; what succeeded is kept
  5  refused: another dream runs, or somebody changed the memory meanwhile""",
)
@click.argument("scopes", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--transcripts",
    multiple=True,
    metavar="PLACE",
    help="Read sessions from this path, git:REF[:PATH] or artifact:NAME; may be given again.",
)
@click.option(
    "--engine",
    type=click.Choice(("auto", "local", "claude")),
    default="auto",
    show_default=True,
    help="Who proposes: local needs no model; auto asks Claude if there are credentials.",
)
@click.option(
    "--max-cost",
    type=Dollars(),
    default=1.0,
    show_default=True,
    help="Never spend more than this.",
)
@click.option(
    "--max-time",
    type=Minutes(),
    show_default="30, with --batch 120",
    help="Ask the model for no longer than this; what it did not do by then is done without it.",
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
@click.option("--shard", type=ShardType(), help="Only this part of the scopes, as memci plan --shards N divides them.")
@click.option("--pr", "with_pr", is_flag=True, help="Write nothing here: propose the result as a pull request.")
@where_options
@click.option(
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.html",
    help="Also write a page about the dream and the health of memory.",
)
@click.option("--force", is_flag=True, help="Dream now, however short ago the last one was.")
@format_option("text", "json")
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
    max_time: float | None,
    record: Path | None,
    replay: Path | None,
    style: str,
    bundle: Path | None,
    shard: tuple[int, int] | None,
    now: dt.datetime,
    batch: bool,
    dry_run: bool,
    force: bool,
    with_user: bool,
    with_pr: bool,
    report: Path | None,
    **where: Any,
) -> Exit:
    """Consolidate memory: repair what moved, keep what people said, fit the index.

    Four phases: orient reads the memory and asks the repository, gather reads daily logs and transcripts, consolidate
    repairs, merges and adds, prune fits the index. Every change has a reason and evidence and passes all guards.
    A dream runs at most once in 24 hours, and when five new sessions have come together.

    SCOPES are memory directories; all of this repository if none is named.
    """
    from memci.engines.select import EngineOptions, choose_engine, find_batch_state
    from memci.git.workspace import open_workspace
    from memci.report.dream_json import render_dream_json
    from memci.report.dream_text import render_diff, render_dream, render_problems
    from memci.runs import dream
    from memci.runs.prepare import prepare

    _check_options(with_pr=with_pr, with_user=with_user, bundle=bundle, shard=shard)
    workspace, _ = prepare(open_workspace(settings.directory), settings.config, with_user=with_user)
    quiet = settings.verbosity < 0
    state = find_batch_state(workspace)
    wanted = EngineOptions(engine, Decimal(str(max_cost)), batch, record, replay, state, quiet, max_time)
    where = {**where, "dry_run": dry_run, "now": now}
    with contextlib.ExitStack() as stack:
        if with_pr:
            bundle = stack.enter_context(_prepare(workspace, where, settings.config))
        request = dream.DreamRequest(scopes, transcripts, dry_run and not with_pr, force, with_user, now, bundle, shard)
        with progress(quiet=quiet) as show, choose_engine(wanted) as choice:
            result = dream.run_dream(workspace, request, settings.config, choice, show)
            result = replace(result, cost=choice.cost)
        if style == "text":
            # Before it is published: what was paid for is told even if that fails.
            diff = "".join(render_diff(plan) for plan in result.plans) if dry_run and not with_pr else ""
            told = render_dream(result, colour=wants_colour(), width=terminal_width(0))
            emit(diff + (render_problems(result) if quiet else told + _tell_bundle(bundle, with_pr=with_pr)))
        published = _publish(workspace, bundle, where, settings) if with_pr and bundle else None
    if style == "json":
        emit(_join_json(render_dream_json(result), published))
    elif published:
        emit(render_text(published))
    code = published.exit_code if published else Exit.DONE
    reported = report is None or _write_report(report, request, result, settings)
    return code or (Exit.DEGRADED if result.degraded or not reported else Exit.DONE)


def _tell_bundle(bundle: Path | None, *, with_pr: bool) -> str:
    """Say where the bundle is and what it is for; with --pr it is gone in a moment, and switched off there is none."""
    from memci.report.escape import visible

    if bundle is None or with_pr or not bundle.exists():
        return ""
    return f"bundle    {visible(str(bundle))}; memci publish makes one pull request of it\n"


def _write_report(target: Path, request: "DreamRequest", result: "DreamResult", settings: Settings) -> bool:
    """Write the page, and say whether that worked: the dream is done either way."""
    from memci.git.workspace import open_workspace
    from memci.report.escape import visible
    from memci.runs import report as reporting

    wanted = reporting.ReportRequest(request.scopes, request.with_user, request.now)
    try:
        with progress(quiet=settings.verbosity < 0) as show:
            # Opened again: the dream has changed the files.
            made = reporting.make_report(open_workspace(settings.directory), wanted, settings.config, show, result)
        reporting.write_report(target, reporting.render(made, "html"))
    except MemciError as error:
        click.echo(f"memci: there is no report: {visible(error.message)}", err=True)
        return False
    return True


def _check_options(*, with_pr: bool, with_user: bool, bundle: Path | None, shard: object) -> None:
    given = click.get_current_context().get_parameter_source
    spare = [name for name in WHERE if given(name) is click.core.ParameterSource.COMMANDLINE]
    if spare and not with_pr:
        raise UsageError(f"--{spare[0].rstrip('s').replace('_', '-')} says where a pull request goes", hint="add --pr")
    for other, name in ((with_user, "--user"), (bundle, "--bundle"), (shard, "--shard")):
        if with_pr and other:
            raise UsageError(f"--pr and {name} do not go together")


@contextlib.contextmanager
def _prepare(workspace: "Workspace", where: dict[str, Any], config: Path | None) -> Iterator[Path]:
    """Give a place for the bundle; what cannot be published is refused now, before a model is paid."""
    from memci.publish.target import PublishRequest, open_places
    from memci.stores.tempdir import make_directory

    open_places(workspace, PublishRequest((), **where, config=config), os.environ)
    with make_directory() as directory:
        yield directory / "bundle"


def _publish(workspace: "Workspace", bundle: Path, where: dict[str, Any], settings: Settings) -> "Published | None":
    """Propose what was dreamt; None if the settings switch dreams off, so that there is no bundle."""
    from memci.publish.target import PublishRequest
    from memci.runs.publish import run_publish

    if not bundle.exists():
        return None
    request = PublishRequest((bundle,), **where, config=settings.config)
    with progress(quiet=settings.verbosity < 0) as show:
        return run_publish(workspace, request, os.environ, show)


def _join_json(dreamt: str, published: "Published | None") -> str:
    import json

    from memci.report.escape import json_text

    return json_text({**json.loads(dreamt), "publish": render_json(published)}) if published else dreamt
