"""The repository as it was when each line of memory was written."""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from memci.citations.code.code_files import MAX_BYTES, iter_worktree
from memci.citations.code.manifests import Scripts, is_manifest, parse_scripts
from memci.citations.code.repository_paths import Paths, cited_bases, is_of_tree
from memci.citations.extract.claims import find_claims
from memci.citations.history.git_queries import History, LineOrigin
from memci.citations.history.tree_diffs import TreePlace, Trees
from memci.citations.kept_history import KeptHistory
from memci.citations.wording.narrative import Narrative, read_narrative
from memci.citations.wording.paragraph import sentence_bounds
from memci.model.citation import Claim, ClaimKind, Exemption
from memci.model.memory import Unreadable
from memci.patterns import LazyPattern

# Each is compared as a whole; of 13 public memories the largest cites lines in 137 places.
_MAX_TEXTS = 500
# A sentence is not spread over more lines, and a section not over more.
_MAX_ROWS = 8
_MAX_HEADING = 100
# This many files show what became of a directory.
_MAX_FILES = 100
_SUBMODULES = ".gitmodules"
# Memory file, line, column, and the lines that are cited there.
_Citation = tuple[str, int, int, tuple[int, int]]


class Then(NamedTuple):
    """Who wrote the lines of the claims, and which files the repository had at that time."""

    history: History
    # Per memory file and line; None if the line is not committed yet.
    written: Mapping[tuple[str, int], LineOrigin | None]
    trees: Trees
    # Per commit, the paths that it had and HEAD has not.
    vanished: Mapping[str, Paths]
    present: Paths
    # The citations of lines that stand in the memory files, with what is said around them. While fixes are made, a
    # claim may already be a corrected one, and correcting it again would send it further and further down its file.
    stated: Mapping[_Citation, str]
    # Per memory file.
    narratives: Mapping[str, Narrative]
    # Per commit that cites lines, the files that it changed and did not add.
    edited: Mapping[str, AbstractSet[str]]

    def classify_text(self, claim: Claim) -> Exemption | None:
        """Return why the text around a claim may describe the past; None if nothing says so."""
        read = self.narratives.get(str(claim.path))
        return read.classify(claim.line, claim.column) if read else None

    def is_joined(self, claim: Claim) -> bool:
        """Whether cited lines are written behind their path without a gap: `a.py:12`."""
        read = self.narratives.get(str(claim.path))
        return read is not None and read.follows(claim.line, claim.column + len(claim.text)) in (":", "#")

    def was_edited(self, claim: Claim, path: str) -> bool:
        """Whether the commit that cites lines also changed their file."""
        writer = self.writer(claim)
        return writer is not None and path in self.edited.get(writer.commit, ())

    def is_known(self, claim: Claim, path: str) -> bool:
        """Whether the text around a claim names the path, too, to which its thing has gone."""
        read = self.narratives.get(str(claim.path))
        return read is not None and read.mentions(claim.line, claim.column, path, claim.text)

    def is_older_than_submodules(self, claim: Claim) -> bool:
        """Whether the repository got submodules after a claim was written: what it means may be in one of them."""
        writer = self.writer(claim)
        return (
            writer is not None
            and _SUBMODULES in self.history.present
            and self.trees.place(writer.commit, _SUBMODULES) is None
        )

    def writer(self, claim: Claim) -> LineOrigin | None:
        """Return who wrote the line of a claim, if that is known and its tree can be looked at."""
        written = self.written.get((str(claim.path), claim.line))
        return written if written and written.commit in self.vanished else None

    def surrounding_text(self, claim: Claim) -> str:
        """Return the sentence around a citation of lines without the citation itself, and the titles above it."""
        return self.stated.get(_name_citation(claim), "")

    def path_then(self, claim: Claim) -> str:
        """Return the path, gone since, that a claim meant when it was written; "" if there was none."""
        writer = self.writer(claim)
        if writer is None:
            return ""
        paths = self.vanished[writer.commit]
        match claim.kind:
            case ClaimKind.DIRECTORY:
                directory = paths.find_directory(claim.text, cited_bases(claim))
                found = f"{directory}/" if directory else ""
            case ClaimKind.GLOB:
                return claim.text if paths.matches(claim.text) else ""
            case _:
                found = paths.find_file(claim.text, cited_bases(claim))
        return found if is_of_tree(claim, found, self.present, paths) else ""

    def files_then(self, claim: Claim) -> Sequence[str]:
        """Return the files, gone since, that a path meant: itself, or some of the files of a directory."""
        held, writer = self.path_then(claim), self.writer(claim)
        if not held.endswith("/") or writer is None:
            return [held] if held else []
        inside = (path for path in self.vanished[writer.commit].files if path.startswith(held))
        return sorted(inside)[:_MAX_FILES]

    def means_several(self, claim: Claim) -> bool:
        """Whether several of the paths that are gone since fit a claim."""
        writer = self.writer(claim)
        paths = self.vanished[writer.commit] if writer else Paths(frozenset())
        return paths.means_several(claim.text, cited_bases(claim))

    def read_scripts(self) -> dict[str, tuple[Scripts, ...]]:
        """Return per commit what the manifests that have changed since defined."""
        found: dict[str, list[Scripts]] = {}
        for blob in self.history.iter_blobs(place for place in self.lost_places() if is_manifest(place.path)):
            if not isinstance(blob.data, Unreadable):
                text = blob.data.decode("utf-8", "replace")
                for place in blob.places:
                    found.setdefault(place.commit, []).extend(parse_scripts(place.path, text))
        return {commit: tuple(scripts) for commit, scripts in found.items()}

    def is_stated(self, claim: Claim) -> bool:
        """Whether a citation of lines is in the memory file, and was not made by a fix."""
        return _name_citation(claim) in self.stated

    def read_texts(self, cited: Iterable[tuple[Claim, str]]) -> dict[Claim, str]:
        """Return the files that claims cite, as they were when the claims were written."""
        claims: dict[TreePlace, list[Claim]] = {}
        for claim, path in itertools.islice(cited, _MAX_TEXTS):
            writer = self.writer(claim)
            place = self.trees.place(writer.commit, path) if writer else None
            if place:
                claims.setdefault(place, []).append(claim)
        texts: dict[Claim, str] = {}
        for blob in self.history.iter_blobs(claims):
            if not isinstance(blob.data, Unreadable):
                text = blob.data.decode("utf-8", "replace")
                texts |= {claim: text for place in blob.places for claim in claims[place]}
        return texts

    def lost_places(self) -> Iterator[TreePlace]:
        """Yield the contents that the writing commits had and HEAD has not: what is in no file today was in these."""
        return (place for commit in self.vanished for place in self.trees.lost_places(commit))


def read_then(history: History, claims: Sequence[Claim], root: Path, kept: KeptHistory) -> Then:
    """Find out who wrote the lines of the claims, and read the trees of those commits."""
    rows = _read_rows(claims, root)
    numbers: dict[str, dict[int, str]] = {}
    for claim in claims:
        if 0 < claim.line <= len(rows.get(str(claim.path), ())):
            numbers.setdefault(str(claim.path), {})[claim.line] = rows[str(claim.path)][claim.line - 1]
    written = history.find_written(numbers, kept)
    writers = {one.commit: one for one in written.values() if one}
    trees = history.read_trees(writers.values())
    vanished = {commit: Paths(frozenset(trees.vanished(commit))) for commit in writers if trees.knows(commit)}
    cited = {(claim.path, claim.line) for claim in claims if claim.kind is ClaimKind.LINES}
    citing = {one.commit for path, line in cited if (one := written.get((str(path), line)))}
    stand = (find_claims(path, numbers.get(str(path), {}).get(line, ""), line) for path, line in cited)
    stated = {_name_citation(claim): _surrounding_text(rows[str(claim.path)], claim) for row in stand for claim in row}
    narratives = {path: read_narrative(PurePosixPath(path), found) for path, found in rows.items()}
    present = Paths(history.present)
    return Then(history, written, trees, vanished, present, stated, narratives, history.list_edited(sorted(citing)))


def _name_citation(claim: Claim) -> _Citation:
    return (str(claim.path), claim.line, claim.column, claim.lines)


def _surrounding_text(rows: Sequence[str], claim: Claim) -> str:
    """Return the sentence around a citation, without any citation of lines, and the titles above it."""
    first = last = claim.line - 1
    while first > max(0, claim.line - _MAX_ROWS) and rows[first - 1].strip() and not _opens_block(rows[first]):
        first -= 1
    while last + 1 < min(len(rows), claim.line + _MAX_ROWS) and rows[last + 1].strip():
        if _opens_block(rows[last + 1]):
            break
        last += 1
    block = "\n".join(rows[first : last + 1])
    start, end = sentence_bounds(block, sum(len(row) + 1 for row in rows[first : claim.line - 1]) + claim.column - 1)
    above = range(first - 1, max(-1, first - _MAX_HEADING), -1)
    heading = next((rows[number] for number in above if rows[number].startswith("#")), "")
    title = re.sub("[_-]", " ", claim.path.stem)
    return f"{title}\n{heading}\n{_ANY_CITATION.sub(' ', block[start:end])}"


_ANY_CITATION = LazyPattern(r"`?[\w./@+-]*\.\w{1,9}`?(?:(?::L?|#L)\d[\d:,L–-]*`?|,? \(?lines? \d+)")


def _opens_block(row: str) -> bool:
    return re.match(r"\s*(?:#{1,6}\s|[-*+]\s|\d{1,3}[.)]\s|\|)", row) is not None


def _read_rows(claims: Sequence[Claim], root: Path) -> dict[str, list[str]]:
    """Return the lines of the memory files that contain the claims."""
    paths = {path for claim in claims if not (path := str(claim.path)).startswith(("~", "/"))}
    read = iter_worktree(root, sorted(paths), MAX_BYTES)
    return {path: data.decode("utf-8", "replace").split("\n") for path, data in read if isinstance(data, bytes)}
