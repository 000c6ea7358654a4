"""log-future: a daily log is of a day that has not come."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.memory.snapshot import is_to_come


def check(material: Material) -> Findings:
    """Find daily logs of days in the future."""
    for scope in material.snapshot.scopes:
        for log in scope.logs:
            if is_to_come(log.day, material.now):
                yield RULE.finding(
                    log.path,
                    f"the log of {log.day.isoformat()}, a day that has not come",
                    suggestion="rename it to the day it was written, or remove it",
                )


RULE = Rule(
    id="log-future",
    group=Group.TIME,
    severity=Severity.WARNING,
    summary="A daily log is of a day that has not come.",
    why="The newest word wins, so such a log would overrule what people say until then. No dream uses it before.",
    example="logs/2099/01/2099-01-01.md",
    remedy="Rename the log to the day it was written, or remove it.",
    check=check,
)
