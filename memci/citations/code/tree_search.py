"""One pass over the work tree for all names: a name is looked for until it was found, a known file is not read."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from memci.citations.cache import NameCache, name_blob
from memci.citations.code.code_files import is_binary
from memci.citations.code.comments import parse_noise
from memci.citations.code.name_search import Searcher, find_outside
from memci.citations.code.read_files import MAX_BYTES, iter_worktree
from memci.model.memory import Unreadable

# Looking for fewer names is worth a new automaton when this many hits per name were of no use: by then they have cost
# as much as making one.
_WASTE = 1


class TreeSearch:
    """A pass that is under way."""

    def __init__(
        self, wanted: Mapping[str, int], cache: NameCache | None = None, clean: Mapping[str, str] | None = None
    ) -> None:
        """Look for names in so many files each; `clean` are the blobs of files that are as git has them."""
        self.found: dict[str, list[str]] = {}
        # How many files were searched whose answer can be kept.
        self.fresh = 0
        self._clean = clean or {}
        self._left = dict(wanted)
        self._settled: list[str] = []
        # Per file: its size, how many names were settled before it, and which others it has.
        self._answers: dict[str, tuple[int, int, Sequence[str]]] = {}
        self._known, self._names = _select_known(cache or NameCache(), self._left, self._clean)
        # Of the names that the cache knows, all before this place are no longer looked for.
        self._first = 0
        self._wasted = 0
        self._searcher: Searcher | None = None

    @property
    def done(self) -> bool:
        """Whether every name was found often enough."""
        return not self._left

    def knows(self, path: str) -> bool:
        """Whether there may be an answer without reading a file."""
        return path in self._known or self.done

    def take(self, path: str, size: int) -> bool:
        """Use what is known of a file; False if it must be read."""
        if self.done:
            return True
        known = self._known[path]
        while self._first < len(self._names) and self._names[self._first] not in self._left:
            self._first += 1
        # A filter of git may make another content of the same blob, as decrypting does.
        if known[0] != size or known[1] > self._first:
            return False
        found = [name for place in known[2:] if (name := self._names[place]) in self._left]
        self._answers[path] = (size, len(self._settled), found)
        self._add(path, found)
        return True

    def search(self, path: str, data: bytes | Unreadable) -> None:
        """Look for the names that are left in the code of a file."""
        if isinstance(data, Unreadable):
            return
        if self._searcher is None or self._wasted > _WASTE * len(self._left):
            self._wasted = 0
            self._searcher = Searcher(self._left)
        hits = set() if is_binary(data) else self._searcher.find(data)
        likely = hits & self._left.keys()
        self._wasted += len(hits) - len(likely)
        # Few files contain any of the names; only those are parsed as code, and only as far as needed.
        found = sorted(find_outside(data, likely, parse_noise(path, data))) if likely else []
        # The file may have changed since git was asked.
        if path in self._clean and _is_blob(self._clean[path], data):
            self.fresh += 1
            self._answers[path] = (len(data), len(self._settled), found)
        self._add(path, found)

    def keep(self) -> NameCache:
        """Return the answers of this pass."""
        names = (*self._settled, *sorted(self._left))
        places = {name: place for place, name in enumerate(names)}
        blobs: dict[str, Sequence[int]] = {}
        for path, (size, settled, found) in self._answers.items():
            answer = (size, settled, *(places[name] for name in found))
            # Of equal files the first was asked for the most names.
            blobs.setdefault(name_blob(self._clean[path], path), answer)
        return NameCache(names, blobs)

    def _add(self, path: str, found: Iterable[str]) -> None:
        for name in found:
            self.found.setdefault(name, []).append(path)
            self._left[name] -= 1
            if not self._left[name]:
                del self._left[name]
                self._settled.append(name)


def _select_known(
    cache: NameCache, wanted: Mapping[str, int], clean: Mapping[str, str]
) -> tuple[dict[str, Sequence[int]], Sequence[str]]:
    """Return by path what a cache knows of files, and the names that it speaks of; nothing if it lacks a name."""
    if not wanted.keys() <= frozenset(cache.names):
        return {}, ()
    known = ((path, cache.blobs.get(name_blob(oid, path))) for path, oid in clean.items())
    return {path: answer for path, answer in known if answer is not None}, cache.names


def search_tree(root: Path, paths: Iterable[str], search: TreeSearch) -> None:
    """Take every file in turn until nothing is left to look for."""
    for path, data in () if search.done else iter_worktree(root, paths, MAX_BYTES, search):
        search.search(path, data)
        if search.done:
            break


def _is_blob(oid: str, data: bytes) -> bool:
    """Whether git would give this content this name."""
    make = hashlib.sha1 if len(oid) == 40 else hashlib.sha256
    digest = make(b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest() == oid
