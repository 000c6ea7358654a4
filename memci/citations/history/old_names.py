"""Which old files had a name in their code, which commit took it out of a file, and which name it put there instead."""

import functools
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from memci.citations.code.assigned_values import AssignedValue, read_value
from memci.citations.code.code_files import is_binary, is_evidence
from memci.citations.code.comments import strip_noise
from memci.citations.code.name_search import Searcher
from memci.citations.code.names_in_code import declares, defines, only_borrows
from memci.citations.code.repository_paths import is_memory
from memci.citations.history.git_queries import History
from memci.citations.history.tree_diffs import TreePlace
from memci.citations.kept_history import DEFINED, OWNED, UNREAD, USED, KeptHistory
from memci.errors import ServiceError
from memci.git.repository import Repository
from memci.model.citation import Claim, ClaimKind, Commit
from memci.model.memory import Unreadable

# This many paths always fit on a command line.
_MAX_PATHS = 200
# A line of code; longer ones are data.
_MAX_LINE = 400
# Words around a name that stay, in all lines together.
_MIN_OTHERS = 3
# More classes than this have a method that a framework calls, such as `componentDidMount`, each for itself.
_MAX_DEFINERS = 3
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
        "log", "--format=%x00%H%x09%ct%x09%s", "-M", "--no-ext-diff", "--no-textconv", "-p", "-U0", "HEAD",
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

    def is_own(self, claim: Claim, commit: str, name: str) -> bool:
        """Whether the code of a commit had a name of its own: a symbol must have been defined there.

        A parameter, a key or what is only called may as well be a word of a library, and what every class makes anew
        is the interface of one. A migration is named for the step that it was, and many are made into one later.
        """
        if claim.kind is not ClaimKind.SYMBOL:
            return (commit, name) in self.owned
        paths = self.files.get(commit, {}).get(name, ())
        definers = [path for path in paths if (commit, name, path) in self.defined and not _is_migration(path)]
        return bool(definers) and (len(definers) <= _MAX_DEFINERS or (commit, name) in self.owned)

    def list_definers(self, claim: Claim, commit: str, name: str) -> list[str]:
        """Return the files that are named with a symbol and had it at a commit; none if none of them defined it."""
        before = self.files.get(commit, {}).get(name, ())
        named = [path for path in before if f"/{path}".endswith(f"/{claim.context}")]
        return named if any((commit, name, path) in self.defined for path in named) else []

    def list_holders(self, names: Iterable[str]) -> dict[str, set[str]]:
        """Return the files that had each of the names at any commit."""
        holders: dict[str, set[str]] = {name: set() for name in names}
        for name, paths in (item for found in self.files.values() for item in found.items()):
            if name in holders:
                holders[name].update(paths)
        return holders


def _is_migration(path: str) -> bool:
    return not {"migrations", "migrate"}.isdisjoint(path.lower().split("/")[:-1])


class Asked(NamedTuple):
    """The names that claims are about, each with the commit that wrote of it."""

    symbols: AbstractSet[tuple[str, str]]
    # Options and variables of the environment, which nothing defines.
    others: AbstractSet[tuple[str, str]]


class OldNames:
    """Looks for names in contents that are in no file any more; each content is read closely for few of them."""

    def __init__(
        self, history: History, lost: Iterable[TreePlace], asked: Asked, memory: Collection[str], kept: KeptHistory
    ) -> None:
        self._history, self._asked, self._kept = history, asked, kept
        self._symbols, self._others = ({name for _, name in pairs} for pairs in asked)
        self._searcher = Searcher(self._symbols | self._others)
        # How a content is read depends on the name of its file, too.
        self._places: dict[tuple[str, str], list[TreePlace]] = {}
        proves = functools.cache(lambda path: is_evidence(path) and not is_memory(path, memory))
        for place in lost if self._symbols or self._others else ():
            if proves(place.path):
                self._places.setdefault((place.oid, place.path.rpartition("/")[2]), []).append(place)
        kept.select((self._symbols, self._others))

    def read_written(self) -> Held:
        """Return which contents had the names at the commits that wrote of them."""
        asked: dict[str, set[str]] = {}
        for commit, name in (*self._asked.symbols, *self._asked.others):
            asked.setdefault(commit, set()).add(name)
        nothing: set[str] = set()
        self._read(
            {key: nothing.union(*(asked.get(one.commit, nothing) for one in at)) for key, at in self._places.items()}
        )
        return self._collect()

    def read_all(self, names: AbstractSet[str]) -> Held:
        """Return which contents had these names at any commit."""
        self._read(dict.fromkeys(self._places, names))
        return self._collect()

    def _collect(self) -> Held:
        held = Held({}, set(), set())
        for (oid, name), places in self._places.items():
            uses = self._kept.get(oid, name) or {}
            used = [(one, use) for one, use in uses.items() if use & USED]
            for place, (one, use) in itertools.product(places, used):
                held.files.setdefault(place.commit, {}).setdefault(one, []).append(place.path)
                if use & OWNED:
                    held.owned.add((place.commit, one))
                if use & DEFINED:
                    held.defined.add((place.commit, one, place.path))
        return held

    def _read(self, wanted: Mapping[tuple[str, str], AbstractSet[str]]) -> None:
        """Read the contents of which it is not known how they use the wanted names that they have."""
        unknown: dict[str, list[str]] = {}
        for (oid, name), names in wanted.items():
            uses = self._kept.get(oid, name)
            if uses is None or any(uses.get(one) == UNREAD for one in names):
                unknown.setdefault(oid, []).append(name)
        for oid, data in self._history.iter_contents(unknown):
            if isinstance(data, Unreadable):
                continue
            inside = set[str]() if is_binary(data) else self._searcher.find(data)
            for name in unknown[oid]:
                uses = self._kept.get(oid, name) or dict.fromkeys(sorted(inside), UNREAD)
                self._kept.add(oid, name, {**uses, **self._classify(name, data, inside & wanted[oid, name])})

    def _classify(self, name: str, data: bytes, wanted: AbstractSet[str]) -> dict[str, int]:
        """Return how the code of a content uses names that are somewhere in it."""
        code = strip_noise(name, data) if wanted else b""
        found = self._searcher.find(code)
        return {one: self._classify_use(code, one) if one in found else 0 for one in sorted(wanted)}

    def _classify_use(self, code: bytes, name: str) -> int:
        owned = name in self._others and not only_borrows(code, name)
        defined = name in self._symbols and defines(code, name)
        return USED + OWNED * (owned or (defined and declares(code, name))) + DEFINED * defined
