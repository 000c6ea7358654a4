"""memory-shrunk: a change takes at least half of a file away."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.checks.rules.memory_vanished import all_texts, list_lines, said_lines

# In shorter files a single reworded line is half of the text.
_MIN_LINES = 4


def check(material: Material) -> Findings:
    """Find files that lose half of their lines without the lines being anywhere else."""
    if material.base is None:
        return
    kept = list_lines(material.snapshot)
    present = {text.path for text in all_texts(material.snapshot)}
    for text in all_texts(material.base):
        lines = said_lines(text)
        lost = [line for line in lines if line not in kept]
        if text.path in present and len(lines) >= _MIN_LINES and 2 * len(lost) >= len(lines):
            yield RULE.finding(
                text.path,
                f"{len(lost)} of {len(lines)} lines are gone and nowhere else",
                suggestion="look at the deleted lines one by one",
                key="shrunk",
            )


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
