"""recall: after a merge the surviving topic is still found by what the others were found by."""

from pathlib import PurePosixPath

from memci.guards.changes import find_result, index_path
from memci.guards.context import Ground, Guard
from memci.memory.topic import parse_topic
from memci.model.plan import Operation, OperationKind
from memci.prose.negation import root
from memci.prose.ranking import index_texts, rank_similar
from memci.prose.similar import profile

# The survivor has most words of the old description, or is the best answer to it.
_MOST = 0.6


def check(operation: Operation, ground: Ground) -> str | None:
    """Refuse a merge after which a removed topic's description leads elsewhere."""
    if operation.kind is not OperationKind.MERGE or not operation.texts.get(operation.file):
        return None
    result = {path: text for path, text in find_result(operation, ground).items() if path != index_path(ground)}
    for path, text in operation.texts.items():
        description = parse_topic(path, ground.draft.get(path, "")).description
        if text is None and description and not _is_found(description, operation.file, result):
            return f"{operation.file.name} would not be found by the description of {path.name}"
    return None


def _is_found(description: str, file: PurePosixPath, result: dict[PurePosixPath, str]) -> bool:
    wanted = {root(word) for word in profile(description).content}
    held = {root(word) for word in profile(_describe(file, result[file])).content}
    if len(wanted & held) >= _MOST * len(wanted):
        return True
    paths = sorted(result)
    best = rank_similar(description, index_texts([_describe(path, result[path]) for path in paths]), 1)
    return bool(best) and paths[best[0].position] == file


def _describe(path: PurePosixPath, text: str) -> str:
    topic = parse_topic(path, text)
    return f"{topic.name.replace('-', ' ')}\n{topic.description}\n{topic.body}"


GUARD = Guard("recall", "A merged topic is still found by the descriptions of what went into it.", check)
