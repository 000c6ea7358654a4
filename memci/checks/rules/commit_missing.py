"""commit-missing: a commit that a memory cites does not exist."""

from memci.checks.citation_findings import select_verdicts
from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.citation import ClaimKind, VerdictKind

_KINDS = (ClaimKind.COMMIT,)


def check(material: Material) -> Findings:
    """Find cited commits that the repository does not have."""
    for verdict in select_verdicts(material, VerdictKind.MISSING, *_KINDS):
        claim = verdict.claim
        yield RULE.claim_finding(
            verdict,
            f"there is no commit {claim.text}",
            suggestion="cite the commit that was merged; rebased and squashed commits disappear",
        )


RULE = Rule(
    id="commit-missing",
    group=Group.TRUTH,
    severity=Severity.WARNING,
    summary="A cited commit is not in the repository.",
    why="A reader cannot look up what the line refers to. "
    "Where memory cites no commit that is known, all may be of another repository and are left alone.",
    example="Fixed in commit 3f9c2ab71d.   <- rebased away",
    remedy="Cite the commit that was merged, or remove the reference.",
    check=check,
)
