"""date-relative: a date that only made sense on the day it was written."""

import re
from pathlib import PurePosixPath

from memci.checks.rule import Finding, Findings, Group, Material, Rule, Severity
from memci.memory.topic import place_in_description
from memci.model.memory import Topic
from memci.prose.dates.relative import find_stated


def check(material: Material) -> Findings:
    """Find relative dates in topics and in the index; a daily log has its day in its name."""
    for scope in material.snapshot.scopes:
        if scope.index:
            for date in find_stated(scope.index.text):
                yield _finding(scope.index.path, date.text, date.line, date.column)
        for topic in scope.topics:
            # So has a topic that is named after a day.
            if not re.search(r"(?<![0-9])20[0-9]{2}[-_]?[01][0-9][-_]?[0-3][0-9](?![0-9])", topic.path.name):
                yield from _check_topic(topic)


def _check_topic(topic: Topic) -> Findings:
    for date in find_stated(topic.description):
        line, column = place_in_description(topic, date.text)
        yield _finding(topic.path, date.text, line, column)
    for date in find_stated(topic.body):
        yield _finding(topic.path, date.text, date.line + topic.body_line - 1, date.column)


def _finding(path: PurePosixPath, text: str, line: int, column: int) -> Finding:
    shown = " ".join(text.split())
    return RULE.finding(
        path=path,
        line=line,
        column=column,
        message=f'"{shown}" depends on the day it was written',
        suggestion="write the absolute date",
    )


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
