"""memory-vanished: a change deletes a topic and what it said is nowhere else."""

from collections.abc import Iterator
from typing import NamedTuple

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.memory import DailyLog, Index, Topic
from memci.prose.similar import normalise

_Text = Index | Topic | DailyLog


class Loss(NamedTuple):
    """An old text, how many lines it said, how many of them are nowhere now, and whether its file is there."""

    text: _Text
    lines: int
    lost: int
    present: bool


def check(material: Material) -> Findings:
    """Find files that the change deletes together with lines that are nowhere else."""
    for text, lines, lost, present in list_losses(material):
        if not present and lost:
            message = f"deleted, and {lost} of its {lines} lines are nowhere else"
            suggestion = "restore it, or say in the pull request why its facts no longer hold"
            yield RULE.finding(text.path, message, suggestion=suggestion, key="vanished")


def list_losses(material: Material) -> Iterator[Loss]:
    """Yield what became of every text before the change; nothing without one."""
    now, before = (
        [text for scope in snapshot.scopes for text in scope.texts] if snapshot else []
        for snapshot in (material.snapshot, material.base)
    )
    kept = frozenset(line for text in now if before for line in _said_lines(text))
    present = {text.path for text in now}
    for text in before:
        lines = _said_lines(text)
        yield Loss(text, len(lines), sum(line not in kept for line in lines), text.path in present)


def _said_lines(text: _Text) -> list[str]:
    """Return the lines of a text that have content: without frontmatter, headings' marks and blank lines."""
    body = text.body if isinstance(text, Topic) else text.text
    return [line for line in (normalise(line) for line in body.split("\n")) if any(map(str.isalnum, line))]


RULE = Rule(
    id="memory-vanished",
    group=Group.CHANGE,
    severity=Severity.ERROR,
    summary="A change deletes a memory file, and what it said is nowhere else.",
    why="Memory that disappears without a word is the complaint people have most about tools that rewrite it.",
    example="git rm feedback_reviews.md   (checked with --since main)",
    remedy="Restore the file, move its lines into another topic, or explain the deletion to the reviewer.",
    check=check,
)
