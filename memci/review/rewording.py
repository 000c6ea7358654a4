"""Pairs reworded facts: by similarity, and by place between the same neighbours."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

from memci.review.scope_facts import Fact, FactForm
from memci.review.shared_words import (
    MAX_LEFT,
    MAX_TRIED,
    MIN_WORDS,
    features,
    index_features,
    is_bare_heading,
    rank_candidates,
)

# The share of words that two facts need to be paired: anywhere, in the same file, between the same neighbours.
_ANYWHERE, _IN_FILE, _IN_PLACE = 0.6, 0.45, 0.25
# Where more facts changed between two neighbours, the place is no evidence.
_MAX_GAP = 3
# How many positions around the old one are tried regardless of words.
_BESIDE = 2
# Facts of these forms are paired only with their own form.
_APART = (FactForm.FIELD, FactForm.CODE)
_Pair = tuple[Fact, Fact]
_Place = tuple[PurePosixPath, int]
_Gaps = dict[int, tuple[_Place, _Place]]


def locate_gaps(kept: Iterable[tuple[Fact, Fact]], old: Sequence[Fact], new: Sequence[Fact]) -> _Gaps:
    """Return for each fact the kept neighbours above and below it, as places in the new files."""
    places = {id(fact): (fact.path, number) for number, fact in enumerate(new)}
    anchors = dict(places)
    own = set()
    for before, after in kept:
        if before.path == after.path:
            anchors[id(before)] = places[id(after)]
            own |= {id(before), id(after)}
    gaps: _Gaps = {}
    for side in (old, new):
        above = _list_neighbours(side, anchors, own, -1)
        below = _list_neighbours(side[::-1], anchors, own, -2)
        gaps |= {name: (above[name], below[name]) for name in above}
    return gaps


def _list_neighbours(
    facts: Iterable[Fact], anchors: Mapping[int, _Place], own: set[int], edge: int
) -> dict[int, _Place]:
    found: dict[int, _Place] = {}
    last: _Place | None = None
    for fact in facts:
        if last is None or last[0] != fact.path:
            last = (fact.path, edge)
        if id(fact) in own:
            last = anchors[id(fact)]
        found[id(fact)] = last
    return found


def pair_similar(old: Sequence[Fact], new: Sequence[Fact], gaps: _Gaps) -> tuple[list[_Pair], bool]:
    """Pair reworded facts, the most similar first, and return whether there were too many to compare."""
    if max(len(old), len(new)) > MAX_LEFT:
        return [], True
    index = index_features(new)
    by_gap: dict[_Place, list[int]] = {}
    for number, fact in enumerate(new):
        for place in set(gaps[id(fact)]):
            by_gap.setdefault(place, []).append(number)
    sizes = [Counter(gaps[id(fact)] for fact in side) for side in (old, new)]
    small = {gap for gap, size in sizes[0].items() if max(size, sizes[1][gap]) <= _MAX_GAP}
    scored: list[tuple[float, int, int, int]] = []
    for number, fact in enumerate(old):
        near = {other for place in set(gaps[id(fact)]) for other in by_gap.get(place, ())[: 2 * MAX_TRIED]}
        near |= {*range(max(0, number - _BESIDE), min(number + _BESIDE + 1, len(new)))}
        for other in dict.fromkeys((*rank_candidates(fact, index), *sorted(near))):
            both = [a == b for a, b in zip(gaps[id(fact)], gaps[id(new[other])], strict=True)]
            in_place = all(both) and gaps[id(fact)] in small
            score = _score(fact, new[other], beside=any(both), in_place=in_place)
            # Of equally similar facts the nearest one is chosen.
            if score > 0:
                scored.append((-score, abs(number - other), number, other))
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, number, other in sorted(scored):
        if number not in chosen and other not in taken:
            chosen[number] = other
            taken.add(other)
    return [(old[number], new[other]) for number, other in sorted(chosen.items())], False


def _score(one: Fact, other: Fact, *, beside: bool, in_place: bool) -> float:
    """Return the similarity of two facts, with a bonus for the same place; 0 if they are unrelated."""
    here = one.path == other.path
    named = FactForm.HEADING in {one.form, other.form} and one.form is not other.form
    apart = any((one.form is form) != (other.form is form) for form in _APART) or not (here or one.scope == other.scope)
    if apart or (named and (is_bare_heading(one) or is_bare_heading(other))):
        return 0.0
    mine, theirs = features(one), features(other)
    total = mine.total() + theirs.total()
    share = 2 * (mine & theirs).total() / total if total else 0.0
    headings = one.form is other.form is FactForm.HEADING
    if in_place and (share >= _IN_PLACE or headings):
        return share + 0.3
    if headings and share < 1:
        return share if here and share >= _ANYWHERE else 0.0
    if here and share >= _IN_FILE:
        return share + 0.1 * beside + 0.1
    return share if share >= _ANYWHERE and min(mine.total(), theirs.total()) >= MIN_WORDS else 0.0
