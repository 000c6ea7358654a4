"""Replaces texts of a scope in memory, so that the result can be checked like any other scope."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath

from memci.memory.index import parse_index
from memci.memory.topic import parse_topic
from memci.model.memory import ScopeSnapshot

# The key of a text; "" if it has none.
Key = Callable[[PurePosixPath, str], str]


class Texts(Mapping[PurePosixPath, str]):
    """The editable texts of a scope, by path and by other keys; derived ones cost only what changes."""

    def __init__(self, texts: Mapping[PurePosixPath, str]) -> None:
        self._texts = dict(texts)
        self._indexes: dict[Key, dict[str, tuple[PurePosixPath, ...]]] = {}

    def __getitem__(self, path: PurePosixPath) -> str:
        return self._texts[path]

    def __iter__(self) -> Iterator[PurePosixPath]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def copy(self) -> dict[PurePosixPath, str]:
        """Return the texts by path alone."""
        return self._texts.copy()

    def find(self, key: Key, wanted: str) -> tuple[PurePosixPath, ...]:
        """Return the paths of the texts that have this key."""
        if key not in self._indexes:
            self._indexes[key] = {}
            for path, text in self._texts.items():
                _add(self._indexes[key], key(path, text), path)
        return self._indexes[key].get(wanted, ())

    def change(self, texts: Mapping[PurePosixPath, str | None]) -> "Texts":
        """Return the texts with these replaced; None removes one."""
        changed = Texts({})
        changed._texts = self._texts.copy()
        changed._indexes = {key: index.copy() for key, index in self._indexes.items()}
        for path, text in texts.items():
            old = changed._texts.pop(path, None)
            if text is not None:
                changed._texts[path] = text
            for key, index in changed._indexes.items():
                if old is not None:
                    _remove(index, key(path, old), path)
                if text is not None:
                    _add(index, key(path, text), path)
        return changed


def _add(index: dict[str, tuple[PurePosixPath, ...]], name: str, path: PurePosixPath) -> None:
    if name:
        index[name] = (*index.get(name, ()), path)


def _remove(index: dict[str, tuple[PurePosixPath, ...]], name: str, path: PurePosixPath) -> None:
    if name:
        index[name] = tuple(other for other in index[name] if other != path)


def list_texts(scope: ScopeSnapshot) -> Texts:
    """Return the texts that may be changed: the index and the topics, not the logs."""
    texts = {topic.path: topic.text for topic in scope.topics}
    return Texts({scope.index.path: scope.index.text, **texts} if scope.index else texts)


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
