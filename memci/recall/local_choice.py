"""Choosing without a model: which words of the query a topic has, how rare they are, and where they stand."""

import functools
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memci.prose.negation import root
from memci.prose.similar import is_same_word, stem
from memci.recall.listing import TopicEntry
from memci.recall.query_words import find_names, find_terms, is_asking
from memci.recall.thesaurus import find_synonyms

# How much a word counts by where it stands: what a topic says of itself outweighs what it goes on to say.
_TITLE, _DESCRIPTION, _HOOK, _HEAD, _TYPE = 2.5, 2.0, 1.0, 0.6, 0.3
# What the text names counts in addition: a name tells more than a word that any text may have.
_NAMED = 0.4
_SATURATION = 0.7
# How sure a word of the query is met: by itself or another form of it, by a word that begins the same, by a word
# that means the same, by one that is spelt almost the same.
_KIN, _SYNONYM, _TYPO = 0.55, 0.5, 0.7
# Words that ask, against words that are asked about.
_ASKING = 0.15
# Rarity is counted as if there were this many more topics about other things, so that few topics are judged like many.
_OTHERS = 50
# A word that no topic has may be what the query is about, or just a word.
_UNKNOWN = 0.6
# Where the labelled queries of tests/data/recall that were tuned on part best, as are the weights above.
# Less than this share of the query's weight, of the weight of one telling word, or of the best score is not shown.
_LEAST = 0.12
_LEAST_EVIDENCE = 0.5
# Of a query of a word or two there is little to go by; then most of it must be met, in a prominent place.
_MOST = 0.6
_LEAST_OF_BEST = 0.5
# A pasted log has more words than a question: the rarest of those that topics have are looked at, and beyond the
# weight of about ten words no further one makes a topic less relevant.
_MAX_WORDS = 12
_MAX_WEIGHT = 40.0
# Shorter words are a slip away from too many others; longer ones are no words.
_MIN_TYPO, _MAX_TYPO = 5, 30
# Every word that is looked for by its spelling is compared with all others; a longer query is pasted, not typed.
_MAX_TYPED = 40


@dataclass(frozen=True, slots=True)
class QueryMatch:
    """How well one entry fits a query."""

    id: str
    # The share of the query that the entry answers, from 0 to 1.
    score: float
    # How much there is to go by: 1 is one word that no other entry has. Words that only ask do not count.
    evidence: float
    # The words of the query that the entry has.
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The words of a manifest."""

    size: int
    # Per word: the positions that hold it, each with a weight between 0 and 1.
    postings: Mapping[str, Mapping[int, float]]
    by_root: Mapping[str, Sequence[str]]
    by_stem: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class _Word:
    """One word of a query."""

    text: str
    # How much it tells topics apart.
    weight: float
    asking: bool
    # What each position gains by it.
    gains: Mapping[int, float]


class LocalRanker:
    """Ranks by words: offline, and the same for the same input."""

    name = "local"

    def rank(self, query: str, manifest: Sequence[TopicEntry]) -> list[str]:
        """Return the ids of the entries that help, best first; none if nothing does."""
        return [match.id for match in find_relevant(find_matches(query, manifest))]


def find_relevant(matches: Sequence[QueryMatch]) -> list[QueryMatch]:
    """Keep the matches that are worth showing."""
    told = [match for match in matches if match.evidence >= _LEAST_EVIDENCE or match.score >= _MOST]
    best = max((match.score for match in told), default=0.0)
    return [match for match in told if match.score >= max(_LEAST, _LEAST_OF_BEST * best)]


def find_matches(query: str, manifest: Sequence[TopicEntry]) -> list[QueryMatch]:
    """Score every entry that shares a word with the query, best first."""
    lexicon = _read(tuple(manifest))
    # Two forms of one word are one reason.
    forms = {stem(root(word)): word for word in reversed(find_terms(query))}
    words = [_weigh(word, lexicon, typed=len(forms) <= _MAX_TYPED) for word in reversed(forms.values())]
    known = sorted((word for word in words if word.gains), key=lambda word: -word.weight)[:_MAX_WORDS]
    total = sum(word.weight for word in known) + sum(word.weight * _UNKNOWN for word in words if not word.gains)
    scores: dict[int, float] = {}
    evidence: dict[int, float] = {}
    why: dict[int, list[str]] = {}
    for word in known:
        for position, gain in word.gains.items():
            scores[position] = scores.get(position, 0.0) + word.weight * gain
            if not word.asking:
                evidence[position] = evidence.get(position, 0.0) + word.weight * gain
                why.setdefault(position, []).append(word.text)
    whole = min(total, _MAX_WEIGHT)
    telling = _find_rarity(1, lexicon)
    best = sorted(evidence, key=lambda at: (-scores[at], manifest[at].id))
    return [
        QueryMatch(manifest[at].id, min(1.0, scores[at] / whole), evidence[at] / telling, tuple(why[at])) for at in best
    ]


def _find_rarity(holders: float, lexicon: _Lexicon) -> float:
    return math.log(1 + (lexicon.size + _OTHERS) / (holders + 0.5))


def _weigh(text: str, lexicon: _Lexicon, *, typed: bool) -> _Word:
    met = _find_met(text, lexicon) or (_find_misspelt(text, lexicon) if typed else {})
    gains, holders = _find_gains(met, lexicon)
    asking = is_asking(text)
    return _Word(text, _find_rarity(holders, lexicon) * (_ASKING if asking else 1.0), asking, gains)


def _find_gains(met: Mapping[str, float], lexicon: _Lexicon) -> tuple[dict[int, float], float]:
    """Return what each position gains by the best of these words, and how many positions hold one."""
    gains: dict[int, float] = {}
    holders: dict[int, float] = {}
    for other, sure in met.items():
        for position, weight in lexicon.postings[other].items():
            gains[position] = max(gains.get(position, 0.0), sure * weight)
            holders[position] = max(holders.get(position, 0.0), sure)
    return gains, sum(holders.values())


# The choice and its explanation ask for the same list.
@functools.lru_cache(maxsize=1)
def _read(manifest: tuple[TopicEntry, ...]) -> _Lexicon:
    postings: defaultdict[str, dict[int, float]] = defaultdict(dict)
    for position, entry in enumerate(manifest):
        weights: dict[str, float] = {}
        # The labels that the format asks for are in every other topic, and "apple" is not "apply".
        head = entry.head.replace("**How to apply:**", "").replace("**Why:**", "")
        fields = (
            (entry.name, _TITLE),
            (entry.description, _DESCRIPTION),
            (entry.hook, _HOOK),
            (head, _HEAD),
            (find_names(head), _NAMED),
            (entry.type, _TYPE),
        )
        for text, weight in fields:
            for word, times in Counter(find_terms(text) if text else ()).items():
                weights[word] = weights.get(word, 0.0) + weight * times
        for word, amount in weights.items():
            postings[word][position] = amount / (amount + _SATURATION)
    by_root: dict[str, list[str]] = {}
    by_stem: dict[str, list[str]] = {}
    for word in postings:
        by_root.setdefault(root(word), []).append(word)
        by_stem.setdefault(stem(word), []).append(word)
    return _Lexicon(len(manifest), postings, by_root, by_stem)


def _find_met(word: str, lexicon: _Lexicon) -> dict[str, float]:
    """Return the words of the manifest that a word of the query may mean, and how sure that is."""
    base = root(word)
    met = {other: _SYNONYM for synonym in find_synonyms(base) for other in lexicon.by_root.get(synonym, ())}
    begin = lexicon.by_stem.get(stem(word), ())
    same = [*lexicon.by_root.get(base, ()), *(other for other in begin if is_same_word(word, other))]
    if same:
        return met | dict.fromkeys(same, 1.0)
    return dict.fromkeys(begin, _KIN) | met


def _find_misspelt(word: str, lexicon: _Lexicon) -> dict[str, float]:
    """Return the words that one slip makes of each other: a letter too many, too few, exchanged or in another place."""
    if not _MIN_TYPO <= len(word) <= _MAX_TYPO or not word.isalpha():
        return {}
    shorter = _shorten(word)
    sizes = range(max(_MIN_TYPO, len(word) - 1), len(word) + 2)
    likely = (other for other in lexicon.postings if len(other) in sizes and other[0] == word[0])
    return {other: _TYPO for other in likely if not shorter.isdisjoint(_shorten(other))}


def _shorten(word: str) -> frozenset[str]:
    """Return the word, and the word without each of its letters: what one slip can leave untouched."""
    return frozenset((word, *(word[:at] + word[at + 1 :] for at in range(len(word)))))
