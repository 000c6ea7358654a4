"""Finds which old files had a name in their code."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from memci.citations.code.code_files import is_binary, is_evidence
from memci.citations.code.comments import strip_noise
from memci.citations.code.name_search import Searcher
from memci.citations.code.names_in_code import defines, only_borrows
from memci.citations.code.repository_paths import is_memory
from memci.citations.history.git_queries import History
from memci.citations.history.tree_diffs import TreePlace
from memci.model.memory import Unreadable


class Held(NamedTuple):
    """Which files had a name in their code at a commit, and have changed since."""

    # Per commit and name.
    files: Mapping[str, Mapping[str, Sequence[str]]]
    # Commit and name, where the code did more than use what may be the method, macro or option of others.
    owned: AbstractSet[tuple[str, str]]
    # Commit, name and file, where the file defined the name.
    defined: AbstractSet[tuple[str, str, str]]


def read_held(history: History, lost: Iterable[TreePlace], names: Collection[str], memory: Collection[str]) -> Held:
    """Return which of the lost contents had the names."""
    files: dict[str, dict[str, list[str]]] = {}
    owned: set[tuple[str, str]] = set()
    defined: set[tuple[str, str, str]] = set()
    # How a content is read depends on the name of its file, too.
    by_blob: dict[tuple[str, str], list[TreePlace]] = {}
    for place in lost if names else ():
        if is_evidence(place.path) and not is_memory(place.path, memory):
            by_blob.setdefault((place.oid, place.path.rpartition("/")[2]), []).append(place)
    searcher = Searcher(names)
    found: dict[tuple[str, str], dict[str, tuple[bool, bool]]] = {}
    for blob in history.iter_blobs(place for places in by_blob.values() for place in places):
        for path in {place.path.rpartition("/")[2]: place.path for place in blob.places}.values():
            found[blob.places[0].oid, path.rpartition("/")[2]] = _find(path, blob.data, searcher)
    for key, places in by_blob.items():
        for name, (is_owned, is_defined) in found.get(key, {}).items():
            for place in places:
                files.setdefault(place.commit, {}).setdefault(name, []).append(place.path)
                owned |= {(place.commit, name)} if is_owned else set()
                defined |= {(place.commit, name, place.path)} if is_defined else set()
    return Held(files, owned, defined)


def _find(path: str, data: bytes | Unreadable, searcher: Searcher) -> dict[str, tuple[bool, bool]]:
    """Return the names in the code of a file, and whether it does more than use each, and defines it."""
    if isinstance(data, Unreadable) or is_binary(data) or not searcher.find(data):
        return {}
    code = strip_noise(path, data)
    return {name: (not only_borrows(code, name), defines(code, name)) for name in sorted(searcher.find(code))}
