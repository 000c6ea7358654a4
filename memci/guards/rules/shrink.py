"""shrink: a dream as a whole takes no more than a quarter of a scope away, whatever each step of it claims.

`retire-proof` looks at one operation and at what it cites; this looks at the whole scope as it was before the dream
and at everything that could prove a loss, so that many small steps do not add up to what one step may not do.
"""

import itertools
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from memci.guards.changes import TRUSTED_ORIGINS, find_result, index_path
from memci.guards.context import Ground, Guard
from memci.guards.facts import Proofs, StatedFact, find_facts, find_lost, find_unproved
from memci.memory.edits import apply_edits, merge_edits
from memci.model.plan import Operation

# The largest share of a scope's facts that may leave without each of them being proved.
_MAX_SHARE = 0.25


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse an operation after which more than a quarter of the original facts are gone and not proved wrong."""
    result = find_result(operation, ground)
    index = index_path(ground)
    changed = {path: text for path, text in ground.original.items() if path != index and result.get(path) != text}
    if not changed:
        return None
    homes = {path: text for path, text in result.items() if path != index and ground.original.get(path) != text}
    # A duplicate may have stayed in a topic that nobody touched; only what is missing is looked for there.
    lost = _find_lost(changed, homes, ground)
    told = tuple(signal for signal in ground.signals.values() if signal.origin in TRUSTED_ORIGINS)
    unproved = (
        find_unproved(
            lost, changed, Proofs(tuple(itertools.chain.from_iterable(ground.findings.values())), told), ground
        )
        if lost
        else []
    )
    total = sum(_count_lines(text) for path, text in ground.original.items() if path != index)
    if len(unproved) <= _MAX_SHARE * total:
        return None
    unproved = find_lost(unproved, {path: text for path, text in result.items() if path != index})
    if len(unproved) <= _MAX_SHARE * total:
        return None
    return f"{len(unproved)} of {total} facts of the scope would be gone"


def _find_lost(
    changed: Mapping[PurePosixPath, str], homes: Mapping[PurePosixPath, str], ground: Ground
) -> list[StatedFact]:
    """Return the facts of original texts that are gone as they were and as the rules would have repaired them."""
    pairs = [pair for path, text in changed.items() for pair in _pair_facts(path, text, ground)]
    gone = set(find_lost((old for old, _ in pairs), homes))
    left = [(old, new) for old, new in pairs if old in gone]
    still = set(find_lost((new for _, new in left), homes)) if left else set()
    return [old for old, new in left if new in still]


def _pair_facts(path: PurePosixPath, text: str, ground: Ground) -> Iterator[tuple[StatedFact, StatedFact]]:
    """Yield every fact with what the fixes of the rules make of it."""
    findings = itertools.chain.from_iterable(ground.findings.values())
    fixes = (finding.fix for finding in findings if finding.fix and finding.path == path)
    edits = [edit for fix in fixes for edit in fix.edits if edit.path == path and edit.old]
    repaired = apply_edits({path: text}, merge_edits(edits))[path] if edits else text
    old, new = find_facts(path, text), find_facts(path, repaired)
    yield from zip(old, new if len(new) == len(old) else old, strict=True)


def _count_lines(text: str) -> int:
    """Count what stands below the head; for a share this is near enough to counting statements."""
    body = text.partition("\n---")[2] if text.startswith("---") else text
    return sum(1 for line in body.split("\n") if line.strip()) or 1


GUARD = Guard("shrink", "At most a quarter of a scope's facts may leave in one dream unless each is proved.", check)
