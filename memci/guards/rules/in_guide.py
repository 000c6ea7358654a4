"""in-guide: an operation does not write into memory what a CLAUDE.md already says."""

import functools

from memci.guards.context import Change, Guard
from memci.memory.guides import drop_reasons, match_guide, match_guides, read_guides
from memci.model.plan import OperationKind
from memci.prose.similar import normalise


def check(change: Change) -> str | None:
    """Refuse a create or update that adds only statements, reasons aside, which are in a guide."""
    if change.kind not in {OperationKind.CREATE, OperationKind.UPDATE} or not change.context.guides:
        return None
    known = {fact.key for document in change.replaced for fact in document.facts}
    guides = _read_guides(change.context.guides)
    for document in change.written_topics:
        added = drop_reasons(found for found in document.statements if normalise(found.text) not in known)
        alike = match_guides(added, guides)
        places = [match_guide(found, guides, alike) for found in added]
        if places and all(places):
            return f"{document.path.name} would say only what {places[0]} already says"
    return None


# The guides are the same for every operation of a dream.
_read_guides = functools.lru_cache(maxsize=4)(read_guides)

GUARD = Guard("in-guide", "Memory does not repeat what a CLAUDE.md says.", check)
