"""Pairs reworded facts by the words that they share."""

from collections.abc import Sequence

from memci.review.scope_facts import Fact, FactForm
from memci.review.shared_words import MAX_LEFT, MIN_WORDS, features, index_features, is_bare_heading, rank_candidates

# The share of words that two facts need to be paired: anywhere, in the same file, alone at their place.
_ANYWHERE, _IN_FILE, _IN_PLACE = 0.6, 0.45, 0.25
# How many facts before and after the same place are tried regardless of words.
_BESIDE = 2
# Facts of these forms are paired only with their own form.
_APART = (FactForm.FIELD, FactForm.CODE)
_Pair = tuple[Fact, Fact]


def pair_similar(old: Sequence[Fact], new: Sequence[Fact]) -> tuple[list[_Pair], bool]:
    """Pair reworded facts, the most similar first, and return whether there were too many to compare."""
    if max(len(old), len(new)) > MAX_LEFT:
        return [], True
    index = index_features(new)
    scored: list[tuple[float, int, int, int]] = []
    for number, fact in enumerate(old):
        near = range(max(0, number - _BESIDE), min(number + _BESIDE + 1, len(new)))
        for other in dict.fromkeys((*rank_candidates(fact, index), *near)):
            score = _score(fact, new[other])
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


def _score(one: Fact, other: Fact) -> float:
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
    in_place = here and one.line == other.line
    if in_place and (share >= _IN_PLACE or headings):
        return share + 0.3
    if headings and share < 1:
        return share if here and share >= _ANYWHERE else 0.0
    if here and share >= _IN_FILE:
        return share + 0.1
    return share if share >= _ANYWHERE and min(mine.total(), theirs.total()) >= MIN_WORDS else 0.0
