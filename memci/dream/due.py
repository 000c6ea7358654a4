"""Decides which scopes are due, and which messages are new to them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from memci.dream.gather import MoreSignals, Search
from memci.dream.inputs import Sources
from memci.dream.skip_reason import skip_reason
from memci.dream.state import DreamState
from memci.model.plan import PlanStatus, ScopePlan
from memci.model.session import Signal, Turn
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


def search_unread(search: Search, sources: Sources, *, force: bool) -> Search:
    """Limit a search to the messages that are new to a scope which is due."""

    def is_due(state: DreamState, counts: Counter[str]) -> bool:
        fresh = sum(is_fresh(session, count, state) for session, count in counts.items())
        return force or skip_reason(state, sources.now, fresh) is None

    def limited(turns: Sequence[Turn], known: Sequence[Signal]) -> MoreSignals:
        total = Counter(turn.session for turn in turns)
        due = [state for state in sources.states.values() if is_due(state, total)]
        counts: Counter[str] = Counter()
        unread = []
        for turn in turns:
            counts[turn.session] += 1
            if any(is_fresh(turn.session, counts[turn.session], state) for state in due):
                unread.append(turn)
        return search(unread, known)

    return limited
