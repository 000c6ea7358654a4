"""symlink-escape: a symbolic link in a scope."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.memory import Unreadable


def check(material: Material) -> Findings:
    """Find links in a scope; where they lead is shown, never followed."""
    for scope in material.snapshot.scopes:
        for item in scope.unread:
            if item.reason is Unreadable.SYMLINK:
                target = f" to {item.detail}" if item.detail else ""
                suggestion = "replace the link with the text that is meant"
                yield RULE.finding(item.path, f"a symbolic link{target}; not read", suggestion=suggestion, key="link")


RULE = Rule(
    id="symlink-escape",
    group=Group.FILE,
    severity=Severity.ERROR,
    summary="A file of the scope is a symbolic link.",
    why="The client follows links, so a link can bring any file of the machine in front of the agent.",
    example="reference_link.md -> /etc/hosts",
    remedy="Replace the link with the text that is meant.",
    check=check,
)
