"""date-expired: something is said to hold until a day that is over."""

import datetime as dt

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.checks.rules.date_relative import list_dates
from memci.prose.dates.expired import find_expired


def check(material: Material) -> Findings:
    """Find limits that have passed in topics and in the index; logs and changelogs are history."""
    today = material.now.astimezone(dt.UTC).date()
    dates = list_dates(
        material, lambda text: find_expired(text, today), lambda topic: "changelog" not in topic.path.stem.lower()
    )
    for date, path, line, column in dates:
        message = f"stated as valid until {date.date.isoformat()}, and that day is over"
        suggestion = "say what holds now, reword it as history, or remove it"
        yield RULE.finding(path, message, line=line, column=column, suggestion=suggestion)


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
