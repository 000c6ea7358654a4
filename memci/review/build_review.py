"""A review from two snapshots and what rules and repository say: what changed, and the points to look at."""

import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from memci.checks.registry import RULES
from memci.checks.rule import Group
from memci.memory.client_limit import cut
from memci.model.citation import Reason, Verdict, VerdictKind
from memci.model.finding import Finding, Severity
from memci.model.memory import ScopeSnapshot, Snapshot
from memci.prose.similar import find_alike, normalise, read_phrases
from memci.redaction.secrets import redact
from memci.report.check_result import amount
from memci.report.review_result import ChangeKind, FactChange, Point, Review, order_points
from memci.review.compare_scopes import Compared, compare
from memci.review.scope_facts import PROSE, Fact

# These count lines; a review counts facts, and tells the same in its own words.
_BY_LINES = frozenset(("memory-vanished", "memory-shrunk"))
_BY_INDEX = frozenset(("index-over-lines", "index-over-bytes"))
# They concern a file, whatever fact stands on the line that they name.
_ABOUT_FILES = frozenset(
    rule.id for rule in RULES if rule.group in {Group.INDEX, Group.TOPIC, Group.FILE, Group.CHANGE}
)
_MAX_NAMED = 5
# How many facts above a line may reach down to it.
_MAX_ABOVE = 6
# So many statements are compared with each other for near repetitions.
_MAX_PHRASES = 5_000
_MAX_PHRASE = 2_000


@dataclass(frozen=True, slots=True)
class ReviewJudgement:
    """What is known about a change besides its words."""

    # What the rules find that they did not find before.
    findings: tuple[Finding, ...] = ()
    # What the repository says to claims on new lines.
    verdicts: tuple[Verdict, ...] = ()
    # Topic -> what it rests on.
    evidence: Mapping[PurePosixPath, tuple[str, ...]] = field(default_factory=dict)
    # Place in the memory before -> paths named there that the repository does not have any more.
    gone: Mapping[tuple[PurePosixPath, int], tuple[str, ...]] = field(default_factory=dict)


def build_review(before: Snapshot, after: Snapshot, judgement: ReviewJudgement, *, base: str, head: str) -> Review:
    """Compare, and tell what matters about each change and about all of them."""
    compared = compare(before, after)
    changes = _annotate(compared, judgement)
    vanished = {str(one.path): one for one in judgement.findings if one.rule in _BY_LINES}
    cuts = list(_find_cut(before, after))
    hidden = {point.path for point in cuts}
    found = [
        Point(one.rule, one.severity, str(one.path), one.line, one.message)
        for one in judgement.findings
        if one.rule not in _BY_LINES and not (one.rule in _BY_INDEX and str(one.path) in hidden)
    ]
    points = [*compared.points, *found, *cuts, *_tell_lost(compared, vanished), *_find_pinned(before, compared)]
    skipped = (("words", "too many facts changed to compare their words; only equal ones were found again"),)
    return Review(
        base=base,
        head=head,
        changes=tuple(changes),
        points=order_points([*points, *_find_removed(compared)]),
        moves=compared.moves,
        kept=compared.kept,
        scopes=compared.scopes,
        claims=Counter(verdict.kind.value for verdict in judgement.verdicts),
        skipped=skipped if compared.capped else (),
    )


def _tell_lost(compared: Compared, vanished: Mapping[str, Finding]) -> Iterator[Point]:
    """Make one point of all facts that a file loses; a file that is gone, or half gone, is named as such."""
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


def _find_cut(before: Snapshot, after: Snapshot) -> Iterator[Point]:
    """Name the pointers that the client would load no more, or not at all."""
    old = {scope.scope.path: scope for scope in before.scopes}
    for scope in after.scopes:
        hidden = _find_hidden(scope)
        known = _find_hidden(old[scope.scope.path]) if scope.scope.path in old else {}
        fresh = {path: line for path, line in hidden.items() if path not in known}
        if fresh:
            names = ", ".join(redact(path.name) for path in list(fresh)[:_MAX_NAMED])
            more = f" and {len(fresh) - _MAX_NAMED} more" if len(fresh) > _MAX_NAMED else ""
            last = min(fresh.values()) - 1
            message = f"the client loads the index up to line {last}, so no session learns of {names}{more}"
            yield Point("index-cut", Severity.ERROR, str(scope.index_path), min(fresh.values()), message)


def _find_hidden(scope: ScopeSnapshot) -> dict[PurePosixPath, int]:
    lost = cut(scope.index.text).lost_from if scope.index else 0
    if not scope.index or not lost:
        return {}
    seen = {pointer.path for pointer in scope.index.pointers if pointer.line < lost}
    pointers = (pointer for pointer in scope.index.pointers if pointer.line >= lost)
    return {pointer.path: pointer.line for pointer in pointers if pointer.path and pointer.path not in seen}


def _find_pinned(before: Snapshot, compared: Compared) -> Iterator[Point]:
    """Name the topics that nobody but a person should touch, and that change."""
    pinned = {str(topic.path) for scope in before.scopes for topic in scope.topics if topic.pinned}
    kinds = {ChangeKind.LOST, ChangeKind.REWORDED, ChangeKind.MERGED}
    touched = {said.path: said for change in compared.changes if change.kind in kinds for said in change.before}
    for path in sorted(pinned & touched.keys()):
        yield Point("pinned-changed", Severity.WARNING, path, 1, "this topic is pinned: only a person should change it")


def _find_removed(compared: Compared) -> Iterator[Point]:
    for scope in compared.scopes:
        lost = sum(count for path, count in compared.lost.items() if str(path).startswith(f"{scope.path}/"))
        if scope.status == "removed" and lost:
            message = f"the scope is gone, and {amount(lost, 'fact')} with it"
            yield Point("scope-removed", Severity.ERROR, scope.path, 1, message)


def _annotate(compared: Compared, judgement: ReviewJudgement) -> list[FactChange]:
    """Add to each change what rules, repository and the rest of memory say about it."""
    told = _find_told(compared, judgement)
    near = _find_near(compared)
    changes = []
    for change, facts in zip(compared.changes, compared.facts, strict=True):
        if change.kind is ChangeKind.LOST:
            places = [(PurePosixPath(said.path), said.line) for said in change.before]
            cited = {path: None for place in places for path in judgement.gone.get(place, ())}
            notes = [f"it cites {redact(path)}, which is not in the repository" for path in cited]
            changes.append(replace(change, notes=(*change.notes, *notes)))
            continue
        notes = [note for fact in facts for note in (*told.get(id(fact), ()), *near.get(id(fact), ()))]
        evidence = {source: None for fact in facts for source in judgement.evidence.get(fact.path, ())}
        changes.append(replace(change, notes=(*change.notes, *dict.fromkeys(notes)), evidence=tuple(evidence)))
    return changes


def _find_told(compared: Compared, judgement: ReviewJudgement) -> dict[int, list[str]]:
    """Give every finding and verdict on a line to the fact that stands there."""
    places: dict[str, list[Fact]] = {}
    for fact in sorted(compared.said, key=lambda fact: fact.line):
        places.setdefault(str(fact.path), []).append(fact)
    told: dict[int, list[str]] = {}
    for finding in judgement.findings:
        if finding.severity is not Severity.INFO and finding.rule not in _ABOUT_FILES:
            for fact in _find_at(places.get(str(finding.path), ()), finding.line, finding.key):
                told.setdefault(id(fact), []).append(f"{finding.rule}: {finding.message}")
    answers: dict[int, dict[str, dict[str, None]]] = {}
    for verdict in judgement.verdicts:
        claim = verdict.claim
        for fact in _find_at(places.get(str(claim.path), ()), claim.line, claim.text):
            # What a finding names is told with its reason.
            if not any(claim.text in note for note in told.get(id(fact), ())):
                answers.setdefault(id(fact), {}).setdefault(_describe(verdict), {})[redact(claim.text)] = None
    for name, kinds in answers.items():
        told.setdefault(name, []).extend(f"{kind}: {', '.join(names)}" for kind, names in kinds.items())
    return told


def _find_at(facts: Sequence[Fact], line: int, key: str) -> list[Fact]:
    """Return the facts that a line belongs to: the nearest that hold the words in question, else what begins there."""
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
        # It may be the name of a library.
        return "never in this repository"
    if verdict.kind is VerdictKind.MOVED:
        return f"moved to {redact(verdict.target)}"
    return f"{verdict.kind.value} ({verdict.reason.value})" if verdict.reason else verdict.kind.value


def _find_near(compared: Compared) -> dict[int, list[str]]:
    """Tell which added facts say nearly what memory says already."""
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
