"""Writes plans: the files and the state of each scope, all or none."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from memci.dream.state import STATE_NAME, DreamState, render_state
from memci.errors import MemciError, ServiceError
from memci.model.plan import PlanStatus, ScopePlan
from memci.stores.apply import apply_plan
from memci.stores.journal import JournalChange
from memci.stores.lock import Lock


def write_all(
    plans: tuple[ScopePlan, ...], states: Mapping[PurePosixPath, DreamState], locks: Mapping[PurePosixPath, Lock]
) -> tuple[ScopePlan, ...]:
    """Write each changed scope; one that cannot be written does not undo the others."""
    written: dict[PurePosixPath, ScopePlan] = {}
    failures: list[MemciError] = []
    for plan in (plan for plan in plans if plan.status is PlanStatus.CHANGED):
        path = plan.scope.path
        try:
            _write(plan, states[path], locks[path])
            written[path] = plan
        except MemciError as error:
            failures.append(error)
            written[path] = ScopePlan(
                plan.scope, PlanStatus.FAILED, error.message, before=plan.before, after=plan.before
            )
    if failures and len(failures) == len(written):
        raise failures[0]
    return tuple(written.get(plan.scope.path, plan) for plan in plans)


def _write(plan: ScopePlan, state: DreamState, lock: Lock) -> None:
    """Change the files of one scope, all or none."""
    before, after = dict(plan.before), dict(plan.after)
    changes = {
        path.relative_to(plan.scope.path): JournalChange(_encode(before.get(path)), _encode(after.get(path)))
        for path in {*before, *after}
        if before.get(path) != after.get(path)
    }
    target = plan.scope.target / STATE_NAME
    try:
        old = target.read_bytes() if target.exists() else None
    except OSError as error:
        raise ServiceError(f"cannot read {target}: {error.strerror}; nothing was changed") from error
    changes[PurePosixPath(STATE_NAME)] = JournalChange(old, render_state(state).encode())
    apply_plan(changes, lock)


def _encode(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")
