"""An index of the topics made in one dream, so that a signal is compared only with similar ones."""

import itertools
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any

from memci.model.memory import Topic
from memci.prose.compare import (
    MIN_STEMS,
    RELATED,
    SAME,
    Clause,
    ComparedStatement,
    ComparedText,
    read,
    read_rules,
    split_topic_statements,
    stem_clauses,
    stem_topic,
)
from memci.prose.contradictions import Opinions

# An index, the key in it, and the number of the entry.
_Entry = tuple[dict[Any, set[int]], Hashable, int]


class Made:
    """Topics indexed by their words; the cost of a query depends on the number of similar topics."""

    def __init__(self) -> None:
        self.opinions = Opinions()
        self._numbers = itertools.count()
        self._rules: dict[int, ComparedStatement] = {}
        # The number of stems of a rule, or of the subject of a topic.
        self._sizes: dict[int, int] = {}
        self._topics: dict[int, Topic] = {}
        self._entries: dict[PurePosixPath, list[_Entry]] = {}
        self._by_stem: dict[str, set[int]] = {}
        self._by_clause: dict[Clause, set[int]] = {}
        self._by_mark: dict[str, set[int]] = {}
        self._by_subject: dict[str, set[int]] = {}
        # All statements, including reasons.
        self._by_statement: dict[str, set[int]] = {}

    def put(self, path: PurePosixPath, topic: Topic | None) -> None:
        """Add or replace the topic at a path; None removes it."""
        self.opinions.put(path, topic)
        for index, key, number in self._entries.pop(path, ()):
            index[key].discard(number)
        if topic:
            self._entries[path] = list(self._read(topic))
            for index, key, number in self._entries[path]:
                index.setdefault(key, set()).add(number)

    def _read(self, topic: Topic) -> Iterator[_Entry]:
        number = next(self._numbers)
        self._topics[number] = topic
        self._sizes[number] = len(stem_topic(topic))
        yield from ((self._by_subject, stem, number) for stem in stem_topic(topic))
        yield from ((self._by_statement, read(found.text).plain, number) for found in split_topic_statements(topic))
        for rule in read_rules(topic):
            number = next(self._numbers)
            self._rules[number] = rule
            self._sizes[number] = len(rule.said.stems)
            yield self._by_mark, _longest_word(rule.said.plain), number
            yield from ((self._by_stem, stem, number) for stem in rule.said.stems)
            yield from ((self._by_clause, clause, number) for clause in stem_clauses(rule.said.text))

    def says(self, said: ComparedText) -> bool:
        """Tell whether a topic has this statement, even as a reason."""
        return bool(self._by_statement.get(said.plain))

    def find_like(self, said: ComparedText, share: float) -> list[ComparedStatement]:
        """Return, by path, the rules that may be equal, or that share this part of their words, or a clause."""
        same = SAME * len(said.subject)
        least = min(same, share * MIN_STEMS)
        shared = _count(self._by_stem, said.stems).items()
        numbers = {n for n, count in shared if count >= least and (count >= same or count >= share * self._sizes[n])}
        numbers.update(*(self._by_clause.get(clause, ()) for clause in stem_clauses(said.text)))
        inside = itertools.chain.from_iterable(self._by_mark.get(mark, ()) for mark in {"", *said.plain.split(" ")})
        numbers.update(number for number in inside if self._rules[number].said.plain in said.plain)
        return self._sort(numbers)

    def find_sharing(self, stems: frozenset[str], least: int) -> list[ComparedStatement]:
        """Return, by path, the rules with at least `least` of the stems."""
        return self._sort(number for number, count in _count(self._by_stem, stems).items() if count >= least)

    def find_related(self, stems: frozenset[str]) -> list[Topic]:
        """Return, by path, the topics that are about these words."""
        shared = _count(self._by_subject, stems).items()
        found = (n for n, count in shared if count >= MIN_STEMS - 1 and count >= RELATED * self._sizes[n])
        return sorted((self._topics[number] for number in found), key=lambda topic: str(topic.path))

    def _sort(self, numbers: Iterable[int]) -> list[ComparedStatement]:
        # All are in one directory, and comparing strings is faster than comparing paths.
        return [self._rules[number] for number in sorted(numbers, key=lambda n: (str(self._rules[n].topic.path), n))]


def _longest_word(plain: str) -> str:
    """Return the longest inner word, which every text that contains this one has; "" if there is none."""
    return max(plain.split(" ")[1:-1], key=len, default="")


def _count(index: dict[str, set[int]], stems: Iterable[str]) -> Counter[int]:
    shared: Counter[int] = Counter()
    for stem in stems:
        shared.update(index.get(stem, ()))
    return shared
