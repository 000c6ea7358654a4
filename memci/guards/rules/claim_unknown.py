"""claim-unknown: an added line names nothing that the repository neither has nor had."""

from memci.guards.changes import cited_signals, find_added
from memci.guards.context import Ground, Guard
from memci.model.plan import Operation


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse names that the repository does not know, unless the person said them."""
    if not ground.unknown:
        return None
    said = "\n".join(text for signal in cited_signals(operation, ground) for text in (signal.text, signal.rule))
    new = [name for name in sorted(ground.unknown) if name and name not in said]
    for added in find_added(operation, ground):
        name = next((name for name in new if name in added.text), None)
        if name:
            return f"{added.path.name}:{added.line} names `{name[:80]}`, which the repository does not have"
    return None


GUARD = Guard("claim-unknown", "Added lines name only what the repository has, or what the person named.", check)
