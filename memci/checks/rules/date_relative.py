"""date-relative: a date that only made sense on the day it was written."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import TypeVar

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.memory.topic import place_in_description
from memci.model.memory import Topic
from memci.prose.dates.find import AbsoluteDate, RelativeDate
from memci.prose.dates.relative import find_stated

_Date = TypeVar("_Date", AbsoluteDate, RelativeDate)


def check(material: Material) -> Findings:
    """Find relative dates in topics and in the index; a daily log has its day in its name."""
    for date, path, line, column in list_dates(material, find_stated, _is_undated):
        shown = " ".join(date.text.split())
        message = f'"{shown}" depends on the day it was written'
        yield RULE.finding(path, message, line=line, column=column, suggestion="write the absolute date")


def _is_undated(topic: Topic) -> bool:
    """Tell whether a topic is not named after a day."""
    return not re.search(r"(?<![0-9])20[0-9]{2}[-_]?[01][0-9][-_]?[0-3][0-9](?![0-9])", topic.path.name)


def list_dates(
    material: Material, find: Callable[[str], Iterable[_Date]], takes: Callable[[Topic], bool]
) -> Iterator[tuple[_Date, PurePosixPath, int, int]]:
    """Yield the dates in every index, and in descriptions and bodies of the topics to take, with path and place."""
    for scope in material.snapshot.scopes:
        if scope.index:
            yield from ((date, scope.index.path, date.line, date.column) for date in find(scope.index.text))
        for topic in filter(takes, scope.topics):
            for date in find(topic.description):
                line, column = place_in_description(topic, date.text)
                yield date, topic.path, line, column
            for date in find(topic.body):
                yield date, topic.path, date.line + topic.body_line - 1, date.column


RULE = Rule(
    id="date-relative",
    group=Group.TIME,
    severity=Severity.WARNING,
    summary="A date depends on the day it was written.",
    why="The agent reads the memory on another day, and takes tomorrow for tomorrow.",
    example="The merge freeze starts tomorrow and ends next Thursday.",
    remedy="Write the absolute date: git knows when the line was written.",
    check=check,
)
