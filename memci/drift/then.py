"""The repository as it was when each line of memory was written."""

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memci.drift.claims import find_claims
from memci.drift.code import is_evidence
from memci.drift.history import History, Written
from memci.drift.manifests import Scripts, is_manifest, parse_scripts
from memci.drift.names import find_in_code
from memci.drift.search import Searcher
from memci.drift.state import Paths
from memci.drift.trees import Place, Trees
from memci.drift.worktree import MAX_BYTES, iter_worktree
from memci.model import Claim, ClaimKind, Unreadable

# Each is looked for in the whole of its file; of 13 public memories the largest has 137 of them.
_MAX_CITED_LINES = 500


@dataclass(frozen=True, slots=True)
class Then:
    """Who wrote the lines of the claims, and which files the repository had at that time."""

    history: History
    # Per memory file and line; None if nobody has committed the line yet.
    written: Mapping[tuple[str, int], Written | None]
    trees: Trees
    # Per commit, the paths that it had and HEAD has not.
    vanished: Mapping[str, Paths]
    # The citations of lines that stand in the memory files. While fixes are made, a claim may already be a corrected
    # one, and correcting it again would send it further and further down its file.
    stated: frozenset[tuple[str, int, int, tuple[int, int]]]

    def find_writer(self, claim: Claim) -> Written | None:
        """Return who wrote the line of a claim, if that is known and its tree can be looked at."""
        written = self.written.get((str(claim.path), claim.line))
        return written if written and written.commit in self.vanished else None

    def find_path(self, claim: Claim) -> str:
        """Return the path, gone since, that a claim meant when it was written; "" if there was none."""
        writer = self.find_writer(claim)
        if writer is None:
            return ""
        paths = self.vanished[writer.commit]
        match claim.kind:
            case ClaimKind.DIRECTORY:
                found = paths.find_directory(claim.text, find_bases(claim))
                return f"{found}/" if found else ""
            case ClaimKind.GLOB:
                return claim.text if paths.matches(claim.text) else ""
            case _:
                return paths.find_file(claim.text, find_bases(claim))

    def means_several(self, claim: Claim) -> bool:
        """Whether several of the paths that are gone since fit a claim."""
        writer = self.find_writer(claim)
        paths = self.vanished[writer.commit] if writer else Paths(frozenset())
        return paths.means_several(claim.text, find_bases(claim))

    def find_held(self, names: Collection[str], memory: Collection[str]) -> dict[str, dict[str, list[str]]]:
        """Return per commit and name the files whose code had the name and has changed since.

        What is in no file today was in a content that is in no file today: only those are read, each once.
        """
        held: dict[str, dict[str, list[str]]] = {}
        searcher = Searcher(names)
        lost = (place for place in self._lost_places() if is_evidence(place.path))
        for blob in self.history.iter_blobs(place for place in lost if not is_memory(place.path, memory)):
            for name in find_in_code(blob.places[0].path, blob.data, searcher):
                for place in blob.places:
                    held.setdefault(place.commit, {}).setdefault(name, []).append(place.path)
        return held

    def read_scripts(self) -> dict[str, tuple[Scripts, ...]]:
        """Return per commit what the manifests that have changed since defined."""
        found: dict[str, list[Scripts]] = {}
        for blob in self.history.iter_blobs(place for place in self._lost_places() if is_manifest(place.path)):
            if not isinstance(blob.data, Unreadable):
                text = blob.data.decode("utf-8", "replace")
                for place in blob.places:
                    found.setdefault(place.commit, []).extend(parse_scripts(place.path, text))
        return {commit: tuple(scripts) for commit, scripts in found.items()}

    def read_texts(self, cited: Mapping[Claim, str]) -> dict[Claim, str]:
        """Return the files of which claims cite lines, as they were when the claims were written."""
        claims: dict[Place, list[Claim]] = {}
        for claim, path in itertools.islice(cited.items(), _MAX_CITED_LINES):
            writer = self.find_writer(claim)
            place = self.trees.place(writer.commit, path) if writer else None
            if place and _name_citation(claim) in self.stated:
                claims.setdefault(place, []).append(claim)
        texts: dict[Claim, str] = {}
        for blob in self.history.iter_blobs(claims):
            if not isinstance(blob.data, Unreadable):
                text = blob.data.decode("utf-8", "replace")
                texts |= {claim: text for place in blob.places for claim in claims[place]}
        return texts

    def _lost_places(self) -> Iterator[Place]:
        return (place for commit in self.vanished for place in self.trees.lost_places(commit))


def read_then(history: History, claims: Sequence[Claim], root: Path) -> Then:
    """Find out who wrote the lines of the claims, and read the trees of those commits."""
    rows = _read_lines(claims, root)
    written = history.find_written(rows)
    writers = {one.commit: one for one in written.values() if one}
    trees = history.read_trees(writers.values())
    vanished = {commit: Paths(frozenset(trees.vanished(commit))) for commit in writers if trees.knows(commit)}
    cited = {(claim.path, claim.line) for claim in claims if claim.kind is ClaimKind.LINES}
    stand = (find_claims(path, rows.get(str(path), {}).get(line, ""), line) for path, line in cited)
    return Then(history, written, trees, vanished, frozenset(_name_citation(claim) for row in stand for claim in row))


def _name_citation(claim: Claim) -> tuple[str, int, int, tuple[int, int]]:
    return (str(claim.path), claim.line, claim.column, claim.lines)


def _read_lines(claims: Sequence[Claim], root: Path) -> dict[str, dict[int, str]]:
    numbers: dict[str, set[int]] = {}
    for claim in claims:
        numbers.setdefault(str(claim.path), set()).add(claim.line)
    lines: dict[str, dict[int, str]] = {}
    for path, data in iter_worktree(root, [path for path in numbers if not path.startswith(("~", "/"))], MAX_BYTES):
        if not isinstance(data, Unreadable):
            rows = data.decode("utf-8", "replace").split("\n")
            lines[path] = {number: rows[number - 1] for number in numbers[path] if number <= len(rows)}
    return lines


def find_bases(claim: Claim) -> tuple[str, ...]:
    """Return the directories that a cited path may be relative to, besides the root."""
    return (str(claim.path.parent), *([claim.context] if claim.context else []))


def is_memory(path: str, memory: Collection[str]) -> bool:
    """Whether a path lies in one of the memory directories, which prove nothing."""
    return any(path.startswith(f"{directory}/") for directory in memory)
