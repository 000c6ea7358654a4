"""Marks stale claims whose text may describe the past or another repository: they are information, not problems."""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from memci.citations.history.outcome import Past
from memci.model.citation import Claim, Exemption, Reason, Verdict, VerdictKind
from memci.patterns import LazyPattern

_STALE = (VerdictKind.MISSING, VerdictKind.MOVED)
_DATED = LazyPattern(r"(?<!\d)20\d\d[-_.]?\d\d(?!\d)")
_LINES = (Reason.LINES_MOVED, Reason.SHORTER)


def exempt_records(judged: Mapping[Claim, Verdict], past: Past, memory: Collection[str]) -> dict[Claim, Verdict]:
    """Mark the stale claims whose words say that they may describe the past.

    A move that is reported once is reported wherever the same scope, or another guide, cites the old place.
    """
    marked = {claim: _exempt(verdict, past) if verdict.kind in _STALE else verdict for claim, verdict in judged.items()}
    moves = {
        (_find_scope(verdict.claim, memory), verdict.held_at, verdict.target)
        for verdict in marked.values()
        if verdict.proven and not verdict.exemption and verdict.reason is not Reason.LINES_MOVED
    }
    for claim, verdict in marked.items():
        told = verdict.exemption and verdict.exemption is not Exemption.COMPARED
        if told and (_find_scope(claim, memory), verdict.held_at, verdict.target) in moves:
            marked[claim] = replace(verdict, exemption=None)
    return marked


def _find_scope(claim: Claim, memory: Collection[str]) -> str:
    return max((scope for scope in memory if claim.path.is_relative_to(scope)), key=len, default="")


def _exempt(verdict: Verdict, past: Past) -> Verdict:
    claim, then = verdict.claim, past.then
    if verdict.kind is VerdictKind.MISSING and then.is_older_than_submodules(claim):
        return Verdict(claim, VerdictKind.UNVERIFIABLE, Reason.EXTERNAL)
    if verdict.target == str(claim.path):
        # A text that still has its old name as its title.
        return Verdict(claim, VerdictKind.VERIFIED, target=verdict.target)
    exemption = then.classify_text(claim)
    if verdict.kind is VerdictKind.MOVED and then.is_known(claim, verdict.target.rstrip("/")):
        exemption = Exemption.COMPARED
    elif _is_rotated(verdict):
        exemption = Exemption.ROTATED
    elif verdict.reason in _LINES and then.is_of_faults(claim):
        exemption = Exemption.FAULTS
    return replace(verdict, exemption=exemption)


def _is_rotated(verdict: Verdict) -> bool:
    """Whether something was put away under a name with a day, or below one: what writes it begins a new one."""
    old, new = PurePosixPath(verdict.claim.text), PurePosixPath(verdict.target)
    if _DATED.search(verdict.target.rpartition("/")[0]) and not _DATED.search(verdict.held_at):
        return True
    rest = new.name.removeprefix(old.name.removesuffix(old.suffix)).removesuffix(old.suffix)
    return rest != new.name and re.fullmatch(r"[-_.]?\d{4}[-_.]?\d\d[-_.]?\d\d[-_.T\dZ]*", rest) is not None
