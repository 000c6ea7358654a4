"""Runs `memci publish`: one branch and one pull request from validated bundles."""

import urllib.parse
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from memci.errors import Exit, UnsafeError, UsageError
from memci.forge.detect import KINDS, classify_forge, parse_address
from memci.forge.protocol import Forge
from memci.git.remotes import Remote
from memci.git.workspace import Workspace, resolve_inside
from memci.model.plan import PlanStatus
from memci.publish.commit import Proposal, build_proposal, list_changed, read_kept, read_proposal, render_patch
from memci.publish.decision import DecisionResult, decide
from memci.publish.pull_request import ProposalOutcome, Wish, look, propose
from memci.publish.target import PublishRequest, check_default, open_places
from memci.report.forge_links import ForgeLinks
from memci.report.pull_request_body import render_body, render_title
from memci.runs.validate import ANSWERED, JoinedBundles, check_times, join_bundles, read_bundles


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
    workspace: Workspace, request: PublishRequest, environment: Mapping[str, str], show: Callable[[str], None]
) -> Published:
    """Validate the bundles and propose them as one branch and one pull request."""
    places = open_places(workspace, request, environment)
    show("reading bundles")
    bundles, lost = read_bundles(request.bundles, request.plan)
    check_times(bundles, request.now)
    remote, forge, repository = places.remote, places.forge, places.remote.repository
    branch, base_branch = places.branch, places.base
    show("judging")
    config = resolve_inside(workspace, request.config) if request.config else None
    joined = join_bundles(bundles, lost, workspace, repository, config)
    show("talking to the remote")
    check_default(branch, {remote.read_default()})
    head = _read_base_head(remote, base_branch, bundles[0].run.base, joined)
    joined = _keep_undecided(joined, remote, branch, head)
    title = render_title(joined.plans)
    proposal = build_proposal(repository, head, joined.files, title, joined.now) if joined.files else None
    body = render_body(replace(joined.story, links=_make_links(request.forge, remote.url, branch, head, environment)))
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


def _make_links(kind: str, url: str, branch: str, base: str, environment: Mapping[str, str]) -> ForgeLinks | None:
    address = parse_address(url)
    kind = classify_forge(address, environment) if kind == "auto" else kind
    if address is None or kind not in KINDS:
        return None
    return ForgeLinks(kind, f"{address.web}/{urllib.parse.quote(address.path)}", branch, base)


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
    try:
        kept = read_kept(remote.repository, own, head, joined.open)
    finally:
        remote.repository.close()
    files = {path: data for added in kept.values() for path, data in added.items()} | dict(joined.files)
    return replace(joined, files=files, story=replace(joined.story, kept=tuple(map(str, sorted(kept)))))


def _read_base_head(remote: Remote, branch: str, commit: str, joined: JoinedBundles) -> str:
    """Return the head of the base branch; refuse if memory changed there since the dream."""
    head = remote.read_head(branch)
    if not head:
        raise UsageError(f"{remote.name} has no branch {branch}", hint="--base names the branch to merge into")
    remote.fetch(branch, head)
    scopes = [plan.scope.path for plan in joined.plans if plan.status is PlanStatus.CHANGED]
    if changed := list_changed(remote.repository, commit, head, scopes):
        raise UnsafeError(f"{changed[0]} changed on {branch} since the dream", hint="dream again")
    return head
