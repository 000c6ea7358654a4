"""Decides which scopes are due, and which messages are new to them."""

from dataclasses import replace

from memci.dream.inputs import Sources
from memci.dream.skip_reason import skip_reason
from memci.dream.state import DreamState
from memci.model.plan import PlanStatus, ScopePlan
from memci.sessions.read_result import Reading


def is_fresh(session: str, records: int, state: DreamState) -> bool:
    """Whether a session has records that a scope has not read."""
    cursor = state.cursors.get(session)
    return records > 0 and (cursor is None or records > cursor.count)


def split_due(sources: Sources, reading: Reading, *, force: bool) -> tuple[Sources, list[ScopePlan]]:
    """Return the sources with only the scopes that are due, and a plan with the reason for each of the others."""
    due, waiting = [], []
    skipped: list[ScopePlan] = []
    for scope in sources.snapshot.scopes:
        state = sources.states[scope.scope.path]
        fresh = sum(is_fresh(session.id, session.records, state) for session in reading.sessions)
        reason = None if force else skip_reason(state, sources.now, fresh if reading.files else None)
        if reason:
            waiting.append(scope)
            skipped.append(ScopePlan(scope.scope, PlanStatus.SKIPPED, reason))
        else:
            due.append(scope)
    snapshot = replace(sources.snapshot, scopes=tuple(due))
    return replace(sources, snapshot=snapshot, others=(*sources.others, *waiting)), skipped
