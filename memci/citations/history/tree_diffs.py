"""Which files a commit had, kept as what differs from today, because nearly nothing does."""

import functools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memci.git.history import PathChange
from memci.git.repository import TreeEntry

_FILES = ("100644", "100755")


class TreePlace(NamedTuple):
    """A file in a commit."""

    commit: str
    path: str
    oid: str


class Difference(NamedTuple):
    """How a commit differs from HEAD."""

    # There then and not now; there at both times with other content; there now and not then.
    vanished: Mapping[str, TreeEntry]
    changed: Mapping[str, TreeEntry]
    added: frozenset[str]


# Without slots, because it remembers what it derived.
@dataclass(frozen=True)
class Trees:
    """The files of HEAD and of earlier commits."""

    head: Mapping[str, TreeEntry]
    differences: Mapping[str, Difference]
    # The commit looked at in place of each requested one; itself, unless there were too many.
    stand_ins: Mapping[str, str]

    def knows(self, commit: str) -> bool:
        """Whether anything is known of a commit."""
        return self.stand_ins.get(commit) in self.differences

    def place(self, commit: str, path: str) -> TreePlace | None:
        """Return where the content of a file in a commit is, or None if the commit had no such file."""
        then = self._difference(commit)
        entry = then.vanished.get(path) or then.changed.get(path) or self.head.get(path)
        if entry is None or path in then.added or entry.mode not in _FILES:
            return None
        return TreePlace(commit, path, entry.oid)

    def vanished(self, commit: str) -> Collection[str]:
        """Return the files that a commit had and HEAD has not: all that a dead citation can have meant."""
        return self._difference(commit).vanished.keys()

    def lost_places(self, commit: str) -> Iterator[TreePlace]:
        """Yield the contents that a commit had and HEAD has not: what is in no file today was in one of these."""
        then = self._difference(commit)
        for entry in (*then.vanished.values(), *then.changed.values()):
            if entry.mode in _FILES and entry.oid not in self._contents:
                yield TreePlace(commit, entry.path, entry.oid)

    @functools.cached_property
    def _contents(self) -> frozenset[str]:
        return frozenset(entry.oid for entry in self.head.values())

    def _difference(self, commit: str) -> Difference:
        return self.differences[self.stand_ins[commit]]


def choose_stand_ins(times: Mapping[str, int], limit: int) -> dict[str, str]:
    """Represent all commits by at most `limit`: the newest by themselves, the others by the next older one kept.

    Three quarters of the places are for the newest commits, because most lines are young; the others are spread
    evenly over the rest, so that every commit has one that is as old or a little older to stand for it.
    """
    ordered = sorted(times, key=lambda commit: (times[commit], commit))
    if len(ordered) <= limit:
        return {commit: commit for commit in ordered}
    newest = limit - max(limit // 4, 1)
    older = ordered[: len(ordered) - newest]
    spread = limit - newest
    kept = {older[index * len(older) // spread] for index in range(spread)} | set(ordered[len(older) :])
    chosen: dict[str, str] = {}
    current = ordered[0]
    for commit in ordered:
        current = commit if commit in kept else current
        chosen[commit] = current
    return chosen


def chain_differences(head: Mapping[str, TreeEntry], steps: Mapping[str, list[PathChange]]) -> dict[str, Difference]:
    """Add up, from HEAD back, how each commit must change to become the one before it in `steps`."""
    # What the commit had at each path that is not as in HEAD; None for nothing.
    then: dict[str, TreeEntry | None] = {}
    found: dict[str, Difference] = {}
    for commit, changes in steps.items():
        for change in changes:
            entry = None if change.status == "A" else TreeEntry(change.old, change.old_mode, change.old_oid)
            if entry == head.get(change.old):
                then.pop(change.old, None)
            else:
                then[change.old] = entry
        found[commit] = Difference(
            {path: entry for path, entry in then.items() if entry and path not in head},
            {path: entry for path, entry in then.items() if entry and path in head},
            frozenset(path for path, entry in then.items() if not entry),
        )
    return found
