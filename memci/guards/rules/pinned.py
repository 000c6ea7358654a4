"""pinned: a topic that people pinned stays as they wrote it.

One thing is allowed: a repair that applies exactly the fix of a finding. It keeps what the person said true (a file
that git moved, a secret that must go) and decides nothing; whoever pins a topic does not ask for wrong paths in it.
"""

from memci.guards.changes import index_path
from memci.guards.context import Ground, Guard
from memci.guards.repair import is_repair
from memci.memory.topic import parse_topic
from memci.model.plan import Operation, OperationKind


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse to change or remove a topic that is pinned, now or before the dream."""
    for path in operation.texts:
        versions = (
            texts[path] for texts in (ground.original, ground.draft) if path in texts and path != index_path(ground)
        )
        if any("pinned" in text and parse_topic(path, text).pinned for text in versions):
            repaired = operation.kind is OperationKind.REPAIR and is_repair(path, operation, ground)
            if not repaired:
                return f"{path.name} is pinned"
    return None


GUARD = Guard("pinned", "Pinned topics are only repaired, never rewritten or removed.", check)
