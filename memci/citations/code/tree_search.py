"""One pass over the work tree for all names: a name is looked for until it was found often enough."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from memci.citations.code.code_files import is_binary
from memci.citations.code.comments import strip_noise
from memci.citations.code.name_search import Searcher
from memci.citations.code.read_files import MAX_BYTES, iter_worktree
from memci.model.memory import Unreadable


def search_tree(root: Path, paths: Iterable[str], wanted: Mapping[str, int]) -> dict[str, list[str]]:
    """Return the first files whose code has each name, as many as are wanted."""
    left = dict(wanted)
    found: dict[str, list[str]] = {}
    searcher, useless = Searcher(left), 0
    for path, data in iter_worktree(root, paths, MAX_BYTES) if left else ():
        if isinstance(data, Unreadable) or is_binary(data):
            continue
        # By then the hits of names that are no longer looked for have cost as much as a new automaton.
        if useless > len(left):
            searcher, useless = Searcher(left), 0
        hits = searcher.find(data)
        likely = hits & left.keys()
        useless += len(hits) - len(likely)
        # Few files contain any of the names; only those are stripped.
        for name in sorted(likely & searcher.find(strip_noise(path, data))) if likely else ():
            found.setdefault(name, []).append(path)
            left[name] -= 1
            if not left[name]:
                del left[name]
        if not left:
            break
    return found
