"""Runs `memci publish`: one branch and one pull request from validated bundles."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memci.errors import Exit, UnsafeError, UsageError
from memci.forge.detect import Forge, classify_forge, parse_address
from memci.git.remotes import Remote
from memci.git.workspace import Workspace, resolve_inside
from memci.model.plan import PlanStatus
from memci.publish.commit import Proposal, build_proposal, list_changed, read_kept, read_proposal, render_patch
from memci.publish.decision import DecisionResult, decide
from memci.publish.pr_marker import read_ticked
from memci.publish.pull_request import ProposalOutcome, Wish, look, propose
from memci.publish.replay import OwnNotes
from memci.publish.target import PublishRequest, check_default, open_places
from memci.redaction.secrets import redact
from memci.report.escape import json_text, visible, workflow_line
from memci.report.pull_request_body import render_body, render_title
from memci.runs.forge_links import make_links
from memci.runs.validate import ANSWERED, JoinedBundles, check_times, join_bundles, read_bundles

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


@dataclass(frozen=True, slots=True)
class Published:
    """The outcome of a publication."""

    outcome: ProposalOutcome
    branch: str
    base: str
    digest: str
    lost: tuple[str, ...]
    dry_run: bool
    patch: bytes = b""

    @property
    def exit_code(self) -> Exit:
        """The exit code; a branch with other people's commits and a missing permission need a person."""
        if self.outcome.result is DecisionResult.BLOCKED:
            return Exit.UNSAFE
        if self.outcome.result is DecisionResult.FALLBACK:
            return Exit.SERVICE
        return Exit.DEGRADED if self.lost or self.outcome.notes else Exit.DONE


def run_publish(
    workspace: Workspace,
    request: PublishRequest,
    environment: Mapping[str, str],
    show: Callable[[str], None],
    own: OwnNotes | None = None,
) -> Published:
    """Validate the bundles and propose them as one branch and one pull request."""
    places = open_places(workspace, request, environment)
    show("reading bundles")
    bundles, lost = read_bundles(request.bundles)
    check_times(bundles, request.now)
    remote, forge, repository = places.remote, places.forge, places.remote.repository
    branch, base_branch = places.branch, places.base
    show("judging")
    config = resolve_inside(workspace, request.config) if request.config else None
    joined = join_bundles(bundles, lost, workspace, repository, config, own)
    show("talking to the remote")
    check_default(branch, {remote.read_default()})
    head = _read_base_head(remote, base_branch, bundles[0].run.base, joined)
    joined = _keep_undecided(joined, remote, branch, head)
    title = render_title(joined.plans, "Adopt memory" if own else "Consolidate memory")
    proposal = build_proposal(repository, head, joined.files, title, joined.now) if joined.files else None
    address = parse_address(remote.url)
    kind = classify_forge(address, environment) if request.forge == "auto" else request.forge
    body = render_body(replace(joined.story, links=make_links(address, kind, branch, head)))
    wish = Wish(title, body, base_branch, branch, request.draft, request.labels, request.reviewers)
    patch = render_patch(repository, proposal) if proposal else b""
    digest = proposal.digest if proposal else ""
    # A lost, failed or skipped scope may be the subject of an open pull request.
    whole = not lost and all(plan.status in ANSWERED for plan in joined.plans)
    if request.dry_run:
        outcome = _predict(proposal, wish, remote, forge, whole=whole)
    else:
        outcome = propose(proposal, wish, places, whole=whole, show=show)
    return Published(outcome, branch, base_branch, digest, lost, request.dry_run, patch)


def run_ticked(workspace: Workspace, request: PublishRequest, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the ids of the candidates that are ticked in the latest pull request; none without a forge."""
    places = open_places(workspace, request, environment)
    return read_ticked(places.forge, places.branch, places.base) if places.forge else ()


def _predict(
    proposal: Proposal | None, wish: Wish, remote: Remote, forge: Forge | None, *, whole: bool
) -> ProposalOutcome:
    view = look(proposal, wish, remote, forge)
    decision = decide(proposal, view.found, whole=whole)
    pull = view.pull
    notes = (view.denied,) if view.denied else ()
    return ProposalOutcome(
        decision.result, view.found.head, pull.number if pull else None, pull.url if pull else "", notes
    )


def _keep_undecided(joined: JoinedBundles, remote: Remote, branch: str, head: str) -> JoinedBundles:
    """Keep earlier proposals for the scopes that no bundle decides about: a lost shard must not undo them."""
    old = remote.read_head(branch) if joined.files and joined.open else ""
    remote.fetch(branch, old)
    own = read_proposal(remote.repository, old) if old else None
    if own is None:
        return joined
    kept = read_kept(remote.repository, own, head, joined.open)
    files = {path: data for added in kept.values() for path, data in added.items()} | dict(joined.files)
    return replace(joined, files=files, story=replace(joined.story, kept=tuple(map(str, sorted(kept)))))


def _read_base_head(remote: Remote, branch: str, commit: str, joined: JoinedBundles) -> str:
    """Return the head of the base branch; refuse if memory changed there since the dream."""
    head = remote.read_head(branch)
    if not head:
        raise UsageError(f"{remote.name} has no branch {branch}", hint="push it, or name another with --base")
    remote.fetch(branch, head)
    scopes = [plan.scope.path for plan in joined.plans if plan.status is PlanStatus.CHANGED]
    if changed := list_changed(remote.repository, commit, head, scopes):
        raise UnsafeError(f"{changed[0]} changed on {branch} since the dream", hint="dream again")
    return head


def render_validated(changed: Sequence[str], lost: Sequence[str], style: str) -> str:
    """Return the result of `--validate` as text or JSON."""
    if style == "json":
        return json_text({"schema": "memci/publish/1", "result": "valid", "changed": changed, "lost": lost})
    lines = [f"valid: {len(changed)} files would change", *(f"  {visible(path)}" for path in changed)]
    return "\n".join([*lines, *(f"  lost: {workflow_line(what)}" for what in lost)]) + "\n"


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
