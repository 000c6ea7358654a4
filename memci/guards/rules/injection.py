"""injection: nothing that an operation adds gives orders to the model."""

import re

from memci.guards.changes import added_numbers, new_texts
from memci.guards.context import Ground, Guard
from memci.memory.head_values import find_in_file
from memci.memory.topic import parse_topic
from memci.model.plan import Operation
from memci.redaction.injection import find_injections


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse orders to the model in added lines, file names and the reason; a sentence may speak about one."""
    numbers = added_numbers(operation, ground)
    for path, text in new_texts(operation).items():
        for found in find_in_file(parse_topic(path, text)):
            first = text.count("\n", 0, found.start) + 1
            lines = range(first, first + text.count("\n", found.start, found.end) + 1)
            if not found.quoted and not numbers[path].isdisjoint(lines):
                return f"{path.name}:{first} gives orders to the model ({found.kind})"
    names = (re.sub(r"[-_./]+", " ", str(path)) for path in operation.texts)
    kind = next((found.kind for text in (operation.reason, *names) for found in find_injections(text)), None)
    return f"its reason or a file name gives orders to the model ({kind})" if kind else None


GUARD = Guard("injection", "Nothing that is added gives orders to the model.", check)
