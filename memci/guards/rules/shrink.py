"""shrink: a dream removes at most a quarter of a scope's facts without proof.

`retire-proof` checks one operation against its own evidence. This guard compares the whole scope with the scope before
the dream, so that many small operations cannot add up to a loss that a single one would not be allowed.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence

from memci.guards.context import TRUSTED_ORIGINS, Change, Context, Guard
from memci.guards.documents import Document, StatedFact
from memci.guards.lost_facts import Proofs, find_lost, list_new
from memci.guards.proved_wrong import find_unproved
from memci.guards.same_subject import is_same_subject
from memci.memory.apply_edits import apply_edits, merge_edits

# The largest share of a scope's facts that may leave without each of them being proved.
_MAX_SHARE = 0.25


def check(change: Change) -> str | None:
    """Refuse an operation after which more than a quarter of the original facts are gone and not proved wrong."""
    context, result, index = change.context, change.result, change.context.index_path
    changed = {
        path: context.documents.read(path, text)
        for path, text in context.original.items()
        if path != index and result.get(path) != text
    }
    if not changed:
        return None
    homes = [
        change.read_result(path)
        for path, text in result.items()
        if path != index and context.original.get(path) != text
    ]
    # A duplicate may be in a topic that nothing changed; only what is missing is searched for there.
    lost = _find_lost(changed.values(), homes, context)
    told = tuple(signal for signal in context.signals.values() if signal.origin in TRUSTED_ORIGINS)
    findings = tuple(itertools.chain.from_iterable(context.findings.values()))
    proofs = Proofs(
        findings, told, tuple(context.lookups.values()), list_new(homes, changed.values()) if lost else (), None
    )
    # What a new statement replaces is not gone; whether it may be replaced is for retire-proof to tell.
    unproved = [
        fact
        for fact in find_unproved(lost, changed, proofs, context)
        if not any(is_same_subject(new.text, fact.text) for new in proofs.new)
    ]
    total = sum(_count_lines(text) for path, text in context.original.items() if path != index)
    if len(unproved) <= _MAX_SHARE * total:
        return None
    unproved = find_lost(unproved, [change.read_result(path) for path in result if path != index])
    if len(unproved) <= _MAX_SHARE * total:
        return None
    return f"{len(unproved)} of {total} facts of the scope would be gone"


def _find_lost(changed: Iterable[Document], homes: Sequence[Document], context: Context) -> list[StatedFact]:
    """Return the facts that are lost both as they were and as the fixes of the rules would have left them."""
    pairs = [pair for document in changed for pair in _pair_facts(document, context)]
    gone = set(find_lost((old for old, _ in pairs), homes))
    left = [(old, new) for old, new in pairs if old in gone]
    still = set(find_lost((new for _, new in left), homes)) if left else set()
    return [old for old, new in left if new in still]


def _pair_facts(document: Document, context: Context) -> Iterator[tuple[StatedFact, StatedFact]]:
    """Yield every fact with what the fixes of the rules make of it."""
    path = document.path
    findings = itertools.chain.from_iterable(context.findings.values())
    fixes = (finding.fix for finding in findings if finding.fix and finding.path == path)
    edits = [edit for fix in fixes for edit in fix.edits if edit.path == path and edit.old]
    repaired = apply_edits({path: document.text}, merge_edits(edits))[path] if edits else document.text
    old, new = document.facts, context.documents.read(path, repaired).facts
    yield from zip(old, new if len(new) == len(old) else old, strict=True)


def _count_lines(text: str) -> int:
    """Count the lines below the frontmatter: close enough to counting statements, and cheap for large scopes."""
    body = text.partition("\n---")[2] if text.startswith("---") else text
    return sum(1 for line in body.split("\n") if line.strip()) or 1


GUARD = Guard("shrink", "At most a quarter of a scope's facts may leave in one dream unless each is proved.", check)
