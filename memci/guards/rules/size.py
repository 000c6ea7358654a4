"""size: an operation is small enough to be read, by the other guards and by people."""

from memci.guards.context import Change, Guard
from memci.memory.client_limit import MAX_BYTES

# Nine of ten public topics are smaller than half of this; `topic-oversized` reports what is larger.
MAX_TOPIC_BYTES = 16_384
# A longer message of a person was pasted.
_MAX_QUOTED = 16_384


def check(change: Change) -> str | None:
    """Refuse texts over their limit, unless they were over it before and do not grow, and quotations without end."""
    context = change.context
    for path, text in ((document.path, document.text) for document in change.written):
        limit = MAX_BYTES if path == context.index_path else MAX_TOPIC_BYTES
        allowed = max(limit, _count_bytes(context.draft.get(path, "")))
        # Characters first: encoding a hostile text is slow.
        if len(text) > allowed or _count_bytes(text) > allowed:
            return f"{path.name} would have more than {allowed:,} bytes"
    if sum(len(item.source) + len(item.quote) for item in change.operation.evidence) > _MAX_QUOTED:
        return f"it quotes more than {_MAX_QUOTED:,} characters"
    return None


def _count_bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


GUARD = Guard("size", "Topics, the index and quotations keep to their size.", check)
