"""Marks stale claims whose text may describe the past or another repository: they are information, not problems."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memci.model.citation import Claim, Exemption, Reason, Verdict, VerdictKind
from memci.patterns import LazyPattern

if TYPE_CHECKING:
    from memci.citations.history.outcome import Past

_STALE = (VerdictKind.MISSING, VerdictKind.MOVED)
_DATED = LazyPattern(r"(?<!\d)20\d\d[-_.]?\d\d(?!\d)")
# The memory directory that cites it, the old place and the new one.
Move = tuple[str, str, str]


def exempt_records(judged: Mapping[Claim, Verdict], past: "Past", memory: Collection[str]) -> dict[Claim, Verdict]:
    """Mark the stale claims whose words say that they may describe the past.

    A move that is reported once is reported wherever the same scope, or another guide, cites the old place.
    """
    marked = {claim: _exempt(verdict, past) if verdict.kind in _STALE else verdict for claim, verdict in judged.items()}
    moves = list_moves(marked.values(), memory)
    return {claim: report_move(verdict, moves, memory) for claim, verdict in marked.items()}


def list_moves(verdicts: Iterable[Verdict], memory: Collection[str]) -> frozenset[Move]:
    """Return the proven moves that are reported."""
    return frozenset(
        _name_move(verdict, memory)
        for verdict in verdicts
        if verdict.proven and not verdict.exemption and verdict.reason is not Reason.LINES_MOVED
    )


def report_move(verdict: Verdict, moves: Collection[Move], memory: Collection[str]) -> Verdict:
    """Return a verdict without its exemption if its move is among those that are reported."""
    told = verdict.exemption and verdict.exemption not in (Exemption.COMPARED, Exemption.ENTRY)
    return replace(verdict, exemption=None) if told and _name_move(verdict, memory) in moves else verdict


def _name_move(verdict: Verdict, memory: Collection[str]) -> Move:
    inside = (scope for scope in memory if verdict.claim.path.is_relative_to(scope))
    return max(inside, key=len, default=""), verdict.held_at, verdict.target


def _exempt(verdict: Verdict, past: "Past") -> Verdict:
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
    return replace(verdict, exemption=exemption)


def _is_rotated(verdict: Verdict) -> bool:
    """Whether something was put away under a name with a day, or below one: what writes it begins a new one."""
    old, new = PurePosixPath(verdict.claim.text), PurePosixPath(verdict.target)
    if _DATED.search(verdict.target.rpartition("/")[0]) and not _DATED.search(verdict.held_at):
        return True
    rest = new.name.removeprefix(old.name.removesuffix(old.suffix)).removesuffix(old.suffix)
    return rest != new.name and re.fullmatch(r"[-_.]?\d{4}[-_.]?\d\d[-_.]?\d\d[-_.T\dZ]*", rest) is not None
