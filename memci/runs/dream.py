"""Runs `memci dream`: locks the scopes, dreams, and writes the plans to files or to a bundle."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from memci.dream.inputs import DreamRequest, DreamTask
from memci.dream.next_state import advance_state
from memci.dream.pipeline import dream
from memci.dream.state import STATE_NAME, DreamState, render_state
from memci.engines.select import EngineChoice
from memci.errors import MemciError, ServiceError, UsageError
from memci.git.file_tree import read_commit
from memci.git.workspace import Workspace
from memci.model.memory import Scope
from memci.model.plan import PlanStatus, ScopePlan
from memci.publish.bundle import BundleRun, bundle_of, write_bundle
from memci.report.dream_result import DreamResult
from memci.runs.scopes import Prepared
from memci.runs.shard import take_shard
from memci.stores.apply import apply_plan, recover
from memci.stores.journal import JournalChange
from memci.stores.lock import Lock, hold_lock
from memci.stores.state_directory import resolve_state_directory


def run_dream(found: Prepared, request: DreamRequest, choice: EngineChoice, show: Callable[[str], None]) -> DreamResult:
    """Dream over every scope that is due, and write the result unless it is a dry run."""
    if request.bundle is not None and request.dry_run:
        raise UsageError("--bundle and --dry-run cannot be combined")
    workspace, engine = found.workspace, choice.engine
    if not found.config.dream:
        return DreamResult(request.now, engine.name, (), skipped="switched off in the settings")
    task = _make_task(found, request)
    timer = _Timer(show)
    with lock_scopes((*task.scopes, *task.own) if request.writes else (), workspace) as locks:
        sources, plans = dream(task, engine, timer.show)
        states = {plan.scope.path: advance_state(plan, sources) for plan in plans}
        if request.bundle is not None:
            shard = f"{request.shard[0]}/{request.shard[1]}" if request.shard else ""
            run = BundleRun("", request.now, engine.name, {"usd": float(choice.cost.usd)}, shard)
            write_proposal(request.bundle, workspace, plans, states, run)
        elif request.writes:
            timer.show("write: all scopes")
            plans = write_all(plans, states, locks)
        timer.show("done: ")
    gathered = sources.gathered
    reading = gathered.reading
    return DreamResult(
        request.now,
        engine.name,
        plans,
        gathered.turned_down,
        tuple((file.name, file.reason) for file in reading.files if file.reason),
        tuple((file.name, file.problem) for file in reading.files if file.problem and not file.reason),
        timer.seconds,
        not request.writes,
        sessions=len(reading.sessions),
        newest=max((session.last for session in reading.sessions if session.last), default=None),
        why=choice.why,
        cost=choice.cost,
        failures=choice.failures,
        proposals=choice.proposals,
        rules={finding.fingerprint: finding.rule for finding in sources.findings},
    )


def _make_task(found: Prepared, request: DreamRequest) -> DreamTask:
    scopes = found.select(request.scopes)
    if request.shard is not None:
        scopes = take_shard(found.workspace.tree, scopes, request.shard)
    others = tuple(scope for scope in found.scopes if scope not in scopes)
    return DreamTask(found.workspace, found.config, request, scopes, found.own, others)


@contextlib.contextmanager
def lock_scopes(scopes: tuple[Scope, ...], workspace: Workspace) -> Iterator[Mapping[PurePosixPath, Lock]]:
    """Lock all scopes for the block, and roll back interrupted dreams in them."""
    common = workspace.repository.common if workspace.repository else None
    locks: dict[PurePosixPath, Lock] = {}
    with contextlib.ExitStack() as stack:
        for scope in scopes:
            state = resolve_state_directory(scope.target, common)
            locks[scope.path] = stack.enter_context(hold_lock(scope.target, state))
            recover(locks[scope.path])
        yield locks


def write_proposal(
    target: Path,
    workspace: Workspace,
    plans: tuple[ScopePlan, ...],
    states: Mapping[PurePosixPath, DreamState],
    run: BundleRun,
) -> None:
    """Write plans as a bundle for `memci publish`, which needs committed memory; the base of the run is HEAD."""
    if workspace.repository is None or not workspace.repository.has_commits():
        raise UsageError("a proposal needs a git repository with a commit")
    base = workspace.repository.resolve("HEAD")
    new = {path: render_state(state) for path, state in states.items()}
    write_bundle(target, bundle_of(plans, new, read_commit(workspace.repository, base), replace(run, base=base)))


class _Timer:
    """Measures each phase by the progress that is shown when it begins: `prune: .claude/memory`."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self.seconds: dict[str, float] = {}
        self._show = show
        self._phase = ""
        self._last = time.monotonic()

    def show(self, what: str) -> None:
        """Show the progress, and attribute the time to the phase that it names."""
        now = time.monotonic()
        if self._phase:
            self.seconds[self._phase] = self.seconds.get(self._phase, 0.0) + now - self._last
        self._phase, self._last = what.partition(":")[0], now
        self._show(what)


def write_all(
    plans: tuple[ScopePlan, ...], states: Mapping[PurePosixPath, DreamState], locks: Mapping[PurePosixPath, Lock]
) -> tuple[ScopePlan, ...]:
    """Write each changed scope, and its state if there is a new one; one that fails does not undo the others."""
    written: dict[PurePosixPath, ScopePlan] = {}
    failures: list[MemciError] = []
    for plan in (plan for plan in plans if plan.status is PlanStatus.CHANGED):
        path = plan.scope.path
        try:
            _write(plan, states.get(path), locks[path])
            written[path] = plan
        except MemciError as error:
            failures.append(error)
            written[path] = ScopePlan(
                plan.scope, PlanStatus.FAILED, error.message, before=plan.before, after=plan.before
            )
    if failures and len(failures) == len(written):
        raise failures[0]
    return tuple(written.get(plan.scope.path, plan) for plan in plans)


def _write(plan: ScopePlan, state: DreamState | None, lock: Lock) -> None:
    """Change the files of one scope, all or none."""
    changes = {
        path.relative_to(plan.scope.path): JournalChange(_encode(plan.before.get(path)), _encode(plan.after.get(path)))
        for path in plan.changed_files
    }
    target = plan.scope.target / STATE_NAME
    try:
        old = target.read_bytes() if target.exists() else None
    except OSError as error:
        raise ServiceError(f"cannot read {target}: {error.strerror}; nothing was changed") from error
    if state is not None:
        changes[PurePosixPath(STATE_NAME)] = JournalChange(old, render_state(state).encode())
    apply_plan(changes, lock)


def _encode(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")
