"""line-out-of-range: the lines that a memory cites are not there."""

from memci.checks.citation_findings import plan_repairs, select_verdicts
from memci.checks.rule import Findings, Group, Material, Rule, Severity
from memci.citations.cited_lines import write_range
from memci.model.citation import ClaimKind, Reason, Verdict, VerdictKind


def check(material: Material) -> Findings:
    """Find cited lines beyond the end of their file, or whose text has moved within it."""
    fixes = plan_repairs(material)
    for kind in (VerdictKind.MISSING, VerdictKind.MOVED):
        for verdict in select_verdicts(material, kind, ClaimKind.LINES):
            claim = verdict.claim
            if verdict.reason not in {Reason.LINES_MOVED, Reason.SHORTER}:
                continue
            moved = kind is VerdictKind.MOVED
            cited = f"{claim.text}:{write_range(*claim.lines)}"
            yield RULE.claim_finding(
                verdict,
                f"{cited} is now {verdict.target}" if moved else f"{cited} is not there: {verdict.held_at}",
                suggestion=_suggest(verdict),
                fix=fixes.get(claim),
                key=cited,
            )


def _suggest(verdict: Verdict) -> str:
    if verdict.kind is VerdictKind.MISSING:
        return "cite the function instead of the line"
    return f"write {verdict.target}" if verdict.proven else f"see whether {verdict.target} is what was meant"


RULE = Rule(
    id="line-out-of-range",
    group=Group.TRUTH,
    severity=Severity.WARNING,
    summary="The cited lines are behind the end of the file, or stand elsewhere in it.",
    why="The agent reads other lines than the ones that are meant.",
    example="The route is set in `app/router.py:412`.   <- the file has 90 lines",
    remedy="Write the new line, or better cite the function.",
    fix="Writes the new line numbers where the cited lines stand unchanged at another place of the file.",
    check=check,
)
