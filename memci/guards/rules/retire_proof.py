"""retire-proof: what leaves is said elsewhere, or proved to be wrong."""

from collections import Counter
from pathlib import PurePosixPath

from memci.guards.changes import (
    cited_findings,
    cited_memory,
    cited_signals,
    find_added,
    find_old_sentences,
    find_result,
    index_path,
    new_topics,
    old_texts,
    split_sentences,
)
from memci.guards.context import Ground, Guard
from memci.guards.facts import Proofs, find_facts, find_lost, find_unproved
from memci.guards.repair import is_repair
from memci.memory.topic import parse_topic
from memci.model.plan import Operation, OperationKind
from memci.prose.similar import normalise


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse to lose a statement that is neither kept, moved or contained, nor proved wrong by the evidence."""
    old = {
        path: text
        for path, text in old_texts(operation, ground).items()
        if path != index_path(ground) and not is_repair(path, operation, ground)
    }
    if operation.kind is OperationKind.RETIRE and _adds(operation, ground):
        return "a retire takes away and adds nothing"
    facts = [fact for path, text in old.items() for fact in find_facts(path, text)]
    lost = find_lost(facts, _find_homes(operation, ground))
    proofs = Proofs(cited_findings(operation, ground), cited_signals(operation, ground))
    unproved = find_unproved(lost, old, proofs, ground)
    if unproved:
        fact = unproved[0]
        return f'{fact.path.name} would lose "{fact.text[:80]}", and nothing proves it wrong'
    return _check_description(operation, old, ground) or _check_order(operation, ground)


def _adds(operation: Operation, ground: Ground) -> bool:
    known = find_old_sentences(operation, ground)
    added = (line for line in find_added(operation, ground) if line.path != index_path(ground))
    return any(normalise(sentence) not in known for line in added for sentence in split_sentences(line.text))


def _find_homes(operation: Operation, ground: Ground) -> dict[PurePosixPath, str]:
    """Return the topics in which a lost statement may still stand: those it writes, and those it quotes."""
    result = find_result(operation, ground)
    quoted = {path: result[path] for path, _ in cited_memory(operation, ground) if path in result}
    return {**quoted, **new_topics(operation, ground)}


def _check_description(operation: Operation, old: dict[PurePosixPath, str], ground: Ground) -> str | None:
    """Refuse to remove a topic that says something only in its description, without a word of proof."""
    for path, text in old.items():
        topic = parse_topic(path, text)
        if operation.texts[path] is None and not find_facts(path, text) and topic.description:
            cited = cited_findings(operation, ground) or cited_signals(operation, ground)
            if not cited:
                return f"{path.name} would leave with its description, and nothing proves it wrong"
    return None


def _check_order(operation: Operation, ground: Ground) -> str | None:
    """Refuse to shuffle lines that stay: the heading above a line is part of what it says."""
    for path, text in new_topics(operation, ground).items():
        old = [line.strip() for line in ground.draft.get(path, "").split("\n") if line.strip()]
        new = [line.strip() for line in text.split("\n") if line.strip()]
        counts, others = Counter(old), Counter(new)
        # Lines that stand there twice have no place of their own.
        once = {line for line, count in counts.items() if count == 1 == others[line]}
        if [line for line in old if line in once] != [line for line in new if line in once]:
            return f"{path.name} would keep its lines in another order"
    return None


GUARD = Guard("retire-proof", "What leaves is said elsewhere, or proved to be wrong.", check)
