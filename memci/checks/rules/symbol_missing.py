"""symbol-missing: a name that a memory cites is gone from the code."""

from memci.checks.citation_findings import WRITES_NAME, make_missing_rule
from memci.model.citation import ClaimKind

RULE = make_missing_rule(
    "symbol-missing",
    ClaimKind.SYMBOL,
    summary="A cited function, class or other name is gone from the code. Comments and documents do not count.",
    example="Taxes come from `compute_tax()`.   <- no code has that name any more",
    remedy="Name what does it now, or remove the line.",
    fix=WRITES_NAME,
)
