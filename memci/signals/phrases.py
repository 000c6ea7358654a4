"""The phrases of one language, of which only those are tried that can stand in a sentence."""

import functools
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

Key = TypeVar("Key", bound=str)
# For each phrase, by its digest, up to two sets of strings; every match holds one of each. Derived from the tables.
NEEDS = Path(__file__).parent / "languages" / "needs.json"
_Needs = Sequence[Sequence[str]]


def digest_phrase(phrase: str) -> str:
    """Return the name of a phrase in the file of needs."""
    return hashlib.blake2b(phrase.encode(), digest_size=6).hexdigest()


@functools.cache
def _read_needs() -> Mapping[str, _Needs]:
    needs: dict[str, list[list[str]]] = json.loads(NEEDS.read_bytes())
    return needs


def split_phrases(table: str) -> list[str]:
    """Return the patterns of a table: one in each line; one that begins with a bar goes on with the one above."""
    phrases: list[str] = []
    for line in table.split("\n"):
        if line.strip().startswith("|"):
            phrases[-1] += line.strip()
        elif line.strip():
            phrases.append(line.strip())
    return [phrase.replace("_", r"\s") for phrase in phrases]


class Phrases(Generic[Key]):
    """The phrases of a language with what they stand for, ready to be looked for."""

    def __init__(self, tables: Mapping[Key, str]) -> None:
        """Take what there is to find, and the table of phrases of each."""
        pairs = [(key, phrase) for key, table in tables.items() for phrase in split_phrases(table)]
        self._keys = [key for key, _ in pairs]
        self._phrases = [phrase for _, phrase in pairs]
        # Compiling takes longer than searching does, and half of them are never tried.
        self._compiled: list[re.Pattern[str] | None] = [None] * len(pairs)
        known = _read_needs()
        # One that is not known there is always tried.
        needs = [known.get(digest_phrase(phrase), ()) for phrase in self._phrases]
        first, second = _number(needs, 0), _number(needs, 1)
        strings = sorted(first.keys() | second.keys())
        self._strings = _build_automaton(strings)
        # For each string the phrases for which it is what they need first as bits, and above them those for which it is
        # what they need second.
        count = len(pairs)
        self._bits = [first.get(string, 0) | second.get(string, 0) << count for string in strings]
        self._free = _find_free(needs, 0) | _find_free(needs, 1) << count
        self._same = {key: sum(1 << at for at, other in enumerate(self._keys) if other == key) for key in tables}

    def find(self, folded: str) -> set[Key]:
        """Return what stands in a folded sentence."""
        found: set[Key] = set()
        likely = self._find_likely(folded)
        while likely:
            at = likely.bit_length() - 1
            likely ^= 1 << at
            if self._search(at, folded):
                found.add(self._keys[at])
                # The other phrases for the same would add nothing.
                likely &= ~self._same[self._keys[at]]
        return found

    def find_first(self, key: Key, folded: str) -> int:
        """Return where something first stands in a folded sentence; -1 if it does not."""
        likely = self._find_likely(folded) & self._same[key]
        starts: list[int] = []
        while likely:
            at = likely.bit_length() - 1
            likely ^= 1 << at
            if match := self._search(at, folded):
                starts.append(match.start())
        return min(starts, default=-1)

    def _search(self, at: int, folded: str) -> re.Match[str] | None:
        pattern = self._compiled[at]
        if pattern is None:
            pattern = self._compiled[at] = re.compile(self._phrases[at])
        return pattern.search(folded)

    def _find_likely(self, folded: str) -> int:
        """Return the phrases for which all that they need stands in a sentence, as bits."""
        if self._strings is None or (not folded.isascii() and _HALF.search(folded)):
            return (1 << len(self._keys)) - 1
        bits = self._bits
        met = self._free
        for match in self._strings.find_matches_as_indexes(folded, overlapping=True):
            met |= bits[match[0]]
        return met & met >> len(self._keys)


# Half a character cannot be handed to the automaton.
_HALF = re.compile("[\ud800-\udfff]")


def _build_automaton(strings: Sequence[str]) -> "AhoCorasick | None":
    try:
        from ahocorasick_rs import AhoCorasick
    except ImportError:
        return None
    return AhoCorasick(strings)


def _number(needs: Sequence[_Needs], place: int) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for at, sets in enumerate(needs):
        for string in sets[place] if len(sets) > place else ():
            numbers[string] = numbers.get(string, 0) | 1 << at
    return numbers


def _find_free(needs: Sequence[_Needs], place: int) -> int:
    """Return the phrases that need nothing further."""
    return sum(1 << at for at, sets in enumerate(needs) if len(sets) <= place)
