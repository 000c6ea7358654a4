"""retire-proof: a statement is removed only if it is kept elsewhere or proved wrong."""

from collections import Counter
from collections.abc import Iterable

from memci.guards.added_text import split_sentences
from memci.guards.context import Change, Guard
from memci.guards.documents import Document
from memci.guards.lost_facts import Proofs, find_lost, find_unproved
from memci.guards.repair_limits import is_repair
from memci.model.plan import OperationKind
from memci.prose.similar import normalise


def check(change: Change) -> str | None:
    """Refuse to lose a statement that is neither kept, moved or contained, nor proved wrong by the evidence."""
    old = {document.path: document for document in change.replaced_topics if not is_repair(document.path, change)}
    if change.kind is OperationKind.RETIRE and _adds_sentence(change):
        return "a retire takes away and adds nothing"
    facts = [fact for document in old.values() for fact in document.facts]
    lost = find_lost(facts, _list_homes(change))
    unproved = find_unproved(lost, old, Proofs(change.findings, change.signals), change.context)
    if unproved:
        fact = unproved[0]
        return f'{fact.path.name} would lose "{fact.text[:80]}", and nothing proves it wrong'
    return _check_description(old.values(), change) or _check_order(change)


def _adds_sentence(change: Change) -> bool:
    added = (line for line in change.added if line.path != change.context.index_path)
    return any(
        normalise(sentence) not in change.old_sentences for line in added for sentence in split_sentences(line.text)
    )


def _list_homes(change: Change) -> list[Document]:
    """Return the topics that may keep a lost statement: those that the operation quotes, and those that it writes."""
    quoted = {path: change.read_result(path) for path, _ in change.quotations if path in change.result}
    written = {document.path: document for document in change.written_topics}
    return list((quoted | written).values())


def _check_description(old: Iterable[Document], change: Change) -> str | None:
    """Refuse to remove, without proof, a topic whose only content is its description."""
    if change.findings or change.signals:
        return None
    for document in old:
        if document.path in change.removed and not document.facts and document.topic.description:
            return f"{document.path.name} would leave with its description, and nothing proves it wrong"
    return None


def _check_order(change: Change) -> str | None:
    """Refuse to reorder lines that are kept: the heading above a line is part of its meaning."""
    for document in change.written_topics:
        path = document.path
        old = [line.strip() for line in change.context.draft.get(path, "").split("\n") if line.strip()]
        new = [line.strip() for line in document.text.split("\n") if line.strip()]
        counts, others = Counter(old), Counter(new)
        # The position of a repeated line is ambiguous.
        once = {line for line, count in counts.items() if count == 1 == others[line]}
        if [line for line in old if line in once] != [line for line in new if line in once]:
            return f"{path.name} would keep its lines in another order"
    return None


GUARD = Guard("retire-proof", "What leaves is said elsewhere, or proved to be wrong.", check)
