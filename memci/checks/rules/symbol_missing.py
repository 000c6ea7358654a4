"""symbol-missing: a name that a memory cites is gone from the code."""

from collections.abc import Iterator

from memci.checks.citation_findings import report_missing
from memci.checks.rule import Group, Material, Rule
from memci.model.citation import ClaimKind
from memci.model.finding import Finding, Severity


def check(material: Material) -> Iterator[Finding]:
    """Find cited names that the code had when the line was written and does not have any more."""
    return report_missing(RULE, material, ClaimKind.SYMBOL)


RULE = Rule(
    id="symbol-missing",
    group=Group.TRUTH,
    severity=Severity.WARNING,
    summary="A cited function, class or other name is gone from the code. Comments and documents do not count.",
    why="An agent that trusts the line looks for something that is not there, or rebuilds it.",
    example="Taxes come from `compute_tax()`.   <- no code has that name any more",
    remedy="Name what does it now, or remove the line.",
    fix="Writes the new name where one commit exchanged just that word, in every line that had it.",
    check=check,
)
