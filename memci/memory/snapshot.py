"""Reads scopes into values, and replaces texts in them, so that the result can be checked like any other scope."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from memci.git.file_tree import Tree
from memci.memory.index import parse_index
from memci.memory.topic import parse_topic
from memci.model.memory import INDEX_NAME, DailyLog, Scope, ScopeSnapshot, Snapshot, Topic, Trust, Unread
from memci.patterns import LazyPattern


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


def add_repaired(
    beside: Mapping[PurePosixPath, str], repaired: Iterable[tuple[PurePosixPath, str | None]]
) -> dict[PurePosixPath, str]:
    """Return the texts of other scopes with what repairs made of them below: both can be quoted."""
    changed = {path: text for path, text in repaired if text is not None and path in beside and text != beside[path]}
    return {**beside, **{path: f"{beside[path]}\n{text}" for path, text in changed.items()}}


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


LOG_DIRECTORY = "logs"
# Logs have the date of their author's clock, and the first zone to begin a day is UTC+14.
_FIRST_ZONE = dt.timezone(dt.timedelta(hours=14))


def parse_day(path: PurePosixPath) -> dt.date | None:
    """Return the day of a log at this path inside a scope; None if it is not a daily log.

    Both `logs/2026/11/2026-11-14.md` and the flat `logs/2026-11-14.md` and `2026-11-14.md` are logs.
    """
    if path.suffix != ".md" or (len(path.parts) > 1 and path.parts[0] != LOG_DIRECTORY):
        return None
    try:
        day = dt.date.fromisoformat(path.stem)
    except ValueError:
        return None
    # Python also reads `20261114` and `2026-W46-6`, which are names like any other.
    # Nobody kept logs before 1970, and days near the ends of the calendar have no neighbours.
    return day if day.isoformat() == path.stem and 1970 <= day.year < 9000 else None


def is_to_come(day: dt.date, now: dt.datetime) -> bool:
    """Tell whether a day has not begun anywhere on earth."""
    return day > now.astimezone(_FIRST_ZONE).date()


_NAME = LazyPattern(r"(?<![\w.`/-])[^\W\d_a-z][^\W\d_]+ (?:(?:van|von|de|da|al) )?[^\W\d_a-z][^\W\d_]+(?![\w`/(])")


def list_full_names(snapshot: Snapshot) -> frozenset[str]:
    """Return what looks like a first name and a surname in the topics and indexes."""
    texts = (text.text for scope in snapshot.scopes for text in scope.texts)
    return frozenset(found[0] for text in texts for found in _NAME.finditer(text) if found[0].istitle())
