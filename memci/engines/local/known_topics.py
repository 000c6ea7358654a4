"""Compares a signal with the topics of a scope: new, known, extended, opposed or related."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from memci.memory.compose import describe, render_body, render_head
from memci.memory.topic import parse_topic
from memci.model.memory import ScopeSnapshot, Topic
from memci.model.session import Signal
from memci.prose.compare import (
    DOUBTFUL,
    MIN_STEMS,
    RELATED,
    ComparedStatement,
    ComparedText,
    is_contained,
    read,
    read_rules,
    says,
    shares_clause,
    split_topic_statements,
    stem_topic,
)
from memci.prose.contradictions import find_opposed
from memci.prose.ranking import index_texts, rank_similar
from memci.prose.similar import stem_content
from memci.prose.statements import Statement

# Lower than for a repetition: the person states that an older rule exists.
_REVERSED = 0.6
# The number of similar topics that are compared.
_NEAREST = 12


class Stance(enum.Enum):
    """The relation of a scope to a signal."""

    SAID = "said"
    EXTENDED = "extended"
    REVERSED = "reversed"
    OPPOSED = "opposed"
    RELATED = "related"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class TopicMatch:
    """The stance, and the statement or topic it is based on."""

    stance: Stance
    topic: Topic | None = None
    statement: Statement | None = None


def match_signal(signal: Signal, scope: ScopeSnapshot, topics: Sequence[Topic]) -> TopicMatch:
    """Compare a signal with the topics that may be about the same."""
    said = read(signal.rule)
    readings = [reading for topic in topics for reading in read_rules(topic)]
    if signal.reverses:
        replaced = _match_reversed(said, readings)
        return replaced or TopicMatch(Stance.SAID if _stands(said, topics) else Stance.NEW)
    known = _match_said(said, readings, topics) or _match_opposed(signal, scope, topics)
    if known:
        return known
    for topic, found, other in readings:
        if is_contained(other, said):
            return TopicMatch(Stance.EXTENDED, topic, found)
    for topic, _, other in readings:
        if topic.type is signal.type and not topic.pinned and shares_clause(other.text, said.text):
            return TopicMatch(Stance.RELATED, topic)
    related = next((topic for topic in topics if _is_related(signal, topic)), None)
    return TopicMatch(Stance.RELATED, related) if related else TopicMatch(Stance.NEW)


def _match_said(
    said: ComparedText, readings: Sequence[ComparedStatement], topics: Sequence[Topic]
) -> TopicMatch | None:
    for topic, found, other in readings:
        if says(other, said):
            return TopicMatch(Stance.SAID, topic, found)
    return TopicMatch(Stance.SAID) if _stands(said, topics) else None


def _stands(said: ComparedText, topics: Sequence[Topic]) -> bool:
    """Tell whether any statement says this, including reasons, which may contain a rule."""
    statements = (found for topic in topics for found in split_topic_statements(topic))
    return any(read(found.text).plain == said.plain for found in statements)


def _match_opposed(signal: Signal, scope: ScopeSnapshot, topics: Sequence[Topic]) -> TopicMatch | None:
    """Search for contradictions as if the signal were a topic of the scope."""
    path = scope.scope.path / "signal.md"
    topic = parse_topic(path, render_head("signal", describe(signal.rule), signal.type) + render_body(signal.rule))
    for _, other, statement in find_opposed(topic, topics):
        return TopicMatch(Stance.OPPOSED, scope.topic(other), statement)
    return None


def rank_nearest(texts: Sequence[str], topics: Sequence[Topic]) -> list[list[Topic]]:
    """Return the most similar topics of each text, best first."""
    index = index_texts([f"{topic.name} {topic.description} {topic.body}" for topic in topics])
    return [[topics[found.position] for found in rank_similar(text, index, _NEAREST)] for text in texts]


def find_meant(text: str, topics: Sequence[Topic]) -> list[tuple[Topic, Statement]]:
    """Return the statements that a text may refer to; more than one is ambiguous."""
    wanted = stem_content(text)
    least = max(2, round(len(wanted) * RELATED))
    return [
        (topic, found)
        for topic in topics
        for _, found, _ in read_rules(topic)
        if len(wanted & stem_content(f"{topic.name} {found.text}")) >= least
    ]


def _match_reversed(said: ComparedText, readings: Sequence[ComparedStatement]) -> TopicMatch | None:
    """Match an explicit reversal with the statement of which it repeats the most."""
    scored = sorted(
        (
            (len(said.stems & other.stems) / len(other.stems), place)
            for place, (_, _, other) in enumerate(readings)
            if len(said.stems & other.stems) >= 2
        ),
        key=lambda pair: (-pair[0], pair[1]),
    )
    if not scored or scored[0][0] < DOUBTFUL:
        return None
    topic, found, other = readings[scored[0][1]]
    if scored[0][0] < _REVERSED:
        # A person has to decide whether this is the withdrawn rule.
        return TopicMatch(Stance.OPPOSED, topic, found)
    if says(other, said) and other.negated == said.negated:
        return TopicMatch(Stance.SAID, topic, found)
    return TopicMatch(Stance.REVERSED, topic, found)


def _is_related(signal: Signal, topic: Topic) -> bool:
    """Tell whether a topic is about the subject of the signal."""
    if topic.type is not signal.type or topic.pinned:
        return False
    subject = stem_topic(topic)
    shared = subject & read(signal.rule).stems
    return len(shared) >= MIN_STEMS - 1 and len(shared) >= RELATED * len(subject)
