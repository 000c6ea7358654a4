"""path-missing: a file or directory that a memory cites is gone."""

from collections.abc import Iterator

from memci.checks.citation_findings import report_missing
from memci.checks.rule import Group, Material, Rule
from memci.model.citation import ClaimKind
from memci.model.finding import Finding, Severity


def check(material: Material) -> Iterator[Finding]:
    """Find cited paths that existed when the line was written and do not any more."""
    return report_missing(RULE, material, ClaimKind.PATH, ClaimKind.DIRECTORY, ClaimKind.GLOB, ClaimKind.LINES)


RULE = Rule(
    id="path-missing",
    group=Group.TRUTH,
    severity=Severity.WARNING,
    summary="A cited file, directory or pattern existed when the line was written and is gone.",
    why="An agent that trusts the line looks for something that is not there, or rebuilds it.",
    example="The invoices are rendered by `billing/render_pdf.py`.   <- deleted in 3f9c2ab",
    remedy="Say where it is done now, or remove the line.",
    check=check,
)
