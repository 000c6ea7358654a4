"""All guards, in the order in which they are asked."""

from memci.guards.context import Guard
from memci.guards.rules import (
    date_relative,
    evidence,
    frontmatter,
    hidden_text,
    in_guide,
    index,
    injection,
    pinned,
    reason,
    recall,
    retire_proof,
    safe_path,
    secret,
    shrink,
    size,
    supported,
)

# Paths and evidence come early, so that later guards can rely on them; dangerous before merely wrong.
GUARDS: tuple[Guard, ...] = (
    safe_path.GUARD,
    size.GUARD,
    pinned.GUARD,
    secret.GUARD,
    hidden_text.GUARD,
    injection.GUARD,
    reason.GUARD,
    evidence.GUARD,
    frontmatter.GUARD,
    index.GUARD,
    retire_proof.GUARD,
    shrink.GUARD,
    recall.GUARD,
    supported.GUARD,
    date_relative.GUARD,
    in_guide.GUARD,
)
