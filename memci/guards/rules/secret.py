"""secret: nothing that an operation adds looks like a credential. The value itself is never repeated."""

from collections import Counter
from collections.abc import Iterable

from memci.guards.context import Change, Guard
from memci.redaction.secrets import find_secrets


def check(change: Change) -> str | None:
    """Refuse secrets in new text and the values of its head, file names, the reason and the quotations."""
    operation = change.operation
    old = _count(document.text for document in change.replaced)
    for document in change.written:
        new = next(iter(_count([document.text]) - old), None)
        if new:
            return f"{document.path.name} would hold a secret ({new[0]})"
    for added in change.added_values:
        new = next(iter(_count([added.text]) - old), None)
        if new:
            return f"{added.path.name}:{added.line} would hold a secret ({new[0]})"
    spoken = (operation.reason, *(f"{item.source}\n{item.quote}" for item in operation.evidence))
    places = {"a file name": map(str, operation.texts), "its reason or evidence": spoken}
    for place, texts in places.items():
        kind = next((secret.kind for text in texts for secret in find_secrets(text)), None)
        if kind:
            return f"{place} would hold a secret ({kind})"
    return None


def _count(texts: Iterable[str]) -> Counter[tuple[str, str]]:
    return Counter((secret.kind, text[secret.start : secret.end]) for text in texts for secret in find_secrets(text))


GUARD = Guard("secret", "Nothing that is added looks like a credential.", check)
