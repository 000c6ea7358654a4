"""The topics that were made in one dream, kept so that a signal is compared only with those that are like it."""

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
    find_clauses,
    find_statements,
    find_subject,
    read,
    read_rules,
)
from memci.prose.contradictions import Opinions

# Where a thing can be found again: an index, its key, and the number of the thing.
_Entry = tuple[dict[Any, set[int]], Hashable, int]


class Made:
    """Topics by their words: putting one in costs what it says, asking costs what is like the question."""

    def __init__(self) -> None:
        self.opinions = Opinions()
        self._numbers = itertools.count()
        self._rules: dict[int, ComparedStatement] = {}
        # How many stems a rule or the subject of a topic has.
        self._sizes: dict[int, int] = {}
        self._topics: dict[int, Topic] = {}
        self._entries: dict[PurePosixPath, list[_Entry]] = {}
        self._by_stem: dict[str, set[int]] = {}
        self._by_clause: dict[Clause, set[int]] = {}
        self._by_mark: dict[str, set[int]] = {}
        self._by_subject: dict[str, set[int]] = {}
        # Everything that is said, reasons too.
        self._by_statement: dict[str, set[int]] = {}

    def put(self, path: PurePosixPath, topic: Topic | None) -> None:
        """Take in a topic instead of the one that was at its path; None takes it out."""
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
        self._sizes[number] = len(find_subject(topic))
        yield from ((self._by_subject, stem, number) for stem in find_subject(topic))
        yield from ((self._by_statement, read(found.text).plain, number) for found in find_statements(topic))
        for rule in read_rules(topic):
            number = next(self._numbers)
            self._rules[number] = rule
            self._sizes[number] = len(rule.said.stems)
            yield self._by_mark, _longest_word(rule.said.plain), number
            yield from ((self._by_stem, stem, number) for stem in rule.said.stems)
            yield from ((self._by_clause, clause, number) for clause in find_clauses(rule.said.text))

    def says(self, said: ComparedText) -> bool:
        """Tell whether a topic says this in these words, be it as a reason."""
        return bool(self._by_statement.get(said.plain))

    def find_like(self, said: ComparedText, share: float) -> list[ComparedStatement]:
        """Return, by path, the rules that may say the same, or of which this has the share of words, or a clause."""
        same = SAME * len(said.subject)
        least = min(same, share * MIN_STEMS)
        shared = _count(self._by_stem, said.stems).items()
        numbers = {n for n, count in shared if count >= least and (count >= same or count >= share * self._sizes[n])}
        numbers.update(*(self._by_clause.get(clause, ()) for clause in find_clauses(said.text)))
        inside = itertools.chain.from_iterable(self._by_mark.get(mark, ()) for mark in {"", *said.plain.split(" ")})
        numbers.update(number for number in inside if self._rules[number].said.plain in said.plain)
        return self._sort(numbers)

    def find_sharing(self, stems: frozenset[str], least: int) -> list[ComparedStatement]:
        """Return, by path, the rules that have at least so many of the stems."""
        return self._sort(number for number, count in _count(self._by_stem, stems).items() if count >= least)

    def find_related(self, stems: frozenset[str]) -> list[Topic]:
        """Return, by path, the topics that are about these words."""
        shared = _count(self._by_subject, stems).items()
        found = (n for n, count in shared if count >= MIN_STEMS - 1 and count >= RELATED * self._sizes[n])
        return sorted((self._topics[number] for number in found), key=lambda topic: str(topic.path))

    def _sort(self, numbers: Iterable[int]) -> list[ComparedStatement]:
        # All of them lie in one directory, and texts are compared faster than paths.
        return [self._rules[number] for number in sorted(numbers, key=lambda n: (str(self._rules[n].topic.path), n))]


def _longest_word(plain: str) -> str:
    """Return a word that every text has in which this one stands; "" if it has none that must be whole there."""
    return max(plain.split(" ")[1:-1], key=len, default="")


def _count(index: dict[str, set[int]], stems: Iterable[str]) -> Counter[int]:
    shared: Counter[int] = Counter()
    for stem in stems:
        shared.update(index.get(stem, ()))
    return shared
