"""script-missing: a script or target that a memory cites is gone."""

from collections.abc import Iterator

from memci.checks.citation_findings import report_missing
from memci.checks.rule import Group, Material, Rule
from memci.model.citation import ClaimKind
from memci.model.finding import Finding, Severity


def check(material: Material) -> Iterator[Finding]:
    """Find cited scripts and targets that were defined when the line was written and are not any more."""
    return report_missing(RULE, material, ClaimKind.SCRIPT)


RULE = Rule(
    id="script-missing",
    group=Group.TRUTH,
    severity=Severity.WARNING,
    summary="A script, target or recipe is not defined any more.",
    why="An agent that trusts the line looks for something that is not there, or rebuilds it.",
    example="Seed the database with `npm run seed:dev`.   <- not in package.json any more",
    remedy="Name the script that does it now, or remove the line.",
    fix="Writes the new name where one commit exchanged just that word, in every line that had it.",
    check=check,
)
