"""index-escapes-scope: a pointer leads out of the memory directory."""

from memci.checks.rule import Findings, Group, Material, Rule, Severity


def check(material: Material) -> Findings:
    """Find pointers whose target is not inside the scope; nothing is opened to find out."""
    for scope in material.snapshot.scopes:
        for pointer in scope.index.pointers if scope.index else ():
            if pointer.path is None:
                yield RULE.finding(
                    scope.index_path,
                    f"{pointer.target} leads out of {scope.scope.path}",
                    line=pointer.line,
                    column=pointer.column,
                    suggestion="point to a topic of this scope; cite other files inside a topic",
                )


RULE = Rule(
    id="index-escapes-scope",
    group=Group.INDEX,
    severity=Severity.ERROR,
    summary="A pointer leads out of the memory directory.",
    why="The client follows it, so a pointer can bring any file of the machine in front of the agent.",
    example="- [Settings](../../../.env) — where the settings are",
    remedy="Point to a topic of the scope. Other files are cited in the text of a topic.",
    check=check,
)
