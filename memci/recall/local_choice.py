"""Chooses topics without a model: scores the words they share with the query by rarity and by field."""

import functools
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memci.prose.roots import root
from memci.prose.similar import is_same_word, stem
from memci.recall.listing import TopicEntry
from memci.recall.query_words import extract_names, is_asking, split_terms, synonyms_of

# Weight of a word by field: title and description of a topic outweigh its body.
_TITLE, _DESCRIPTION, _HOOK, _HEAD, _TYPE = 2.5, 2.0, 1.0, 0.6, 0.3
# Added for names in the body, which are more specific than other words.
_NAMED = 0.4
_SATURATION = 0.7
# Certainty of a match (1.0 for the same word or another form of it): same stem, synonym.
_KIN, _SYNONYM = 0.55, 0.5
# Weight of words that only ask, relative to words of the subject.
_ASKING = 0.15
# Rarity is computed as if there were this many more topics, so that small memories are scored like large ones.
_OTHERS = 50
# Weight of words that no topic has: they may be the subject of the query, or filler.
_UNKNOWN = 0.6
# These thresholds and the weights above are tuned on the labelled queries in tests/data/recall.
# Minimum score, and minimum evidence (see QueryMatch), for a topic to be shown.
_LEAST = 0.12
_LEAST_EVIDENCE = 0.5
# Minimum score relative to the best one.
_LEAST_OF_BEST = 0.5
# A pasted log has more words than a question: only the rarest words that topics have are used, and the total is capped
# at the weight of about ten words, so that further words do not make a topic less relevant.
_MAX_WORDS = 12
_MAX_WEIGHT = 40.0


@dataclass(frozen=True, slots=True)
class QueryMatch:
    """How well one entry matches a query."""

    id: str
    # The share of the weight of the query that the entry matches, from 0 to 1.
    score: float
    # In units of one word that no other entry has; words that only ask do not count.
    evidence: float
    # The words of the query that the entry has.
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Lexicon:
    """The words of a manifest."""

    size: int
    # For each word the positions of the entries that have it, each with a weight between 0 and 1.
    postings: Mapping[str, Mapping[int, float]]
    by_root: Mapping[str, Sequence[str]]
    by_stem: Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class _QueryWord:
    """One word of a query."""

    text: str
    # Its rarity.
    weight: float
    asking: bool
    # What it adds to the score of each position.
    gains: Mapping[int, float]


class LocalRanker:
    """Ranks by words: offline and deterministic."""

    name = "local"

    def rank(self, query: str, manifest: Sequence[TopicEntry]) -> list[str]:
        """Return the ids of the entries that help, best first; none if nothing does."""
        return [match.id for match in _select_relevant(match_topics(query, manifest))]


def _select_relevant(matches: Sequence[QueryMatch]) -> list[QueryMatch]:
    """Return the matches that are worth showing."""
    told = [match for match in matches if match.evidence >= _LEAST_EVIDENCE]
    best = max((match.score for match in told), default=0.0)
    return [match for match in told if match.score >= max(_LEAST, _LEAST_OF_BEST * best)]


def match_topics(query: str, manifest: Sequence[TopicEntry]) -> list[QueryMatch]:
    """Score every entry that shares a word with the query, best first."""
    lexicon = _build_lexicon(tuple(manifest))
    # Several forms of one word count once.
    forms = {stem(root(word)): word for word in reversed(split_terms(query))}
    words = [_weigh(word, lexicon) for word in reversed(forms.values())]
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
    telling = _rarity(1, lexicon)
    best = sorted(evidence, key=lambda at: (-scores[at], manifest[at].id))
    return [
        QueryMatch(manifest[at].id, min(1.0, scores[at] / whole), evidence[at] / telling, tuple(why[at])) for at in best
    ]


def _rarity(holders: float, lexicon: _Lexicon) -> float:
    return math.log(1 + (lexicon.size + _OTHERS) / (holders + 0.5))


def _weigh(text: str, lexicon: _Lexicon) -> _QueryWord:
    gains, holders = _sum_gains(_match_word(text, lexicon), lexicon)
    asking = is_asking(text)
    return _QueryWord(text, _rarity(holders, lexicon) * (_ASKING if asking else 1.0), asking, gains)


def _sum_gains(met: Mapping[str, float], lexicon: _Lexicon) -> tuple[dict[int, float], float]:
    """Return the best gain of each position, and the number of positions, weighted by certainty."""
    gains: dict[int, float] = {}
    holders: dict[int, float] = {}
    for other, sure in met.items():
        for position, weight in lexicon.postings[other].items():
            gains[position] = max(gains.get(position, 0.0), sure * weight)
            holders[position] = max(holders.get(position, 0.0), sure)
    return gains, sum(holders.values())


# The choice and its explanation use the same list.
@functools.lru_cache(maxsize=1)
def _build_lexicon(manifest: tuple[TopicEntry, ...]) -> _Lexicon:
    postings: defaultdict[str, dict[int, float]] = defaultdict(dict)
    for position, entry in enumerate(manifest):
        weights: dict[str, float] = {}
        # The labels of the format are in every other topic, and would match "apple" with "apply".
        head = entry.head.replace("**How to apply:**", "").replace("**Why:**", "")
        fields = (
            (entry.name, _TITLE),
            (entry.description, _DESCRIPTION),
            (entry.hook, _HOOK),
            (head, _HEAD),
            (extract_names(head), _NAMED),
            (entry.type, _TYPE),
        )
        for text, weight in fields:
            for word, times in Counter(split_terms(text) if text else ()).items():
                weights[word] = weights.get(word, 0.0) + weight * times
        for word, amount in weights.items():
            postings[word][position] = amount / (amount + _SATURATION)
    by_root: dict[str, list[str]] = {}
    by_stem: dict[str, list[str]] = {}
    for word in postings:
        by_root.setdefault(root(word), []).append(word)
        by_stem.setdefault(stem(word), []).append(word)
    return _Lexicon(len(manifest), postings, by_root, by_stem)


def _match_word(word: str, lexicon: _Lexicon) -> dict[str, float]:
    """Return the words of the manifest that match a word of the query, each with its certainty."""
    base = root(word)
    met = {other: _SYNONYM for synonym in synonyms_of(base) for other in lexicon.by_root.get(synonym, ())}
    begin = lexicon.by_stem.get(stem(word), ())
    same = [*lexicon.by_root.get(base, ()), *(other for other in begin if is_same_word(word, other))]
    if same:
        return met | dict.fromkeys(same, 1.0)
    return dict.fromkeys(begin, _KIN) | met
