"""The questions of a plan, each once: drafts that were not written first, then findings that stay open, by file."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, ScopePlan

# So many questions that differ in nothing but their place are asked one by one; of more, places are named.
_MANY = 3
_MAX_NAMED = 12


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


def list_all_questions(plans: Sequence[ScopePlan]) -> list[tuple[ScopePlan, OpenQuestion]]:
    """Return the questions of all plans, those with a proposed answer first; the same about many places is one."""
    found = [(plan, question) for plan in plans for question in list_questions(plan)]
    found.sort(key=lambda one: not one[1].proposal)
    alike: dict[object, list[tuple[ScopePlan, OpenQuestion]]] = {}
    for number, (plan, question) in enumerate(found):
        # A line says where; a draft has an answer of its own.
        alone = question.proposal or not question.line
        alike.setdefault(number if alone else question.asks, []).append((plan, question))
    return [one for group in alike.values() for one in (group if len(group) <= _MANY else [_join(group)])]


def _join(group: Sequence[tuple[ScopePlan, OpenQuestion]]) -> tuple[ScopePlan, OpenQuestion]:
    (plan, first), *others = group
    places = [
        f"{one.scope.path.name}/{question.file.name}:{question.line}" for one, question in others if question.file
    ]
    named = ", ".join(places[:_MAX_NAMED]) + ", …" * (len(places) > _MAX_NAMED)
    return plan, replace(first, asks=f"{first.asks}; {len(others)} more of this kind: {named}")


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
