"""Compares two snapshots fact by fact: the changes, their risks, and the points to review."""

import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.model.finding import Severity
from memci.model.memory import Snapshot
from memci.redaction.secrets import redact
from memci.report.review_result import ChangeKind, FactChange, Move, Point, ReviewStatement, ScopeChange
from memci.review.match_facts import Link, match_facts
from memci.review.risks import compare_facts
from memci.review.scope_facts import Fact, FactForm, split_facts
from memci.review.shared_words import is_bare_heading, sum_features

_STAYED = frozenset((ChangeKind.KEPT, ChangeKind.MOVED))
# Not counted as moved: these forms follow their file or the facts around them.
_UNMOVED = frozenset((FactForm.HEADING, FactForm.FIELD))


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The changes between two snapshots, and their facts."""

    changes: tuple[FactChange, ...]
    # The facts after each change, in the order of `changes`.
    facts: tuple[tuple[Fact, ...], ...]
    points: tuple[Point, ...]
    moves: tuple[Move, ...]
    scopes: tuple[ScopeChange, ...]
    kept: int
    # All facts after the change.
    said: tuple[Fact, ...]
    capped: bool


def compare(before: Snapshot, after: Snapshot) -> Compared:
    """Compare two snapshots fact by fact."""
    sides = [{scope.scope.path: split_facts(scope) for scope in side.scopes} for side in (before, after)]
    old, new = ([fact for facts in side.values() for fact in facts] for side in sides)
    matched = match_facts(old, new)
    order = {id(fact): number for number, fact in enumerate((*old, *new))}
    links = sorted(_drop_structure(_join_links(matched.links)), key=lambda link: _place(link, order))
    described = [_describe(link) for link in links]
    return Compared(
        changes=tuple(change for change, _ in described),
        facts=tuple(link.new for link in links),
        points=(*(point for _, points in described for point in points), *_list_reordered(matched.links)),
        moves=_count_moves(matched.links, {fact.path for fact in old}, {fact.path for fact in new}),
        scopes=tuple(_list_scopes(*sides)),
        kept=sum(link.kind is ChangeKind.KEPT for link in matched.links),
        said=tuple(new),
        capped=matched.capped,
    )


def _place(link: Link, order: Mapping[int, int]) -> tuple[str, int, int]:
    fact = (link.new or link.old)[0]
    return str(fact.path), fact.line, order[id(fact)]


def _join_links(links: Iterable[Link]) -> Iterator[Link]:
    """Yield the changed links; those that share a fact are joined into one."""
    kept = {id(fact) for link in links if link.kind in _STAYED for fact in link.new}
    changed: list[Link] = []
    for link in links:
        if link.kind in {ChangeKind.REWORDED, ChangeKind.MERGED} and not any(id(fact) in kept for fact in link.new):
            changed.append(link)
        elif link.kind not in _STAYED:
            yield link
    roots = list(range(len(changed)))
    owners: dict[int, int] = {}
    for number, link in enumerate(changed):
        for fact in (*link.old, *link.new):
            other = _find_root(roots, owners.setdefault(id(fact), number))
            roots[_find_root(roots, number)] = other
    groups: dict[int, list[Link]] = {}
    for number, link in enumerate(changed):
        groups.setdefault(_find_root(roots, number), []).append(link)
    for group in groups.values():
        old = tuple({id(fact): fact for link in group for fact in link.old}.values())
        new = tuple({id(fact): fact for link in group for fact in link.new}.values())
        yield Link(ChangeKind.MERGED if len(old) > 1 else ChangeKind.REWORDED, old, new)


def _find_root(roots: list[int], place: int) -> int:
    while roots[place] != place:
        roots[place] = roots[roots[place]]
        place = roots[place]
    return place


def _drop_structure(links: Iterable[Link]) -> Iterator[Link]:
    """Leave out changes of structure: headings that were added or removed, and facts that were only split."""
    for link in links:
        facts = (*link.old, *link.new)
        if link.kind is not ChangeKind.REWORDED and all(map(is_bare_heading, link.old or link.new)):
            continue
        if link.kind is ChangeKind.REWORDED and (_is_reshaped(link) or (len(facts) > 2 and not _differ(link))):
            continue
        yield link


def _is_reshaped(link: Link) -> bool:
    """Tell whether a list became a table or the reverse: the words missing in a row are in the header of its table."""
    if len(link.old) + len(link.new) > 2:
        return False
    old, new = link.old[0], link.new[0]
    before, after = Counter(old.tokens), Counter(new.tokens)
    return (
        bool(old.columns or new.columns)
        and old.negated is new.negated
        and set(before - after) <= set(new.columns)
        and set(after - before) <= set(old.columns)
    )


def _differ(link: Link) -> bool:
    return sum_features(link.old) != sum_features(link.new) or bool(compare_facts(link.old, link.new))


def _describe(link: Link) -> tuple[FactChange, list[Point]]:
    kind = link.kind
    first = (link.new or link.old)[0]
    risks = compare_facts(link.old, link.new) if kind is ChangeKind.REWORDED else []
    if kind is ChangeKind.MERGED and any(fact.key not in {other.key for other in link.new} for fact in link.old):
        risks = [risk for risk in compare_facts(link.old, link.new) if risk.rule != "fact-replaced"]
    notes = [f"{risk.rule}: {redact(risk.message)}" for risk in risks]
    grave = bool(risks)
    if kind is ChangeKind.LOST:
        grave = first.form is not FactForm.FIELD or first.slot == "pinned"
    worst = Severity.WARNING if grave else Severity.INFO
    change = FactChange(
        kind, first.form.value, tuple(map(_quote, link.old)), tuple(map(_quote, link.new)), worst, tuple(notes)
    )
    places = [Point(risk.rule, worst, _name(first.path), first.line, redact(risk.message)) for risk in risks]
    return change, places


def _quote(fact: Fact) -> ReviewStatement:
    return ReviewStatement(_name(fact.path), fact.line, redact(fact.text), redact(fact.heading))


# File names are redacted, too; cached because every fact of a file needs it.
@functools.lru_cache(maxsize=2_048)
def _name(path: PurePosixPath) -> str:
    return redact(str(path))


def _count_moves(links: Sequence[Link], before: set[PurePosixPath], after: set[PurePosixPath]) -> tuple[Move, ...]:
    headings = {
        (link.new[0].path, link.old[0].text.casefold(), link.new[0].text.casefold())
        for link in links
        if link.kind is ChangeKind.REWORDED and link.new[0].form is FactForm.HEADING
    }
    counts: Counter[tuple[str, str, bool]] = Counter()
    for link in links:
        old, new = link.old[0] if link.old else None, link.new[0] if link.new else None
        if link.kind is not ChangeKind.MOVED or old is None or new is None or new.form in _UNMOVED:
            continue
        if old.path != new.path:
            counts[_name(old.path), _name(new.path), old.path not in after and new.path not in before] += 1
        elif (new.path, old.heading.casefold(), new.heading.casefold()) not in headings:
            source, target = (
                f"{_name(fact.path)} › {redact(fact.heading)}" if fact.heading else _name(fact.path)
                for fact in (old, new)
            )
            counts[source, target, False] += 1
    return tuple(Move(source, target, count, renamed) for (source, target, renamed), count in sorted(counts.items()))


def _list_reordered(links: Iterable[Link]) -> Iterator[Point]:
    """Yield a point for each numbered list or code block whose kept lines changed their order."""
    sequences: dict[tuple[PurePosixPath, str, str], list[tuple[int, int]]] = {}
    for link in links:
        if link.kind is ChangeKind.KEPT and link.old[0].sequence and link.new[0].sequence:
            old, new = link.old[0], link.new[0]
            sequences.setdefault((new.path, old.sequence, new.sequence), []).append((old.line, new.line))
    for (path, _, _), pairs in sequences.items():
        lines = [line for _, line in sorted(pairs)]
        turned = [below for above, below in itertools.pairwise(lines) if below < above]
        if turned:
            yield Point(
                "order-changed", Severity.WARNING, _name(path), min(turned), "what is said in steps has another order"
            )


def _list_scopes(
    before: Mapping[PurePosixPath, Sequence[Fact]], after: Mapping[PurePosixPath, Sequence[Fact]]
) -> Iterator[ScopeChange]:
    for path in sorted({*before, *after}):
        status = "added" if path not in before else "removed" if path not in after else "present"
        yield ScopeChange(str(path), status, len(before.get(path, ())), len(after.get(path, ())))
