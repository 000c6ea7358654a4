"""Matches the facts before and after a change: equal ones by hash first, the rest by their words."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memci.report.review_result import ChangeKind
from memci.review.fact_tokens import code_spans
from memci.review.scope_facts import Fact, FactForm
from memci.review.shared_words import pair_covered, pair_repeated, pair_similar

# Forms that are matched by their slot, not by their words.
_FILED = frozenset((FactForm.FIELD, FactForm.POINTER))


@dataclass(frozen=True, slots=True)
class Link:
    """Facts before a change and what they became; one side is empty for lost and added facts."""

    kind: ChangeKind
    old: tuple[Fact, ...]
    new: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Matched:
    """The links of all facts of both sides."""

    links: tuple[Link, ...]
    # Whether there were too many facts to compare by words.
    capped: bool = False


@dataclass(slots=True)
class _Work:
    """The facts that are not matched yet, in order, and the links so far."""

    old: list[Fact]
    new: list[Fact]
    links: list[Link] = field(default_factory=list)

    def link(self, kind: ChangeKind, pairs: Iterable[tuple[Sequence[Fact], Sequence[Fact]]]) -> None:
        """Link facts, and remove them from the unmatched ones."""
        made = [Link(kind, tuple(old), tuple(new)) for old, new in pairs]
        used = {id(fact) for link in made for fact in (*link.old, *link.new)}
        self.links += made
        self.old = [fact for fact in self.old if id(fact) not in used]
        self.new = [fact for fact in self.new if id(fact) not in used]


def match_facts(old: Sequence[Fact], new: Sequence[Fact]) -> Matched:
    """Match every old fact with what it became."""
    work = _Work(list(old), list(new))
    _pair_equal(work, lambda fact: fact.form not in _FILED)
    _pair_filed(work)
    _pair_equal(work, lambda fact: fact.form is not FactForm.FIELD)
    _drop_fields(work, old, new)
    _fold_repeated(work, new)
    pairs, capped = pair_similar(work.old, work.new)
    work.link(ChangeKind.REWORDED, (([one], [other]) for one, other in pairs))
    _attach_covered(work)
    work.link(ChangeKind.MERGED, [([part], [holder]) for part, holder in pair_repeated(work.old, new)])
    work.link(ChangeKind.LOST, (([fact], []) for fact in work.old))
    work.link(ChangeKind.ADDED, (([], [fact]) for fact in work.new))
    return Matched(tuple(map(_classify_kept, work.links)), capped)


def _pair_equal(work: _Work, wanted: Callable[[Fact], bool]) -> None:
    """Pair equal facts: below the same heading, then in the same file, then anywhere."""
    sames: tuple[Callable[[Fact], Hashable], ...] = (
        lambda fact: (fact.key, fact.path, fact.heading),
        lambda fact: (fact.key, fact.path),
        lambda fact: fact.key,
    )
    for same in sames:
        waiting: dict[Hashable, deque[Fact]] = {}
        for fact in filter(wanted, work.new):
            waiting.setdefault(same(fact), deque()).append(fact)
        pairs = [([fact], [found.popleft()]) for fact in filter(wanted, work.old) if (found := waiting.get(same(fact)))]
        work.link(ChangeKind.KEPT, pairs)


def _pair_filed(work: _Work) -> None:
    """Pair fields of one file, and pointers to one topic, regardless of their words."""
    slotted = [fact for fact in work.new if fact.slot]
    waiting: dict[Hashable, deque[Fact]] = {}
    for fact in slotted:
        waiting.setdefault((fact.path, fact.form, fact.slot), deque()).append(fact)
    pairs = []
    for fact in work.old:
        found = waiting.get((fact.path, fact.form, fact.slot)) if fact.slot else None
        if found:
            pairs.append((fact, found.popleft()))
    work.link(ChangeKind.KEPT, (([one], [other]) for one, other in pairs if one.key == other.key))
    work.link(ChangeKind.REWORDED, (([one], [other]) for one, other in pairs if one.key != other.key))


def _drop_fields(work: _Work, old: Sequence[Fact], new: Sequence[Fact]) -> None:
    """Drop the fields of files that were added or removed as a whole: their other facts are reported anyway."""
    before = {fact.path for fact in old}
    after = {fact.path for fact in new}
    work.old = [fact for fact in work.old if fact.form is not FactForm.FIELD or fact.path in after]
    work.new = [fact for fact in work.new if fact.form is not FactForm.FIELD or fact.path in before]


def _fold_repeated(work: _Work, new: Sequence[Fact]) -> None:
    """Link facts that were said twice, and are still said once."""
    said = {(fact.scope, fact.key): fact for fact in reversed(new) if fact.form is not FactForm.FIELD}
    gone = [(fact, said.get((fact.scope, fact.key))) for fact in work.old]
    work.link(ChangeKind.MERGED, [([fact], [other]) for fact, other in gone if other])


def _attach_covered(work: _Work) -> None:
    """Link facts that are covered by a reworded one, and the reverse."""
    changed = [link for link in work.links if link.kind in {ChangeKind.REWORDED, ChangeKind.MERGED}]
    targets = [fact for link in changed for fact in link.new] + work.new
    work.link(ChangeKind.MERGED, [([part], [holder]) for part, holder in pair_covered(work.old, targets)])
    sources = [fact for link in changed for fact in link.old]
    work.link(ChangeKind.REWORDED, [([whole], [piece]) for piece, whole in pair_covered(work.new, sources)])


def _classify_kept(link: Link) -> Link:
    if link.kind is not ChangeKind.KEPT:
        return link
    old, new = link.old[0], link.new[0]
    if old.text != new.text and _differ_in_case(code_spans(old.text), code_spans(new.text)):
        return Link(ChangeKind.REWORDED, link.old, link.new)
    stayed = old.path == new.path and old.heading.casefold() == new.heading.casefold()
    return link if stayed else Link(ChangeKind.MOVED, link.old, link.new)


def _differ_in_case(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Tell whether code differs in case: `make Build` and `make build` are two commands."""
    return any(other.get(key, code) != code for key, code in one.items())
