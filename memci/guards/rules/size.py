"""size: an operation is small enough to be read, by the other guards and by people."""

from memci.guards.context import Change, Guard
from memci.memory.client_limit import MAX_UNITS, count_units

# Nine of ten public topics are smaller than half of this; `topic-oversized` reports what is larger.
MAX_TOPIC_BYTES = 16_384
# A longer message of a person was pasted.
_MAX_QUOTED = 16_384


def check(change: Change) -> str | None:
    """Refuse texts over their limit, unless they were over it before and do not grow, and quotations without end."""
    context = change.context
    for path, text in ((document.path, document.text) for document in change.written):
        is_index = path == context.index_path
        limit, count, unit = (
            (MAX_UNITS, count_units, "characters") if is_index else (MAX_TOPIC_BYTES, _count_bytes, "bytes")
        )
        allowed = max(limit, count(context.draft.get(path, "")))
        # Characters first: encoding a hostile text is slow.
        if len(text) > allowed or count(text) > allowed:
            return f"{path.name} would have more than {allowed:,} {unit}"
    if sum(len(item.source) + len(item.quote) for item in change.operation.evidence) > _MAX_QUOTED:
        return f"it quotes more than {_MAX_QUOTED:,} characters"
    return None


def _count_bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


GUARD = Guard("size", "Topics, the index and quotations keep to their size.", check)
