"""Replaces texts of a scope in memory, so that the result can be checked like any other scope."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from memci.memory.index import parse_index
from memci.memory.topic import parse_topic
from memci.model.memory import ScopeSnapshot, Snapshot, Trust


def change_texts(
    texts: Mapping[PurePosixPath, str], changes: Mapping[PurePosixPath, str | None]
) -> dict[PurePosixPath, str]:
    """Return the texts with these replaced; None removes one."""
    return {path: text for path, text in {**texts, **changes}.items() if text is not None}


def list_texts(scope: ScopeSnapshot) -> dict[PurePosixPath, str]:
    """Return the texts that may be changed: the index and the topics, not the logs."""
    texts = {topic.path: topic.text for topic in scope.topics}
    return {scope.index.path: scope.index.text, **texts} if scope.index else texts


def list_beside(snapshot: Snapshot, scope: ScopeSnapshot) -> dict[PurePosixPath, str]:
    """Return the texts of the other committed scopes."""
    others = (one for one in snapshot.scopes if one.scope != scope.scope and one.scope.trust is Trust.COMMITTED)
    return {path: text for other in others for path, text in list_texts(other).items()}


def replace_texts(scope: ScopeSnapshot, texts: Mapping[PurePosixPath, str | None]) -> ScopeSnapshot:
    """Return the scope with these texts; None removes a topic, a new path becomes one."""
    mine = {path: text for path, text in texts.items() if path.is_relative_to(scope.scope.path)}
    if not mine:
        return scope
    index_text = mine.pop(scope.index_path, scope.index.text if scope.index else None)
    changed = {path: None if text is None else parse_topic(path, text) for path, text in mine.items()}
    catalogue = scope.catalogue.change(changed)
    others = (*scope.others, *(log.path for log in scope.logs))
    index = None if index_text is None else parse_index(scope.index_path, index_text, catalogue.ordered, others)
    return scope.exchange(catalogue, index)
