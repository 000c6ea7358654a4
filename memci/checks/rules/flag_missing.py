"""flag-missing: an option that a memory cites is gone."""

from collections.abc import Iterator

from memci.checks.citation_findings import report_missing
from memci.checks.rule import Group, Material, Rule
from memci.model.citation import ClaimKind
from memci.model.finding import Finding, Severity


def check(material: Material) -> Iterator[Finding]:
    """Find cited options that the repository had when the line was written and does not have any more."""
    return report_missing(RULE, material, ClaimKind.FLAG)


RULE = Rule(
    id="flag-missing",
    group=Group.TRUTH,
    severity=Severity.WARNING,
    summary="An option of one of the repository's own programs is gone.",
    why="An agent that trusts the line looks for something that is not there, or rebuilds it.",
    example="Start the server with `--legacy-auth`.   <- dropped from its options",
    remedy="Name the option that does it now, or remove the line.",
    fix="Writes the new name where one commit exchanged just that word, in every line that had it.",
    check=check,
)
