"""memory-shrunk: a change takes at least half of a file away."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.checks.rules.memory_vanished import list_losses

# In shorter files a single reworded line is half of the text.
_MIN_LINES = 4


def check(material: Material) -> Findings:
    """Find files that lose half of their lines without the lines being anywhere else."""
    for text, lines, lost, present in list_losses(material):
        if present and lines >= _MIN_LINES and 2 * lost >= lines:
            message = f"{lost} of {lines} lines are gone and nowhere else"
            yield RULE.finding(text.path, message, suggestion="look at the deleted lines one by one", key="shrunk")


RULE = Rule(
    id="memory-shrunk",
    group=Group.CHANGE,
    severity=Severity.WARNING,
    summary="A change removes or rewrites at least half of a memory file.",
    why="A large rewrite hides single facts that get lost in it.",
    example="a topic of 20 lines that has 8 after the change   (checked with --since main)",
    remedy="Read the deleted lines one by one; keep or move what is still true.",
    check=check,
)
