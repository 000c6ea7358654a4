"""`memci publish`: one branch and one pull request from bundles."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memci.commands.options import Settings
from memci.commands.output import emit, progress
from memci.errors import Exit

if TYPE_CHECKING:
    from memci.commands.publishing import Published

_FORGES = ("auto", "github", "gitea", "gitlab", "none")


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
@click.option("--branch", default="memci/dream", show_default=True, help="The branch that memci keeps.")
@click.option("--base", help="The branch to merge into; the one that is checked out if not named.")
@click.option("--forge", type=click.Choice(_FORGES), default="auto", show_default=True)
@click.option("--remote", default="origin", show_default=True, help="The remote to push to.")
@click.option("--draft/--no-draft", default=False, show_default=True, help="Open the pull request as a draft.")
@click.option("--label", "labels", multiple=True, help="Add this label; may be given again.")
@click.option("--reviewer", "reviewers", multiple=True, help="Ask this person, or org/team, for a review.")
@click.option("--patch", type=click.Path(path_type=Path, dir_okay=False), help="Also write the change to this file.")
@click.option("--dry-run", is_flag=True, help="Push nothing and change nothing; print the diff.")
@click.option("--format", "style", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.pass_obj
def command(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    /,
    bundles: tuple[Path, ...],
    *,
    branch: str,
    base: str | None,
    forge: str,
    remote: str,
    labels: tuple[str, ...],
    reviewers: tuple[str, ...],
    patch: Path | None,
    style: str,
    draft: bool,
    dry_run: bool,
) -> Exit:
    """Validate bundles again and propose them as one pull request.

    BUNDLES are directories that `memci dream --bundle` wrote, or directories of them.
    """
    from memci.commands import publishing
    from memci.sources.workspace import open_workspace

    request = publishing.Request(
        bundles, branch, base, forge, remote, draft, labels, reviewers, dry_run, settings.config
    )
    with progress(quiet=settings.verbosity < 0) as show:
        published = publishing.run_publish(open_workspace(settings.directory), request, os.environ, show)
    if patch is not None:
        _write_patch(patch, published.patch)
    emit(_render_json(published) if style == "json" else _render_text(published))
    return published.exit_code


def _write_patch(target: Path, patch: bytes) -> None:
    from memci.errors import ServiceError

    try:
        target.write_bytes(patch)
    except OSError as error:
        raise ServiceError(f"cannot write {target}: {error.strerror}") from error


def _render_json(published: "Published") -> str:
    from memci.report.escape import json_text

    outcome = published.outcome
    return json_text(
        {
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
    )


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


def _render_text(published: "Published") -> str:
    from memci.report.escape import visible, workflow_line
    from memci.text.secrets import redact

    outcome = published.outcome
    lines = []
    if published.dry_run:
        patch = redact(published.patch.decode("utf-8", "replace"))
        # A word in front of each line: the log of a runner obeys lines that begin with `::`.
        lines += [f"| {workflow_line(line, keep=chr(9))}" for line in patch.split("\n")[:-1]]
    would = "would be " if published.dry_run else ""
    sentence = _SENTENCES[outcome.result.value]
    lines.append(
        f"{would}{outcome.result.value}: {sentence if outcome.url else sentence.replace('pull request', 'branch')}"
    )
    lines += [f"  {visible(outcome.url)}"] if outcome.url else []
    lines += [f"  branch {visible(published.branch)} at {outcome.commit[:12]}"] if outcome.commit else []
    lines += [f"  lost: {workflow_line(what)}" for what in published.lost]
    lines += [f"  note: {workflow_line(redact(note))}" for note in outcome.notes]
    return "\n".join(lines) + "\n"
