"""Decides which scopes are due, and which messages and signals are new to them."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from memci.dream.inputs import Sources
from memci.dream.state import DreamState
from memci.model.plan import PlanStatus, ScopePlan
from memci.model.session import Signal, Turn, TurnedDown
from memci.prose.similar import stem_content


def is_fresh(session: str, records: int, state: DreamState) -> bool:
    """Whether a session has records that a scope has not read."""
    cursor = state.cursors.get(session)
    return records > 0 and (cursor is None or records > cursor.count)


def split_due(sources: Sources, *, force: bool) -> tuple[Sources, list[ScopePlan]]:
    """Return the sources with only the scopes that are due, and a plan with the reason for each of the others."""
    due, waiting = [], []
    skipped: list[ScopePlan] = []
    reading = sources.gathered.reading
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


# The limits of the client itself: time between two consolidations, and number of new sessions.
MIN_HOURS = 24
MIN_SESSIONS = 5
# The tolerated difference between the clocks of two machines.
CLOCK_TOLERANCE = dt.timedelta(hours=1)


def skip_reason(state: DreamState, now: dt.datetime, new_sessions: int | None) -> str | None:
    """Return why a scope should not dream now; `new_sessions` is None if no transcripts are read."""
    last = state.last_consolidated_at
    if last is not None and last - now > CLOCK_TOLERANCE:
        # A date in the future is wrong; waiting for it would silently disable the scope.
        return None
    if last is not None and now - last < dt.timedelta(hours=MIN_HOURS):
        hours = max(0, int((now - last).total_seconds() // 3600))
        return f"the last dream was {hours} hours ago, and {MIN_HOURS} have to pass"
    if new_sessions is not None and last is not None and new_sessions < MIN_SESSIONS and not state.waiting:
        return f"{new_sessions} new sessions, and {MIN_SESSIONS} have to come together"
    return None


# A note that has at least this share of the words of a signal covers it.
_WRITTEN = 0.7

# The position in the session, by session and record.
Position = Mapping[tuple[str, str], int]


def drop_seen(
    signals: Iterable[Signal], positions: Position, state: DreamState, accepted: Collection[Signal] = ()
) -> tuple[Signal, ...]:
    """Drop signals that a scope was already offered, unless a person accepts them now.

    People may have declined or deleted them since.
    """
    return tuple(signal for signal in signals if signal in accepted or not is_seen(signal, positions, state))


def is_seen(said: Signal | Turn, positions: Position, state: DreamState) -> bool:
    """Tell whether a scope was already offered something."""
    cursor = state.cursors.get(said.session)
    if cursor is not None and positions.get((said.session, said.uuid), 0) <= cursor.count:
        return True
    # Of a session with something that had to wait, the rest is not offered again.
    return state.has_used(said.session, said.uuid)


def drop_written(
    signals: Iterable[Signal], writes: Mapping[str, Sequence[str]]
) -> tuple[tuple[Signal, ...], tuple[TurnedDown, ...]]:
    """Drop what the session wrote itself; `writes` has, by session, the current texts of the files it wrote."""
    kept: list[Signal] = []
    dropped: list[TurnedDown] = []
    stems = {session: [stem_content(text) for text in texts] for session, texts in writes.items()}
    for signal in signals:
        said = stem_content(signal.rule)
        if said and any(len(said & text) >= _WRITTEN * len(said) for text in stems.get(signal.session, ())):
            reason = "the session wrote it into memory itself"
            dropped.append(
                TurnedDown(signal.session, signal.uuid, signal.timestamp, signal.origin, signal.text, reason)
            )
        else:
            kept.append(signal)
    return tuple(kept), tuple(dropped)
