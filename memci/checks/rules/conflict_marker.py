"""conflict-marker: a merge conflict was committed."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity

# Git writes exactly seven of each, the first and last followed by a blank and a label.
_OPEN = "<<<<<<< "
_MIDDLE = "======="
_CLOSE = ">>>>>>> "


def check(material: Material) -> Findings:
    """Find files in which an opening, a middle and a closing marker follow each other."""
    for scope in material.snapshot.scopes:
        for text in scope.texts:
            line = _find_conflict(text.text)
            if line:
                suggestion = "keep the right side and delete the three marker lines"
                yield RULE.finding(text.path, "unresolved merge conflict", line=line, suggestion=suggestion)


def _find_conflict(text: str) -> int:
    opened = middle = 0
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(_OPEN):
            opened, middle = number, 0
        elif opened and line.rstrip("\r") == _MIDDLE:
            middle = number
        elif middle and line.startswith(_CLOSE):
            return opened
    return 0


RULE = Rule(
    id="conflict-marker",
    group=Group.FILE,
    severity=Severity.ERROR,
    summary="A merge conflict was committed.",
    why="The client loads both sides and the markers, and the agent cannot know which side is true.",
    example="<<<<<<< HEAD\nOwner of payments is Ana.\n=======\nOwner of payments is Ben.\n>>>>>>> topic",
    remedy="Keep the right side and delete the three marker lines.",
    check=check,
)
