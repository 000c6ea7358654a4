"""The proof behind findings of the truth rules: the commit that broke a claim, and the lines where it did."""

import itertools
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memci.citations.answers.asked_commit import SECONDS, clean_line, is_hidden, name_date, shorten
from memci.citations.answers.commit_answers import clean_changes
from memci.citations.code.names_in_code import list_spellings
from memci.citations.verdict import JudgedClaims
from memci.errors import ServiceError
from memci.git.commit_contents import PatchLine, iter_patch
from memci.git.repository import Repository
from memci.model.citation import Claim, Verdict, VerdictKind
from memci.model.finding import Finding

_MAX_COMMITS = 60
_MAX_LINES = 8
# Of one hunk: the lines with the name, and what replaced them.
_MAX_OF_HUNK = 4
_MAX_READ = 200
_MAX_SUBJECT = 150
_MAX_BODY = 500


@dataclass(frozen=True, slots=True)
class FindingProof:
    """The commit that broke a claim, where the object is now ("" if unknown), and lines of the commit's diff."""

    commit: str
    date: str
    # The message of the commit: its first line, and the rest.
    subject: str
    new_place: str = ""
    hunk: tuple[str, ...] = ()
    explanation: str = ""


def list_proved(proof: FindingProof) -> tuple[str, ...]:
    """Return what a proof says about the repository.

    The message of the commit that broke a claim counts as the lines of a file do: it passed the same review. Those of
    other commits do not, because words for anything can be found among many.
    """
    told = (proof.commit, proof.date, proof.new_place, *proof.hunk, proof.subject, proof.explanation)
    return tuple(text for text in told if text)


def explain_findings(
    findings: Iterable[Finding], judged: JudgedClaims, repository: Repository, hidden: Collection[str] = ()
) -> dict[str, FindingProof]:
    """Return the proof of each finding that has a commit, by fingerprint; one process for each commit."""
    verdicts = {verdict.claim: verdict for verdict in judged.verdicts if verdict.broken}
    by_commit: dict[str, dict[str, Verdict]] = {}
    seen: set[str] = set()
    for finding in findings:
        verdict = verdicts.get(finding.claim) if finding.claim else None
        if verdict and verdict.broken and finding.fingerprint not in seen:
            seen.add(finding.fingerprint)
            by_commit.setdefault(verdict.broken.id, {})[finding.fingerprint] = verdict
    proofs: dict[str, FindingProof] = {}
    for number, (commit, broken) in enumerate(by_commit.items()):
        names = {fingerprint: _Trace(verdict) for fingerprint, verdict in broken.items()}
        if number < _MAX_COMMITS:
            _read_hunks(repository, commit, list(names.values()), hidden)
        said = _read_body(repository, commit) if number < _MAX_COMMITS else ""
        proofs |= {fingerprint: replace(trace.prove(), explanation=said) for fingerprint, trace in names.items()}
    return proofs


def _read_body(repository: Repository, commit: str) -> str:
    try:
        body = repository.run("log", "-1", "--no-show-signature", "--format=%b", commit, "--")
    except ServiceError:
        return ""
    return clean_line(" ".join(body.decode("utf-8", "replace").split()), _MAX_BODY)


class _Trace:
    """Collects the lines of a patch that show what became of a claim."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        words = "|".join(re.escape(name) for name in _list_names(verdict.claim))
        self._mentions = re.compile(rf"(?<!\w)(?:{words})(?!\w)") if words else None
        # With whether they are of another file than the claim was about.
        self._lines: list[tuple[bool, str]] = []

    def take(self, file: PatchLine, lines: Sequence[str]) -> None:
        """Take the lines of a hunk that matter; without lines, what became of the file itself."""
        held = self.verdict.held_at.rstrip("/")
        other = file.old != held and not file.old.startswith(f"{held}/")
        if not lines:
            what = {"D": "deleted ", "R": "renamed "}.get(file.status, "")
            target = f" -> {file.new}" if file.status == "R" else ""
            self._lines += [] if other or not what else [(False, clean_line(f"{what}{file.old}{target}"))]
        elif self._mentions and any(map(self._mentions.search, lines)):
            shown = zip(lines, clean_changes(list(lines)), strict=True)
            wanted = [(not self._mentions.search(raw), text) for raw, text in shown]
            useful = [(rest, text) for rest, text in wanted if not rest or text.startswith("+")]
            kept = sorted(useful, key=lambda item: item[0])[:_MAX_OF_HUNK]
            self._lines += [(other, text) for _, text in kept]

    def prove(self) -> FindingProof:
        """Return the proof, with the lines of the claim's own file first."""
        broken, moved = self.verdict.broken, self.verdict.kind is VerdictKind.MOVED
        lines = [text for _, text in sorted(self._lines, key=lambda item: item[0])]
        return FindingProof(
            shorten(broken.id) if broken else "",
            name_date(broken.time) if broken else "",
            clean_line(broken.subject, _MAX_SUBJECT) if broken else "",
            clean_line(self.verdict.target) if moved else "",
            tuple(lines[:_MAX_LINES]),
        )


def _list_names(claim: Claim) -> tuple[str, ...]:
    return list_spellings(claim) or (posixpath.basename(claim.text.rstrip("/")),)


def _read_hunks(repository: Repository, commit: str, traces: Sequence[_Trace], hidden: Collection[str]) -> None:
    try:
        for file, lines in _iter_hunks(iter_patch(repository, commit, SECONDS)):
            if not (is_hidden(file.old, hidden) or is_hidden(file.new, hidden)):
                for trace in traces:
                    trace.take(file, lines)
    except ServiceError:
        # The commit is the proof; its lines only make it easier to understand.
        return


def _iter_hunks(patch: Iterable[PatchLine]) -> Iterator[tuple[PatchLine, list[str]]]:
    for (file, _), lines in itertools.groupby(patch, key=lambda line: (line.file, line.hunk)):
        yield file, [line.text for line in itertools.islice(lines, _MAX_READ) if line.text]
