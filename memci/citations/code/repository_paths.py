"""The repository at one moment, as far as claims need it: its paths, and what a citation of one can mean."""

import functools
import itertools
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from memci.model.citation import Claim, ClaimKind

PATH_KINDS = frozenset({ClaimKind.PATH, ClaimKind.DIRECTORY, ClaimKind.GLOB, ClaimKind.LINES})
# A pattern is compared with every path; longer ones are not written by people.
_MAX_GLOB = 200
# Each star multiplies the work on a path; people write at most three.
_MAX_STARS = 4


class Paths:
    """All paths of one moment."""

    def __init__(self, files: frozenset[str]) -> None:
        self.files = files

    @functools.cached_property
    def directories(self) -> frozenset[str]:
        """Every directory, without a slash at the end."""
        found: set[str] = set()
        for path in self.files:
            parent = posixpath.dirname(path)
            while parent and parent not in found:
                found.add(parent)
                parent = posixpath.dirname(parent)
        return frozenset(found)

    @functools.cached_property
    def _files_by_name(self) -> dict[str, list[str]]:
        return _group_by_name(self.files)

    @functools.cached_property
    def _directories_by_name(self) -> dict[str, list[str]]:
        return _group_by_name(self.directories)

    def find_file(self, cited: str, bases: Sequence[str] = ()) -> str:
        """Return the file that a citation means: exact, below a base, or by the end of its path; "" if there is none.

        Of several files with that end the first is as good as any: one of them is meant.
        """
        return next(self._iter_files(cited, bases), "")

    def find_directory(self, cited: str, bases: Sequence[str] = ()) -> str:
        """Return the directory that a citation means, likewise."""
        return next(self._iter_directories(cited, bases), "")

    def find_folded(self, cited: str) -> str:
        """Return the file or directory that a citation names in full but for its case; "" if there is none.

        Many people write memory on a disk that does not tell the case of names.
        """
        return self._by_folded_path.get(posixpath.normpath(cited).lower(), "")

    @functools.cached_property
    def _by_folded_path(self) -> dict[str, str]:
        return {path.lower(): path for path in sorted((*self.directories, *self.files))}

    def means_several(self, cited: str, bases: Sequence[str] = ()) -> bool:
        """Whether a citation, of a directory if it ends with a slash, fits more than one path."""
        found = self._iter_directories(cited, bases) if cited.endswith("/") else self._iter_files(cited, bases)
        return len(list(itertools.islice(found, 2))) > 1

    def matches(self, pattern: str) -> bool:
        """Whether a glob matches any path, from the root or from any directory."""
        plain = re.sub(r"(?:\*\*/)+", "**/", pattern.removeprefix("./").rstrip("/"))
        if len(plain) > _MAX_GLOB or len(re.findall(r"\*+", plain)) > _MAX_STARS:
            return False
        compiled = _compile_glob(plain)
        return any(compiled.search(f"/{path}") for path in self.files)

    def _iter_files(self, cited: str, bases: Sequence[str]) -> Iterator[str]:
        return _iter_meant(cited, bases, self.files, self._files_by_name)

    def _iter_directories(self, cited: str, bases: Sequence[str]) -> Iterator[str]:
        return _iter_meant(cited.rstrip("/"), bases, self.directories, self._directories_by_name)


def _iter_meant(
    cited: str, bases: Sequence[str], known: frozenset[str], by_name: dict[str, list[str]]
) -> Iterator[str]:
    """Yield the one path that a citation names in full, or else every path that ends with it."""
    # Bundlers call the directory of the sources `@`; which one that is, the rest of the path shows.
    name = posixpath.normpath(cited.removeprefix("@/"))
    for base in ("", *bases):
        joined = posixpath.normpath(posixpath.join(base, name))
        if joined in known:
            yield joined
            return
    end = f"/{name.lstrip('/')}"
    yield from (path for path in by_name.get(posixpath.basename(name), ()) if f"/{path}".endswith(end))


def _group_by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for path in sorted(paths):
        groups.setdefault(posixpath.basename(path), []).append(path)
    return groups


@functools.lru_cache(maxsize=256)
def _compile_glob(pattern: str) -> re.Pattern[str]:
    """Translate a glob: `**` crosses directories, `*` and `?` do not, `{a,b}` is a choice."""
    choices = re.sub(r"\{([^{}]*)\}", lambda found: f"\0({'|'.join(map(_translate, found[1].split(',')))})\0", pattern)
    parts = choices.split("\0")
    translated = "".join(part if place % 2 else _translate(part) for place, part in enumerate(parts))
    return re.compile(rf"/{translated}(?:/|$)")


def _translate(piece: str) -> str:
    done = []
    for part in re.split(r"(\*\*/?|\*|\?)", piece):
        match part:
            case "**/":
                done.append(r"(?:[^/]+/)*")
            case "**":
                done.append(r".*")
            case "*":
                done.append(r"[^/]*")
            case "?":
                done.append(r"[^/]")
            case _:
                done.append(re.escape(part))
    return "".join(done)


def cited_bases(claim: Claim) -> tuple[str, ...]:
    """Return the directories that a cited path may be relative to, besides the root."""
    return (str(claim.path.parent), *([claim.context] if claim.context else []))


def is_of_tree(claim: Claim, held: str, *moments: Paths) -> bool:
    """Whether a path is below what is drawn as the root of its tree, if that is a directory or a placeholder."""
    if not held or not claim.context.endswith("/"):
        return True
    root, directories = claim.context.rstrip("/"), frozenset[str]().union(*(one.directories for one in moments))
    # A directory of the same name in another package is something else.
    above = [str(claim.path.parent), *map(str, claim.path.parent.parents)]
    own = next((path for base in above if (path := posixpath.normpath(posixpath.join(base, root))) in directories), "")
    if own:
        return held.startswith(f"{own}/")
    known = any(f"/{path}".endswith(f"/{root}") for path in directories) or re.search(r"[\[<{]", root) is not None
    return not known or f"/{root}/" in f"/{held}"


def is_memory(path: str, memory: Collection[str]) -> bool:
    """Whether a path lies in one of the memory directories, which prove nothing."""
    return any(path.startswith(f"{directory}/") for directory in memory)
