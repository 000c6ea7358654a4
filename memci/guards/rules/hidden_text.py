"""hidden-text: people see everything that an operation adds."""

import functools
import re
from collections.abc import Iterator

from memci.guards.changes import find_added, find_added_values
from memci.guards.context import Ground, Guard
from memci.model.plan import Operation
from memci.redaction.hidden import find_hidden


@functools.cache
def _unseen() -> re.Pattern[str]:
    """Match markup that a rendered page does not show; memory that memci writes needs no markup beyond Markdown."""
    return re.compile(
        r"<!--|-->|</?(?:div|span|p|font|details|summary|img|iframe|script|style|svg|object|embed|link|meta|a|template|noscript|sub|sup)\b"
        r"|\bstyle\s?=|!\[|^ {0,3}\[[^\]\n]{1,60}\]:|javascript:|data:[a-z]{2,20}/",
        re.IGNORECASE,
    )


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse invisible characters, comments, images and markup in added lines and values, file names and the reason."""
    return next(_find_problems(operation, ground), None)


def _find_problems(operation: Operation, ground: Ground) -> Iterator[str]:
    for added in (*find_added(operation, ground), *find_added_values(operation, ground)):
        if found := find_hidden(added.text):
            yield f"{added.path.name}:{added.line} holds {found[0].code_points[0]}, which nobody sees"
        if markup := _unseen().search(added.text):
            yield f"{added.path.name}:{added.line} holds {markup[0]!r}, which a rendered page hides"
    for text in (*map(str, operation.texts), operation.reason, *(item.quote for item in operation.evidence)):
        if found := find_hidden(text):
            yield f"a file name, the reason or a quotation holds {found[0].code_points[0]}, which nobody sees"


GUARD = Guard("hidden-text", "People see everything that is added.", check)
