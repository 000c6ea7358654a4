"""memory-vanished: a change deletes a topic and what it said is nowhere else."""

from collections.abc import Sequence

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.memory import DailyLog, Index, Snapshot, Topic
from memci.prose.similar import normalise


def check(material: Material) -> Findings:
    """Find files that the change deletes together with lines that are nowhere else."""
    if material.base is None:
        return
    kept = list_lines(material.snapshot)
    present = {text.path for scope in material.snapshot.scopes for text in scope.texts}
    for text in all_texts(material.base):
        lines = said_lines(text)
        lost = [line for line in lines if line not in kept]
        if text.path not in present and lost:
            yield RULE.finding(
                text.path,
                f"deleted, and {len(lost)} of its {len(lines)} lines are nowhere else",
                suggestion="restore it, or say in the pull request why its facts no longer hold",
                key="vanished",
            )


def all_texts(snapshot: Snapshot) -> Sequence[Index | Topic | DailyLog]:
    """Return every text of every scope."""
    return [text for scope in snapshot.scopes for text in scope.texts]


def list_lines(snapshot: Snapshot) -> frozenset[str]:
    """Return every line of the memory, normalised for comparison."""
    return frozenset(line for text in all_texts(snapshot) for line in said_lines(text))


def said_lines(text: Index | Topic | DailyLog) -> list[str]:
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
