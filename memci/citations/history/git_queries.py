"""Everything that drift asks of git: batched, bounded, and honest about what it could not learn."""

import functools
import itertools
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from memci.citations.history import tree_diffs
from memci.citations.history.copied_lines import find_copied
from memci.citations.history.renamed_files import match_citations
from memci.citations.kept_history import KeptHistory
from memci.errors import ServiceError
from memci.git import history
from memci.git.repository import Repository, TimeLimitError, TreeEntry
from memci.model.memory import Unreadable


class HistoryLimits(NamedTuple):
    """Limits on what git is asked; `Completeness` reports what they cut off."""

    # More than all but a few public repositories have; reading more takes minutes.
    commits: int = 200_000
    # For each question. Reading the removals of 100,000 commits takes about 20.
    seconds: float = 60.0
    blamed_files: int = 200
    trees: int = 64
    tips: int = 20
    # Commits compared file by file to see renames.
    rename_commits: int = 500
    # A larger file is hardly written by hand.
    blob_bytes: int = 1_000_000
    # Each path takes about 200 bytes of memory.
    deleted_paths: int = 1_000_000


class LineOrigin(NamedTuple):
    """The commit that wrote a line; not `exact` if an older one may have, as where a shallow history ends."""

    commit: str
    time: int
    exact: bool = True


class Completeness(NamedTuple):
    """What could not be known of the past."""

    commits: bool = True
    shallow: bool = False
    # Objects that are not here; a partial clone lacks them by design.
    missing: bool = False
    truncated: bool = False
    # Commits that were represented by an older one.
    grouped: int = 0

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return the gaps as sentences for the user, with what to do about them."""
        told = {
            "nothing is committed yet, so nothing can be compared with the past": not self.commits,
            "the clone is shallow, so what was moved or removed cannot be told from what never existed: "
            "check out the whole history (actions/checkout: fetch-depth: 0)": self.shallow,
            "the clone lacks file contents of the past (partial clone), so files that were renamed and edited at once "
            "count as removed: clone without --filter": self.missing,
            "the history is longer than was allowed to be read, so older removals are unknown": self.truncated,
            f"{self.grouped} commits wrote memory; for the oldest a nearby older commit was looked at": bool(
                self.grouped
            ),
        }
        return tuple(sentence for sentence, said in told.items() if said)


class Blob(NamedTuple):
    """A content and every place asked for that has it; or why it was not read."""

    places: Sequence[tree_diffs.TreePlace]
    data: bytes | Unreadable


class History:
    """The past of one repository; asks git at most once for the same thing."""

    def __init__(self, repository: Repository, limits: HistoryLimits | None = None) -> None:
        self.repository = repository
        self.limits = limits or HistoryLimits()
        self.head = repository.read_ref("HEAD")
        self._missing = self._truncated = False
        self._grouped = 0

    @property
    def completeness(self) -> Completeness:
        """What could not be known so far."""
        return Completeness(
            bool(self.head), self.repository.shallow, self._missing, self._truncated, grouped=self._grouped
        )

    @functools.cached_property
    def present(self) -> frozenset[str]:
        """The files of HEAD."""
        return frozenset(self.entries)

    @functools.cached_property
    def entries(self) -> Mapping[str, TreeEntry]:
        """The files of HEAD with their modes and contents."""
        return {entry.path: entry for entry in self.repository.list_tree(self.head)} if self.head else {}

    def find_written(
        self, wanted: Mapping[str, Mapping[int, str]], kept: KeptHistory | None = None
    ) -> dict[tuple[str, int], LineOrigin | None]:
        """Return which commit wrote each line (file → number → text); None if uncommitted, absent if unknown."""
        known = {path: kept.get_origins(self.head, path, lines) for path, lines in wanted.items()} if kept else {}
        tracked = [path for path in sorted(wanted) if path in self.present and known.get(path) is None]
        blamed = self._blame_files(tracked, {path: wanted[path] for path in tracked})
        found: dict[tuple[str, int], LineOrigin | None] = {}
        for path, lines in wanted.items():
            if (rows := known.get(path)) is not None:
                found |= {(path, line): LineOrigin(*rows[str(line)]) if str(line) in rows else None for line in lines}
            elif path in blamed:
                origins = match_lines(blamed[path], lines)
                found |= {(path, line): who for line, who in origins.items()}
                # With more time or all contents another commit might be found.
                if kept and not (self._truncated or self._missing):
                    kept.add_origins(self.head, path, lines, {str(line): who for line, who in origins.items() if who})
            elif path not in self.present:
                found |= {(path, line): None for line in lines}
        return found | self._find_last(wanted, [path for path in tracked if path not in blamed])

    def _blame_files(
        self, paths: Sequence[str], wanted: Mapping[str, Mapping[int, str]]
    ) -> dict[str, list[history.BlamedLine]]:
        """Return who wrote the lines of each file; without those for which there was no time, or that git failed on."""
        deadline = time.monotonic() + self.limits.seconds
        blamed = self._blame(paths[: self.limits.blamed_files], deadline, copies=False)
        if len(paths) > self.limits.blamed_files:
            self.note()
        texts = {path: set(map(_squeeze, lines.values())) for path, lines in wanted.items()}
        asked = {path: [line for line in rows if _squeeze(line.text) in texts[path]] for path, rows in blamed.items()}
        return blamed | self._blame(self._find_copied(asked, deadline), deadline, copies=True)

    def _find_copied(self, blamed: Mapping[str, Sequence[history.BlamedLine]], deadline: float) -> Collection[str]:
        try:
            return find_copied(self.repository, self.iter_contents, blamed, max(0.0, deadline - time.monotonic()))
        except ServiceError as error:
            self.note(error)
            return blamed

    def _blame(self, paths: Iterable[str], deadline: float, *, copies: bool) -> dict[str, list[history.BlamedLine]]:
        blamed: dict[str, list[history.BlamedLine]] = {}
        for path in paths:
            left = deadline - time.monotonic()
            try:
                if left <= 0:
                    self.note()
                else:
                    blamed[path] = history.blame(self.repository, self.head, path, left, copies=copies)
            except ServiceError as error:
                self.note(error)
        return blamed

    def read_trees(self, written: Iterable[LineOrigin]) -> tree_diffs.Trees:
        """Read which files the writing commits had; three processes for all of them."""
        times = {one.commit: one.time for one in written}
        stand_ins = tree_diffs.choose_stand_ins(times, self.limits.trees)
        kept = sorted(set(stand_ins.values()), key=lambda commit: (-times[commit], commit))
        self._grouped = len(times) if len(kept) < len(times) else 0
        if not kept or not self.head:
            return tree_diffs.Trees(self.entries, {}, stand_ins)
        oids = history.list_commit_trees(self.repository, [self.head, *kept])
        known = [commit for commit in (self.head, *kept) if commit in oids]
        # Each with the next newer one: neighbours differ least.
        steps = self._compare_trees((oids[older], oids[newer]) for newer, older in itertools.pairwise(known))
        differences = tree_diffs.chain_differences(self.entries, dict(zip(known[1:], steps, strict=False)))
        return tree_diffs.Trees(self.entries, differences, stand_ins)

    def list_edited(self, commits: Sequence[str]) -> dict[str, frozenset[str]]:
        """Return the files that each commit changed and did not add; two processes for all of them."""
        oids = history.list_commit_trees(self.repository, [rev for one in commits for rev in (one, f"{one}^1")])
        known = [commit for commit in commits if commit in oids and f"{commit}^1" in oids]
        steps = self._compare_trees((oids[f"{commit}^1"], oids[commit]) for commit in known)
        return {
            commit: frozenset(change.old for change in changes if change.status == "M")
            for commit, changes in zip(known, steps, strict=False)
        }

    def iter_blobs(self, places: Iterable[tree_diffs.TreePlace]) -> Iterator[Blob]:
        """Read the contents at many places, each content once; one process, two in a partial clone."""
        by_oid: dict[str, list[tree_diffs.TreePlace]] = {}
        for place in places:
            by_oid.setdefault(place.oid, []).append(place)
        for oid, data in self.iter_contents(by_oid):
            yield Blob(by_oid[oid], data)

    def find_elsewhere(self, cited: Iterable[str]) -> dict[str, tuple[str, str]]:
        """Return a branch that is not part of HEAD, and the path there, for citations that only it can mean."""
        found: dict[str, tuple[str, str]] = {}
        if not self.head:
            return found
        wanted = set(cited)
        tips = history.list_tips(self.repository, self.limits.tips)
        tree = history.list_commit_trees(self.repository, [self.head])[self.head]
        for tip, changes in zip(tips, self._compare_trees((tip.tree, tree) for tip in tips), strict=False):
            only_there = (change.old for change in changes if change.status == "D")
            for text, paths in match_citations(wanted, only_there).items():
                found.setdefault(text, (tip.name, paths[0]))
        return found

    def note(self, error: ServiceError | None = None) -> None:
        """Remember that something stays unknown: because git failed, or because a limit was reached."""
        if error is None or isinstance(error, TimeLimitError):
            self._truncated = True
        else:
            self._missing = True

    def _find_last(
        self, wanted: Mapping[str, Mapping[int, str]], paths: Collection[str]
    ) -> dict[tuple[str, int], LineOrigin | None]:
        """Return the last commit of whole files, for lines whose own commit is unknown."""
        try:
            last = history.read_last_commits(self.repository, self.head, paths, self.limits.seconds) if paths else {}
        except ServiceError as error:
            self.note(error)
            return {}
        return {
            (path, line): LineOrigin(commit.commit, commit.time, exact=False)
            for path, commit in last.items()
            for line in wanted[path]
        }

    def _compare_trees(self, pairs: Iterable[tuple[str, str]]) -> Iterator[list[history.PathChange]]:
        try:
            yield from history.iter_tree_changes(self.repository, pairs, self.limits.seconds)
        except ServiceError as error:
            self.note(error)

    def iter_contents(self, oids: Collection[str]) -> Iterator[tuple[str, bytes | Unreadable]]:
        """Read many blobs; one that is not here is no reason to fail."""
        if not oids:
            return
        try:
            local = history.find_local(self.repository, oids) if self._partial else oids
            for oid in oids:
                if oid not in local:
                    self._missing = True
                    yield oid, Unreadable.ABSENT
            here = [oid for oid in oids if oid in local]
            for oid, data in self.repository.read_blobs(here, self.limits.blob_bytes):
                self._missing |= data is Unreadable.ABSENT
                yield oid, data
        except ServiceError as error:
            self.note(error)

    @functools.cached_property
    def _partial(self) -> bool:
        return history.is_partial(self.repository)


def match_lines(blamed: Sequence[history.BlamedLine], wanted: Mapping[int, str]) -> dict[int, LineOrigin | None]:
    """Find each wanted line among those of HEAD, also if it has been moved or re-indented since."""
    by_text: dict[str, list[int]] = {}
    for number, line in enumerate(blamed, 1):
        by_text.setdefault(_squeeze(line.text), []).append(number)
    found: dict[int, LineOrigin | None] = {}
    for number, text in wanted.items():
        numbers = by_text.get(_squeeze(text), [])
        # Of equal lines the one in the same place, else the youngest, which promises least about the past.
        best = number if number in numbers else max(numbers, key=lambda one: blamed[one - 1].time, default=0)
        found[number] = _written(blamed[best - 1]) if best else None
    return found


def _written(line: history.BlamedLine) -> LineOrigin:
    return LineOrigin(line.commit, line.time, exact=not line.boundary)


def _squeeze(text: str) -> str:
    return " ".join(text.split())
