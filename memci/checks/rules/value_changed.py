"""value-changed: a file gives a name another value than the memory says."""

from memci.checks.citation_findings import describe_break, select_verdicts
from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.model.citation import ClaimKind, VerdictKind


def check(material: Material) -> Findings:
    """Find values that the named file had when the line was written, and has exchanged since."""
    for verdict in select_verdicts(material, VerdictKind.MISSING, ClaimKind.VALUE):
        claim = verdict.claim
        changed = f": changed{describe_break(verdict)}" if verdict.broken else ""
        yield RULE.claim_finding(
            verdict,
            f"{claim.text} is {verdict.target} in {verdict.held_at} now, not {claim.value}{changed}",
            suggestion=f"write {verdict.target}",
            key=f"{claim.text}={claim.value}",
        )


RULE = Rule(
    id="value-changed",
    group=Group.TRUTH,
    severity=Severity.WARNING,
    summary="A file gives a name another value than the memory says.",
    why="An agent that trusts the line computes, connects or retries with the wrong number.",
    example="`MAX_RETRIES` is 5 in `src/client.py`.   <- it is 8 there since the last release",
    remedy="Write the new value, or cite the name without it.",
    check=check,
)
