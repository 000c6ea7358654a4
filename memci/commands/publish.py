"""`memci publish`: one branch and one pull request from bundles."""

import datetime as dt
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memci.commands.options import Settings, format_option, now_option
from memci.errors import Exit
from memci.report.console import emit, progress

if TYPE_CHECKING:
    from memci.runs.publish import Published, Validated

_FORGES = ("auto", "github", "gitea", "gitlab", "none")


_Decorated = TypeVar("_Decorated", bound=Callable[..., Any])
_WHERE = (
    click.option(
        "--branch", metavar="NAME", default="memci/dream", show_default=True, help="The branch that memci keeps."
    ),
    click.option("--base", metavar="NAME", help="The branch to merge into; the one that is checked out if not named."),
    click.option(
        "--forge",
        type=click.Choice(_FORGES),
        default="auto",
        show_default=True,
        help="Where the remote is; auto asks its address.",
    ),
    click.option("--remote", metavar="NAME", default="origin", show_default=True, help="The remote to push to."),
    click.option(
        "--commit-mode",
        type=click.Choice(("git", "api")),
        default="git",
        show_default=True,
        help="Who makes the commit; api: GitHub does, and signs it if the token is an app's.",
    ),
    click.option("--draft/--no-draft", default=False, show_default=True, help="Open the pull request as a draft."),
    click.option("--label", "labels", metavar="NAME", multiple=True, help="Add this label; may be given again."),
    click.option(
        "--reviewer", "reviewers", metavar="NAME", multiple=True, help="Ask this person, or org/team, for a review."
    ),
)
# What they are called where they arrive.
WHERE = ("branch", "base", "forge", "remote", "commit_mode", "draft", "labels", "reviewers")


def where_options(function: _Decorated) -> _Decorated:
    """Add the options that say where a proposal goes and what it looks like there."""
    for option in reversed(_WHERE):
        function = option(function)
    return function


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
  memci publish bundles/ --base main           all bundles of a matrix, as downloaded
  memci publish memci-bundle --dry-run         say what would be done, and show the diff""",
)
@click.argument("bundles", nargs=-1, required=True, type=click.Path(path_type=Path))
@where_options
@click.option("--patch", type=click.Path(path_type=Path, dir_okay=False), help="Also write the change to this file.")
@click.option(
    "--plan",
    type=click.Path(path_type=Path, dir_okay=False),
    help="What memci plan --format json said: names lost scopes.",
)
@click.option("--validate", is_flag=True, help="Only judge the bundles again; ask no remote, need no token.")
@click.option("--dry-run", is_flag=True, help="Push nothing and change nothing; print the diff.")
@format_option("text", "json")
@now_option
@click.pass_obj
def command(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    /,
    bundles: tuple[Path, ...],
    *,
    now: dt.datetime,
    patch: Path | None,
    plan: Path | None,
    style: str,
    validate: bool,
    dry_run: bool,
    **where: Any,
) -> Exit:
    """Validate bundles again and propose them as one pull request.

    BUNDLES are directories that `memci dream --bundle` wrote, or directories of them.
    """
    from memci.git.workspace import open_workspace
    from memci.publish import target
    from memci.report.escape import json_text
    from memci.runs import publish
    from memci.runs.shard import read_plan
    from memci.stores.write_output import write_output

    shards = read_plan(plan) if plan else {}
    request = target.PublishRequest(bundles, **where, dry_run=dry_run, now=now, config=settings.config, plan=shards)
    if validate:
        validated = publish.run_validate(open_workspace(settings.directory), request)
        emit(_render_validated(validated, style))
        return validated.exit_code
    with progress(quiet=settings.verbosity < 0) as show:
        workspace = open_workspace(settings.directory)
        if patch is not None:
            target.check_outside(workspace, patch, settings.config)
        published = publish.run_publish(workspace, request, os.environ, show)
    if patch is not None:
        write_output(patch, published.patch)
    emit(json_text(render_json(published)) if style == "json" else render_text(published))
    return published.exit_code


def _render_validated(validated: "Validated", style: str) -> str:
    from memci.report.escape import json_text, visible, workflow_line

    changed = list(map(str, validated.changed))
    if style == "json":
        content = {"schema": "memci/publish/1", "result": "valid", "changed": changed, "lost": list(validated.lost)}
        return json_text(content)
    lines = [f"valid: {len(changed)} files would change", *(f"  {visible(path)}" for path in changed)]
    return "\n".join([*lines, *(f"  lost: {workflow_line(what)}" for what in validated.lost)]) + "\n"


def render_json(published: "Published") -> dict[str, object]:
    """Return how it ended, as it stands in JSON."""
    outcome = published.outcome
    return {
        "schema": "memci/publish/1",
        "result": outcome.result.value,
        "dry_run": published.dry_run,
        "url": outcome.url,
        "number": outcome.number,
        "branch": published.branch,
        "base": published.base,
        "commit": outcome.commit,
        "digest": published.digest,
        "lost": list(published.lost),
        "notes": list(outcome.notes),
    }


_SENTENCES = {
    "none": "nothing to propose",
    "created": "made the pull request",
    "updated": "updated the pull request",
    "not-updated": "the pull request is up to date",
    "closed": "closed the pull request: nothing is left to propose",
    "blocked": "left the branch alone: somebody else's commits are on it; merge, close, or label it memci:rebase",
    "declined": "proposed nothing: people closed the same proposal before",
    "fallback": "pushed the branch, but the token may not open pull requests: open it here, or allow it",
}


def render_text(published: "Published") -> str:
    """Return how it ended, for people."""
    from memci.redaction.secrets import redact
    from memci.report.escape import visible, workflow_line

    outcome = published.outcome
    lines = []
    if published.dry_run:
        patch = redact(published.patch.decode("utf-8", "replace"))
        # A word in front of each line: the log of a runner obeys lines that begin with `::`.
        lines += [f"| {workflow_line(line, keep=chr(9))}" for line in patch.split("\n")[:-1]]
    result, sentence = outcome.result.value, _SENTENCES[outcome.result.value]
    if result == "blocked" and not outcome.url:
        sentence = "left the branch alone: somebody else's commits are on it and not merged; delete it, or use --branch"
    if published.dry_run and result in {"created", "updated", "closed"}:
        result, sentence = f"would be {result}", "this is a dry run, nothing was pushed"
    lines.append(f"{result}: {sentence if outcome.url else sentence.replace('pull request', 'branch')}")
    lines += [f"  {visible(outcome.url)}"] if outcome.url else []
    lines += [f"  branch {visible(published.branch)} at {outcome.commit[:12]}"] if outcome.commit else []
    lines += [f"  lost: {workflow_line(what)}" for what in published.lost]
    lines += [f"  note: {workflow_line(redact(note))}" for note in outcome.notes]
    return "\n".join(lines) + "\n"
