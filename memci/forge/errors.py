"""What a forge says when it refuses: for how long to leave it alone, and why."""

import email.message
import email.utils
import json
import time


def find_wait(status: int, headers: email.message.Message) -> float | None:
    """Return for how long a forge wants to be left alone; None if this is not what it said."""
    after = headers.get("Retry-After")
    spent = headers.get("X-RateLimit-Remaining") == "0"
    # GitHub says 403 for its limits, too, and a 503 may name its end.
    if status != 429 and not (status == 403 and (after or spent)) and not (status == 503 and after):
        return None
    if after and after.strip().isdecimal():
        return float(after)
    if after:
        return _wait_until(after)
    reset = headers.get("X-RateLimit-Reset", "")
    return max(0.0, float(reset) - time.time()) if spent and reset.isdecimal() else 1.0


def _wait_until(date: str) -> float:
    moment = email.utils.parsedate_tz(date)
    try:
        return max(0.0, email.utils.mktime_tz(moment) - time.time()) if moment else 1.0
    except (ValueError, OverflowError):
        # Of a year that no calendar has.
        return 1.0


def find_message(data: bytes) -> str:
    """Return what a forge says in its error; GitHub adds a list, GitLab may send a list or an object alone."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(content, dict):
        return ""
    more = content.get("errors")
    details = (
        [item.get("message", "") if isinstance(item, dict) else item for item in more] if isinstance(more, list) else []
    )
    said = content.get("message") or content.get("error") or ""
    return "; ".join(str(part) for part in (said, *details) if part)
