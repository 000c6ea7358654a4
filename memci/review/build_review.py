"""Builds a review of two snapshots with findings and verdicts: the changes, and the points to look at."""

import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from msgspec import structs

from memci.checks.registry import RULES
from memci.checks.rule import Group
from memci.memory.client_limit import cut
from memci.model.citation import Reason, Verdict, VerdictKind
from memci.model.finding import Finding, Severity
from memci.model.memory import ScopeSnapshot, Snapshot
from memci.prose.similar import find_alike, normalise, read_phrases
from memci.redaction.secrets import redact
from memci.report.check_result import amount
from memci.report.review_result import ChangeKind, FactChange, Point, Review, SkippedPart, order_points
from memci.review.compare_scopes import Compared, compare
from memci.review.risks import name_some
from memci.review.scope_facts import PROSE, Fact

# These rules count lines; a review counts facts and words the message itself.
_BY_LINES = frozenset(("memory-vanished", "memory-shrunk"))
_BY_INDEX = frozenset(("index-over-lines", "index-over-bytes"))
# These rules concern a whole file, not the fact on their line.
_ABOUT_FILES = frozenset(
    rule.id for rule in RULES if rule.group in {Group.INDEX, Group.TOPIC, Group.FILE, Group.CHANGE}
)
_MAX_NAMED = 5
# How many facts above a line may extend to it.
_MAX_ABOVE = 6
# The limits of the search for near-duplicates: statements, and characters of each.
_MAX_PHRASES = 5_000
_MAX_PHRASE = 2_000


@dataclass(frozen=True, slots=True)
class ReviewJudgement:
    """Findings, verdicts and evidence for a change."""

    # Findings that the change introduces.
    findings: tuple[Finding, ...] = ()
    # Verdicts on the claims of new lines.
    verdicts: tuple[Verdict, ...] = ()
    # The sources of each topic.
    evidence: Mapping[PurePosixPath, tuple[str, ...]] = field(default_factory=dict)
    # For each place in the old memory the cited paths that are no longer in the repository.
    gone: Mapping[tuple[PurePosixPath, int], tuple[str, ...]] = field(default_factory=dict)


def build_review(before: Snapshot, after: Snapshot, judgement: ReviewJudgement, *, base: str, head: str) -> Review:
    """Compare two snapshots, and annotate each change and the whole."""
    compared = compare(before, after)
    changes = _annotate(compared, judgement)
    vanished = {str(one.path): one for one in judgement.findings if one.rule in _BY_LINES}
    cuts = list(_check_cut(before, after))
    hidden = {point.path for point in cuts}
    found = [
        Point(one.rule, one.severity, str(one.path), one.line, one.message)
        for one in judgement.findings
        if one.rule not in _BY_LINES and not (one.rule in _BY_INDEX and str(one.path) in hidden)
    ]
    points = [*compared.points, *found, *cuts, *_check_lost(compared, vanished), *_check_pinned(before, compared)]
    skipped = (SkippedPart("words", "too many facts changed to compare their words; only equal ones were found again"),)
    return Review(
        base=base,
        head=head,
        changes=tuple(changes),
        points=order_points([*points, *_check_removed(compared)]),
        moves=compared.moves,
        kept=compared.kept,
        scopes=compared.scopes,
        claims=Counter(verdict.kind.value for verdict in judgement.verdicts),
        skipped=skipped if compared.capped else (),
    )


def _check_lost(compared: Compared, vanished: Mapping[str, Finding]) -> Iterator[Point]:
    """Yield one point for all lost facts of a file, named after the finding if the file vanished or shrank."""
    lines: dict[str, list[int]] = {}
    for change in compared.changes:
        if change.kind is ChangeKind.LOST and change.severity is not Severity.INFO:
            for said in change.before:
                lines.setdefault(said.path, []).append(said.line)
    for path, numbers in lines.items():
        many = f"{len(numbers)} facts" if len(numbers) > 1 else "a fact"
        named = ", ".join(map(str, sorted(set(numbers))[:_MAX_NAMED]))
        more = ", …" if len(set(numbers)) > _MAX_NAMED else ""
        where = f"{many} of line{'s' if len(set(numbers)) > 1 else ''} {named}{more} "
        finding = vanished.get(path)
        rule = finding.rule if finding else "fact-lost"
        gone = "the file is deleted, and " if rule == "memory-vanished" else ""
        severity = finding.severity if finding else Severity.WARNING
        yield Point(
            rule, severity, path, min(numbers), f"{gone}{where}{'are' if len(numbers) > 1 else 'is'} nowhere else"
        )


def _check_cut(before: Snapshot, after: Snapshot) -> Iterator[Point]:
    """Yield a point for each index with pointers that the client no longer loads."""
    old = {scope.scope.path: scope for scope in before.scopes}
    for scope in after.scopes:
        hidden = _list_hidden(scope)
        known = _list_hidden(old[scope.scope.path]) if scope.scope.path in old else {}
        fresh = {path: line for path, line in hidden.items() if path not in known}
        if fresh:
            names = name_some([redact(path.name) for path in fresh])
            last = min(fresh.values()) - 1
            message = f"the client loads the index up to line {last}, so no session learns of {names}"
            yield Point("index-cut", Severity.ERROR, str(scope.index_path), min(fresh.values()), message)


def _list_hidden(scope: ScopeSnapshot) -> dict[PurePosixPath, int]:
    lost = cut(scope.index.text).lost_from if scope.index else 0
    if not scope.index or not lost:
        return {}
    seen = {pointer.path for pointer in scope.index.pointers if pointer.line < lost}
    pointers = (pointer for pointer in scope.index.pointers if pointer.line >= lost)
    return {pointer.path: pointer.line for pointer in pointers if pointer.path and pointer.path not in seen}


def _check_pinned(before: Snapshot, compared: Compared) -> Iterator[Point]:
    """Yield a point for each pinned topic that changes."""
    pinned = {str(topic.path) for scope in before.scopes for topic in scope.topics if topic.pinned}
    kinds = {ChangeKind.LOST, ChangeKind.REWORDED, ChangeKind.MERGED}
    touched = {said.path: said for change in compared.changes if change.kind in kinds for said in change.before}
    for path in sorted(pinned & touched.keys()):
        yield Point("pinned-changed", Severity.WARNING, path, 1, "this topic is pinned: only a person should change it")


def _check_removed(compared: Compared) -> Iterator[Point]:
    gone = [said.path for change in compared.changes if change.kind is ChangeKind.LOST for said in change.before]
    for scope in compared.scopes:
        lost = sum(path.startswith(f"{scope.path}/") for path in gone)
        if scope.status == "removed" and lost:
            message = f"the scope is gone, and {amount(lost, 'fact')} with it"
            yield Point("scope-removed", Severity.ERROR, scope.path, 1, message)


def _annotate(compared: Compared, judgement: ReviewJudgement) -> list[FactChange]:
    """Add findings, verdicts, near-duplicates and evidence to each change."""
    told = _note_findings(compared, judgement)
    near = _note_duplicates(compared)
    changes = []
    for change, facts in zip(compared.changes, compared.facts, strict=True):
        if change.kind is ChangeKind.LOST:
            places = [(PurePosixPath(said.path), said.line) for said in change.before]
            cited = {path: None for place in places for path in judgement.gone.get(place, ())}
            notes = [f"it cites {redact(path)}, which is not in the repository" for path in cited]
            changes.append(structs.replace(change, notes=(*change.notes, *notes)))
            continue
        notes = [note for fact in facts for note in (*told.get(id(fact), ()), *near.get(id(fact), ()))]
        evidence = {source: None for fact in facts for source in judgement.evidence.get(fact.path, ())}
        changes.append(structs.replace(change, notes=(*change.notes, *dict.fromkeys(notes)), evidence=tuple(evidence)))
    return changes


def _note_findings(compared: Compared, judgement: ReviewJudgement) -> dict[int, list[str]]:
    """Return the notes about findings and verdicts for each fact."""
    places: dict[str, list[Fact]] = {}
    for fact in sorted(compared.said, key=lambda fact: fact.line):
        places.setdefault(str(fact.path), []).append(fact)
    told: dict[int, list[str]] = {}
    for finding in judgement.findings:
        if finding.severity is not Severity.INFO and finding.rule not in _ABOUT_FILES:
            for fact in _facts_at(places.get(str(finding.path), ()), finding.line, finding.key):
                told.setdefault(id(fact), []).append(f"{finding.rule}: {finding.message}")
    answers: dict[int, dict[str, dict[str, None]]] = {}
    for verdict in judgement.verdicts:
        claim = verdict.claim
        for fact in _facts_at(places.get(str(claim.path), ()), claim.line, claim.text):
            # The finding about this claim says more than its verdict.
            if not any(claim.text in note for note in told.get(id(fact), ())):
                answers.setdefault(id(fact), {}).setdefault(_describe(verdict), {})[redact(claim.text)] = None
    for name, kinds in answers.items():
        told.setdefault(name, []).extend(f"{kind}: {', '.join(names)}" for kind, names in kinds.items())
    return told


def _facts_at(facts: Sequence[Fact], line: int, key: str) -> list[Fact]:
    """Return the nearest facts that contain the key, else the fact that begins on the line."""
    place = bisect.bisect(facts, line, key=lambda fact: fact.line)
    # Sentences of one paragraph may end and begin on one line.
    near = facts[max(0, place - _MAX_ABOVE) : place]
    holding = [fact for fact in near if key and key in fact.text]
    nearest = [fact for fact in holding if fact.line == holding[-1].line]
    return nearest or [fact for fact in near if fact.line == line][:1]


def _describe(verdict: Verdict) -> str:
    if verdict.kind is VerdictKind.VERIFIED:
        return "verified"
    if verdict.reason is Reason.NEVER:
        # It may be the name of a library, so this is not an error.
        return "never in this repository"
    if verdict.kind is VerdictKind.MOVED:
        return f"moved to {redact(verdict.target)}"
    return f"{verdict.kind.value} ({verdict.reason.value})" if verdict.reason else verdict.kind.value


def _note_duplicates(compared: Compared) -> dict[int, list[str]]:
    """Return notes for added facts that are near-duplicates of others."""
    pairs = zip(compared.changes, compared.facts, strict=True)
    own = {id(fact) for change, facts in pairs if change.kind is ChangeKind.ADDED for fact in facts}
    prose = [fact for fact in compared.said if fact.form in PROSE and len(fact.text) <= _MAX_PHRASE]
    if not own or len(prose) > _MAX_PHRASES:
        return {}
    places = {normalise(fact.text): fact for fact in reversed(prose) if id(fact) not in own}
    alike = find_alike(read_phrases(fact.text for fact in prose))
    near: dict[int, list[str]] = {}
    for fact in (fact for fact in prose if id(fact) in own):
        key = normalise(fact.text)
        others = (places[other] for other in sorted(alike[key] - {key}) if other in places)
        near[id(fact)] = [f"near-duplicate of {redact(str(other.path))}:{other.line}" for other in others]
    return near
