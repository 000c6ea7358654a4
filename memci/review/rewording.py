"""Facts in other words: alike enough, at one place between the same neighbours, or one for one as in a translation."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Protocol

from memci.prose.statements import MAX_LABEL, Statement, StatementKind, is_reason
from memci.review.scope_facts import Fact, FactForm
from memci.review.shared_words import (
    MAX_LEFT,
    MAX_TRIED,
    MIN_WORDS,
    find_candidates,
    find_features,
    find_markers,
    index_features,
    is_furniture,
)

# The share of words that makes two facts one: anywhere, in the same file, at the same place between neighbours.
_ANYWHERE, _IN_FILE, _IN_PLACE = 0.6, 0.45, 0.25
# Where more facts than this were exchanged between two neighbours the place says nothing about any of them.
_MAX_GAP = 3
# How far from its old place in the order of a file a fact is looked for whatever its words are.
_BESIDE = 2
# What two facts of one file have in common that begin with the same label.
_LABELLED = 0.3
# What is written in one of these forms is never the same as what is written in another.
_APART = (FactForm.FIELD, FactForm.CODE)
_MAX_TEXT = 400
_Place = tuple[PurePosixPath, int]


class _Pair(Protocol):
    @property
    def old(self) -> tuple[Fact, ...]: ...
    @property
    def new(self) -> tuple[Fact, ...]: ...


def find_gaps(
    kept: Iterable[_Pair],
    old: Sequence[Fact],
    new: Sequence[Fact],
    renamed: Mapping[PurePosixPath, PurePosixPath],
) -> dict[int, tuple[_Place, _Place]]:
    """Return for each fact between which kept neighbours it stands, as places in the new files."""
    places = {id(fact): (fact.path, number) for number, fact in enumerate(new)}
    anchors = dict(places)
    own = set()
    for link in kept:
        before, after = link.old[0], link.new[0]
        if renamed.get(before.path, before.path) == after.path:
            anchors[id(before)] = places[id(after)]
            own |= {id(before), id(after)}
    gaps: dict[int, tuple[_Place, _Place]] = {}
    for side in (old, new):
        above = _find_neighbours(side, anchors, own, renamed, -1)
        below = _find_neighbours(side[::-1], anchors, own, renamed, -2)
        gaps |= {name: (above[name], below[name]) for name in above}
    return gaps


def _find_neighbours(
    facts: Iterable[Fact],
    anchors: Mapping[int, _Place],
    own: set[int],
    renamed: Mapping[PurePosixPath, PurePosixPath],
    edge: int,
) -> dict[int, _Place]:
    found: dict[int, _Place] = {}
    last: _Place | None = None
    for fact in facts:
        path = renamed.get(fact.path, fact.path)
        if last is None or last[0] != path:
            last = (path, edge)
        if id(fact) in own:
            last = anchors[id(fact)]
        found[id(fact)] = last
    return found


def find_near(
    old: Sequence[Fact],
    new: Sequence[Fact],
    gaps: Mapping[int, tuple[_Place, _Place]],
    renamed: Mapping[PurePosixPath, PurePosixPath],
) -> tuple[list[tuple[Fact, Fact]], bool]:
    """Pair facts that are one in other words, the most alike first; and tell whether there were too many."""
    if max(len(old), len(new)) > MAX_LEFT:
        return [], True
    index = index_features(new)
    by_gap: dict[_Place, list[int]] = {}
    for number, fact in enumerate(new):
        for place in set(gaps[id(fact)]):
            by_gap.setdefault(place, []).append(number)
    sizes = [Counter(gaps[id(fact)] for fact in side) for side in (old, new)]
    small = {gap for gap, size in sizes[0].items() if max(size, sizes[1][gap]) <= _MAX_GAP}
    ranks = (_rank(old, renamed), _rank(new, {}))
    places = {rank: number for number, rank in enumerate(ranks[1])}
    scored: list[tuple[float, int, int, int]] = []
    for number, fact in enumerate(old):
        path, rank = ranks[0][number]
        near = {other for place in set(gaps[id(fact)]) for other in by_gap.get(place, ())[: 2 * MAX_TRIED]}
        near |= {places[path, at] for at in range(rank - _BESIDE, rank + _BESIDE + 1) if (path, at) in places}
        for other in dict.fromkeys((*find_candidates(fact, index), *sorted(near))):
            both = [a == b for a, b in zip(gaps[id(fact)], gaps[id(new[other])], strict=True)]
            in_place = all(both) and gaps[id(fact)] in small
            score = _score(fact, new[other], renamed, beside=any(both), in_place=in_place)
            # Of facts that are equally alike the one at the same place of the same file is meant.
            far = abs(rank - ranks[1][other][1]) if ranks[1][other][0] == path else len(new)
            if score > 0:
                scored.append((-score, far, number, other))
    return _choose(old, new, sorted(scored)), False


def _rank(facts: Sequence[Fact], renamed: Mapping[PurePosixPath, PurePosixPath]) -> list[_Place]:
    """Return for each fact its file and the how manieth of that file it is."""
    counts: Counter[PurePosixPath] = Counter()
    ranks = []
    for fact in facts:
        path = renamed.get(fact.path, fact.path)
        ranks.append((path, counts[path]))
        counts[path] += 1
    return ranks


def _choose(
    old: Sequence[Fact], new: Sequence[Fact], scored: Iterable[tuple[float, int, int, int]]
) -> list[tuple[Fact, Fact]]:
    taken_old: set[int] = set()
    taken_new: set[int] = set()
    pairs = []
    for _, _, number, other in scored:
        if number not in taken_old and other not in taken_new:
            taken_old.add(number)
            taken_new.add(other)
            pairs.append((number, other))
    return [(old[number], new[other]) for number, other in sorted(pairs)]


def _score(
    one: Fact, other: Fact, renamed: Mapping[PurePosixPath, PurePosixPath], *, beside: bool, in_place: bool
) -> float:
    """Return how much alike two facts are, and more if they stand at one place; 0 if they are two facts."""
    here = renamed.get(one.path, one.path) == other.path
    named = FactForm.HEADING in {one.form, other.form} and one.form is not other.form
    apart = any((one.form is form) != (other.form is form) for form in _APART) or not (here or one.scope == other.scope)
    if apart or (named and (is_furniture(one) or is_furniture(other))):
        return 0.0
    mine, theirs = find_features(one), find_features(other)
    total = mine.total() + theirs.total()
    share = 2 * (mine & theirs).total() / total if total else 0.0
    headings = one.form is other.form is FactForm.HEADING
    if in_place and (share >= _IN_PLACE or headings):
        return share + 0.3
    if here and not headings and (label := _find_label(one)) and label == _find_label(other):
        share += _LABELLED
    if headings and share < 1:
        return share if here and share >= _ANYWHERE else 0.0
    if here and share >= _IN_FILE:
        return share + 0.1 * beside + 0.1
    return share if share >= _ANYWHERE and min(mine.total(), theirs.total()) >= MIN_WORDS else 0.0


def _find_label(fact: Fact) -> str:
    """Return what a fact begins with to say what it is about: a first cell, bold words, or words before a colon."""
    text = fact.text[:_MAX_TEXT]
    if fact.form is FactForm.ROW:
        label = text.strip("| ").partition("|")[0].strip()
    elif text.startswith("**"):
        label = text[2:].partition("**")[0]
    else:
        label, colon, _ = text[:MAX_LABEL].partition(":")
        label = label if colon else ""
    label = label.strip("*_`: ")
    # The number of a row says nothing, and every rule has its "Why".
    reason = is_reason(Statement(fact.text, fact.line, StatementKind.ITEM, label=label))
    return label.casefold() if any(map(str.isalpha, label)) and not reason else ""


def find_replaced(
    old: Sequence[Fact], new: Sequence[Fact], gaps: Mapping[int, tuple[_Place, _Place]]
) -> list[tuple[Fact, Fact]]:
    """Pair facts that stand one for one at the same place with the same names and numbers, as in a translation."""
    sides: list[dict[tuple[_Place, _Place], list[Fact]]] = [{}, {}]
    for side, facts in zip(sides, (old, new), strict=True):
        for fact in facts:
            side.setdefault(gaps[id(fact)], []).append(fact)
    pairs: list[tuple[Fact, Fact]] = []
    for gap, gone in sides[0].items():
        come = sides[1].get(gap, [])
        if len(gone) == len(come) and all(map(_stands_for, gone, come)) and any(find_markers(fact) for fact in gone):
            pairs += zip(gone, come, strict=True)
    return pairs


def _stands_for(one: Fact, other: Fact) -> bool:
    return one.form is other.form and find_markers(one) == find_markers(other)
