"""Compares facts by their words: shared words, and facts contained in others; every search is bounded."""

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from memci.prose.similar import stem
from memci.review.fact_tokens import is_content, is_denial, is_marker
from memci.review.scope_facts import Fact, FactForm

# A word that more facts have is shared by chance.
_MAX_HOLDERS = 30
_MAX_RARE = 40
_MAX_TRIED = 5
# With more unmatched facts on a side only equal ones are matched, so that a hostile change cannot cost much time.
_MAX_LEFT = 4_000
# A longer text is not a statement.
_MAX_TOKENS = 2_000
# A fact is covered by another that has this share of its words, and every name and number.
_COVERED = 0.8
# A fact this many times as long may contain the words of another in order by chance.
_MAX_BETWEEN = 2
_MIN_WORDS = 3
# A heading of this many words is a statement itself.
_MIN_HEADING = 4
_FIRST_UNSPACED = "\u0e00"


# Facts are hashed by identity, so one entry is one place.
@functools.lru_cache(maxsize=20_000)
def features(fact: Fact) -> Counter[str]:
    """Count the stems by which facts are compared; unspaced scripts give pairs of characters."""
    return Counter(_list_features(fact))


def sum_features(facts: Iterable[Fact]) -> Counter[str]:
    """Count the stems of several facts."""
    return sum(map(features, facts), Counter[str]())


def _list_features(fact: Fact) -> Iterator[str]:
    before = ""
    for token in fact.tokens[:_MAX_TOKENS]:
        unspaced = len(token) == 1 and token >= _FIRST_UNSPACED
        if unspaced and before:
            yield before + token
        elif not unspaced and is_content(token):
            yield stem(token)
        before = token if unspaced else ""


def is_bare_heading(fact: Fact) -> bool:
    """Tell whether a fact is a heading that is not a statement itself."""
    if fact.form is not FactForm.HEADING or features(fact).total() >= _MIN_HEADING:
        return False
    return not any(map(is_denial, fact.tokens))


def _is_statement(fact: Fact) -> bool:
    return fact.form is not FactForm.FIELD and not is_bare_heading(fact)


def _index_features(facts: Sequence[Fact]) -> dict[str, list[int]]:
    """Return for each feature the positions of the facts that have it."""
    index: dict[str, list[int]] = {}
    for number, fact in enumerate(facts):
        for feature in features(fact):
            index.setdefault(feature, []).append(number)
    return index


def _rank_candidates(fact: Fact, index: Mapping[str, Sequence[int]]) -> list[int]:
    """Return the positions of the facts that share the rarest features."""
    rarest = sorted(features(fact), key=lambda feature: (len(index.get(feature, ())), feature))
    counts: Counter[int] = Counter()
    for feature in rarest[:_MAX_RARE]:
        holders = index.get(feature, ())
        if len(holders) <= _MAX_HOLDERS:
            for number in holders:
                counts[number] += 1
    return [number for number, _ in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:_MAX_TRIED]]


def _markers(fact: Fact) -> frozenset[str]:
    """Return the names and numbers in a fact."""
    return frozenset(token for token in fact.tokens if is_marker(token))


def pair_covered(parts: Sequence[Fact], holders: Sequence[Fact]) -> list[tuple[Fact, Fact]]:
    """Pair each fact with one that has nearly all of its words."""
    return _pair(parts, holders, _is_covered) if len(holders) <= _MAX_LEFT else []


def pair_repeated(parts: Sequence[Fact], holders: Sequence[Fact]) -> list[tuple[Fact, Fact]]:
    """Pair each fact with one that has its words in order, with few others in between."""
    return _pair(parts, holders, _is_repeated)


def _pair(
    parts: Sequence[Fact], holders: Sequence[Fact], fits: Callable[[Fact, Fact], bool]
) -> list[tuple[Fact, Fact]]:
    if not parts or len(parts) > _MAX_LEFT:
        return []
    index = _index_features(holders)
    found = []
    for part in filter(_is_statement, parts):
        tried = (holders[number] for number in _rank_candidates(part, index))
        found += [(part, holder) for holder in tried if holder is not part and fits(part, holder)][:1]
    return found


def _is_repeated(part: Fact, holder: Fact) -> bool:
    theirs = features(holder)
    short = theirs.total() <= _MAX_BETWEEN * features(part).total()
    rest = _list_features(holder)
    return short and _is_covered(part, holder) and all(word in rest for word in _list_features(part))


def _is_covered(part: Fact, holder: Fact) -> bool:
    mine, theirs = features(part), features(holder)
    if part.scope != holder.scope or mine.total() < _MIN_WORDS or (mine & theirs).total() < _COVERED * mine.total():
        return False
    denials = [sum(map(is_denial, fact.tokens)) + fact.negated for fact in (part, holder)]
    return _markers(part) <= set(holder.tokens) and denials[0] % 2 == denials[1] % 2


# The share of words that two facts need to be paired: anywhere, in the same file, alone at their place.
_ANYWHERE, _IN_FILE, _IN_PLACE = 0.6, 0.45, 0.25
# How many facts before and after the same place are tried regardless of words.
_BESIDE = 2
# Facts of these forms are paired only with their own form.
_APART = (FactForm.FIELD, FactForm.CODE)
_Pair = tuple[Fact, Fact]


def pair_similar(old: Sequence[Fact], new: Sequence[Fact]) -> tuple[list[_Pair], bool]:
    """Pair reworded facts, the most similar first, and return whether there were too many to compare."""
    if max(len(old), len(new)) > _MAX_LEFT:
        return [], True
    index = _index_features(new)
    scored: list[tuple[float, int, int, int]] = []
    for number, fact in enumerate(old):
        near = range(max(0, number - _BESIDE), min(number + _BESIDE + 1, len(new)))
        for other in dict.fromkeys((*_rank_candidates(fact, index), *near)):
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
    return share if share >= _ANYWHERE and min(mine.total(), theirs.total()) >= _MIN_WORDS else 0.0
