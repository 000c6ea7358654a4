"""What one commit says: where it has a text, who changed a path before it, and which lines it changed.

The answers depend on the commit alone: whatever a configuration can change about the output is set here.
"""

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from memci.git.repository import Repository

_RENAMES = ("-M50%", "-l1000", "--no-rename-empty")
_PLAIN_DIFF = (
    "--diff-merges=first-parent",
    "--patch",
    "--unified=0",
    "--inter-hunk-context=0",
    "--diff-algorithm=histogram",
    "--indent-heuristic",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--no-relative",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
)
_HUNK = re.compile(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


class LoggedCommit(NamedTuple):
    """A commit with its time, its author and its subject."""

    commit: str
    time: int
    author: str
    subject: str


class FoundLine(NamedTuple):
    """A line of a file of a commit; `line` counts from 1."""

    path: str
    line: int
    text: str


class PatchLine(NamedTuple):
    """A line of a patch, which begins with `-` or `+`; "" where the changes of a file begin."""

    # One of A (added), D (deleted), M (modified), R (renamed).
    status: str
    old: str
    new: str
    text: str = ""
    # Lines that were changed together have the same number; 0 where the changes of a file begin.
    hunk: int = 0

    @property
    def file(self) -> "PatchLine":
        """The beginning of the changes of its file."""
        return self._replace(text="", hunk=0)


def grep_commit(
    repository: Repository, commit: str, text: str, seconds: float, *, ignore_case: bool = False, whole: bool = True
) -> Iterator[FoundLine]:
    """Yield the lines of the text files of a commit that have a text, by default as a whole word, by path."""
    case = "--ignore-case" if ignore_case else "--no-ignore-case"
    words = ("-w",) if whole else ()
    options = ("-F", "-I", "-n", "-z", "--full-name", "--no-color", "--no-column", "--no-recurse-submodules")
    arguments = (*options, case, *words, "--no-textconv", "--no-heading", "--no-break", "-e", text, commit, "--")
    # No match is exit 1.
    for line in repository.stream("grep", *arguments, seconds=seconds, end=b"\n", accepted=(0, 1)):
        path, _, rest = line.partition(b"\0")
        number, _, found = rest.partition(b"\0")
        # A line feed in a path leaves pieces that are no rows.
        if path.startswith(f"{commit}:".encode()) and number.isdigit():
            yield FoundLine(_decode(path[len(commit) + 1 :]), int(number), found.decode("utf-8", "replace"))


def read_log(
    repository: Repository, commit: str, path: str, count: int, seconds: float, *, follow: bool = False
) -> list[LoggedCommit]:
    """Return the newest commits that touched a path, or "" for all, at and before a commit."""
    options = (f"-n{count}", "--encoding=UTF-8", "--format=%H%x00%ct%x00%an%x00%s%x00", "--no-patch", *_RENAMES)
    paths = (path,) if path else ()
    following = ("--follow",) if follow and path else ("--no-follow",)
    pieces = repository.stream("log", *options, *following, commit, "--", *paths, seconds=seconds)
    fields = (piece.decode("utf-8", "replace") for piece in pieces)
    rows = zip(*[fields] * 4, strict=False)
    return [LoggedCommit(oid.strip(), int(time), author, subject) for oid, time, author, subject in rows]


def match_ancestors(
    repository: Repository, commit: str, prefixes: Collection[str], seconds: float
) -> dict[str, list[str]]:
    """Return for each beginning of an id the commits that it fits, the commit itself and its ancestors only."""
    found: dict[str, list[str]] = {prefix: [] for prefix in prefixes}
    wanted = tuple(found)
    for line in repository.stream("rev-list", commit, "--", seconds=seconds, end=b"\n"):
        oid = line.decode()
        if oid.startswith(wanted):
            for prefix in wanted:
                if oid.startswith(prefix):
                    found[prefix].append(oid)
    return found


def iter_patch(repository: Repository, commit: str, seconds: float) -> Iterator[PatchLine]:
    """Yield what a commit changed against its first parent; of binary files and submodules no lines."""
    arguments = ("--no-walk=unsorted", "--format=", *_PLAIN_DIFF, *_RENAMES, commit, "--")
    return _parse_patch(repository.stream("log", *arguments, seconds=seconds, end=b"\n"))


def _parse_patch(lines: Iterator[bytes]) -> Iterator[PatchLine]:
    head: list[bytes] = []
    file: PatchLine | None = None
    # Lines of the hunk that are still to come: "--- a" may be a removed line.
    left = number = 0
    for line in lines:
        if left > 0 and line[:1] in (b"+", b"-"):
            left -= 1
            if file:
                yield file._replace(text=line.decode("utf-8", "replace"), hunk=number)
        elif line.startswith(b"diff --git "):
            if head and (file := _parse_head(head)):
                yield file
            head = [line]
        elif hunk := _HUNK.match(line):
            left = sum(int(size or 1) for size in hunk.groups())
            number += 1
            if head and (file := _parse_head(head)):
                yield file
            head = []
        elif head:
            head.append(line)
    if head and (file := _parse_head(head)):
        yield file


def _parse_head(head: list[bytes]) -> PatchLine | None:
    """Read the paths of a file; None where git had to quote them."""
    both = head[0].removeprefix(b"diff --git ")
    half = len(both) // 2
    old, new, status = both[2:half], both[half + 3 :], "M"
    for line in head[1:]:
        if line.startswith(b"rename from "):
            old, status = line[12:], "R"
        elif line.startswith(b"rename to "):
            new = line[10:]
        elif line.startswith(b"new file mode "):
            status = "A"
        elif line.startswith(b"deleted file mode "):
            status = "D"
    quoted = old.startswith(b'"') or new.startswith(b'"') or (both.startswith(b'"') and status != "R")
    return None if quoted or (old != new and status != "R") else PatchLine(status, _decode(old), _decode(new))


def _decode(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
