"""A review from two snapshots and what rules and repository say: what changed, and the points to look at."""

import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from memci.model import Finding, Reason, ScopeSnapshot, Severity, Snapshot, Verdict, VerdictKind
from memci.report.review_result import Change, ChangeKind, Point, Review, order_points
from memci.review.compare import Compared, compare
from memci.review.facts import Fact, Form
from memci.text.cut import cut
from memci.text.secrets import redact
from memci.text.similarity import find_alike, normalise, read_phrases

# These count lines; a review counts facts, and tells the same in its own words.
_BY_LINES = frozenset(("memory-vanished", "memory-shrunk"))
_BY_INDEX = frozenset(("index-over-lines", "index-over-bytes"))
_PROSE = frozenset((Form.SENTENCE, Form.ITEM, Form.ROW, Form.QUOTE))
_MAX_NAMED = 5
# So many statements are compared with each other for near repetitions.
_MAX_PHRASES = 5_000
_MAX_PHRASE = 2_000


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is known about a change besides its words."""

    # What the rules find that they did not find before.
    findings: tuple[Finding, ...] = ()
    # What the repository says to claims on new lines.
    verdicts: tuple[Verdict, ...] = ()
    # Topic -> what it rests on.
    evidence: Mapping[PurePosixPath, tuple[str, ...]] = field(default_factory=dict)
    # Place in the memory before -> paths named there that the repository does not have any more.
    gone: Mapping[tuple[PurePosixPath, int], tuple[str, ...]] = field(default_factory=dict)


def build_review(before: Snapshot, after: Snapshot, judgement: Judgement, *, base: str, head: str) -> Review:
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
            yield Point(
                "scope-removed",
                Severity.ERROR,
                scope.path,
                1,
                f"the scope is gone, and {lost} of its {scope.before} facts with it",
            )


def _annotate(compared: Compared, judgement: Judgement) -> list[Change]:
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


def _find_told(compared: Compared, judgement: Judgement) -> dict[int, list[str]]:
    """Give every finding and verdict on a line to the fact that stands there."""
    places: dict[str, list[tuple[int, int]]] = {}
    for facts in compared.facts:
        for fact in facts:
            places.setdefault(str(fact.path), []).append((fact.line, id(fact)))
    for entries in places.values():
        entries.sort()
    texts = {id(fact): fact for facts in compared.facts for fact in facts}
    told: dict[int, list[str]] = {}
    for finding in judgement.findings:
        if finding.severity is not Severity.INFO:
            for name in _find_at(places.get(str(finding.path), ()), finding.line, finding.key, texts):
                told.setdefault(name, []).append(f"{finding.rule}: {finding.message}")
    for verdict in judgement.verdicts:
        claim = verdict.claim
        note = f"{redact(claim.text)}: {_describe(verdict)}"
        for name in _find_at(places.get(str(claim.path), ()), claim.line, claim.text, texts):
            told.setdefault(name, []).append(note)
    return told


def _find_at(entries: Sequence[tuple[int, int]], line: int, key: str, facts: Mapping[int, Fact]) -> list[int]:
    """Return the facts that a line belongs to: of several on it, those that hold the words in question."""
    place = bisect.bisect(entries, line, key=lambda entry: entry[0])
    start = entries[place - 1][0] if place else 0
    here = [name for number, name in entries[:place] if number == start]
    holding = [name for name in here if key and key in facts[name].text]
    return holding or (here[:1] if start == line else [])


def _describe(verdict: Verdict) -> str:
    if verdict.kind is VerdictKind.VERIFIED:
        return "verified"
    if verdict.reason is Reason.NEVER:
        return "never existed"
    if verdict.kind is VerdictKind.MOVED:
        return f"moved to {redact(verdict.target)}"
    return f"{verdict.kind.value} ({verdict.reason.value})" if verdict.reason else verdict.kind.value


def _find_near(compared: Compared) -> dict[int, list[str]]:
    """Tell which added facts say nearly what memory says already."""
    pairs = zip(compared.changes, compared.facts, strict=True)
    own = {id(fact) for change, facts in pairs if change.kind is ChangeKind.ADDED for fact in facts}
    prose = [fact for fact in compared.said if fact.form in _PROSE and len(fact.text) <= _MAX_PHRASE]
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
