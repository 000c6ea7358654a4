"""Suppresses verdicts for text that describes the past or another repository."""

import posixpath
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePosixPath

from memci.citations.code.repository_paths import PATH_KINDS
from memci.citations.history.outcome import Past
from memci.citations.wording.narrative import INDEX, Account
from memci.model.citation import Claim, ClaimKind, Reason, Verdict, VerdictKind

_WRITINGS = (".md", ".mdx", ".adoc", ".rst", ".txt", ".pdf", ".html", ".docx")
_PAPERS = frozenset(("docs", "doc", "plans", "reports", "specs", "notes"))
# The numbers below stem from 919 findings in public memories that were judged by hand; the shares are of those that no
# other condition leaves alone. What went on the day it was written was in work: 25 of 31 right in topics, all 20 in
# indexes, and 95 % of the others.
_DAY = 86_400
# Longer paragraphs and list items are narrative: 47 of 54 right, but all 6 paths with two directories.
_MAX_STATEMENT = 300
# In an index entries are longer, and of 47 findings there in two draws only one was wrong.
_MAX_ENTRY = 600
_WHOLE_PATH = 2
# In a file with many more broken than valid claims, all of it is about the past or another repository: 0 of 18 right.
_MANY_GONE = 6
_GONE_PER_HELD = 1.5
_LINES = (Reason.LINES_MOVED, Reason.SHORTER)


def spare_records(judged: Mapping[Claim, Verdict], past: Past) -> dict[Claim, Verdict]:
    """Make verdicts unverifiable where the text describes how something was."""
    past_files = _list_past_files(judged)
    return {claim: _spare(verdict, past, of_past_file=claim.path in past_files) for claim, verdict in judged.items()}


def _list_past_files(judged: Mapping[Claim, Verdict]) -> frozenset[PurePosixPath]:
    """Return the memory files most of whose claims are broken: their subject as a whole is gone."""
    held = Counter(claim.path for claim, verdict in judged.items() if verdict.kind is VerdictKind.VERIFIED)
    gone: dict[PurePosixPath, list[str]] = {}
    for claim, verdict in judged.items():
        if verdict.kind is VerdictKind.MISSING:
            gone.setdefault(claim.path, []).append(posixpath.dirname(verdict.held_at.rstrip("/")))
    # One directory that went is one thing to correct.
    return frozenset(
        path
        for path, places in gone.items()
        if len(places) >= _MANY_GONE and len(places) > _GONE_PER_HELD * held[path] and len(set(places)) > 1
    )


def _spare(verdict: Verdict, past: Past, *, of_past_file: bool) -> Verdict:
    claim = verdict.claim
    if verdict.kind not in (VerdictKind.MISSING, VerdictKind.MOVED):
        return verdict
    if claim.kind is ClaimKind.COMMIT:
        # Commits are always cited for past work. One with a date may have been squashed since, which does not matter.
        told = past.then.is_dated(claim) or past.then.is_in_record(claim)
    elif verdict.kind is VerdictKind.MISSING and past.then.is_older_than_submodules(claim):
        return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.EXTERNAL)
    elif verdict.kind is VerdictKind.MOVED and past.then.is_known(claim, verdict.target.rstrip("/")):
        # A text that names the old place beside the new one compares the two.
        told = True
    else:
        gone = verdict.kind is VerdictKind.MISSING and of_past_file
        told = gone or past.then.is_in_record(claim) or _is_in_story(claim, past) or _is_in_account(verdict, past)
        told = told or _is_short_lived(verdict) or _is_rotated(verdict)
        told = told or (verdict.reason in _LINES and past.then.is_of_issues(claim))
    return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.HISTORICAL) if told else verdict


def _is_short_lived(verdict: Verdict) -> bool:
    """Whether a thing was gone within a day of being written about; an index is kept up, whatever the day brings."""
    if verdict.claim.path.name == INDEX or not verdict.written or not verdict.broken:
        return False
    # Commits of the same second were made by a program; their times prove nothing.
    return 0 < verdict.broken.time - verdict.written.time < _DAY


def _is_rotated(verdict: Verdict) -> bool:
    """Whether a file was put away under a name with a day or a time: what writes it begins a new one."""
    old, new = PurePosixPath(verdict.claim.text), PurePosixPath(verdict.target)
    rest = new.name.removeprefix(old.name.removesuffix(old.suffix)).removesuffix(old.suffix)
    return rest != new.name and re.fullmatch(r"[-_.]?\d{4}[-_.]?\d\d[-_.]?\d\d[-_.T\dZ]*", rest) is not None


def _is_in_story(claim: Claim, past: Past) -> bool:
    whole = _is_plain_path(claim) and claim.text.rstrip("/").count("/") >= _WHOLE_PATH
    limit = _MAX_ENTRY if claim.path.name == INDEX else _MAX_STATEMENT
    return not whole and past.then.measure_block(claim) > limit


def _is_in_account(verdict: Verdict, past: Past) -> bool:
    """Whether the text around a claim is an account; paths of code with a directory age better than names."""
    claim = verdict.claim
    # A bare name of a file that is gone is as short-lived as any other name.
    whole = "/" in claim.text.rstrip("/") or verdict.kind is VerdictKind.MOVED
    lasting = claim.kind is ClaimKind.SCRIPT or (_is_plain_path(claim) and whole and not _is_paper(claim.text))
    return past.then.classify_account(claim) >= (Account.OF_WORK if lasting else Account.DATED)


def _is_plain_path(claim: Claim) -> bool:
    return claim.kind in PATH_KINDS and claim.kind is not ClaimKind.LINES


def _is_paper(path: str) -> bool:
    """Whether a path is a plan, a report or other writing: beside a date it is a trace of that day's work."""
    return path.lower().endswith(_WRITINGS) or not _PAPERS.isdisjoint(path.lower().split("/"))
