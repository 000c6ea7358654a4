"""script-missing: a script or target that a memory cites is gone."""

from memci.checks.citation_findings import WRITES_NAME, make_missing_rule
from memci.model.citation import ClaimKind

RULE = make_missing_rule(
    "script-missing",
    ClaimKind.SCRIPT,
    summary="A script, target or recipe is not defined any more.",
    example="Seed the database with `npm run seed:dev`.   <- not in package.json any more",
    remedy="Name the script that does it now, or remove the line.",
    fix=WRITES_NAME,
)
