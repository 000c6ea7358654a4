"""Ranks texts by similarity to a query (tf-idf)."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memci.prose.similar import stem_words


@dataclass(frozen=True, slots=True)
class TextIndex:
    """Documents by stem, ready to be ranked against a query."""

    # Per stem: the documents that contain it, each with its weight; the weights of a document have length 1.
    postings: Mapping[str, Sequence[tuple[int, float]]]
    # Per stem: its inverse document frequency.
    rarity: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Ranked:
    """One document of an index and its similarity to the query, from 0 to 1."""

    position: int
    score: float


def index_texts(documents: Sequence[str]) -> TextIndex:
    """Index documents once for any number of queries."""
    counts = [Counter(stem_words(document)) for document in documents]
    frequency = Counter(token for count in counts for token in count)
    rarity = {token: math.log((1 + len(documents)) / (1 + held)) + 1 for token, held in frequency.items()}
    postings: dict[str, list[tuple[int, float]]] = {}
    for position, count in enumerate(counts):
        for token, weight in _weigh(count, rarity).items():
            postings.setdefault(token, []).append((position, weight))
    return TextIndex(postings, rarity)


def rank_similar(query: str, index: TextIndex, top: int) -> list[Ranked]:
    """Return the documents most like the query, best first, by the cosine of their tf-idf weights."""
    scores: dict[int, float] = {}
    for token, weight in _weigh(Counter(stem_words(query)), index.rarity).items():
        for position, other in index.postings.get(token, ()):
            scores[position] = scores.get(position, 0.0) + weight * other
    best = sorted(scores.items(), key=lambda entry: (-entry[1], entry[0]))[:top]
    return [Ranked(position, score) for position, score in best]


def _weigh(count: Mapping[str, int], rarity: Mapping[str, float]) -> dict[str, float]:
    weights = {token: (1 + math.log(times)) * rarity.get(token, 1.0) for token, times in count.items()}
    length = math.sqrt(sum(weight * weight for weight in weights.values()))
    return {token: weight / length for token, weight in weights.items()}
