"""`memci review --format json`: the schema memci/review/1."""

from memci.report.escape import json_text
from memci.report.review_result import FactChange, Review, ReviewStatement, describe_counts, describe_risk

SCHEMA = "memci/review/1"


def render_review_json(review: Review) -> str:
    """Return one JSON object with a newline at the end."""
    return json_text(
        {
            "schema": SCHEMA,
            "base": review.base,
            "head": review.head,
            "pull": review.pull,
            "risk": describe_risk(review),
            "summary": describe_counts(review),
            "kept": review.kept,
            "points": [
                {
                    "rule": point.rule,
                    "severity": point.severity.value,
                    "file": point.path,
                    "line": point.line,
                    "message": point.message,
                }
                for point in review.points
            ],
            "changes": [_change(change) for change in review.changes],
            "moves": [
                {"from": move.source, "to": move.target, "count": move.count, "renamed": move.renamed}
                for move in review.moves
            ],
            "scopes": [
                {"path": scope.path, "status": scope.status, "before": scope.before, "after": scope.after}
                for scope in review.scopes
            ],
            "claims": dict(review.claims),
            "skipped": [{"what": what, "why": why} for what, why in review.skipped],
        }
    )


def _change(change: FactChange) -> dict[str, object]:
    return {
        "kind": change.kind.value,
        "form": change.form,
        "severity": change.severity.value,
        "before": [_said(said) for said in change.before],
        "after": [_said(said) for said in change.after],
        "notes": list(change.notes),
        "evidence": list(change.evidence),
    }


def _said(said: ReviewStatement) -> dict[str, object]:
    return {"file": said.path, "line": said.line, "text": said.text, "heading": said.heading}
