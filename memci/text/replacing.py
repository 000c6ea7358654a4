"""Putting new texts into a scope that was read, so that the result can be judged like any other."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from memci.model import ScopeSnapshot
from memci.text.index import parse_index
from memci.text.topic import parse_topic


def find_texts(scope: ScopeSnapshot) -> dict[PurePosixPath, str]:
    """Return the texts that may be changed: the index and the topics, not the logs."""
    texts = {topic.path: topic.text for topic in scope.topics}
    return {scope.index.path: scope.index.text, **texts} if scope.index else texts


def replace_texts(scope: ScopeSnapshot, texts: Mapping[PurePosixPath, str | None]) -> ScopeSnapshot:
    """Return the scope with these texts; None removes a topic, a path that is not there yet becomes one."""
    mine = {path: text for path, text in texts.items() if path.is_relative_to(scope.scope.path)}
    if not mine:
        return scope
    changed = {path: parse_topic(path, text) for path, text in mine.items() if text is not None}
    index_text = mine.get(scope.index_path, scope.index.text if scope.index else None)
    changed.pop(scope.index_path, None)
    kept = {topic.path: topic for topic in scope.topics if mine.get(topic.path, "") is not None}
    topics = tuple(topic for _, topic in sorted((kept | changed).items()))
    others = (*scope.others, *(log.path for log in scope.logs))
    index = None if index_text is None else parse_index(scope.index_path, index_text, topics, others)
    return replace(scope, topics=topics, index=index)
