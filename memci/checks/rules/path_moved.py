"""path-moved: a file that a memory cites has moved."""

from memci.checks.citation_findings import LOOKS_IN_VAIN, describe_break, plan_repairs, select_verdicts
from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.citation import ClaimKind, Reason, VerdictKind

_KINDS = (ClaimKind.PATH, ClaimKind.DIRECTORY, ClaimKind.LINES)


def check(material: Material) -> Findings:
    """Find cited paths that moved."""
    fixes = plan_repairs(material)
    for verdict in select_verdicts(material, VerdictKind.MOVED, *_KINDS):
        claim = verdict.claim
        if verdict.reason is Reason.LINES_MOVED:
            continue
        yield RULE.claim_finding(
            verdict,
            f"{claim.text} is now {verdict.target}: moved{describe_break(verdict)}",
            suggestion=f"write {verdict.target}"
            if verdict.proven
            else f"see whether {verdict.target} is what is meant",
            fix=fixes.get(claim),
        )


RULE = Rule(
    id="path-moved",
    group=Group.TRUTH,
    severity=Severity.WARNING,
    summary="A cited file or directory has moved.",
    why=LOOKS_IN_VAIN,
    example="Login is in `src/auth/login.py`.   <- now src/accounts/login.py",
    remedy="Write the new path.",
    fix="Writes the new path where git recorded the rename.",
    check=check,
)
