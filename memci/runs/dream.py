"""What `memci dream` does: read everything, plan, and write what was planned, whole or not at all."""

import contextlib
import datetime as dt
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from memci.citations.history.deletions import Removals
from memci.citations.history.queries import History
from memci.citations.history.renames import Renamed
from memci.config import Config
from memci.dream.gates import find_skip
from memci.dream.gather import Gathered, Search, find_places, gather
from memci.dream.inputs import Sources
from memci.dream.pipeline import dream
from memci.dream.state import STATE_NAME, DreamState, ReadPosition, parse_state, render_state
from memci.engines.model.replies import Model
from memci.engines.protocol import Engine
from memci.engines.select import EngineChoice
from memci.errors import UnsafeError, UsageError
from memci.git.file_tree import WorkTree, read_commit
from memci.git.workspace import Workspace, find_inside
from memci.memory.daily_logs import is_to_come
from memci.memory.edits import split_lines
from memci.memory.scopes import find_scopes
from memci.memory.user_scopes import find_user_scopes
from memci.model.memory import ScopeSnapshot, Snapshot, Unreadable
from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, PlanStatus, ScopePlan
from memci.model.session import Signal, Turn, TurnedDown
from memci.publish.bundle import BundleRun, bundle_of, write_bundle
from memci.report.dream_result import DreamResult
from memci.runs import load
from memci.runs.apply_plans import write_all
from memci.runs.check import select_scopes
from memci.runs.shard import take_shard
from memci.settings import read_config
from memci.stores.apply import recover
from memci.stores.lock import Lock, hold_lock
from memci.stores.state_directory import find_state_directory


@dataclass(frozen=True, slots=True)
class DreamRequest:
    """What was asked for."""

    scopes: tuple[Path, ...]
    transcripts: tuple[str, ...]
    dry_run: bool
    force: bool
    with_user: bool
    now: dt.datetime
    # Hand the result over in this directory instead of writing it.
    bundle: Path | None = None
    # The second of five parts: only the scopes that a plan gives to it.
    shard: tuple[int, int] | None = None

    @property
    def writes(self) -> bool:
        """Whether the memory itself changes."""
        return not self.dry_run and self.bundle is None


def run_dream(
    workspace: Workspace,
    request: DreamRequest,
    config_path: Path | None,
    choice: EngineChoice,
    show: Callable[[str], None],
) -> DreamResult:
    """Dream over every scope that is due, and write the result unless it is a dry run."""
    config = read_config(workspace.tree, find_inside(workspace, config_path) if config_path else None)
    engine = choice.engine
    if not config.dream:
        return DreamResult(request.now, engine.name, (), skipped="switched off in the settings")
    wanted = [find_inside(workspace, path) for path in request.scopes]
    every = find_scopes(workspace.tree, workspace.root, config.scopes)
    scopes = select_scopes(every, wanted)
    if request.shard is not None:
        scopes = take_shard(workspace.tree, scopes, request.shard)
    own = find_user_scopes(workspace.root, workspace.repository, os.environ) if request.with_user else ()
    with contextlib.ExitStack() as stack:
        locks: dict[PurePosixPath, Lock] = {}
        for scope in (*scopes, *own) if request.writes else ():
            common = workspace.repository.common if workspace.repository else None
            state = find_state_directory(scope.target, common, os.environ)
            locks[scope.path] = stack.enter_context(hold_lock(scope.target, state, now=request.now))
            recover(locks[scope.path])
        timer = _Timer(show)
        show = timer.show
        show("orient: reading memory")
        snapshot = load.read_snapshot(workspace.tree, scopes, own)
        sources, gathered = _read_sources(workspace, request, config, snapshot, choice.model, show)
        # Not asked for, and still the place for what concerns them.
        rest = load.read_snapshot(workspace.tree, [scope for scope in every if scope not in scopes])
        sources = replace(sources, others=rest.scopes)
        plans = _plan(sources, gathered, engine, request, show)
        states = {plan.scope.path: _advance(plan, sources, gathered, request.now) for plan in plans}
        if request.bundle is not None:
            _write_bundle(workspace, request, choice, plans, states)
        elif request.writes:
            show("write: all scopes")
            plans = write_all(plans, states, locks)
        show("done: ")
    return DreamResult(
        request.now,
        engine.name,
        plans,
        gathered.turned_down,
        _find_notes(gathered),
        timer.seconds,
        not request.writes,
        sessions=len(gathered.reading.sessions),
        newest=max((one.last for one in gathered.reading.sessions if one.last), default=None),
        why=choice.why,
        failures=(*gathered.failures, *choice.failures),
        rules={finding.fingerprint: finding.rule for finding in sources.findings},
    )


def _write_bundle(
    workspace: Workspace,
    request: DreamRequest,
    choice: EngineChoice,
    plans: tuple[ScopePlan, ...],
    states: Mapping[PurePosixPath, DreamState],
) -> None:
    """Hand the plans over to whoever may publish them; there the memory has to be committed."""
    if workspace.repository is None or not workspace.repository.has_commits():
        raise UsageError("--bundle needs a git repository with a commit")
    if request.bundle is None or request.dry_run:
        raise UsageError("--bundle and --dry-run do not go together")
    base = workspace.repository.resolve("HEAD")
    with contextlib.closing(workspace.repository):
        tree = read_commit(workspace.repository, base)
        new = {path: render_state(state) for path, state in states.items()}
        shard = f"{request.shard[0]}/{request.shard[1]}" if request.shard else ""
        run = BundleRun(base, request.now, choice.engine.name, {"usd": float(choice.cost.usd)}, shard)
        bundle = bundle_of(plans, new, tree, run)
    write_bundle(request.bundle, bundle)


class _Timer:
    """How long each phase took, by what is shown when it begins: `prune: .claude/memory`."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self.seconds: dict[str, float] = {}
        self._show = show
        self._phase = ""
        self._last = time.monotonic()

    def show(self, what: str) -> None:
        """Show what is being done, and begin a phase if it is of another one."""
        now = time.monotonic()
        if self._phase:
            self.seconds[self._phase] = self.seconds.get(self._phase, 0.0) + now - self._last
        self._phase, self._last = what.partition(":")[0], now
        self._show(what)


def _read_sources(
    workspace: Workspace,
    request: DreamRequest,
    config: Config,
    snapshot: Snapshot,
    model: Model | None,
    show: Callable[[str], None],
) -> tuple[Sources, Gathered]:
    show("orient: asking the repository")
    findings = load.judge(snapshot, config, request.now, load.find_truth(workspace, snapshot)).findings
    states = {scope.scope.path: read_state(scope) for scope in snapshot.scopes}
    search = _search_with(model, list(states.values()), request) if model else None
    places = find_places(request.transcripts, config.transcripts, workspace)
    gathered = gather(
        workspace,
        places,
        snapshot.scopes,
        show,
        *([search] if search else []),
        now=request.now,
        automation=config.automation,
    )
    sources = Sources(
        snapshot,
        config,
        request.now,
        findings,
        gathered.signals,
        gathered.positions,
        states=states,
    )
    if workspace.repository is None or not workspace.repository.has_commits():
        return sources, gathered
    history = History(workspace.repository)
    dated = load.date_findings(findings, snapshot, history)
    return replace(sources, findings=dated, renamed=dict(_find_renamed(history, snapshot))), gathered


def _search_with(model: Model, states: Sequence[DreamState], request: DreamRequest) -> Search:
    """Let a model search the messages that are news to a scope which is due; if there are none it is not asked."""
    from memci.engines.model.search_messages import find_more

    def is_due(state: DreamState, counts: Mapping[str, int]) -> bool:
        fresh = sum(_is_fresh(session, count, state) for session, count in counts.items())
        return request.force or find_skip(state, request.now, fresh) is None

    def search(turns: Sequence[Turn], known: Sequence[Signal]) -> tuple[list[Signal], list[TurnedDown], list[str]]:
        due = [state for state in states if is_due(state, Counter(turn.session for turn in turns))]
        counts: Counter[str] = Counter()
        fresh = []
        for turn in turns:
            counts[turn.session] += 1
            if any(_is_fresh(turn.session, counts[turn.session], state) for state in due):
                fresh.append(turn)
        return find_more(fresh, known, model)

    return search


def read_state(scope: ScopeSnapshot) -> DreamState:
    """Read what a scope remembers of its dreams."""
    path = scope.scope.path / STATE_NAME
    text = WorkTree(scope.scope.target, shown=scope.scope.path).read(path)
    if isinstance(text, str):
        return parse_state(text, path)
    if text.reason is not Unreadable.ABSENT:
        raise UnsafeError(f"cannot read {path}: {text.reason}", hint="memci would propose again what was settled")
    return DreamState()


def _find_renamed(history: History, snapshot: Snapshot) -> Iterator[tuple[PurePosixPath, PurePosixPath]]:
    """Ask git where the topics went that pointers still name."""
    pointed = {p.path: scope for scope in snapshot.scopes if scope.index for p in scope.index.pointers if p.path}
    dangling = [str(path) for path, scope in pointed.items() if path not in scope.files]
    for path, fates in (Removals(history).find_fates(dangling, exact=True) if dangling else {}).items():
        targets = [fate.target for fate in fates.values() if isinstance(fate, Renamed)]
        if len(targets) == 1:
            yield PurePosixPath(path), PurePosixPath(targets[0])


def _plan(
    sources: Sources, gathered: Gathered, engine: Engine, request: DreamRequest, show: Callable[[str], None]
) -> tuple[ScopePlan, ...]:
    """Plan the scopes that are due; the others say why they are not."""
    skips: dict[PurePosixPath, str] = {}
    for scope in sources.snapshot.scopes if not request.force else ():
        state = sources.states[scope.scope.path]
        fresh = sum(_is_fresh(session.id, session.records, state) for session in gathered.reading.sessions)
        why = find_skip(state, request.now, fresh if gathered.reading.files else None)
        if why:
            skips[scope.scope.path] = why
    due = tuple(scope for scope in sources.snapshot.scopes if scope.scope.path not in skips)
    waiting = tuple(scope for scope in sources.snapshot.scopes if scope.scope.path in skips)
    awake = replace(sources, snapshot=replace(sources.snapshot, scopes=due), others=(*sources.others, *waiting))
    plans, homeless = dream(awake, engine, show)
    if plans and homeless:
        questions = tuple(_ask_for_scope(signal) for signal in homeless)
        plans = (replace(plans[0], needs_person=(*plans[0].needs_person, *questions)), *plans[1:])
    skipped = [
        ScopePlan(scope.scope, PlanStatus.SKIPPED, skips[scope.scope.path])
        for scope in sources.snapshot.scopes
        if scope.scope.path in skips
    ]
    return tuple(sorted((*plans, *skipped), key=lambda plan: plan.scope.path))


def _is_fresh(session: str, records: int, state: DreamState) -> bool:
    cursor = state.cursors.get(session)
    return records > 0 and (cursor is None or records > cursor.count)


def _ask_for_scope(signal: Signal) -> NeedsPerson:
    evidence = (Evidence(EvidenceKind.SIGNAL, signal.id, signal.text),)
    return NeedsPerson("no scope is the place for this; set `route:` in .memci.yml", None, evidence)


def _advance(plan: ScopePlan, sources: Sources, gathered: Gathered, now: dt.datetime) -> DreamState:
    """Return the state after the plan: everything that was read counts as seen once the plan is accepted."""
    state = sources.states[plan.scope.path]
    cursors = dict(state.cursors)
    for session in gathered.reading.sessions:
        if _is_fresh(session.id, session.records, state):
            cursors[session.id] = ReadPosition(session.last_uuid or "", session.records)
    for scope in (scope for scope in sources.snapshot.scopes if scope.scope == plan.scope):
        read = [log for log in scope.logs if not is_to_come(log.day, now)]
        cursors |= {f"log:{log.path}": ReadPosition("", len(split_lines(log.text))) for log in read}
    signals = {signal.id: signal for signal in plan.signals}
    evidence = {name: set(found) for name, found in state.evidence.items()}
    for operation in plan.operations:
        for proof in operation.evidence:
            signal = signals.get(proof.source) if proof.kind is EvidenceKind.SIGNAL else None
            if signal:
                name = str(operation.file.relative_to(plan.scope.path))
                evidence.setdefault(name, set()).add(f"{signal.session}/{signal.uuid}")
    topics = {str(path.relative_to(plan.scope.path)) for path in plan.after}
    kept = {name: tuple(sorted(found)) for name, found in evidence.items() if name in topics}
    return DreamState(now, cursors, state.declined, kept)


def _find_notes(gathered: Gathered) -> tuple[tuple[str, str], ...]:
    """Name the transcripts that were not read, or not whole."""
    return tuple((file.name, file.reason) for file in gathered.reading.files if file.reason)
