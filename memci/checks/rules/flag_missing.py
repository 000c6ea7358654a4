"""flag-missing: an option that a memory cites is gone."""

from memci.checks.citation_findings import WRITES_NAME, make_missing_rule
from memci.model.citation import ClaimKind

RULE = make_missing_rule(
    "flag-missing",
    ClaimKind.FLAG,
    summary="An option of one of the repository's own programs is gone.",
    example="Start the server with `--legacy-auth`.   <- dropped from its options",
    remedy="Name the option that does it now, or remove the line.",
    fix=WRITES_NAME,
)
