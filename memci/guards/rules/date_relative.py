"""date-relative: an added line names days that anybody can find on a calendar."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from memci.guards.changes import added_numbers, index_path, new_texts
from memci.guards.context import Ground, Guard
from memci.memory.index import parse_index
from memci.memory.topic import parse_topic
from memci.model.plan import Operation
from memci.prose.dates.relative import find_stated
from memci.prose.similar import normalise


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse relative dates in added lines and changed descriptions; what a topic said already may be repeated."""
    numbers = added_numbers(operation, ground)
    for path, text in new_texts(operation).items():
        find = _find_rows if path == index_path(ground) else _find_in_topic
        for date, said in find(path, text, numbers[path], ground):
            if not _stood(said, ground):
                return f'{path.name} says "{" ".join(date.split())}", which depends on the day it was written'
    return None


def _find_rows(path: PurePosixPath, text: str, numbers: frozenset[int], ground: Ground) -> Iterator[tuple[str, str]]:
    """Yield the relative dates of an index, each with what its row says behind the pointer."""
    rows = parse_index(path, text, (), ground.draft).lines
    for date in find_stated(text):
        if date.line in numbers:
            row = rows[date.line - 1]
            yield date.text, row.pointers[0].hook if row.plain else row.text


def _find_in_topic(
    path: PurePosixPath, text: str, numbers: frozenset[int], ground: Ground
) -> Iterator[tuple[str, str]]:
    """Yield the relative dates of a topic, each with the line or the description that it stands in."""
    topic = parse_topic(path, text)
    lines = topic.body.split("\n")
    for date in find_stated(topic.body):
        if date.line + topic.body_line - 1 in numbers:
            yield date.text, lines[date.line - 1]
    if topic.description != parse_topic(path, ground.draft.get(path, "")).description:
        for date in find_stated(topic.description):
            yield date.text, topic.description


def _stood(said: str, ground: Ground) -> bool:
    words = normalise(said.rstrip(" …"))
    return any(words in normalise(text) for text in ground.draft.values())


GUARD = Guard("date-relative", "Added lines name absolute dates.", check)
