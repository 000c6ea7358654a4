"""recall: after a merge the surviving topic is still found by the descriptions of the others."""

from memci.guards.context import Change, Guard
from memci.guards.documents import Document
from memci.model.plan import OperationKind
from memci.prose.ranking import index_texts, rank_similar
from memci.prose.roots import root
from memci.prose.similar import profile

# The survivor has this share of the words of the old description, or is the best match for it.
_MOST = 0.6


def check(change: Change) -> str | None:
    """Refuse a merge after which a removed topic's description leads elsewhere."""
    survivor = change.operation.file
    if change.kind is not OperationKind.MERGE or not change.operation.texts.get(survivor):
        return None
    for path in change.operation.texts:
        description = change.context.read(path).topic.description
        if path in change.removed and description and not _is_found(description, change):
            return f"{survivor.name} would not be found by the description of {path.name}"
    return None


def _is_found(description: str, change: Change) -> bool:
    survivor = change.operation.file
    wanted = {root(word) for word in profile(description).content}
    held = {root(word) for word in profile(_describe(change.read_result(survivor))).content}
    if len(wanted & held) >= _MOST * len(wanted):
        return True
    paths = sorted(path for path in change.result if path != change.context.index_path)
    best = rank_similar(description, index_texts([_describe(change.read_result(path)) for path in paths]), 1)
    return bool(best) and paths[best[0].position] == survivor


def _describe(document: Document) -> str:
    topic = document.topic
    return f"{topic.name.replace('-', ' ')}\n{topic.description}\n{topic.body}"


GUARD = Guard("recall", "A merged topic is still found by the descriptions of what went into it.", check)
