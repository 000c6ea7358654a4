"""What became of files that are gone, judged from what git printed about the commits that removed them."""

import functools
import posixpath
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from memci.git.history import PathChange

# A name such as `index.ts` can match any number of removed files; more matches than this prove nothing.
MAX_MATCHES = 200
# Each step of a chain of renames costs a git process.
MAX_HOPS = 16
# A commit that adds thousands of files is an import; those near the removed file are looked at.
MAX_CANDIDATES = 64
# A file was split into others if they contain half of it, as for git's renames; less than a tenth is boilerplate.
_SPLIT_WHOLE = 0.5
_SPLIT_PART = 0.1
# Shorter lines (`return None`, `}`) occur in any file, and a few lines prove nothing.
_TELLING_LENGTH = 12
_TELLING_LINES = 4


class Deletion(NamedTuple):
    """The newest removal of a path that does not exist any more."""

    commit: str
    time: int
    subject: str
    # 0 for the newest commit that removed anything.
    rank: int


class Renamed(NamedTuple):
    """The file is there under another name; `similarity` in percent is that of the least alike step."""

    target: str
    commit: str
    similarity: int


class Split(NamedTuple):
    """The content went into files that the removing commit added."""

    candidates: tuple[str, ...]
    commit: str


class Removed(NamedTuple):
    """The file is gone; `path` is its last name."""

    path: str
    commit: str
    time: int
    subject: str


Fate = Renamed | Split | Removed


class Changes(NamedTuple):
    """What one commit added, deleted and renamed, each by its (old) path."""

    added: Mapping[str, PathChange]
    deleted: Mapping[str, PathChange]
    renamed: Mapping[str, PathChange]


def group_changes(changes: Iterable[PathChange]) -> Changes:
    """Sort the changes of a commit by what they are."""
    groups: dict[str, dict[str, PathChange]] = {"A": {}, "D": {}, "R": {}}
    for change in changes:
        groups.setdefault(change.status, {})[change.old] = change
    return Changes(groups["A"], groups["D"], groups["R"])


def match_citations(cited: Iterable[str], paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the paths that each citation can mean: the path itself, or the end of one.

    A citation that ends with a slash is a directory and means what is below it.
    """
    by_name: dict[str, list[str]] = {}
    found: dict[str, list[str]] = {}
    for text in cited:
        if name := text.removesuffix("/").rpartition("/")[2]:
            by_name.setdefault(name, []).append(text)
    for path in paths:
        parts = path.split("/")
        # Nearly all paths share no name with any citation.
        if by_name.keys().isdisjoint(parts):
            continue
        for text in {text for part in parts for text in by_name.get(part, ())}:
            matches = found.setdefault(text, [])
            if _is_meant(text, path) and len(matches) < MAX_MATCHES:
                matches.append(path)
    return {text: matches for text, matches in found.items() if matches}


def follow(
    paths: Iterable[str],
    deletions: Mapping[str, Deletion],
    present: Collection[str],
    read: Callable[[Collection[str]], Mapping[str, Changes]],
) -> dict[str, Renamed | Removed]:
    """Follow each removed path through renames until today; one whose chain is too long is left out."""
    ends: dict[str, Renamed | Removed] = {}
    waiting = {path: (path, 100) for path in paths if path in deletions}
    for _ in range(MAX_HOPS):
        if not waiting:
            break
        known = read({deletions[current].commit for current, _ in waiting.values()})
        further: dict[str, tuple[str, int]] = {}
        for origin, (current, alike) in waiting.items():
            deletion = deletions[current]
            changes = known.get(deletion.commit)
            rename = changes.renamed.get(current) if changes else None
            if rename is None:
                ends[origin] = _removed(current, deletion)
                continue
            least = min(alike, rename.similarity)
            later = deletions.get(rename.new)
            if rename.new in present:
                ends[origin] = Renamed(rename.new, deletion.commit, least)
            elif later is not None and later.rank < deletion.rank:
                further[origin] = (rename.new, least)
            else:
                ends[origin] = _removed(current, deletion)
        waiting = further
    return ends


def choose_candidates(path: str, changes: Changes) -> list[PathChange]:
    """Return the added files in which the content of a removed one may be, the nearest first."""
    suffix = posixpath.splitext(path)[1]
    stem = path.removesuffix(suffix)

    def distance(change: PathChange) -> tuple[bool, int, str]:
        shared = len(posixpath.commonprefix((stem, change.new)))
        return (not change.new.endswith(suffix), -shared, change.new)

    return sorted(changes.added.values(), key=distance)[:MAX_CANDIDATES]


def match_parts(old: str, candidates: Mapping[str, str]) -> tuple[str, ...]:
    """Return the candidates that together contain most of an old text, the largest part first."""
    wanted = _telling_lines(old)
    if len(wanted) < _TELLING_LINES:
        return ()
    shares = {path: wanted & _telling_lines(text) for path, text in candidates.items()}
    covered: set[str] = set()
    parts = []
    for path, share in sorted(shares.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(share - covered) >= max(_SPLIT_PART * len(wanted), 2):
            covered |= share
            parts.append(path)
    return tuple(parts) if len(covered) >= _SPLIT_WHOLE * len(wanted) else ()


def is_shell(old: str, new: str) -> bool:
    """Whether a file, whatever its name, is only the rest of an old text: its content went elsewhere before."""
    before, after = _telling_lines(old), _telling_lines(new)
    return len(after) < _SPLIT_WHOLE * len(before) and len(before & after) < _SPLIT_PART * len(before)


def list_package(path: str, candidates: Iterable[PathChange]) -> tuple[str, ...]:
    """Return the added files of a directory that has the name of the removed file: `a/x.py`, `a/x/__init__.py`."""
    suffix = posixpath.splitext(path)[1]
    stem = path.removesuffix(suffix)
    if not suffix:
        return ()
    return tuple(one.new for one in candidates if one.new.startswith(f"{stem}/") and one.new.endswith(suffix))


def judge_directory(directory: str, fates: Mapping[str, Fate], deletions: Mapping[str, Deletion]) -> Renamed | Removed:
    """Say where a directory went: there, where most of its files went without changing places among each other."""
    newest = min(fates, key=lambda path: (deletions[path].rank, path))
    votes = Counter(_new_directory(directory, path, fate) for path, fate in fates.items())
    target, count = max(votes.items(), key=lambda item: (item[1], item[0]))
    if target and count * 2 > len(fates):
        alike = min(fate.similarity for fate in fates.values() if isinstance(fate, Renamed))
        return Renamed(target, deletions[newest].commit, alike)
    return _removed(directory, deletions[newest])


def _new_directory(directory: str, path: str, fate: Fate) -> str:
    inside = path.removeprefix(directory)
    if not isinstance(fate, Renamed) or not f"/{fate.target}".endswith(f"/{inside}"):
        return ""
    return fate.target.removesuffix(inside) or "./"


def _is_meant(cited: str, path: str) -> bool:
    if cited.endswith("/"):
        return f"/{cited}" in f"/{path}"
    return path == cited or path.endswith(f"/{cited}")


def _removed(path: str, deletion: Deletion) -> Removed:
    return Removed(path, deletion.commit, deletion.time, deletion.subject)


# The files that one commit added are compared with each of those that it removed.
@functools.lru_cache(maxsize=256)
def _telling_lines(text: str) -> frozenset[str]:
    return frozenset(_iter_telling(text))


def _iter_telling(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        stripped = line.strip()
        if len(stripped) >= _TELLING_LENGTH:
            yield stripped
