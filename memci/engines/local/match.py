"""What a scope already says about a signal: nothing, the same, less, the opposite, or something beside it."""

import enum
import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memci.checks.contradiction import find_opposed
from memci.model import ScopeSnapshot, Topic
from memci.text.compose import describe, render_body, render_head
from memci.text.similarity import (
    NEGATIONS,
    count_negations,
    find_content_stems,
    find_words,
    index_texts,
    normalise,
    profile,
    rank_similar,
    stem,
)
from memci.text.statements import Statement, is_reason, split_body
from memci.text.topic import parse_topic
from memci.transcript import Signal

# Below this share of common stems two statements of one shape may be about two things.
_SAME = 0.75
# An explicit reversal needs less: the person says that there is an older rule, it only has to be found.
_REVERSED = 0.6
_DOUBTFUL = 0.45
# Two words in common are a coincidence in a language with many short words.
_MIN_STEMS = 3
# A topic is about the same thing if most words of its description come back.
_RELATED = 0.6
# How many of the most similar topics are looked at.
_NEAREST = 12
# Every signal is compared with all topics that were made before it: what was read once is kept for the next.
_KEPT = 65_536


class Stance(enum.Enum):
    """How a scope stands to a signal."""

    SAID = "said"
    EXTENDED = "extended"
    REVERSED = "reversed"
    OPPOSED = "opposed"
    RELATED = "related"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Match:
    """The stance, and the statement or topic it rests on."""

    stance: Stance
    topic: Topic | None = None
    statement: Statement | None = None


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement as it is compared."""

    text: str
    # Without its form.
    plain: str
    stems: frozenset[str]
    # The stems behind the last negation: what is forbidden, in "with pnpm, never with npm".
    denied: frozenset[str]
    negated: bool
    markers: frozenset[str]
    words: frozenset[str]
    # The stems without those of "never" and "don't", which say the same.
    subject: frozenset[str]


def find_match(signal: Signal, scope: ScopeSnapshot, nearest: Sequence[Topic]) -> Match:
    """Compare a signal with the topics nearest to it."""
    said = _read(signal.rule)
    pairs = [(topic, found) for topic in nearest for found in _find_rules(topic)]
    readings = [(topic, found, _read(found.text)) for topic, found in pairs]
    if signal.reverses:
        return _find_reversed(said, readings)
    known = _find_said(said, readings, nearest) or _find_opposed(signal, scope, nearest)
    if known:
        return known
    for topic, found, other in readings:
        if _is_contained(other, said):
            return Match(Stance.EXTENDED, topic, found)
    for topic, _, other in readings:
        if topic.type is signal.type and not topic.pinned and _shares_clause(other.text, said.text):
            return Match(Stance.RELATED, topic)
    related = next((topic for topic in nearest if _is_related(signal, topic)), None)
    return Match(Stance.RELATED, related) if related else Match(Stance.NEW)


def _find_said(
    said: _Said, readings: Sequence[tuple[Topic, Statement, _Said]], nearest: Sequence[Topic]
) -> Match | None:
    for topic, found, other in readings:
        if _says(other, said):
            return Match(Stance.SAID, topic, found)
    # A rule may stand in the same paragraph as a reason, and is then taken for a part of it.
    if any(_read(found.text).plain == said.plain for topic in nearest for found in _split(topic.body, topic.body_line)):
        return Match(Stance.SAID)
    return None


def _find_opposed(signal: Signal, scope: ScopeSnapshot, nearest: Sequence[Topic]) -> Match | None:
    """Judge the scope as if the signal were a topic of it, by the rule that judges contradictions."""
    path = scope.scope.path / "signal.md"
    topic = parse_topic(path, render_head("signal", describe(signal.rule), signal.type) + render_body(signal.rule))
    supposed = replace(scope, topics=(*nearest, topic), index=None, logs=())
    for other, statement in find_opposed(supposed, {path}):
        return Match(Stance.OPPOSED, supposed.topic(other), statement)
    return None


def find_nearest(texts: Sequence[str], topics: Sequence[Topic]) -> list[list[Topic]]:
    """Return for each text the topics most like it, best first."""
    index = index_texts([f"{topic.name} {topic.description} {topic.body}" for topic in topics])
    return [[topics[found.position] for found in rank_similar(text, index, _NEAREST)] for text in texts]


def find_meant(text: str, topics: Sequence[Topic]) -> list[tuple[Topic, Statement]]:
    """Return the statements that a person can mean who says this much of them; more than one is a doubt."""
    wanted = find_content_stems(text)
    return [
        (topic, found)
        for topic in topics
        for found in _find_rules(topic)
        if len(wanted & find_content_stems(f"{topic.name} {found.text}")) >= max(2, round(len(wanted) * _RELATED))
    ]


def _find_rules(topic: Topic) -> list[Statement]:
    return [found for found in _split(topic.body, topic.body_line) if not is_reason(found)]


@functools.lru_cache(maxsize=_KEPT)
def _split(body: str, line: int) -> tuple[Statement, ...]:
    return tuple(split_body(body, line))


@functools.lru_cache(maxsize=_KEPT)
def _read(text: str) -> _Said:
    words = find_words(text)
    content = profile(text)
    last = max((place for place, word in enumerate(words) if word in NEGATIONS), default=len(words))
    denied = frozenset(map(stem, words[last + 1 :])) & content.stems
    subject = content.stems - {stem(word) for word in words if word in NEGATIONS}
    negated = count_negations(text) > 0
    return _Said(text, normalise(text), content.stems, denied, negated, content.markers, content.words, subject)


def _says(one: _Said, other: _Said) -> bool:
    """Tell whether `one` says all that `other` says, in whatever order."""
    if one.plain == other.plain:
        return True
    if len(other.stems) < _MIN_STEMS or one.negated != other.negated or not other.markers <= one.words:
        return False
    shared = one.subject & other.subject
    if other.denied and not (other.denied & one.denied):
        return False
    more = one.subject if not other.subject <= one.subject else frozenset()
    return len(shared) >= _SAME * len(other.subject | more)


def _is_contained(inner: _Said, outer: _Said) -> bool:
    """Tell whether a statement comes back whole in a longer one."""
    if inner.plain in outer.plain:
        return True
    same = not inner.denied or bool(inner.denied & outer.denied)
    return len(inner.stems) >= _MIN_STEMS and inner.stems <= outer.stems and inner.markers <= outer.words and same


def _shares_clause(one: str, other: str) -> bool:
    """Tell whether two statements have a clause in common: the same rule with other words around it."""
    return not _find_clauses(one).isdisjoint(_find_clauses(other))


@functools.lru_cache(maxsize=_KEPT)
def _find_clauses(text: str) -> frozenset[tuple[frozenset[str], bool]]:
    parts = (_read(part) for part in re.split(r"[,;:.—–]\s", text))
    return frozenset((part.stems, part.negated) for part in parts if len(part.stems) >= _MIN_STEMS)


def _find_reversed(said: _Said, readings: Sequence[tuple[Topic, Statement, _Said]]) -> Match:
    """Find the one statement that an explicit reversal replaces: the one of which it repeats the most."""
    scored = sorted(
        (
            (len(said.stems & other.stems) / len(other.stems), place)
            for place, (_, _, other) in enumerate(readings)
            if len(said.stems & other.stems) >= 2
        ),
        key=lambda pair: (-pair[0], pair[1]),
    )
    if not scored or scored[0][0] < _DOUBTFUL:
        return Match(Stance.NEW)
    topic, found, other = readings[scored[0][1]]
    if scored[0][0] < _REVERSED:
        # A person has to say whether this is the rule that no longer holds.
        return Match(Stance.OPPOSED, topic, found)
    if _says(other, said) and other.negated == said.negated:
        return Match(Stance.SAID, topic, found)
    return Match(Stance.REVERSED, topic, found)


def _is_related(signal: Signal, topic: Topic) -> bool:
    """Tell whether a topic is about what the signal speaks of."""
    if topic.type is not signal.type or topic.pinned:
        return False
    subject = _read(f"{topic.name.replace('-', ' ')} {topic.description}").stems
    shared = subject & _read(signal.rule).stems
    return len(shared) >= _MIN_STEMS - 1 and len(shared) >= _RELATED * len(subject)
