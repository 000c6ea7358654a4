"""date-relative: an added line uses absolute dates."""

from collections.abc import Iterator

from memci.guards.context import Change, Context, Guard, Objection
from memci.guards.documents import Document
from memci.memory.index import parse_index
from memci.prose.dates.relative import find_stated
from memci.prose.similar import normalise


def check(change: Change) -> Objection | None:
    """Refuse relative dates in added lines and changed descriptions; what a topic said already may be repeated."""
    context = change.context
    for document in change.written:
        find = _find_in_index if document.path == context.index_path else _find_in_topic
        for date, said in find(document, change.added_numbers[document.path], context):
            if not (_is_known(said, context) or _is_habit(date, context.draft.get(document.path, ""))):
                why = f'{document.path.name} says "{" ".join(date.split())}", which depends on the day it was written'
                return Objection(why, _name_field(document, said, context), said)
    return None


def _name_field(document: Document, said: str, context: Context) -> str:
    if document.path == context.index_path:
        return "hook"
    return "description" if said == document.topic.description else ""


def _find_in_index(document: Document, numbers: frozenset[int], context: Context) -> Iterator[tuple[str, str]]:
    """Yield the relative dates of an index, each with the hook or the row that contains it."""
    rows = parse_index(document.path, document.text, (), context.draft).lines
    for date in find_stated(document.text):
        if date.line in numbers:
            row = rows[date.line - 1]
            yield date.text, row.pointers[0].hook if row.plain else row.text


def _find_in_topic(document: Document, numbers: frozenset[int], context: Context) -> Iterator[tuple[str, str]]:
    """Yield the relative dates of a topic, each with the line or the description that contains it."""
    topic = document.topic
    lines = topic.body.split("\n")
    for date in find_stated(topic.body):
        if date.line + topic.body_line - 1 in numbers:
            yield date.text, lines[date.line - 1]
    if topic.description != context.read(document.path).topic.description:
        for date in find_stated(topic.description):
            yield date.text, topic.description


def _is_habit(date: str, old: str) -> bool:
    """Tell whether the file used the same words for what comes back: "not merged on Wednesday evening waits"."""
    words = normalise(date)
    return words in normalise(old) and all(normalise(stated.text) != words for stated in find_stated(old))


def _is_known(said: str, context: Context) -> bool:
    words = normalise(said.rstrip(" …"))
    return any(words in context.read(path).normalised for path in context.draft)


GUARD = Guard("date-relative", "Added lines name absolute dates.", check)
