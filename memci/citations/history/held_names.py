"""Finds which old files had a name in their code; answers about a blob are kept, because blobs never change."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from memci.citations.cache import NameCache, name_blob
from memci.citations.code.code_files import is_binary, is_evidence
from memci.citations.code.comments import strip_noise
from memci.citations.code.name_search import Searcher
from memci.citations.code.names_in_code import defines, only_borrows
from memci.citations.code.repository_paths import is_memory
from memci.citations.history.git_queries import History
from memci.citations.history.tree_diffs import TreePlace
from memci.model.memory import Unreadable

# What is known of a name in a blob, in the lowest bits of its number.
_OWNED, _DEFINED, _BITS = 1, 2, 2


class Held(NamedTuple):
    """Which files had a name in their code at a commit, and have changed since."""

    # Per commit and name.
    files: Mapping[str, Mapping[str, Sequence[str]]]
    # Commit and name, where the code did more than use what may be the method, macro or option of others.
    owned: AbstractSet[tuple[str, str]]
    # Commit, name and file, where the file defined the name.
    defined: AbstractSet[tuple[str, str, str]]


def read_held(
    history: History, lost: Iterable[TreePlace], names: Collection[str], memory: Collection[str], known: NameCache
) -> tuple[Held, NameCache]:
    """Return which of the lost contents had the names, and what to remember for the next run.

    Of a blob that is known only the new names are looked for; without new names it is not read.
    """
    fresh = tuple(sorted(set(names).difference(known.names)))
    order = (*known.names, *fresh)
    by_blob: dict[str, list[TreePlace]] = {}
    for place in lost if names else ():
        if is_evidence(place.path) and not is_memory(place.path, memory):
            by_blob.setdefault(name_blob(place.oid, place.path), []).append(place)
    answers = {blob: list(known.blobs[blob]) for blob in by_blob if blob in known.blobs}
    unread = [places for blob, places in by_blob.items() if fresh or blob not in answers]
    numbers = {name: number for number, name in enumerate(order)}
    every, new = Searcher(order), Searcher(fresh)
    for blob in history.iter_blobs(place for places in unread for place in places):
        for path in {place.path.rpartition("/")[2]: place.path for place in blob.places}.values():
            key = name_blob(blob.places[0].oid, path)
            found = (
                () if isinstance(blob.data, Unreadable) else _find(path, blob.data, new if key in answers else every)
            )
            answers.setdefault(key, []).extend(numbers[name] << _BITS | use for name, use in found)
    return _collect(by_blob, answers, order, frozenset(names)), NameCache(order, answers)


def _find(path: str, data: bytes, searcher: Searcher) -> Iterator[tuple[str, int]]:
    """Yield the names in the code of a file, with what the code does with each; the file is stripped once."""
    if is_binary(data) or not searcher.find(data):
        return
    code = strip_noise(path, data)
    for name in sorted(searcher.find(code)):
        yield name, (not only_borrows(code, name)) * _OWNED | defines(code, name) * _DEFINED


def _collect(
    by_blob: Mapping[str, Sequence[TreePlace]],
    answers: Mapping[str, Sequence[int]],
    order: Sequence[str],
    names: AbstractSet[str],
) -> Held:
    files: dict[str, dict[str, list[str]]] = {}
    owned: set[tuple[str, str]] = set()
    defined: set[tuple[str, str, str]] = set()
    for blob, places in by_blob.items():
        for number in answers.get(blob, ()):
            name = order[number >> _BITS]
            for place in places if name in names else ():
                files.setdefault(place.commit, {}).setdefault(name, []).append(place.path)
                if number & _OWNED:
                    owned.add((place.commit, name))
                if number & _DEFINED:
                    defined.add((place.commit, name, place.path))
    return Held(files, owned, defined)
