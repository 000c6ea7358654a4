"""date-expired: something is said to hold until a day that is over."""

import datetime as dt
from pathlib import PurePosixPath

from memci.checks.rule import Finding, Findings, Group, Material, Rule, Severity
from memci.memory.topic import place_in_description
from memci.model.memory import Topic
from memci.prose.dates.expired import find_expired
from memci.prose.dates.find import AbsoluteDate


def check(material: Material) -> Findings:
    """Find limits that have passed in topics and in the index; logs and changelogs are history."""
    today = material.now.astimezone(dt.UTC).date()
    for scope in material.snapshot.scopes:
        if scope.index:
            for date in find_expired(scope.index.text, today):
                yield _finding(scope.index.path, date, date.line, date.column)
        for topic in scope.topics:
            if "changelog" not in topic.path.stem.lower():
                yield from _check_topic(topic, today)


def _check_topic(topic: Topic, today: dt.date) -> Findings:
    for date in find_expired(topic.description, today):
        yield _finding(topic.path, date, *place_in_description(topic, date.text))
    for date in find_expired(topic.body, today):
        yield _finding(topic.path, date, date.line + topic.body_line - 1, date.column)


def _finding(path: PurePosixPath, date: AbsoluteDate, line: int, column: int) -> Finding:
    return RULE.finding(
        path=path,
        line=line,
        column=column,
        message=f"stated as valid until {date.date.isoformat()}, and that day is over",
        suggestion="say what holds now, reword it as history, or remove it",
    )


RULE = Rule(
    id="date-expired",
    group=Group.TIME,
    severity=Severity.WARNING,
    summary="Something is said to hold until a day that is over.",
    why="The agent goes on obeying a freeze or a deadline that ended.",
    example="Merge freeze until 2020-03-05 for the mobile release.",
    remedy="Say what holds now, reword the line as history, or remove it.",
    check=check,
)
