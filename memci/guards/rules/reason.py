"""reason: the explanation for the reviewer is one plain line."""

import re

from memci.guards.context import Change, Guard
from memci.patterns import LazyPattern

# Two sentences. The evidence is shown beside it.
MAX_REASON = 300
_LINK = LazyPattern(r"[a-z][a-z0-9+.-]{1,20}://|\bwww\.|\]\(|<[a-z!/]|@[a-z0-9]", re.IGNORECASE)


def check(change: Change) -> str | None:
    """Refuse a reason that is missing, long, or that links elsewhere."""
    reason = change.operation.reason
    if not reason.strip():
        return "it gives no reason"
    if len(reason) > MAX_REASON or "\n" in reason or "\r" in reason:
        return f"its reason is longer than one line of {MAX_REASON} characters"
    link = _LINK.search(reason)
    known = (signal.text for signal in change.context.signals.values()) if link else ()
    if link and not any(word in text for text in known for word in reason.split() if link[0] in word):
        return "its reason holds a link or a mention"
    return None


GUARD = Guard("reason", "The reason is one plain line.", check)
