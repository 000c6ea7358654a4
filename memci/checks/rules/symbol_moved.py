"""symbol-moved: a name that a memory cites is in another file."""

from memci.checks.citation_findings import LOOKS_IN_VAIN, describe_break, select_verdicts
from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.citation import ClaimKind, VerdictKind

_KINDS = (ClaimKind.SYMBOL,)


def check(material: Material) -> Findings:
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
    why=LOOKS_IN_VAIN,
    example="`ParseConfig` in `internal/config/parse.go`   <- now in internal/settings/parse.go",
    remedy="Write the new file.",
    check=check,
)
