"""retire-proof: a statement is removed only if it is kept elsewhere or proved wrong."""

from collections import Counter
from collections.abc import Iterable

from memci.guards.added_text import split_sentences
from memci.guards.context import Change, Guard, Objection
from memci.guards.documents import Document
from memci.guards.lost_facts import Proofs, find_lost, list_new
from memci.guards.proved_wrong import find_absent, find_dropped, find_unproved
from memci.guards.repair_limits import is_repair
from memci.guards.same_subject import is_same_subject
from memci.model.plan import OperationKind
from memci.prose.similar import normalise
from memci.prose.statements import is_reason


def check(change: Change) -> Objection | str | None:
    """Refuse to lose a statement that is neither kept, moved or contained, nor proved wrong by the evidence."""
    old = {document.path: document for document in change.replaced_topics if not is_repair(document.path, change)}
    if change.kind is OperationKind.RETIRE and _adds_sentence(change):
        return "a retire takes away and adds nothing"
    facts = [fact for document in old.values() for fact in document.facts]
    lost = find_lost(facts, _list_homes(change))
    quoted = tuple(quote for _, quote in change.quotations)
    new = list_new(change.written_topics, change.replaced_topics)
    # A line that stays may have moved.
    kept = tuple(quote for _, quote in change.quotations if any(quote in text for text in change.result.values()))
    absent, gone = find_absent(change)
    proofs = Proofs(
        change.findings,
        change.signals,
        change.lookups,
        new,
        quoted,
        kept,
        gone,
        change.confirmed,
        change.ended,
        absent,
    )
    unproved = find_unproved(lost, old, proofs, change.context)
    if unproved:
        fact = unproved[0]
        dropped = find_dropped(fact, proofs) if fact.key in proofs.confirmed else ""
        why = (
            f'{fact.path.name} would lose "{dropped}" of "{fact.text[:80]}", and nothing says that it is over: say it '
            "in the new words, too"
            if dropped
            else f'{fact.path.name} would lose "{fact.text[:80]}", and nothing proves it wrong: keep it, or cite who '
            "changed it, the line that says otherwise and stays, or the line itself if it is only reworded"
        )
        return Objection(why, text=fact.text)
    return _check_description(old.values(), change) or _check_order(change) or _check_moved(change)


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
    """Refuse to move kept lines below another heading or another rule: what is above a line is part of its meaning."""
    # A repair writes a new name or place wherever it is, also in what is above a line.
    for document in (each for each in change.written_topics if not is_repair(each.path, change)):
        places, others = _list_places(change.context.read(document.path)), _list_places(document)
        for key in (key for key in places if key in others):
            (above, rules), (above_now, rules_now) = places[key], others[key]
            # A reason may stay below its reworded rule, not below another one alone.
            if above != above_now or (rules and rules[-1] in others and rules[-1] not in rules_now):
                return f'{document.path.name} would keep "{key[:60]}" in another place'
    return None


def _check_moved(change: Change) -> str | None:
    """Refuse to move a line to another topic without the words that introduce it ("Never:"), or without its rule."""
    old = {document.path: _list_places(document) for document in change.replaced_topics}
    new = {document.path: _list_places(document) for document in change.written_topics}
    kept = frozenset[str]().union(*new.values())
    for path, now in new.items():
        own = old.get(path, {})
        for key, (above_now, rules_now) in now.items():
            homes = [places[key] for places in old.values() if key in places]
            if key in own or len(homes) != 1:
                continue
            above, rules = homes[0]
            # A rule that another topic says in other words leaves its reason to that topic.
            torn = bool(rules) and rules[-1] in kept and not any(is_same_subject(rules[-1], now) for now in rules_now)
            if torn or _list_leads(above) != _list_leads(above_now):
                return f'{path.name} would take "{key[:60]}" without what is above it: move that, too'
    return None


def _list_leads(above: tuple[str, ...]) -> list[str]:
    return [title for title in above if title.endswith((":", "："))]


def _list_places(document: Document) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return what is above each statement that is there once: headings, and for a reason the rules it is given for."""
    counts = Counter(normalise(found.text) for found in document.statements)
    places: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    rules: tuple[str, ...] = ()
    explained = False
    for found in document.statements:
        key, reason = normalise(found.text), is_reason(found)
        if counts[key] == 1:
            # An item above may be reworded; a heading or "Never:" belongs to what is below.
            above = tuple(
                title for title in found.section if title.endswith((":", "：")) or not counts[normalise(title)]
            )
            places[key] = above, rules if reason else ()
        if not reason:
            rules = (key,) if explained else (*rules, key)
        explained = reason
    return places


GUARD = Guard(
    "retire-proof",
    "What leaves is said elsewhere, proved wrong, taken back, or replaced by what the evidence says now.",
    check,
)
