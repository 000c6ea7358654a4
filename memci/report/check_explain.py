"""`memci check --explain FILE:LINE`: the evidence behind each claim of a line."""

import datetime as dt
from collections.abc import Iterable, Iterator

from memci.model.citation import Commit, Verdict, VerdictKind, Wording
from memci.report.escape import visible


def render_explanation(place: str, verdicts: Iterable[tuple[Verdict, Wording]]) -> str:
    """Return a block of lines per claim, judged as if it were stated plainly, with its true wording."""
    blocks = ["\n".join(_explain(verdict, wording)) for verdict, wording in verdicts]
    if not blocks:
        return f"{visible(place)}: this line says nothing about the repository that could be checked\n"
    return "\n\n".join(blocks) + "\n"


def _explain(verdict: Verdict, wording: Wording) -> Iterator[str]:
    """Yield the steps of the judgement in the order in which it is made."""
    claim = verdict.claim
    tied = f", with {visible(claim.context)}" if claim.context else ""
    yield f"{visible(claim.text)}  ({claim.kind} at {visible(str(claim.path))}:{claim.line}:{claim.column}{tied})"
    holds = verdict.kind is VerdictKind.VERIFIED
    yield f"  holds now  {visible(verdict.target) if holds else 'no'}"
    if verdict.written:
        yield f"  written    {_name(verdict.written)}"
    if verdict.held_at:
        yield f"  held then  {visible(verdict.held_at)}"
    if verdict.broken:
        yield f"  broken by  {_name(verdict.broken)}"
    yield f"  verdict    {_describe(verdict)}"
    if verdict.candidates:
        yield f"  see also   {', '.join(map(visible, verdict.candidates))}"
    if wording is not Wording.PLAIN:
        yield f"  exempted   not reported: the text around it is {wording}"
    elif verdict.exemption:
        yield f"  exempted   information only: {verdict.exemption}"


def _name(commit: Commit) -> str:
    day = dt.datetime.fromtimestamp(commit.time, dt.UTC).date().isoformat()
    return f"{commit.id[:10]} on {day}" + (f" ({visible(commit.subject)})" if commit.subject else "")


def _describe(verdict: Verdict) -> str:
    reason = f" ({verdict.reason})" if verdict.reason else ""
    match verdict.kind:
        case VerdictKind.VERIFIED:
            return f"verified: {visible(verdict.target)}"
        case VerdictKind.MOVED:
            proof = "; git or equal lines prove it" if verdict.proven else ""
            return f"moved to {visible(verdict.target)}{proof}"
        case VerdictKind.MISSING if verdict.proven:
            return f"renamed to {visible(verdict.target)}; every line that lost the name came back with this one"
        case VerdictKind.MISSING:
            return f"missing{reason}"
        case VerdictKind.UNVERIFIABLE:
            return f"unverifiable{reason}"
