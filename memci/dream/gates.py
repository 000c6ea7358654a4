"""Whether a scope is due, the cheapest question first; every "not yet" says why."""

import datetime as dt

from memci.dream.state import DreamState

# What the client itself waits between two consolidations, and how many sessions it wants to have seen.
MIN_HOURS = 24
MIN_SESSIONS = 5
# By how much the clocks of two machines may differ.
CLOCK_TOLERANCE = dt.timedelta(hours=1)


def find_skip(state: DreamState, now: dt.datetime, new_sessions: int | None) -> str | None:
    """Return why a scope should not dream now; `new_sessions` is None where no transcripts are read at all."""
    last = state.last_consolidated_at
    if last is not None and last - now > CLOCK_TOLERANCE:
        # No dream was made then. To wait for it would be to never dream again, without anybody noticing.
        return None
    if last is not None and now - last < dt.timedelta(hours=MIN_HOURS):
        hours = max(0, int((now - last).total_seconds() // 3600))
        return f"the last dream was {hours} hours ago, and {MIN_HOURS} have to pass"
    if new_sessions is not None and last is not None and new_sessions < MIN_SESSIONS:
        return f"{new_sessions} new sessions, and {MIN_SESSIONS} have to come together"
    return None
