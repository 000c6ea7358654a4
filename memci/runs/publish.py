"""What `memci publish` does: read bundles and trust nothing in them, then bring what they say to the forge."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from memci.citations.history.queries import History
from memci.dream.gates import CLOCK_TOLERANCE
from memci.dream.ledger import trace_lines
from memci.dream.state import STATE_NAME, DreamState, parse_state, render_state
from memci.errors import ConfigError, Exit, UnsafeError, UsageError
from memci.forge.protocol import Forge
from memci.git.file_tree import CommitTree, WorkTree, read_commit
from memci.git.remotes import Remote
from memci.git.repository import Repository
from memci.git.workspace import Workspace, find_inside
from memci.memory.scopes import find_scopes
from memci.model.memory import Snapshot
from memci.model.plan import PlanStatus, ScopePlan
from memci.publish.bundle import MANIFEST, Bundle
from memci.publish.commit import Proposal, build_proposal, find_changed, find_kept, read_proposal, render_patch
from memci.publish.decision import DecisionResult, decide
from memci.publish.manifest import encode_ledger
from memci.publish.pull_request import ProposalOutcome, Wish, look, propose
from memci.publish.read_bundle import NoBundleError, read_bundle
from memci.publish.replay import ReplayBase, Replayed, replay_bundle
from memci.publish.target import PublishRequest, check_default, open_places
from memci.redaction.secrets import redact
from memci.report.pull_request_body import Story, render_body, render_title
from memci.runs import load
from memci.settings import read_config

# A scope that is not due, or failed, has no answer to what was proposed for it before.
_ANSWERED = frozenset((PlanStatus.CHANGED, PlanStatus.UNCHANGED))


@dataclass(frozen=True, slots=True)
class Validated:
    """What bundles would change, judged without asking anybody."""

    changed: tuple[PurePosixPath, ...]
    lost: tuple[str, ...]

    @property
    def exit_code(self) -> Exit:
        """The code of the process."""
        return Exit.DEGRADED if self.lost else Exit.DONE


@dataclass(frozen=True, slots=True)
class Published:
    """How a publication ended."""

    outcome: ProposalOutcome
    branch: str
    base: str
    digest: str
    lost: tuple[str, ...]
    dry_run: bool
    patch: bytes = b""

    @property
    def exit_code(self) -> Exit:
        """The code of the process: a branch of somebody else and a missing permission need a person."""
        if self.outcome.result is DecisionResult.BLOCKED:
            return Exit.UNSAFE
        if self.outcome.result is DecisionResult.FALLBACK:
            return Exit.SERVICE
        return Exit.DEGRADED if self.lost or self.outcome.notes else Exit.DONE


@dataclass(frozen=True, slots=True)
class _Joined:
    """All bundles together, judged again."""

    plans: tuple[ScopePlan, ...]
    files: Mapping[PurePosixPath, bytes | None]
    story: Story
    now: dt.datetime
    # Scopes of the repository that no bundle has an answer for: lost, failed, or not due.
    open: tuple[PurePosixPath, ...]


def run_validate(workspace: Workspace, request: PublishRequest) -> Validated:
    """Judge the bundles again; whoever publishes them does the same once more."""
    repository = workspace.repository
    if repository is None:
        raise UsageError("bundles are judged in the git repository that they are about")
    bundles, lost = read_bundles(request.bundles, request.plan)
    _check_times(bundles, request.now)
    config = find_inside(workspace, request.config) if request.config else None
    return Validated(tuple(sorted(_join(bundles, lost, workspace, repository, config).files)), lost)


def run_publish(
    workspace: Workspace, request: PublishRequest, environment: Mapping[str, str], show: Callable[[str], None]
) -> Published:
    """Judge the bundles again, and make one branch and one pull request of them."""
    places = open_places(workspace, request, environment)
    show("reading bundles")
    bundles, lost = read_bundles(request.bundles, request.plan)
    _check_times(bundles, request.now)
    remote, forge, repository = places.remote, places.forge, places.remote.repository
    branch, base_branch = places.branch, places.base
    show("judging")
    config = find_inside(workspace, request.config) if request.config else None
    joined = _join(bundles, lost, workspace, repository, config)
    show("talking to the remote")
    check_default(branch, {remote.find_default()})
    head = _find_head(remote, base_branch, bundles[0].run.base, joined)
    joined = _keep(joined, remote, branch, head)
    title = render_title(joined.plans)
    proposal = build_proposal(repository, head, joined.files, title, joined.now) if joined.files else None
    body = render_body(joined.story)
    wish = Wish(title, body, base_branch, branch, request.draft, request.labels, request.reviewers)
    patch = render_patch(repository, proposal) if proposal else b""
    digest = proposal.digest if proposal else ""
    # What was lost, failed or not due may be what an open pull request is about.
    whole = not lost and all(plan.status in _ANSWERED for plan in joined.plans)
    if request.dry_run:
        outcome = _foresee(proposal, wish, remote, forge, whole=whole)
    else:
        outcome = propose(proposal, wish, remote, forge, whole=whole, show=show, signer=places.signer)
    return Published(outcome, branch, base_branch, digest, lost, request.dry_run, patch)


def _foresee(
    proposal: Proposal | None, wish: Wish, remote: Remote, forge: Forge | None, *, whole: bool
) -> ProposalOutcome:
    view = look(proposal, wish, remote, forge)
    decision = decide(proposal, view.found, whole=whole)
    pull = view.pull
    notes = (view.denied,) if view.denied else ()
    return ProposalOutcome(
        decision.result, view.found.head, pull.number if pull else None, pull.url if pull else "", notes
    )


def read_bundles(
    targets: Sequence[Path], plan: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> tuple[tuple[Bundle, ...], tuple[str, ...]]:
    """Read bundles, also those in a directory of them; name those that are missing, unless all are."""
    found: list[Bundle] = []
    lost: list[str] = []
    for target in targets:
        for place in _expand(target):
            try:
                found.append(read_bundle(place))
            except NoBundleError:
                lost.append(place.name)
    if not found:
        where = ", ".join(str(target) for target in targets)
        raise UsageError(f"there is no bundle in {where}", hint="memci dream --bundle DIRECTORY makes one")
    shards = [bundle.run.shard.split("/") for bundle in found if bundle.run.shard]
    seen = {int(number) for number, _ in shards}
    total = max((int(count) for _, count in shards), default=0)
    lost += [_name_shard(f"{number}/{total}", plan) for number in range(1, total + 1) if number not in seen]
    if len({bundle.run.base for bundle in found}) > 1:
        raise UnsafeError("the bundles were made from different commits", hint="make them all in one run")
    paths = [scope.path for bundle in found for scope in bundle.scopes]
    if twice := sorted({path for path in paths if paths.count(path) > 1}):
        raise UnsafeError(f"two bundles hold the scope {twice[0]}")
    return tuple(found), tuple(lost)


def _check_times(bundles: Sequence[Bundle], now: dt.datetime) -> None:
    """Refuse a dream of the future: what expires by then would count as expired, and its commit be the newest."""
    latest = max(bundle.run.now for bundle in bundles)
    if latest - now > CLOCK_TOLERANCE:
        hint = "make the bundle again; is the clock right on both machines?"
        raise UnsafeError(
            f"the bundle is dated {latest:%Y-%m-%d %H:%M %Z}, and now is {now:%Y-%m-%d %H:%M %Z}", hint=hint
        )


def _name_shard(shard: str, plan: Mapping[str, Sequence[str]]) -> str:
    return f"shard {shard}" + (f" ({', '.join(plan[shard])})" if plan.get(shard) else "")


def _expand(target: Path) -> list[Path]:
    """Return the bundle, or those in a directory as artifacts are downloaded."""
    if (target / MANIFEST).exists() or not target.is_dir():
        return [target]
    inner = sorted(place for place in target.iterdir() if place.is_dir() and not place.is_symlink())
    return [place for place in inner if place.name != "texts"] or [target]


def _join(
    bundles: Sequence[Bundle],
    lost: tuple[str, ...],
    workspace: Workspace,
    repository: Repository,
    config: PurePosixPath | None = None,
) -> _Joined:
    commit = _check_head(repository, bundles[0].run.base)
    try:
        pairs = list(_read_bases(bundles, read_commit(repository, commit), workspace, config))
        replayed = [one for bundle, base in pairs for one in _judge(bundle, base)]
    finally:
        repository.close()
    plans = tuple(one.plan for one in sorted(replayed, key=lambda one: one.plan.scope.path))
    files = {path: data for one in replayed for path, data in one.files.items()}
    now = max(bundle.run.now for bundle in bundles)
    cost = sum(bundle.run.cost.get("usd", 0.0) for bundle in bundles)
    engine = ", ".join(sorted({bundle.run.engine for bundle in bundles}))
    answered = {plan.scope.path for plan in plans if plan.status in _ANSWERED}
    known = (scope.scope.path for scope in pairs[0][1].snapshot.scopes)
    story = Story(plans, engine, now.date().isoformat(), cost, lost)
    return _Joined(plans, files, story, now, tuple(path for path in known if path not in answered))


def _keep(joined: _Joined, remote: Remote, branch: str, head: str) -> _Joined:
    """Add what memci proposed before for scopes that have no answer this time: a lost part must not undo it."""
    old = remote.find_head(branch) if joined.files and joined.open else ""
    remote.fetch(branch, old)
    own = read_proposal(remote.repository, old) if old else None
    if own is None:
        return joined
    try:
        kept = find_kept(remote.repository, own, head, joined.open)
    finally:
        remote.repository.close()
    files = {path: data for added in kept.values() for path, data in added.items()} | dict(joined.files)
    return replace(joined, files=files, story=replace(joined.story, kept=tuple(map(str, sorted(kept)))))


def _check_head(repository: Repository, base: str) -> str:
    if not repository.has_commits() or repository.resolve("HEAD") != base:
        hint = f"dream again, or git checkout {base}: whether what the bundle says is true is asked of what is there"
        raise UsageError(f"the bundle was made from {base[:12]}, which is not what is checked out", hint=hint)
    return base


def _read_bases(
    bundles: Sequence[Bundle], tree: CommitTree, workspace: Workspace, named: PurePosixPath | None
) -> Iterator[tuple[Bundle, ReplayBase]]:
    """Read the commit as a dream would; the rules are asked again for the moment of each bundle."""
    config = read_config(tree, named)
    snapshot = load.read_snapshot(tree, find_scopes(tree, workspace.root, config.scopes))
    _check_clean(snapshot, {scope.path for bundle in bundles for scope in bundle.scopes}, workspace, tree)
    # Only what is committed counts: a bundle that lies in the work tree must not prove itself.
    committed = replace(workspace, tree=WorkTree(workspace.root, tree.paths()))
    truth = load.find_truth(committed, snapshot)
    for bundle in bundles:
        found = load.judge(snapshot, config, bundle.run.now, truth).findings
        yield (
            bundle,
            ReplayBase(bundle.run.base, tree, snapshot, load.date_findings(found, snapshot, History(tree.repository))),
        )


def _check_clean(snapshot: Snapshot, wanted: Iterable[PurePosixPath], workspace: Workspace, tree: CommitTree) -> None:
    """Refuse while a person edits the memory: what they see and what is proposed would differ."""
    # A checkout may convert line ends, which is no change in the eyes of git.
    clean = tree.repository.list_clean()
    for scope in snapshot.scopes:
        for text in scope.texts if scope.scope.path in wanted else ():
            same = clean.get(str(text.path)) == tree.entries[str(text.path)].oid
            if not same and workspace.tree.read(text.path) != text.text:
                raise UnsafeError(f"{text.path} has changes that are not committed", hint="commit or stash them first")


def _judge(bundle: Bundle, base: ReplayBase) -> Iterator[Replayed]:
    told = {scope.path: scope.ledger for scope in bundle.scopes}
    for one in replay_bundle(bundle, base):
        plan = one.plan
        ledger = trace_lines(plan.before, plan.after, plan.operations)
        if plan.status is PlanStatus.CHANGED and encode_ledger(ledger) != told[plan.scope.path]:
            raise UnsafeError(f"the ledger of {plan.scope.path} is not what the texts say")
        _check_state(one, bundle, base)
        yield replace(one, plan=replace(plan, ledger=ledger))


def _check_state(one: Replayed, bundle: Bundle, base: ReplayBase) -> None:
    """Refuse a state file that memci would have written otherwise: it decides when the next dream is due."""
    if one.state is None:
        return
    path = one.plan.scope.path / STATE_NAME
    before = base.tree.read(path)
    try:
        text = one.state.decode("utf-8")
        state = parse_state(text, path)
        known = parse_state(before, path) if isinstance(before, str) else DreamState()
        good = render_state(state) == text
    except (ConfigError, UnicodeDecodeError) as error:
        raise UnsafeError(f"{path} in the bundle is damaged") from error
    if not good or redact(text) != text:
        raise UnsafeError(f"{path} in the bundle is not as memci writes it")
    if state.last_consolidated_at != bundle.run.now or state.declined != known.declined:
        raise UnsafeError(f"{path} in the bundle is not the state after this dream")


def _find_head(remote: Remote, branch: str, commit: str, joined: _Joined) -> str:
    """Return the head of the base; memory that changed there since the dream must be dreamt over again."""
    head = remote.find_head(branch)
    if not head:
        raise UsageError(f"{remote.name} has no branch {branch}", hint="--base names the branch to merge into")
    remote.fetch(branch, head)
    scopes = [plan.scope.path for plan in joined.plans if plan.status is PlanStatus.CHANGED]
    if changed := find_changed(remote.repository, commit, head, scopes):
        raise UnsafeError(f"{changed[0]} changed on {branch} since the dream", hint="dream again")
    return head
