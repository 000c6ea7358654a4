"""env-missing: an environment variable or constant that a memory cites is gone."""

from memci.checks.citation_findings import WRITES_NAME, make_missing_rule
from memci.model.citation import ClaimKind

RULE = make_missing_rule(
    "env-missing",
    ClaimKind.ENVIRONMENT,
    summary="An environment variable or constant is not used in the code any more.",
    example="Set `BILLING_WEBHOOK_URL` first.   <- no code reads it",
    remedy="Name the variable that is read now, or remove the line.",
    fix=WRITES_NAME,
)
