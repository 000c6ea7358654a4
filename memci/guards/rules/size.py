"""size: an operation is small enough to be read, by the other guards and by people."""

from memci.guards.changes import index_path, new_texts
from memci.guards.context import Ground, Guard
from memci.memory.client_limit import MAX_BYTES
from memci.model.plan import Operation

# Nine of ten public topics are smaller than half of this; `topic-oversized` reports what is larger.
MAX_TOPIC_BYTES = 16_384
# A person's message that is longer was pasted.
_MAX_QUOTED = 16_384


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse texts over their limit, unless they were over it before and do not grow, and endless quotations."""
    for path, text in new_texts(operation).items():
        limit = MAX_BYTES if path == index_path(ground) else MAX_TOPIC_BYTES
        allowed = max(limit, _count(ground.draft.get(path, "")))
        # Characters first: counting the bytes of a hostile text takes its time, too.
        if len(text) > allowed or _count(text) > allowed:
            return f"{path.name} would have more than {allowed:,} bytes"
    if sum(len(item.source) + len(item.quote) for item in operation.evidence) > _MAX_QUOTED:
        return f"it quotes more than {_MAX_QUOTED:,} characters"
    return None


def _count(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


GUARD = Guard("size", "Topics, the index and quotations keep to their size.", check)
