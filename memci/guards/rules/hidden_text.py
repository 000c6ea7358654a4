"""hidden-text: everything that an operation adds is visible to people."""

import re
from collections.abc import Iterator

from memci.guards.context import Change, Guard, Objection
from memci.patterns import LazyPattern
from memci.prose.markdown import RegionKind, parse_regions
from memci.redaction.hidden import find_hidden

# Markup that a rendered page does not show; memory that memci writes needs no markup beyond Markdown.
_UNSEEN = LazyPattern(
    r"<!--|-->|</?(?:div|span|p|font|details|summary|img|iframe|script|style|svg|object|embed|link|meta|a|template|noscript|sub|sup)\b"
    r"|\bstyle\s?=|!\[|^ {0,3}\[[^\]\n]{1,60}\]:|javascript:|data:[a-z]{2,20}/",
    re.IGNORECASE,
)


def check(change: Change) -> Objection | str | None:
    """Refuse invisible characters, comments, images and markup in added lines and values, file names and the reason."""
    return next(_list_problems(change), None)


def _list_problems(change: Change) -> Iterator[Objection | str]:
    for added in (*change.added, *change.added_values):
        if found := find_hidden(added.text):
            why = f"{added.path.name}:{added.line} holds {found[0].code_points[0]}, which nobody sees"
            yield Objection(why, text=added.text)
        if markup := _UNSEEN.search(_drop_code(added.text)):
            why = f"{added.path.name}:{added.line} holds {markup[0]!r}, which a rendered page hides"
            yield Objection(why, text=added.text)
    operation = change.operation
    for text in (*map(str, operation.texts), operation.reason, *(item.quote for item in operation.evidence)):
        if found := find_hidden(text):
            yield f"a file name, the reason or a quotation holds {found[0].code_points[0]}, which nobody sees"


def _drop_code(text: str) -> str:
    """Return a line without its code spans, in which a page shows every character."""
    if text.count("`") % 2:
        return text
    for region in reversed([each for each in parse_regions(text) if each.kind is RegionKind.CODE]):
        text = f"{text[: region.start]} {text[region.end :]}"
    return text


GUARD = Guard("hidden-text", "People see everything that is added.", check)
