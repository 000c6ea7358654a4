"""path-missing: a file or directory that a memory cites is gone."""

from memci.checks.citation_findings import make_missing_rule
from memci.model.citation import ClaimKind

RULE = make_missing_rule(
    "path-missing",
    ClaimKind.PATH,
    ClaimKind.DIRECTORY,
    ClaimKind.GLOB,
    ClaimKind.LINES,
    summary="A cited file, directory or pattern existed when the line was written and is gone.",
    example="The invoices are rendered by `billing/render_pdf.py`.   <- deleted in 3f9c2ab",
    remedy="Say where it is done now, or remove the line.",
)
