"""Which old files had a name in their code, which commit took it out of a file, and which name it put there instead."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from memci.citations.code.assigned_values import AssignedValue, read_value
from memci.citations.code.code_files import is_binary, is_evidence
from memci.citations.code.comments import strip_noise
from memci.citations.code.name_search import Searcher
from memci.citations.code.names_in_code import defines, only_borrows
from memci.citations.code.repository_paths import is_memory
from memci.citations.history.git_queries import History
from memci.citations.history.tree_diffs import TreePlace
from memci.citations.kept_names import KeptNames
from memci.errors import ServiceError
from memci.git.repository import Repository
from memci.model.citation import Commit
from memci.model.memory import Unreadable

# This many paths always fit on a command line.
_MAX_PATHS = 200
# A line of code; longer ones are data.
_MAX_LINE = 400
# Words around a name that stay, in all lines together.
_MIN_OTHERS = 3
# Lines of one hunk that are compared with each other.
_MAX_HUNK = 60


class Break(NamedTuple):
    """The commit that removed a name, and the name that it put in its place, with the file; "" if it is not clear."""

    commit: Commit
    renamed: str = ""
    path: str = ""


def _iter_patches(repository: Repository, paths: Sequence[str], seconds: float) -> Iterator[tuple[Commit, bytes]]:
    """Yield the commits that changed some paths, newest first, with their patches without context."""
    arguments = (
        "log", "--format=%x00%H%x09%ct%x09%s", "--no-renames", "--no-ext-diff", "--no-textconv", "-p", "-U0", "HEAD",
        "--", *paths,
    )  # fmt: skip
    for piece in repository.stream(*arguments, seconds=seconds):
        head, _, patch = piece.partition(b"\n")
        fields = head.split(b"\t", 2)
        if len(fields) == 3:
            yield Commit(fields[0].decode(), int(fields[1]), fields[2].decode("utf-8", "replace")), patch


def find_breaks(repository: Repository, held: Mapping[str, Collection[str]], seconds: float) -> dict[str, Break]:
    """Return for each name the newest commit that removed a line with it from one of the files that had it."""
    paths = sorted({path for paths in held.values() for path in paths})[:_MAX_PATHS]
    if not paths:
        return {}
    searcher = Searcher(held)
    found: dict[str, Break] = {}
    try:
        for commit, patch in _iter_patches(repository, paths, seconds):
            removed = b"\n".join(line[1:] for line in patch.split(b"\n") if line[:1] == b"-" and line[:3] != b"---")
            for name in searcher.find(removed) - found.keys():
                found[name] = Break(commit, *find_renamed(patch.decode("utf-8", "replace"), name))
            if len(found) == len(held):
                break
    except ServiceError:
        # The verdict does not depend on it; only the commit is not named.
        return found
    return found


def find_value_break(history: History, path: str, name: str, value: AssignedValue) -> Commit | None:
    """Return the newest commit that took a value away from a name in a file; None if it is not found."""
    try:
        for commit, patch in _iter_patches(history.repository, [path], history.limits.seconds):
            lines = patch.decode("utf-8", "replace").split("\n")
            before, after = ("\n".join(line[1:] for line in lines if line[:1] == sign) for sign in "-+")
            if read_value(path, before, name) == value and read_value(path, after, name) != value:
                return commit
    except ServiceError:
        return None
    return None


def find_renamed(patch: str, name: str) -> tuple[str, str]:
    """Return the one name that a patch writes in place of another, and the file; "" if that is not clear.

    It is clear if every line that loses the name comes back with just this word exchanged, always for the same one, and
    the lines have other words than that: `def one():` may have been replaced by `def other():`.
    """
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    found: set[tuple[str, str]] = set()
    others = 0
    for path, removed, added in _split_hunks(patch):
        for line in (line for line in removed if word.search(line)):
            first, *rest = map(re.escape, word.split(line))
            pattern = re.compile(rf"{first}(?P<new>[\w-]+){'(?P=new)'.join(rest)}")
            back = {match["new"] for other in added if (match := pattern.fullmatch(other))}
            if len(back) != 1:
                return "", ""
            found.add((back.pop(), path))
            others += len(re.findall(r"\w+", word.sub(" ", line)))
    names = {new for new, _ in found}
    return min(found) if len(names) == 1 and others >= _MIN_OTHERS else ("", "")


def _split_hunks(patch: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Yield the file, the removed and the added lines of each hunk of a patch without context."""
    path = ""
    for part in re.split(r"(?m)^(?=@@ |diff --git )", patch):
        if part.startswith("diff --git "):
            named = re.search(r"(?m)^\+\+\+ b/(.+)$", part)
            path = named[1].rstrip("\t") if named else ""
            continue
        lines = [line for line in part.split("\n")[1 : _MAX_HUNK + 1] if len(line) <= _MAX_LINE]
        removed, added = ([line[1:].strip() for line in lines if line.startswith(sign)] for sign in "-+")
        yield path, removed, added


def describe_commits(repository: Repository, ids: Iterable[str]) -> dict[str, Commit]:
    """Return time and subject of commits; one process."""
    stdin = "".join(f"{commit}\n" for commit in sorted(ids)).encode()
    if not stdin:
        return {}
    out = repository.run("log", "--no-walk=unsorted", "--format=%H%x09%ct%x09%s", "--stdin", stdin=stdin)
    rows = (row.split("\t", 2) for row in out.decode("utf-8", "replace").split("\n") if row)
    return {commit: Commit(commit, int(when), subject) for commit, when, subject in rows}


class Held(NamedTuple):
    """Which files had a name in their code at a commit, and have changed since."""

    # Per commit and name.
    files: dict[str, dict[str, list[str]]]
    # Commit and name, where the code did more than use what may be the method, macro or option of others.
    owned: set[tuple[str, str]]
    # Commit, name and file, where the file defined the name.
    defined: set[tuple[str, str, str]]


class Asked(NamedTuple):
    """The names that claims are about."""

    symbols: AbstractSet[str]
    # Options and variables of the environment, which nothing defines.
    others: AbstractSet[str]


def read_held(
    history: History, lost: Iterable[TreePlace], asked: Asked, memory: Collection[str], kept: KeptNames
) -> Held:
    """Return which of the lost contents had the names."""
    by_blob: dict[str, dict[str, list[TreePlace]]] = {}
    for place in lost if asked.symbols or asked.others else ():
        if is_evidence(place.path) and not is_memory(place.path, memory):
            # How a content is read depends on the name of its file, too.
            by_blob.setdefault(place.oid, {}).setdefault(place.path.rpartition("/")[2], []).append(place)
    _read_names(history, by_blob, asked, kept)
    held = Held({}, set(), set())
    for oid, name, places in ((oid, name, places) for oid, named in by_blob.items() for name, places in named.items()):
        found, owned, defined = kept.get(oid, name) or ((), (), ())
        for place in places:
            files = held.files.setdefault(place.commit, {})
            for one in found:
                files.setdefault(one, []).append(place.path)
            held.owned.update((place.commit, one) for one in owned)
            held.defined.update((place.commit, one, place.path) for one in defined)
    return held


def _read_names(history: History, by_blob: Mapping[str, Mapping[str, object]], asked: Asked, kept: KeptNames) -> None:
    """Read the blobs that are not known."""
    kept.select((asked.symbols, asked.others))
    searcher = Searcher(asked.symbols | asked.others)
    unknown = [oid for oid, named in by_blob.items() if any(kept.get(oid, name) is None for name in named)]
    for oid, data in history.iter_contents(unknown):
        if isinstance(data, Unreadable):
            continue
        likely = not is_binary(data) and searcher.find(data)
        for name in by_blob[oid]:
            code = strip_noise(name, data) if likely else b""
            found = sorted(searcher.find(code))
            owned = [one for one in found if one in asked.others and not only_borrows(code, one)]
            kept.add(oid, name, (found, owned, [one for one in found if one in asked.symbols and defines(code, one)]))
