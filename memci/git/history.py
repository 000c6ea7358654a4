"""What git knows of the past, asked in bulk: however much is wanted, each function starts one process or two."""

import contextlib
import datetime as dt
import os
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from memci.errors import ServiceError
from memci.git.repository import Repository, TimeLimitError

# Git gives up comparing contents when more files than this were removed or added at once, as is its default.
_RENAME_LIMIT = 1_000
# Authors without any of so many commits have left.
_AUTHOR_COMMITS = 2_000
_PROGRAMS = ("bot", "claude", "copilot", "github", "action", "agent")


class BlamedLine(NamedTuple):
    """One line of a file and the commit that wrote it."""

    commit: str
    time: int
    text: str
    # Whether history ends at this commit, so that an older one may have written the line.
    boundary: bool


class CommitPaths(NamedTuple):
    """A commit with paths that it touched."""

    commit: str
    time: int
    subject: str
    paths: Sequence[str]


class PathChange(NamedTuple):
    """What happened to one file between two trees."""

    # One of A (added), D (deleted), M (modified), R (renamed), T (another type).
    status: str
    # How alike the two contents are, in percent; for renames only.
    similarity: int
    old: str
    new: str
    old_mode: str
    old_oid: str
    new_oid: str


class Tip(NamedTuple):
    """The last commit of a branch."""

    name: str
    commit: str
    tree: str


# The end of the year 8999: a commit may claim any time.
_LAST = 221_845_392_000 - 1


def moment_of(seconds: float) -> dt.datetime:
    """Return the time of a commit, within the calendar."""
    return dt.datetime.fromtimestamp(min(max(seconds, 0), _LAST), dt.UTC)


def is_partial(repository: Repository) -> bool:
    """Whether the clone leaves objects to be fetched later, which memci never does."""
    pattern = r"^(extensions\.partialclone|remote\..*\.promisor)$"
    return bool(repository.run("config", "--get-regexp", pattern, accepted=(0, 1)))


def read_shallow_ends(repository: Repository) -> set[str]:
    """Return the commits where the history of a shallow clone ends."""
    try:
        return set((repository.common / "shallow").read_text().split())
    except OSError as error:
        raise ServiceError("cannot read where the history of the shallow clone ends") from error


def blame(repository: Repository, commit: str, path: str, seconds: float, *, copies: bool) -> list[BlamedLine]:
    """Return who wrote each line; a line that was moved or re-indented keeps its origin.

    With `copies`, which takes several times as long, so does a line from another file that the same commit changed.
    """
    # Of a commit, not of the work tree: for that git would run the filters which the repository configures.
    options = ("--porcelain", "--root", "-w", "-M", "--no-textconv", *(("-C",) if copies else ()))
    lines: list[BlamedLine] = []
    times: dict[str, int] = {}
    ends = read_shallow_ends(repository) if repository.shallow else set()
    oid = ""
    for raw in repository.stream("blame", *options, commit, "--", path, seconds=seconds, end=b"\n"):
        if raw.startswith(b"\t"):
            lines.append(BlamedLine(oid, times[oid], _decode(raw[1:]), oid in ends))
            oid = ""
        elif not oid:
            oid = raw.partition(b" ")[0].decode()
        elif raw.startswith(b"committer-time "):
            times[oid] = int(raw.partition(b" ")[2])
    return lines


def iter_deletions(repository: Repository, head: str, floor: str, seconds: float) -> Generator[CommitPaths, None, None]:
    """Yield the commits that removed files, newest first, down to but without `floor`; reads no blob."""
    revisions = (head, f"^{floor}") if floor else (head,)
    yield from _log_paths(repository, "--diff-filter=D", *revisions, "--", seconds=seconds)


def find_floor(repository: Repository, head: str, commits: int) -> str:
    """Return the commit `commits` below the head, or "" if history is shorter."""
    counts = dict(line.split(": ") for line in repository.run("count-objects", "-v").decode().split("\n") if line)
    # Walking is the slow answer: there are never more commits than objects. Those of an alternate are not counted.
    if "alternate" not in counts and int(counts["count"]) + int(counts["in-pack"]) <= commits:
        return ""
    return repository.run("rev-list", f"--skip={commits}", "--max-count=1", head, "--").decode().strip()


def read_last_commits(
    repository: Repository, head: str, paths: Collection[str], seconds: float | None, below: Collection[str] = ()
) -> Mapping[str, CommitPaths]:
    """Return the newest commit that touched each path, all of them `below` these directories; reads no blob."""
    missing = set(paths)
    found: dict[str, CommitPaths] = {}
    for commit in _log_paths(repository, head, "--", *sorted(below or missing), seconds=seconds):
        found |= dict.fromkeys(missing.intersection(commit.paths), commit)
        missing -= found.keys()
        if not missing:
            break
    return found


def last_changes(repository: Repository, wanted: Iterable[PurePosixPath]) -> Mapping[PurePosixPath, int]:
    """Return for each path the time of the newest commit that touched it."""
    paths = {str(path) for path in wanted if not path.is_absolute()}
    if not paths or not repository.has_commits():
        return {}
    # A few directories are matched faster than thousands of topics.
    directories = {str(PurePosixPath(path).parent) for path in paths}
    found = read_last_commits(repository, "HEAD", paths, None, directories)
    return {PurePosixPath(path): commit.time for path, commit in found.items()}


def first_changes(
    repository: Repository, directories: Iterable[PurePosixPath], seconds: float
) -> Mapping[PurePosixPath, int]:
    """Return the time of the oldest commit that added each file below these directories, as far as time allows."""
    below = sorted(str(path) for path in directories)
    if not below or not repository.has_commits():
        return {}
    found: dict[PurePosixPath, int] = {}
    with contextlib.suppress(TimeLimitError):
        for commit in _log_paths(repository, "--diff-filter=A", "HEAD", "--", *below, seconds=seconds):
            # The newest commit comes first.
            found |= {PurePosixPath(path): commit.time for path in commit.paths}
    return found


def iter_changes(
    repository: Repository, commits: Iterable[str], *, exact: bool, seconds: float
) -> Iterator[tuple[str, list[PathChange]]]:
    """Yield what each commit added, deleted and renamed; `exact` renames need no blob."""
    # Two empty files are no evidence of a rename.
    renames = ("-M100%" if exact else "-M50%", f"-l{_RENAME_LIMIT}", "--no-rename-empty", "--diff-filter=ADR")
    stdin = "".join(f"{commit}\n" for commit in commits).encode()
    return _iter_differences(repository, stdin, ("--root", "--always", "--diff-merges=first-parent", *renames), seconds)


def list_commit_trees(repository: Repository, commits: Sequence[str]) -> Mapping[str, str]:
    """Return the tree of each commit, without those that git does not have."""
    stdin = "".join(f"{commit}^{{tree}}\n" for commit in commits).encode()
    out = repository.run("cat-file", "--batch-check=%(objectname)", stdin=stdin).decode()
    answers = out.removesuffix("\n").split("\n")
    return {commit: oid for commit, oid in zip(commits, answers, strict=False) if oid.isalnum()}


def iter_tree_changes(
    repository: Repository, pairs: Iterable[tuple[str, str]], seconds: float
) -> Iterator[list[PathChange]]:
    """Yield for each pair of trees how the first must change to become the second; equal directories cost nothing."""
    stdin = "".join(f"{one} {other}\n" for one, other in pairs).encode()
    return (changes for _, changes in _iter_differences(repository, stdin, ("--no-renames",), seconds))


def iter_parent_changes(
    repository: Repository, commits: Iterable[str], seconds: float
) -> Iterator[tuple[str, list[PathChange]]]:
    """Yield each commit, once for each of its parents, with what it changed there."""
    stdin = "".join(f"{commit}\n" for commit in commits).encode()
    return _iter_differences(repository, stdin, ("-m", "--no-renames"), seconds)


def _iter_differences(
    repository: Repository, stdin: bytes, options: Sequence[str], seconds: float
) -> Iterator[tuple[str, list[PathChange]]]:
    """Yield what was compared, by the line that names it, with the changes."""
    if not stdin:
        return
    name, changes = "", list[PathChange]()
    options = ("--stdin", "-r", "--raw", "--no-abbrev", "-z", *options)
    pieces = repository.stream("diff-tree", *options, stdin=stdin, seconds=seconds)
    for piece in pieces:
        entry = piece
        # The line that names what is compared ends with a line feed, even here.
        while entry and not entry.startswith(b":"):
            if name:
                yield name, changes
            line, _, entry = entry.partition(b"\n")
            name, changes = line.decode(), []
        if entry and name:
            changes.append(_parse_change(entry, pieces))
    # Reached only when git ended well: what it failed on is not complete.
    if name:
        yield name, changes


def list_tips(repository: Repository, count: int) -> list[Tip]:
    """Return the newest branches, local and remote, that are not part of HEAD."""
    shown = "--format=%(objectname) %(tree) %(refname)"
    options = ("--sort=-committerdate", f"--count={count}", "--no-merged=HEAD", shown)
    lines = _decode(repository.run("for-each-ref", *options, "refs/heads", "refs/remotes")).split("\n")
    rows = (line.split(" ", 2) for line in lines if line)
    return [
        Tip(name.removeprefix("refs/heads/").removeprefix("refs/remotes/"), commit, tree) for commit, tree, name in rows
    ]


def list_author_names(repository: Repository, commit: str = "HEAD") -> frozenset[str]:
    """Return the words of the names of those who wrote commits, in lower case; programs are left out."""
    return frozenset(word for name, _ in list_authors(repository, commit) for word in name.lower().split())


def list_authors(repository: Repository, commit: str = "HEAD") -> frozenset[tuple[str, str]]:
    """Return the names and addresses of those who wrote commits, without programs."""
    if not repository.has_commits():
        return frozenset()
    out = repository.run("log", f"-n{_AUTHOR_COMMITS}", "--format=%aN%x00%aE", commit, "--").decode("utf-8", "replace")
    pairs = {line.partition("\0")[::2] for line in out.splitlines()}
    return frozenset(pair for pair in pairs if not any(mark in pair[0].lower() for mark in _PROGRAMS))


def read_user_name(repository: Repository) -> str:
    """Return the name that git writes into commits here, or nothing if none is set."""
    out = repository.run("config", "--get", "user.name", accepted=(0, 1))
    return out.decode("utf-8", "replace").strip()


def find_objects(repository: Repository, ids: Iterable[str]) -> frozenset[str]:
    """Return those abbreviated ids that name an object here, or several."""
    # A complete id that is absent would make git look for it at a remote; nearly complete, it is looked up only here.
    wanted = sorted({given for given in ids if _is_hex(given)})
    stdin = "".join(f"{given.lower()[:39]}\n" for given in wanted).encode()
    out = repository.run("cat-file", "--batch-check=%(objectname)", stdin=stdin) if wanted else b""
    lines = out.decode().split("\n")
    return frozenset(given for given, line in zip(wanted, lines, strict=False) if not line.endswith(" missing"))


def find_local(repository: Repository, oids: Collection[str]) -> frozenset[str]:
    """Return those objects that are really here, without git looking for the others at a remote."""
    wanted = frozenset(oids)
    options = ("--batch-all-objects", "--unordered", "--buffer", "--batch-check=%(objectname)")
    return wanted.intersection(line.decode() for line in repository.stream("cat-file", *options, end=b"\n"))


def list_ignored(repository: Repository, paths: Iterable[str]) -> frozenset[str]:
    """Return those paths that git would ignore; a directory is asked for with a slash at its end."""
    modules = {str(path) for path in repository.list_submodules()}
    askable = sorted({path for path in paths if _is_inside(path) and not _is_beyond(repository, path, modules)})
    if not askable:
        return frozenset()
    # Git refuses literal paths here; behind `./` nothing in a path has a meaning.
    stdin = b"".join(b"./" + os.fsencode(path) + b"\0" for path in askable)
    options = ("-z", "--stdin", "--no-index")
    out = repository.run("--no-literal-pathspecs", "check-ignore", *options, stdin=stdin, accepted=(0, 1))
    return frozenset(os.fsdecode(path[2:]) for path in out.split(b"\0") if path)


def _is_inside(path: str) -> bool:
    parts = path.removesuffix("/").split("/")
    return "\0" not in path and not {"", ".", "..", ".git"}.intersection(parts)


def _is_beyond(repository: Repository, path: str, modules: Collection[str]) -> bool:
    """Whether a submodule or a symbolic link is on the way, which makes git give up on all paths."""
    # Of `a/b/` the directory itself counts, too.
    parents = PurePosixPath(f"{path}x" if path.endswith("/") else path).parents[:-1]
    return any(str(parent) in modules or (repository.root / parent).is_symlink() for parent in parents)


def _is_hex(text: str) -> bool:
    return 4 <= len(text) <= 64 and not text.lower().strip("0123456789abcdef")


def _log_paths(repository: Repository, *arguments: str, seconds: float | None) -> Iterator[CommitPaths]:
    """Yield commits with the paths that they touched, each of which follows its status."""
    # With -c a merge names what it removed although all its parents had it; no path begins with a slash.
    options = ("-c", "--no-renames", "--name-status", "-z", "--encoding=UTF-8", "--format=%x00/%H %ct %s")
    pieces = repository.stream("log", *options, *arguments, seconds=seconds)
    current: CommitPaths | None = None
    paths: list[str] = []
    for piece in pieces:
        if piece.startswith(b"/"):
            if current is not None and paths:
                yield current
            commit, time, subject = _decode(piece[1:]).split(" ", 2)
            paths = []
            current = CommitPaths(commit, int(time), subject, paths)
        elif piece:
            paths.append(_decode(next(pieces, b"")))
    if current is not None and paths:
        yield current


def _parse_change(entry: bytes, rest: Iterator[bytes]) -> PathChange:
    """Read `:mode mode oid oid status` and the one or two paths behind it."""
    old_mode, _, old_oid, new_oid, status = entry[1:].decode().split(" ")
    old = _decode(next(rest, b""))
    new = _decode(next(rest, b"")) if status[0] in "RC" else old
    return PathChange(status[0], int(status[1:] or 0), old, new, old_mode, old_oid, new_oid)


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")
