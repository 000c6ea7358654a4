"""Renders the result of `memci publish`."""

from memci.redaction.secrets import redact
from memci.report.escape import json_text, visible, workflow_line
from memci.runs.publish import Published
from memci.runs.validate import Validated

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


def render_validated(validated: Validated, style: str) -> str:
    """Return the result of `--validate` as text or JSON."""
    changed = list(map(str, validated.changed))
    if style == "json":
        content = {"schema": "memci/publish/1", "result": "valid", "changed": changed, "lost": list(validated.lost)}
        return json_text(content)
    lines = [f"valid: {len(changed)} files would change", *(f"  {visible(path)}" for path in changed)]
    return "\n".join([*lines, *(f"  lost: {workflow_line(what)}" for what in validated.lost)]) + "\n"


def published_as_json(published: Published) -> dict[str, object]:
    """Return the outcome as a JSON object."""
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


def render_published(published: Published) -> str:
    """Return the outcome as text."""
    outcome = published.outcome
    lines = []
    if published.dry_run:
        patch = redact(published.patch.decode("utf-8", "replace"))
        # With a prefix, because a runner executes log lines that begin with `::`.
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
