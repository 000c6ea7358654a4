"""Compares statements: whether one means the same as another, in full or in part."""

import functools
import re
from dataclasses import dataclass
from typing import NamedTuple

from memci.model.memory import Topic
from memci.prose.similar import NEGATIONS, count_negations, normalise, profile, stem, tokenise
from memci.prose.statements import Statement, is_reason, split_body

# Below this share of common stems two statements of one shape may be about two things.
SAME = 0.75
# With this share, an explicit reversal may mean a statement.
DOUBTFUL = 0.45
# A topic is about the same thing if most words of its description come back.
RELATED = 0.6
# Two words in common are a coincidence in a language with many short words.
MIN_STEMS = 3
# Every signal is compared with the topics nearest to it, so parsed texts are cached.
_KEPT = 65_536

# The stems of a clause, and whether it is a prohibition.
Clause = tuple[frozenset[str], bool]


@dataclass(frozen=True, slots=True)
class ComparedText:
    """A statement, parsed for comparison."""

    text: str
    # Normalised: without markup, case and punctuation.
    plain: str
    stems: frozenset[str]
    # The stems after the last negation: "npm" in "with pnpm, never with npm".
    denied: frozenset[str]
    negated: bool
    markers: frozenset[str]
    words: frozenset[str]
    # The stems without those of negations: "never" and "don't" are interchangeable.
    subject: frozenset[str]


class ComparedStatement(NamedTuple):
    """One rule of a topic, parsed for comparison."""

    topic: Topic
    statement: Statement
    said: ComparedText


def read_rules(topic: Topic) -> list[ComparedStatement]:
    """Return the statements of a topic without its reasons, parsed for comparison."""
    return [
        ComparedStatement(topic, found, read(found.text))
        for found in split_topic_statements(topic)
        if not is_reason(found)
    ]


def split_topic_statements(topic: Topic) -> tuple[Statement, ...]:
    """Return the statements of a topic."""
    return split_body(topic.body, topic.body_line)


def stem_topic(topic: Topic) -> frozenset[str]:
    """Return the stems of the name and description of a topic."""
    return read(f"{topic.name.replace('-', ' ')} {topic.description}").stems


@functools.lru_cache(maxsize=_KEPT)
def read(text: str) -> ComparedText:
    """Parse a statement for comparison."""
    words = tokenise(text)
    content = profile(text)
    last = max((place for place, word in enumerate(words) if word in NEGATIONS), default=len(words))
    denied = frozenset(map(stem, words[last + 1 :])) & content.stems
    subject = content.stems - {stem(word) for word in words if word in NEGATIONS}
    negated = count_negations(text) > 0
    return ComparedText(text, normalise(text), content.stems, denied, negated, content.markers, content.words, subject)


def says(one: ComparedText, other: ComparedText) -> bool:
    """Tell whether `one` states everything that `other` states, in any order."""
    if one.plain == other.plain:
        return True
    if len(other.stems) < MIN_STEMS or one.negated != other.negated or not other.markers <= one.words:
        return False
    shared = one.subject & other.subject
    if other.denied and not (other.denied & one.denied):
        return False
    more = one.subject if not other.subject <= one.subject else frozenset()
    return len(shared) >= SAME * len(other.subject | more)


def is_contained(inner: ComparedText, outer: ComparedText) -> bool:
    """Tell whether a statement is fully contained in a longer one."""
    if inner.plain in outer.plain:
        return True
    same = not inner.denied or bool(inner.denied & outer.denied)
    return len(inner.stems) >= MIN_STEMS and inner.stems <= outer.stems and inner.markers <= outer.words and same


def is_about(one: ComparedText, other: ComparedText) -> bool:
    """Tell whether `one` has most of the words of `other`, whatever it says with them."""
    shared = one.subject & other.subject
    return len(shared) >= MIN_STEMS - 1 and len(shared) >= SAME * len(other.subject)


def shares_clause(one: str, other: str) -> bool:
    """Tell whether two statements share a clause: the same rule in different surroundings."""
    return not stem_clauses(one).isdisjoint(stem_clauses(other))


@functools.lru_cache(maxsize=_KEPT)
def stem_clauses(text: str) -> frozenset[Clause]:
    """Return the parts of a statement that are rules of their own."""
    parts = (read(part) for part in re.split(r"[,;:.—–]\s", text))
    return frozenset((part.stems, part.negated) for part in parts if len(part.stems) >= MIN_STEMS)
