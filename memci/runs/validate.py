"""Reads bundles without trusting them, and replays their operations before all guards."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from memci.citations.answers.asked_commit import list_hidden
from memci.citations.history.git_queries import History
from memci.dream import check_memory, orient
from memci.dream.due import CLOCK_TOLERANCE
from memci.dream.ledger import trace_lines
from memci.dream.next_state import list_begun
from memci.dream.state import STATE_NAME, DreamState, parse_state, render_state
from memci.errors import ConfigError, UnsafeError, UsageError
from memci.git.file_tree import CommitTree, WorkTree, read_commit
from memci.git.repository import Repository
from memci.git.workspace import Workspace, resolve_inside
from memci.memory.scopes import find_scopes
from memci.model.memory import Snapshot
from memci.model.plan import PlanStatus, ScopePlan
from memci.publish.bundle import MANIFEST, Bundle
from memci.publish.read_bundle import NoBundleError, read_bundle
from memci.publish.replay import OwnNotes, ReplayBase, Replayed, replay_bundle
from memci.publish.target import PublishRequest
from memci.redaction.secrets import redact
from memci.report.pull_request_body import Story
from memci.settings_file import read_config

# A scope that is not due, or that failed, does not replace what was proposed for it before.
ANSWERED = frozenset((PlanStatus.CHANGED, PlanStatus.UNCHANGED))


@dataclass(frozen=True, slots=True)
class JoinedBundles:
    """All bundles together, after all guards have passed them again."""

    plans: tuple[ScopePlan, ...]
    files: Mapping[PurePosixPath, bytes | None]
    story: Story
    now: dt.datetime
    # Scopes that no bundle decides about: lost, failed, or not due.
    open: tuple[PurePosixPath, ...]


def run_validate(workspace: Workspace, request: PublishRequest) -> tuple[list[str], tuple[str, ...]]:
    """Validate bundles offline; return what they would change, and the missing ones. `memci publish` does the same."""
    repository = workspace.repository
    if repository is None:
        raise UsageError("bundles are judged in the git repository that they are about")
    bundles, lost = read_bundles(request.bundles)
    check_times(bundles, request.now)
    config = resolve_inside(workspace, request.config) if request.config else None
    return [str(path) for path in sorted(join_bundles(bundles, lost, workspace, repository, config).files)], lost


def join_bundles(
    bundles: Sequence[Bundle],
    lost: tuple[str, ...],
    workspace: Workspace,
    repository: Repository,
    config: PurePosixPath | None = None,
    own: OwnNotes | None = None,
) -> JoinedBundles:
    """Replay all bundles on the commit they were made from, and join the results."""
    commit = _check_head(repository, bundles[0].run.base)
    pairs = list(_read_bases(bundles, read_commit(repository, commit), workspace, config, own))
    replayed = [one for bundle, base in pairs for one in _replay(bundle, base)]
    plans = tuple(one.plan for one in sorted(replayed, key=lambda one: one.plan.scope.path))
    files = {path: data for one in replayed for path, data in one.files.items()}
    now = max(bundle.run.now for bundle in bundles)
    cost = sum(bundle.run.cost.get("usd", 0.0) for bundle in bundles)
    engine = ", ".join(sorted({bundle.run.engine for bundle in bundles}))
    answered = {plan.scope.path for plan in plans if plan.status in ANSWERED}
    known = (scope.scope.path for scope in pairs[0][1].snapshot.scopes)
    tree = pairs[0][1].tree
    first = not any(PurePosixPath(path).name == STATE_NAME for path in tree.entries)
    story = Story(plans, engine, now.date().isoformat(), cost, lost, first=first)
    return JoinedBundles(plans, files, story, now, tuple(path for path in known if path not in answered))


def read_bundles(targets: Sequence[Path]) -> tuple[tuple[Bundle, ...], tuple[str, ...]]:
    """Read bundles and directories of bundles; also return the names of missing ones, and fail if all are."""
    found: list[Bundle] = []
    lost: list[str] = []
    for target in targets:
        for place in _list_bundles(target):
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
    lost += [f"shard {number}/{total}" for number in range(1, total + 1) if number not in seen]
    if len({bundle.run.base for bundle in found}) > 1:
        raise UnsafeError("the bundles were made from different commits", hint="make them all in one run")
    paths = [scope.path for bundle in found for scope in bundle.scopes]
    if twice := sorted({path for path in paths if paths.count(path) > 1}):
        raise UnsafeError(f"two bundles hold the scope {twice[0]}")
    return tuple(found), tuple(lost)


def check_times(bundles: Sequence[Bundle], now: dt.datetime) -> None:
    """Refuse a bundle from the future: it would treat dates as expired that are not."""
    latest = max(bundle.run.now for bundle in bundles)
    if latest - now > CLOCK_TOLERANCE:
        hint = "make the bundle again; is the clock right on both machines?"
        raise UnsafeError(
            f"the bundle is dated {latest:%Y-%m-%d %H:%M %Z}, and now is {now:%Y-%m-%d %H:%M %Z}", hint=hint
        )


def _list_bundles(target: Path) -> list[Path]:
    """Return the bundle itself, or the bundles in a directory of downloaded artifacts."""
    if (target / MANIFEST).exists() or not target.is_dir():
        return [target]
    inner = sorted(place for place in target.iterdir() if place.is_dir() and not place.is_symlink())
    return inner or [target]


def _check_head(repository: Repository, base: str) -> str:
    if not repository.has_commits() or repository.resolve("HEAD") != base:
        hint = f"dream again, or git checkout {base}: whether what the bundle says is true is asked of what is there"
        raise UsageError(f"the bundle was made from {base[:12]}, which is not what is checked out", hint=hint)
    return base


def _read_bases(
    bundles: Sequence[Bundle],
    tree: CommitTree,
    workspace: Workspace,
    named: PurePosixPath | None,
    own: OwnNotes | None,
) -> Iterator[tuple[Bundle, ReplayBase]]:
    """Read the commit as a dream does, and run the rules again as of the time of each bundle."""
    config = read_config(tree, named)
    scopes = find_scopes(tree, workspace.root, config.scopes)
    if own and all(scope.path != own.scope.path for scope in scopes):
        scopes = (*scopes, own.scope)
    snapshot = check_memory.read_snapshot(tree, scopes)
    _check_clean(snapshot, {scope.path for bundle in bundles for scope in bundle.scopes}, workspace, tree)
    # Only committed files count, so that a bundle in the work tree cannot provide its own evidence.
    committed = replace(workspace, tree=WorkTree(workspace.root, tree.paths()))
    states = {scope.path: orient.read_state(tree, scope.path) for scope in scopes}
    truth = orient.follow_moves(check_memory.verify_claims(committed, snapshot), states)
    for bundle in bundles:
        found = check_memory.check_snapshot(snapshot, config, bundle.run.now, truth).findings
        dated = orient.date_findings(found, snapshot, History(tree.repository))
        yield (
            bundle,
            ReplayBase(bundle.run.base, tree, snapshot, dated, list_hidden(scopes, config), bundle.run.now, truth, own),
        )


def _check_clean(snapshot: Snapshot, wanted: Iterable[PurePosixPath], workspace: Workspace, tree: CommitTree) -> None:
    """Refuse while memory has uncommitted changes: the proposal would differ from what the person sees."""
    # A checkout may convert line endings, which git does not count as a change.
    clean = tree.repository.list_clean()
    for scope in snapshot.scopes:
        for text in scope.texts if scope.scope.path in wanted else ():
            same = clean.get(str(text.path)) == tree.entries[str(text.path)].oid
            if not same and workspace.tree.read(text.path) != text.text:
                raise UnsafeError(f"{text.path} has changes that are not committed", hint="commit or stash them first")


def _replay(bundle: Bundle, base: ReplayBase) -> Iterator[Replayed]:
    for one in replay_bundle(bundle, base):
        plan = one.plan
        ledger = trace_lines(plan.before, plan.after, plan.operations)
        state = _check_state(one, bundle, base)
        yield replace(one, plan=replace(plan, ledger=ledger, use=state.use if state else plan.use))


def _check_state(one: Replayed, bundle: Bundle, base: ReplayBase) -> DreamState | None:
    """Return the new state; refuse one that memci would not have written: it decides when the next dream is due."""
    if one.state is None:
        return None
    path = one.plan.scope.path / STATE_NAME
    known = orient.read_state(base.tree, one.plan.scope.path)
    try:
        state = parse_state(one.state, path)
        good = render_state(state) == one.state
    except ConfigError as error:
        raise UnsafeError(f"{path} in the bundle is damaged") from error
    if not good or redact(one.state) != one.state:
        raise UnsafeError(f"{path} in the bundle is not as memci writes it")
    offered = {signal.id for scope in bundle.scopes if scope.path == one.plan.scope.path for signal in scope.offered}
    scopes = [scope.scope.path for scope in base.snapshot.scopes]
    if (
        state.last_consolidated_at != bundle.run.now
        or not state.declined <= known.declined | offered
        or not state.moves <= list_begun(one.plan, base.judged, scopes)
    ):
        raise UnsafeError(f"{path} in the bundle is not the state after this dream")
    return state
