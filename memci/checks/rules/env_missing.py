"""env-missing: an environment variable or constant that a memory cites is gone."""

from collections.abc import Iterator

from memci.checks.citation_findings import report_missing
from memci.checks.rule import Group, Material, Rule
from memci.model.citation import ClaimKind
from memci.model.finding import Finding, Severity


def check(material: Material) -> Iterator[Finding]:
    """Find cited variables that the code read when the line was written and does not any more."""
    return report_missing(RULE, material, ClaimKind.ENVIRONMENT)


RULE = Rule(
    id="env-missing",
    group=Group.TRUTH,
    severity=Severity.WARNING,
    summary="An environment variable or constant is not used in the code any more.",
    why="An agent that trusts the line looks for something that is not there, or rebuilds it.",
    example="Set `BILLING_WEBHOOK_URL` first.   <- no code reads it",
    remedy="Name the variable that is read now, or remove the line.",
    fix="Writes the new name where one commit exchanged just that word, in every line that had it.",
    check=check,
)
