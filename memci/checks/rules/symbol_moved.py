"""symbol-moved: a name that a memory cites is in another file."""

from collections.abc import Iterator

from memci.checks.citation_findings import describe_break, select_verdicts
from memci.checks.rule import Group, Material, Rule
from memci.model.citation import ClaimKind, VerdictKind
from memci.model.finding import Finding, Severity

_KINDS = (ClaimKind.SYMBOL,)


def check(material: Material) -> Iterator[Finding]:
    """Find cited names that are in another file than the line names."""
    for verdict in select_verdicts(material, VerdictKind.MOVED, *_KINDS):
        claim = verdict.claim
        yield RULE.claim_finding(
            verdict,
            f"{claim.text} is not in {claim.context} any more but in {verdict.target}: moved{describe_break(verdict)}"
            if verdict.broken
            else f"{claim.text} is not in {claim.context} any more but in {verdict.target}",
            suggestion=f"write {verdict.target}",
        )


RULE = Rule(
    id="symbol-moved",
    group=Group.TRUTH,
    severity=Severity.WARNING,
    summary="A cited name stands in another file than the memory says.",
    why="An agent that trusts the line looks for something that is not there, or rebuilds it.",
    example="`ParseConfig` in `internal/config/parse.go`   <- now in internal/settings/parse.go",
    remedy="Write the new file.",
    check=check,
)
