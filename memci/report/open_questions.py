"""The questions of a plan, each once: drafts that were not written first, then findings that stay open, by file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, ScopePlan


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """One question: what is open, the proposed answer, and the line that it is about as it is now."""

    asks: str
    proposal: str
    file: PurePosixPath | None
    # 0 for the whole file.
    line: int
    now: str
    evidence: tuple[Evidence, ...]


def list_questions(plan: ScopePlan) -> tuple[OpenQuestion, ...]:
    """Return the questions; a finding that a draft is about is not asked again."""
    needs = [need for need in dict.fromkeys(plan.needs_person) if not _is_settled(need, plan)]
    drafts = [need for need in needs if not _is_finding(need)]
    asked = {proof.source for need in drafts for proof in need.evidence if proof.kind is EvidenceKind.FINDING}
    findings = [need for need in needs if _is_finding(need) and need.evidence[0].source not in asked]
    findings.sort(key=lambda need: str(need.file))
    return tuple(_read_questions(plan, (*drafts, *findings)))


def _is_settled(need: NeedsPerson, plan: ScopePlan) -> bool:
    """Tell whether it is only about lines of a file that this plan removes."""
    cited = {PurePosixPath(proof.source) for proof in need.evidence if proof.kind is EvidenceKind.MEMORY}
    return not need.proposal and bool(cited) and all(path in plan.before and path not in plan.after for path in cited)


def _is_finding(need: NeedsPerson) -> bool:
    kinds = [proof.kind for proof in need.evidence]
    return need.file is not None and kinds == [EvidenceKind.FINDING] and not need.proposal


def _read_questions(plan: ScopePlan, needs: tuple[NeedsPerson, ...]) -> Iterator[OpenQuestion]:
    for need in needs:
        asks, line = need.reason, 0
        # The reason of a finding begins with its place.
        if need.file and (place := re.match(rf"{re.escape(need.file.name)}:(\d{{1,7}}): ", asks)):
            asks, line = asks[place.end() :], int(place[1])
        asks = f"Not written: {asks.removeprefix('not written: ')}" if asks.startswith("not written: ") else asks
        rows = plan.after.get(need.file, "").split("\n") if need.file else []
        now = rows[line - 1].strip() if 0 < line <= len(rows) else ""
        # The first line of a frontmatter says nothing.
        now = "" if not now.strip("-") else now
        yield OpenQuestion(asks, need.proposal, need.file, line, now, need.evidence)
