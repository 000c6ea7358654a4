"""injection: nothing that an operation adds instructs the model."""

import re

from memci.guards.context import Change, Guard, Objection
from memci.redaction.injection import find_injections


def check(change: Change) -> Objection | str | None:
    """Refuse orders to the model in added lines, file names and the reason; a sentence may mention one."""
    for document in change.written:
        path, text = document.path, document.text
        for found in document.injections:
            first = text.count("\n", 0, found.start) + 1
            lines = range(first, first + text.count("\n", found.start, found.end) + 1)
            if not found.quoted and not change.added_numbers[path].isdisjoint(lines):
                why = f"{path.name}:{first} gives orders to the model ({found.kind})"
                return Objection(why, text=text[found.start : found.end])
    names = (re.sub(r"[-_./]+", " ", str(path)) for path in change.operation.texts)
    kind = next((found.kind for text in (change.operation.reason, *names) for found in find_injections(text)), None)
    return f"its reason or a file name gives orders to the model ({kind})" if kind else None


GUARD = Guard("injection", "Nothing that is added gives orders to the model.", check)
