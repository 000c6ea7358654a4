"""unreadable: something in a scope that is no readable file."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.memory import Unreadable

_ADVICE = {
    Unreadable.SPECIAL: "remove it: only regular files belong into a scope",
    Unreadable.DIRECTORY: "MEMORY.md must be a file",
    Unreadable.NESTED_REPOSITORY: "move the repository out of the scope",
    Unreadable.TOO_LARGE: "split it, or move it out of the scope",
    Unreadable.NO_PERMISSION: "make it readable",
    Unreadable.LFS_POINTER: "take the file out of Git LFS: the client reads the pointer, not the text",
    Unreadable.TOO_DEEP: "move its files up, closer to MEMORY.md",
    Unreadable.FAILED: "look at the disk, or restore the file",
}


def check(material: Material) -> Findings:
    """Find what was not read for other reasons than links and encodings, which have rules of their own."""
    for scope in material.snapshot.scopes:
        for item in scope.unread:
            if item.reason in _ADVICE:
                detail = f" ({item.detail})" if item.detail else ""
                message = f"{item.reason}{detail}; not read"
                yield RULE.finding(item.path, message, suggestion=_ADVICE[item.reason], key=item.reason)


RULE = Rule(
    id="unreadable",
    group=Group.FILE,
    severity=Severity.ERROR,
    summary="Something in the scope cannot be read as a text file.",
    why="What memci cannot read it cannot check, and a pipe or a device can hang the client.",
    example="a FIFO, a directory called MEMORY.md, a nested git repository, a Git LFS pointer, a file of 5 MB",
    remedy="Remove it from the scope or make it a plain text file.",
    check=check,
)
