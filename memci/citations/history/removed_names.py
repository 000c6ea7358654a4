"""Which commit took a name out of a file: one bounded log of those files for all names together."""

from collections.abc import Collection, Iterable, Mapping

from memci.citations.code.name_search import Searcher
from memci.errors import ServiceError
from memci.git.repository import Repository
from memci.model.citation import Commit

# This many paths always fit on a command line.
_MAX_PATHS = 200


def find_breaks(repository: Repository, held: Mapping[str, Collection[str]], seconds: float) -> dict[str, Commit]:
    """Return for each name the newest commit that removed a line with it from one of the files that had it."""
    paths = sorted({path for paths in held.values() for path in paths})[:_MAX_PATHS]
    if not paths:
        return {}
    searcher = Searcher(held)
    found: dict[str, Commit] = {}
    arguments = (
        "log", "--format=%x00%H%x09%ct%x09%s", "--no-renames", "--no-ext-diff", "--no-textconv", "-p", "-U0", "HEAD",
        "--", *paths,
    )  # fmt: skip
    try:
        for piece in repository.stream(*arguments, seconds=seconds):
            head, _, patch = piece.partition(b"\n")
            fields = head.split(b"\t", 2)
            if len(fields) != 3:
                continue
            removed = b"\n".join(line[1:] for line in patch.split(b"\n") if line[:1] == b"-" and line[:3] != b"---")
            for name in searcher.find(removed):
                subject = fields[2].decode("utf-8", "replace")
                found.setdefault(name, Commit(fields[0].decode(), int(fields[1]), subject))
            if len(found) == len(held):
                break
    except ServiceError:
        # The verdict does not depend on it; only the commit is not named.
        return found
    return found


def describe_commits(repository: Repository, ids: Iterable[str]) -> dict[str, Commit]:
    """Return time and subject of commits; one process."""
    stdin = "".join(f"{commit}\n" for commit in sorted(ids)).encode()
    if not stdin:
        return {}
    out = repository.run("log", "--no-walk=unsorted", "--format=%H%x09%ct%x09%s", "--stdin", stdin=stdin)
    rows = (row.split("\t", 2) for row in out.decode("utf-8", "replace").split("\n") if row)
    return {commit: Commit(commit, int(when), subject) for commit, when, subject in rows}
