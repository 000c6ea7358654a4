"""Which files have lines that may be copies from another file, so that only git's slow search finds their origin."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from memci.git import history as git_history
from memci.git.repository import Repository
from memci.model.memory import Unreadable

# Reading more contents takes longer than the search that it spares.
_MAX_BLOBS = 5_000
_SUBMODULE = "160000"


def find_copied(
    repository: Repository,
    read: Callable[[Collection[str]], Iterator[tuple[str, bytes | Unreadable]]],
    blamed: Mapping[str, Sequence[git_history.BlamedLine]],
    seconds: float,
) -> set[str]:
    """Return the files of which a line is in another file that the commit which added the line changed, too.

    Git looks for the origin of copied lines in just these files, as they were before the commit. `read` reads contents.
    """
    sources = _list_sources(repository, {line.commit for lines in blamed.values() for line in lines}, seconds)
    by_blob: dict[str, set[tuple[str, bytes]]] = {}
    for path, line in ((path, line) for path, lines in blamed.items() for line in lines):
        key = (path, _without_blanks(line.text.encode("utf-8", "surrogateescape")))
        for oid in {oid for source, oid in sources.get(line.commit, ()) if source != path}:
            by_blob.setdefault(oid, set()).add(key)
    if len(by_blob) > _MAX_BLOBS:
        return set(blamed)
    copied: set[str] = set()
    for oid, data in read(by_blob):
        lines = None if isinstance(data, Unreadable) else set(_without_blanks(data).split(b"\n"))
        copied.update(path for path, text in by_blob[oid] if lines is None or text in lines)
    return copied


def _list_sources(repository: Repository, commits: Iterable[str], seconds: float) -> dict[str, set[tuple[str, str]]]:
    """Return the files that each commit changed or removed, with what they were before."""
    sources: dict[str, set[tuple[str, str]]] = {}
    for commit, changes in git_history.iter_parent_changes(repository, sorted(commits), seconds):
        sources.setdefault(commit, set()).update(
            (change.old, change.old_oid) for change in changes if change.status != "A" and change.old_mode != _SUBMODULE
        )
    return sources


def _without_blanks(text: bytes) -> bytes:
    return text.translate(None, b" \t\r\v\f")
