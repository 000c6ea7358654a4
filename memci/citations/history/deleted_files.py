"""What became of the files and directories that are gone: the reader for `renamed_files`."""

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence

from memci.citations.code.repository_paths import Paths
from memci.citations.history.git_queries import History
from memci.citations.history.renamed_files import (
    MAX_MATCHES,
    Changes,
    Deletion,
    Fate,
    Removed,
    Renamed,
    Split,
    choose_candidates,
    follow,
    group_changes,
    judge_directory,
    list_package,
    match_parts,
)
from memci.errors import ServiceError
from memci.git import history as git_history

_EMPTY_BLOBS = frozenset(
    {
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)

# Of a file that is less alike than this, in percent, enough is left to be in other files.
_WHOLE = 90


class Removals:
    """The removals in the past of one repository; the log is read once for all questions."""

    def __init__(self, history: History) -> None:
        self.history = history
        self._deletions: Mapping[str, Deletion] | None = None
        self._changes: dict[str, Changes] = {}

    def find_fates(self, cited: Iterable[str]) -> dict[str, Fate]:
        """Say what became of removed files, and of directories, which end with a slash."""
        wanted = frozenset(cited)
        deletions = self._read_deletions(wanted)
        inside: dict[str, list[str]] = {text: [] for text in sorted(wanted) if text.endswith("/")}
        for path in deletions if inside else ():
            for end in (place for place, sign in enumerate(path, 1) if sign == "/"):
                if path[:end] in inside and len(inside[path[:end]]) < MAX_MATCHES:
                    inside[path[:end]].append(path)
        files = sorted(wanted & deletions.keys())
        below = sorted({path for paths in inside.values() for path in paths})
        ends = follow((*files, *below), deletions, self.history.present, self._read_changes)
        known: dict[str, Fate] = {**ends, **self._match_splits(files, ends, deletions)}
        fates = {path: known[path] for path in files if path in known}
        present = Paths(self.history.present).directories if inside else ()
        for directory, paths in inside.items():
            told = {path: known[path] for path in paths if path in known}
            if told and directory.rstrip("/") not in present:
                fates[directory] = judge_directory(directory, self._drop_empty(told, deletions), deletions)
        return fates

    def _read_deletions(self, enough: frozenset[str]) -> Mapping[str, Deletion]:
        """Read the newest removal of every path that is gone; stop early when all of `enough` are found."""
        if self._deletions is not None or not self.history.head:
            return self._deletions or {}
        history = self.history
        missing = set(enough)
        deletions: dict[str, Deletion] = {}
        try:
            floor = git_history.find_floor(history.repository, history.head, history.limits.commits)
            if floor:
                history.note()
            log = git_history.iter_deletions(history.repository, history.head, floor, history.limits.seconds)
            with contextlib.closing(log) as commits:
                for rank, (commit, when, subject, paths) in enumerate(commits):
                    deletion = Deletion(commit, when, subject, rank)
                    for path in paths:
                        if path not in history.present:
                            deletions.setdefault(path, deletion)
                    missing.difference_update(paths)
                    if enough and not missing:
                        return deletions
                    if len(deletions) > history.limits.deleted_paths:
                        history.note()
                        break
        except ServiceError as error:
            history.note(error)
        self._deletions = deletions
        return deletions

    def _read_changes(self, commits: Collection[str]) -> Mapping[str, Changes]:
        """Read what commits changed; where contents are missing, only renames without edits are seen."""
        room = self.history.limits.rename_commits - len(self._changes)
        unknown = sorted(set(commits) - self._changes.keys())
        if len(unknown) > room:
            self.history.note()
        unknown = unknown[: max(room, 0)]
        for exact in (False, True):
            asked = [commit for commit in unknown if commit not in self._changes]
            try:
                for commit, changes in git_history.iter_changes(
                    self.history.repository, asked, exact=exact, seconds=self.history.limits.seconds
                ):
                    self._changes[commit] = group_changes(changes)
                break
            except ServiceError as error:
                self.history.note(error)
        return self._changes

    def _match_splits(
        self, files: Collection[str], ends: Mapping[str, Fate], deletions: Mapping[str, Deletion]
    ) -> dict[str, Split]:
        """Find removed files whose content the same commit put into several new ones."""
        leads = {}
        for path in files:
            end = ends.get(path)
            changes = self._changes.get(end.commit) if end else None
            last = end.path if isinstance(end, Removed) else path
            if not end or not changes or not changes.added:
                continue
            if isinstance(end, Removed) and last in changes.deleted:
                leads[path] = (last, end.commit, changes.deleted[last].old_oid, choose_candidates(last, changes))
            elif isinstance(end, Renamed) and end.similarity < _WHOLE and last in changes.renamed:
                # Git follows the largest part of a file only.
                rename = changes.renamed[last]
                chosen = [rename, *choose_candidates(last, changes)]
                leads[path] = (last, end.commit, rename.old_oid, chosen)
        oids = {oid for _, _, old, chosen in leads.values() for oid in (old, *(one.new_oid for one in chosen))}
        texts = {
            oid: data.decode("utf-8", "replace")
            for oid, data in self.history.iter_contents(sorted(oids))
            if isinstance(data, bytes)
        }
        parts = {}
        for path, (last, _, old, chosen) in leads.items():
            contents = {one.new: texts[one.new_oid] for one in chosen if one.new_oid in texts}
            found = match_parts(texts.get(old, ""), contents)
            if isinstance(ends[path], Removed):
                parts[path] = found or list_package(last, chosen)
            elif len(found) > 1:
                parts[path] = found
        absent = {part for found in parts.values() for part in found if part not in self.history.present}
        later = follow(sorted(absent), deletions, self.history.present, self._read_changes)
        return {
            path: split for path, found in parts.items() if (split := self._name_split(leads[path][1], found, later))
        }

    def _name_split(self, commit: str, parts: Sequence[str], later: Mapping[str, Renamed | Removed]) -> Split | None:
        """Give the parts the names that they have now."""
        names: list[str] = []
        for part in parts:
            end = later.get(part)
            if part in self.history.present:
                names.append(part)
            elif isinstance(end, Renamed):
                names.append(end.target)
        return Split(tuple(dict.fromkeys(names)), commit) if names else None

    def _drop_empty(self, ends: Mapping[str, Fate], deletions: Mapping[str, Deletion]) -> Mapping[str, Fate]:
        """Leave out empty files: their content cannot be traced."""
        telling = {}
        for path, end in ends.items():
            changes = self._changes.get(deletions[path].commit)
            gone = changes.deleted.get(path) if changes else None
            if gone is None or gone.old_oid not in _EMPTY_BLOBS:
                telling[path] = end
        return telling or ends
