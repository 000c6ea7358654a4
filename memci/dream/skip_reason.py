"""Whether a scope is due; if not, why."""

import datetime as dt

from memci.dream.state import DreamState

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
