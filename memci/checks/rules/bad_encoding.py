"""bad-encoding: a file that is not UTF-8."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.memory import Unreadable


def check(material: Material) -> Findings:
    """Find files whose bytes are not UTF-8."""
    for scope in material.snapshot.scopes:
        for item in scope.unread:
            if item.reason is Unreadable.NOT_UTF8:
                where, _, reason = item.detail.partition(": ")
                line = int(where.removeprefix("line "))
                message = f"not UTF-8 ({reason}); not read"
                yield RULE.finding(item.path, message, line=line, suggestion="save the file as UTF-8")


RULE = Rule(
    id="bad-encoding",
    group=Group.FILE,
    severity=Severity.ERROR,
    summary="A file is not UTF-8.",
    why="The client replaces what it cannot decode, so the agent reads a damaged text.",
    example="a topic saved as Latin-1 or UTF-16, or a binary file named .md",
    remedy="Save the file as UTF-8.",
    check=check,
)
