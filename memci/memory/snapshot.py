"""Reads scopes into values."""

from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

from memci.git.file_tree import Tree
from memci.memory.daily_logs import LOG_DIRECTORY, parse_day
from memci.memory.index import parse_index
from memci.memory.topic import parse_topic
from memci.model.memory import INDEX_NAME, DailyLog, Scope, ScopeSnapshot, Topic, Unread


def read_scopes(tree: Tree, scopes: Sequence[Scope]) -> tuple[ScopeSnapshot, ...]:
    """Read every scope; a file below two of them belongs to the inner one."""
    directories = {scope.path for scope in scopes}
    return tuple(read_scope(tree, scope, directories - {scope.path}) for scope in scopes)


def read_scope(tree: Tree, scope: Scope, inner: Collection[PurePosixPath] = ()) -> ScopeSnapshot:
    """Read one scope, without the scopes inside it; `inner` may name any others."""
    index_text: str | None = None
    topics: list[Topic] = []
    logs: list[DailyLog] = []
    unread: list[Unread] = []
    others: list[PurePosixPath] = []
    for item in tree.below(scope.path):
        path = item.path if isinstance(item, Unread) else item
        inside = path.relative_to(scope.path)
        owner = next(place for place in (path, *path.parents) if place == scope.path or place in inner)
        if owner != scope.path or any(part.startswith(".") for part in inside.parts):
            continue
        if isinstance(item, Unread):
            unread.append(item)
            continue
        if not _is_text(inside):
            others.append(path)
            continue
        text = tree.read(path)
        day = parse_day(inside)
        if isinstance(text, Unread):
            unread.append(text)
        elif str(inside) == INDEX_NAME:
            index_text = text
        elif day is not None:
            logs.append(DailyLog(path, day, text))
        else:
            topics.append(parse_topic(path, text))
    index = None
    if index_text is not None:
        index = parse_index(scope.path / INDEX_NAME, index_text, topics, (*others, *(log.path for log in logs)))
    return ScopeSnapshot(scope, index, tuple(topics), tuple(logs), tuple(unread), tuple(others))


def _is_text(inside: PurePosixPath) -> bool:
    """Tell whether a file is the index, a topic or a daily log."""
    if inside.suffix != ".md" or (inside.name == INDEX_NAME and len(inside.parts) > 1):
        return False
    return inside.parts[0] != LOG_DIRECTORY or parse_day(inside) is not None
