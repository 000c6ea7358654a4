"""Finds what people had to say again although memory or a guide had it: rules that are not obeyed.

Nearly equal wording settles it; what only shares words with a rule is for a model to tell.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from memci.memory.topic import split_statements
from memci.model.memory import Guide, Topic, TopicType
from memci.model.session import Origin, Place, Turn
from memci.patterns import LazyPattern
from memci.prose.compare import MIN_STEMS, ComparedText, read, read_rules, says
from memci.prose.polarity_words import is_binding
from memci.prose.sentences import TYPED_END
from memci.prose.similar import NEAR, normalise
from memci.prose.statements import is_reason

# Longer sentences say something else besides.
_MAX_WORDS = 40
_MOST_MORE = 2
# In other words the subject stays: so many words in common, and so much of the shorter of the two.
_MIN_SHARED = 2
_SHARED = 1 / 3
# "No, …", "again: …": a word or two before what is meant.
_OPENING = LazyPattern(r"\s*\w+(?:\s\w+)?\s*[,:;!–—]\s+(?=\S)")
_DIGEST = 10


class KnownRule(NamedTuple):
    """One rule of a topic or guide."""

    path: PurePosixPath
    line: int
    text: str
    is_guide: bool

    def key(self, base: PurePosixPath) -> str:
        """Identify the rule by its file, in the scope if it is there, and its words."""
        place = self.path.relative_to(base) if self.path.is_relative_to(base) else self.path
        digest = hashlib.sha256(normalise(self.text).encode("utf-8", "replace")).hexdigest()
        return f"{place}#{digest[:_DIGEST]}"


class Repetition(NamedTuple):
    """A message that says a rule once more, and the sentence that does."""

    rule: KnownRule
    turn: Turn
    sentence: str


class FoundRepetitions(NamedTuple):
    """The corrections that repeat a rule, in order, and those that may do so in other words."""

    settled: list[Repetition]
    # The most words in common first; one for each message and rule.
    unsettled: list[Repetition]


def list_rules(topics: Iterable[Topic], guides: Iterable[Guide]) -> list[tuple[ComparedText, KnownRule]]:
    """Return the rules of topics and guides that can be compared."""
    rules = (*_list_topic_rules(topics), *_list_guide_rules(guides))
    return [(said, rule) for said, rule in rules if len(said.stems) >= MIN_STEMS]


def find_repetitions(turns: Iterable[Turn], rules: Sequence[tuple[ComparedText, KnownRule]]) -> FoundRepetitions:
    """Return the corrections that repeat a rule, and those that share its subject."""
    index = _RuleIndex(rules)
    settled: list[Repetition] = []
    near: list[tuple[int, Repetition]] = []
    for turn in turns:
        for sentence in _list_corrections(turn):
            said = index.match(sentence)
            settled += (Repetition(rule, turn, sentence.strip()) for rule in said)
            if not said:
                near += (
                    (shared, Repetition(rule, turn, sentence.strip())) for shared, rule in index.list_near(sentence)
                )
    best: dict[tuple[KnownRule, str, str], Repetition] = {}
    for _, one in sorted(near, key=lambda ranked: -ranked[0]):
        best.setdefault((one.rule, one.turn.session, one.turn.uuid), one)
    return FoundRepetitions(settled, list(best.values()))


def _list_corrections(turn: Turn) -> Iterator[str]:
    """Yield the sentences that correct the agent and can be compared."""
    if turn.origin is not Origin.PERSON or turn.place is Place.COMMAND:
        return
    for sentence in _split(turn.typed):
        if "?" in sentence or not MIN_STEMS <= len(sentence.split()) <= _MAX_WORDS:
            continue
        # What nothing came before is a request, not a correction.
        if turn.place is Place.REJECTION or (turn.before and is_binding(sentence)):
            yield sentence


def _split(typed: str) -> Iterator[str]:
    """Yield the sentences of a message, each with its end."""
    done = 0
    for end in TYPED_END.finditer(typed):
        yield typed[done : end.end()]
        done = end.end()
    yield typed[done:]


def _list_topic_rules(topics: Iterable[Topic]) -> Iterator[tuple[ComparedText, KnownRule]]:
    for topic in topics:
        rules = read_rules(topic)
        for compared in rules:
            if topic.type is TopicType.FEEDBACK or is_binding(compared.statement.text):
                yield (
                    compared.said,
                    KnownRule(topic.path, compared.statement.line, compared.statement.text, is_guide=False),
                )
        if topic.type is TopicType.FEEDBACK and rules and topic.description:
            # The description is the same rule in other words.
            first = rules[0].statement
            yield read(topic.description), KnownRule(topic.path, first.line, first.text, is_guide=False)


def _list_guide_rules(guides: Iterable[Guide]) -> Iterator[tuple[ComparedText, KnownRule]]:
    for guide in guides:
        for found in split_statements(guide.text):
            if not is_reason(found):
                yield read(found.text), KnownRule(guide.path, found.line, found.text, is_guide=True)


class _RuleIndex:
    """Rules by their words: thousands of sentences are compared with thousands of rules."""

    def __init__(self, rules: Sequence[tuple[ComparedText, KnownRule]]) -> None:
        self._rules = rules
        self._holders: dict[str, list[int]] = {}
        for number, (said, _) in enumerate(rules):
            for stem in said.subject:
                self._holders.setdefault(stem, []).append(number)

    def match(self, sentence: str) -> list[KnownRule]:
        """Return the rules that a sentence says, each file once."""
        opening = _OPENING.match(sentence)
        found = self._match(sentence) or (self._match(sentence[opening.end() :]) if opening else [])
        return list({rule.path: rule for rule in reversed(found)}.values())

    def list_near(self, sentence: str) -> list[tuple[int, KnownRule]]:
        """Return the rules that share their subject with a sentence, and how many words of it."""
        said = read(sentence)
        compared = ((count, *self._rules[number]) for number, count in sorted(self._count_shared(said).items()))
        return [
            (count, rule)
            for count, rule_said, rule in compared
            if count >= max(_MIN_SHARED, _SHARED * min(len(said.subject), len(rule_said.subject)))
        ]

    def _count_shared(self, said: ComparedText) -> Counter[int]:
        return Counter(number for stem in said.subject for number in self._holders.get(stem, ()))

    def _match(self, sentence: str) -> list[KnownRule]:
        said = read(sentence)
        shared = self._count_shared(said)
        near = sorted(number for number, count in shared.items() if count >= NEAR * len(self._rules[number][0].subject))
        compared = (self._rules[number] for number in near)
        return [
            rule for rule_said, rule in compared
            if says(said, rule_said) and len(said.subject) <= _MOST_MORE * len(rule_said.subject)
        ]  # fmt: skip
