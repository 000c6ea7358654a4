"""The phrases of one language, of which only those are tried that can stand in a sentence."""

import functools
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from ahocorasick_rs import BytesAhoCorasick, Implementation

from memci.signals.fold import split_words

Key = TypeVar("Key", bound=str)
# For each phrase, by its digest, up to three sets of strings; every text that it matches holds one of each when it is
# spaced out. Derived from the tables.
NEEDS = Path(__file__).parent / "languages" / "needs.json"
_SETS = 3
_Needs = Sequence[Sequence[str]]
_Search = Callable[[str], re.Match[str] | None]


def space_out(folded: str) -> str:
    """Return a folded text with a blank wherever a word begins or ends."""
    return f" {' '.join(split_words(folded))} "


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
        self._searches: list[_Search | None] = [None] * len(pairs)
        known = _read_needs()
        # One that is not known there is always tried.
        needs = [known.get(digest_phrase(phrase), ()) for phrase in self._phrases]
        # For each string the phrases for which it is what they need as bits, one block of bits for each set in turn.
        bits: dict[str, int] = {}
        self._free = 0
        for at, sets in enumerate(needs):
            for place in range(_SETS):
                bit = 1 << at + place * len(pairs)
                if place >= len(sets):
                    self._free |= bit
                    continue
                for string in sets[place]:
                    bits[string] = bits.get(string, 0) | bit
        self._strings = _build_automaton(bits)
        self._bits = list(bits.values())
        self._same = {key: sum(1 << at for at, other in enumerate(self._keys) if other == key) for key in tables}

    def find(self, folded: str) -> set[Key]:
        """Return what stands in a folded sentence."""
        found: set[Key] = set()
        likely = self._find_likely(folded)
        while likely:
            at = likely.bit_length() - 1
            if (self._searches[at] or self._compile(at))(folded):
                found.add(self._keys[at])
                # The other phrases for the same would add nothing.
                likely &= ~self._same[self._keys[at]]
            else:
                likely ^= 1 << at
        return found

    def find_first(self, key: Key, folded: str) -> int:
        """Return where something first stands in a folded sentence; -1 if it does not."""
        likely = self._find_likely(folded) & self._same[key]
        starts: list[int] = []
        while likely:
            at = likely.bit_length() - 1
            likely ^= 1 << at
            if match := (self._searches[at] or self._compile(at))(folded):
                starts.append(match.start())
        return min(starts, default=-1)

    def _compile(self, at: int) -> _Search:
        phrase = self._phrases[at]
        pattern = re.compile(phrase)
        self._searches[at] = search = pattern.match if _is_anchored(phrase) else pattern.search
        return search

    def _find_likely(self, folded: str) -> int:
        """Return the phrases for which all that they need stands in a sentence, as bits."""
        bits = self._bits
        met = self._free
        # In bytes it takes half the time; and half a character would be none at all.
        spaced = space_out(folded).encode("utf-8", "surrogatepass")
        for index, _, _ in self._strings.find_matches_as_indexes(spaced, overlapping=True):
            met |= bits[index]
        count = len(self._keys)
        return met & met >> count & met >> 2 * count


def _is_anchored(phrase: str) -> bool:
    """Whether a phrase can only stand at the beginning: a search would try every other place, too."""
    depth = 0
    # Without escapes and sets of characters, brackets and bars are what they look like.
    for sign in re.sub(r"\\.|\[(?:\\.|[^\]\\])+\]", "", phrase):
        depth += (sign == "(") - (sign == ")")
        if sign == "|" and not depth:
            return False
    return phrase.startswith("^")


def _build_automaton(strings: Iterable[str]) -> BytesAhoCorasick:
    encoded = [string.encode() for string in strings]
    # Others take ten times as long to build, or half as long again to search.
    return BytesAhoCorasick(encoded, implementation=Implementation.ContiguousNFA)
