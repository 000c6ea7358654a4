"""`memci review --format json`: the schema memci/review/1."""

import msgspec

from memci.report.escape import json_text
from memci.report.review_result import Review, describe_counts, describe_risk

SCHEMA = "memci/review/1"


def render_review_json(review: Review) -> str:
    """Return one JSON object with a newline at the end."""
    told = {"schema": SCHEMA, "risk": describe_risk(review), "summary": describe_counts(review)}
    return json_text(told | msgspec.to_builtins(review))
