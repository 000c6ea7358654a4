"""`memci publish`: one branch and one pull request from bundles."""

import os
from pathlib import Path
from typing import Any

import click

from memci.commands.options import Settings, format_option, now_option, target_options
from memci.errors import Exit, UsageError
from memci.report.output import emit, progress


@click.command(
    "publish",
    epilog="""\b
The token is read from the environment only:
  GitHub   MEMCI_TOKEN, GITHUB_TOKEN or GH_TOKEN
  Gitea    MEMCI_TOKEN, GITEA_TOKEN or GITHUB_TOKEN
  GitLab   MEMCI_TOKEN or GITLAB_TOKEN

\b
Examples:
  memci publish memci-bundle                   what `memci dream --bundle` wrote
  memci publish bundles/ --base main           all downloaded bundles of a matrix
  memci publish memci-bundle --dry-run         show the decision and the diff
  memci publish --ticked                       candidates to give to memci dream --ticked""",
)
@click.argument("bundles", nargs=-1, type=click.Path(path_type=Path))
@target_options("memci/dream")
@click.option("--validate", is_flag=True, help="Only validate the bundles; needs no remote and no token.")
@click.option("--ticked", is_flag=True, help="Only print which candidates are ticked in the pull request.")
@click.option("--dry-run", is_flag=True, help="Push nothing and change nothing; print the diff.")
@format_option("text", "json")
@now_option
@click.pass_obj
def command(settings: Settings, /, *, style: str, validate: bool, ticked: bool, **options: Any) -> Exit:
    """Validate bundles and propose them as one pull request.

    BUNDLES are directories written by `memci dream --bundle`, or directories of such bundles.
    """
    from memci.git.workspace import open_workspace
    from memci.publish.target import PublishRequest
    from memci.report.escape import json_text
    from memci.runs.publish import published_as_json, render_published, render_validated, run_publish, run_ticked
    from memci.runs.validate import run_validate

    if bool(options["bundles"]) == ticked:
        raise UsageError("--ticked reads no bundle" if ticked else "no bundle is named", hint="memci publish --help")
    request = PublishRequest(**options, config=settings.config)
    workspace = open_workspace(settings.directory)
    if ticked:
        found = run_ticked(workspace, request, os.environ)
        emit(json_text({"schema": "memci/publish/1", "ticked": found}) if style == "json" else f"{' '.join(found)}\n")
        return Exit.DONE
    if validate:
        changed, lost = run_validate(workspace, request)
        emit(render_validated(changed, lost, style))
        return Exit.DEGRADED if lost else Exit.DONE
    with progress(quiet=settings.verbosity < 0) as show:
        published = run_publish(workspace, request, os.environ, show)
    emit(json_text(published_as_json(published)) if style == "json" else render_published(published))
    return published.exit_code
