"""pinned: a topic that people pinned stays as they wrote it.

One exception: a repair that applies exactly the fix of a finding (a file that git moved, a secret that must go). It
keeps the statement true and decides nothing; pinning a topic does not mean to keep wrong paths in it.
"""

from memci.guards.context import Change, Guard
from memci.guards.repair_limits import is_repair
from memci.model.plan import OperationKind


def check(change: Change) -> str | None:
    """Refuse to change or remove a topic that is pinned, now or before the dream."""
    context = change.context
    for path in change.operation.texts:
        if path == context.index_path:
            continue
        versions = [texts[path] for texts in (context.original, context.draft) if path in texts]
        pinned = any("pinned" in text and context.documents.read(path, text).topic.pinned for text in versions)
        if pinned and not (change.kind is OperationKind.REPAIR and is_repair(path, change)):
            return f"{path.name} is pinned"
    return None


GUARD = Guard("pinned", "Pinned topics are only repaired, never rewritten or removed.", check)
