"""secret: nothing that an operation brings in looks like a credential. The value itself is never repeated."""

from collections import Counter
from collections.abc import Iterable

from memci.guards.changes import find_added_values, new_texts, old_texts
from memci.guards.context import Ground, Guard
from memci.model.plan import Operation
from memci.redaction.secrets import find_secrets


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse secrets in new text and the values of its head, file names, the reason and the quotations."""
    old = _count(old_texts(operation, ground).values())
    for path, text in new_texts(operation).items():
        new = next(iter(_count([text]) - old), None)
        if new:
            return f"{path.name} would hold a secret ({new[0]})"
    for added in find_added_values(operation, ground):
        new = next(iter(_count([added.text]) - old), None)
        if new:
            return f"{added.path.name}:{added.line} would hold a secret ({new[0]})"
    spoken = (operation.reason, *(f"{item.source}\n{item.quote}" for item in operation.evidence))
    places = {"a file name": map(str, operation.texts), "its reason or evidence": spoken}
    for place, texts in places.items():
        kind = next((secret.kind for text in texts for secret in find_secrets(text)), None)
        # A finding may quote what people must see; its message never holds the value.
        if kind:
            return f"{place} would hold a secret ({kind})"
    return None


def _count(texts: Iterable[str]) -> Counter[tuple[str, str]]:
    return Counter((secret.kind, text[secret.start : secret.end]) for text in texts for secret in find_secrets(text))


GUARD = Guard("secret", "Nothing that is added looks like a credential.", check)
