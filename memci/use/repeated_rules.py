"""Finds what people had to say again although memory or a guide had it: rules that are not obeyed.

Nearly equal wording is certain; whether other words mean a rule is for a model to tell.
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
from memci.prose.similar import NEAR, normalise, tokenise
from memci.prose.statements import is_reason

# Longer sentences say something else besides.
_MAX_WORDS = 40
_MOST_MORE = 2
# "yes", "go on" and "2." repeat no rule; "lint fails" may.
_MIN_WORDS = 2
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


def list_rules(topics: Iterable[Topic], guides: Iterable[Guide]) -> list[tuple[ComparedText, KnownRule]]:
    """Return the rules of topics and guides that can be compared."""
    rules = (*_list_topic_rules(topics), *_list_guide_rules(guides))
    return [(said, rule) for said, rule in rules if len(said.stems) >= MIN_STEMS]


def find_repetitions(turns: Iterable[Turn], rules: Sequence[tuple[ComparedText, KnownRule]]) -> list[Repetition]:
    """Return the corrections that repeat a rule in nearly equal words."""
    index = RuleIndex(rules)
    return [
        Repetition(rule, turn, sentence.strip())
        for turn in turns
        for sentence in _list_corrections(turn)
        for rule in index.match(sentence)
    ]


def may_repeat(turn: Turn) -> bool:
    """Tell whether a message may say a rule again: a person typed it after the agent did something."""
    if turn.origin is not Origin.PERSON or turn.place is Place.COMMAND:
        return False
    # What nothing came before is a request, not a correction.
    return bool(turn.before or turn.place is Place.REJECTION) and len(tokenise(turn.typed)) >= _MIN_WORDS


def _list_corrections(turn: Turn) -> Iterator[str]:
    """Yield the sentences that correct the agent and can be compared."""
    for sentence in _split(turn.typed) if may_repeat(turn) else ():
        if "?" in sentence or not MIN_STEMS <= len(sentence.split()) <= _MAX_WORDS:
            continue
        if turn.place is Place.REJECTION or is_binding(sentence):
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


class RuleIndex:
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

    def _match(self, sentence: str) -> list[KnownRule]:
        said = read(sentence)
        shared = Counter(number for stem in said.subject for number in self._holders.get(stem, ()))
        near = sorted(number for number, count in shared.items() if count >= NEAR * len(self._rules[number][0].subject))
        compared = (self._rules[number] for number in near)
        return [
            rule for rule_said, rule in compared
            if says(said, rule_said) and len(said.subject) <= _MOST_MORE * len(rule_said.subject)
        ]  # fmt: skip
