"""Runs `memci dream` with its outputs: the dream, the printed result, the pull request and the report."""

import contextlib
import json
import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memci.dream.inputs import DreamRequest
from memci.engines.select import EngineOptions, choose_engine
from memci.errors import Exit, MemciError, ServiceError
from memci.git.workspace import Workspace
from memci.report.dream_json import render_dream_json
from memci.report.dream_result import DreamResult
from memci.report.dream_text import render_diff, render_dream, render_problems
from memci.report.escape import json_text, visible
from memci.report.output import emit, progress, terminal_width, wants_colour
from memci.runs.dream import run_dream
from memci.runs.scopes import Prepared
from memci.stores.state_directory import make_temporary

# The forge and its HTTP client are loaded only if there is something to publish.
if TYPE_CHECKING:
    from memci.publish.target import PublishRequest
    from memci.runs.publish import Published


@dataclass(frozen=True, slots=True)
class DreamJob:
    """The options of `memci dream`, by what they are for."""

    request: DreamRequest
    engine: EngineOptions
    # Propose the result as a pull request instead of writing files.
    pull: "PublishRequest | None"
    report: Path | None
    style: str
    quiet: bool
    verbose: bool = False
    # Print the change of the files, too.
    diff: bool = False


def run_dream_job(found: Prepared, job: DreamJob) -> Exit:
    """Dream, print the result, propose it if asked to, and return the exit code."""
    workspace = found.workspace
    with contextlib.ExitStack() as stack:
        if job.pull is not None:
            from memci.publish.target import open_places

            # Refuses a target that cannot be published to before a model is paid.
            open_places(workspace, job.pull, os.environ)
            bundle = stack.enter_context(make_temporary()) / "bundle"
            ticked = _read_ticked(workspace, job.pull)
            job = replace(job, request=replace(job.request, bundle=bundle, ticked=ticked))
        with progress(quiet=job.quiet) as show, choose_engine(job.engine) as choice:
            result = run_dream(found, job.request, choice, show)
        if job.style == "text":
            # Before it is published: a result that was paid for is shown even if publishing fails.
            emit(_render(result, job))
        published = _publish(workspace, job)
    if job.style == "json":
        emit(_render_json(result, published))
    elif published:
        from memci.runs.publish import render_published

        emit(render_published(published))
    code = published.exit_code if published else Exit.DONE
    reported = job.report is None or _write_report(job.report, found, job, result)
    return code or (Exit.DEGRADED if result.degraded or not reported else Exit.DONE)


def _read_ticked(workspace: Workspace, pull: "PublishRequest") -> tuple[str, ...]:
    """Return the candidates that were ticked in the pull request; a dream goes on without them."""
    from memci.runs.publish import run_ticked

    try:
        return run_ticked(workspace, pull, os.environ)
    except ServiceError as error:
        sys.stderr.write(f"memci: the checklist of the pull request was not read: {visible(error.message)}\n")
        return ()


def _publish(workspace: Workspace, job: DreamJob) -> "Published | None":
    """Propose the bundle; there is none if the settings disable dreams."""
    bundle = job.request.bundle
    if job.pull is None or bundle is None or not bundle.exists():
        return None
    from memci.runs.publish import run_publish

    with progress(quiet=job.quiet) as show:
        return run_publish(workspace, replace(job.pull, bundles=(bundle,)), os.environ, show)


def _render(result: DreamResult, job: DreamJob) -> str:
    diff = "".join(render_diff(plan) for plan in result.plans) if job.diff else ""
    if job.quiet:
        return diff + render_problems(result)
    text = render_dream(result, colour=wants_colour(), width=terminal_width(0), everything=job.verbose)
    bundle = job.request.bundle
    # With --pr the bundle is temporary, and where dreams are disabled there is none.
    if bundle is not None and job.pull is None and bundle.exists():
        text += f"bundle    {visible(str(bundle))}; memci publish makes one pull request of it\n"
    if job.request.dry_run and not job.diff and any(plan.operations for plan in result.plans):
        text += "diff      add --diff to see the change of every file, -v for what it is based on\n"
    return f"{text}\n{diff}" if diff else text


def _render_json(result: DreamResult, published: "Published | None") -> str:
    text = render_dream_json(result)
    if published is None:
        return text
    from memci.runs.publish import published_as_json

    return json_text({**json.loads(text), "publish": published_as_json(published)})


def _write_report(target: Path, found: Prepared, job: DreamJob, result: DreamResult) -> bool:
    """Write the report and return whether that worked; the dream is done either way."""
    from memci.report.page.render import render_page
    from memci.runs.report import ReportRequest, make_report, write_report

    wanted = ReportRequest(job.request.scopes, job.request.now)
    try:
        with progress(quiet=job.quiet) as show:
            # The dream has changed files.
            made = make_report(found.reopen(), wanted, show, result)
        write_report(target, render_page(made))
        if job.style == "text" and not job.quiet:
            emit(f"report    {visible(str(target))}\n")
    except MemciError as error:
        sys.stderr.write(f"memci: no report was written: {visible(error.message)}\n")
        return False
    return True
