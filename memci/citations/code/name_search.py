"""Which of many names occur in a file as whole words: one pass over its bytes, however many names there are."""

import functools
import re
from collections.abc import Collection, Sequence

_LETTERS = bytes(byte for byte in range(256) if chr(byte).isalnum() and byte < 128) + b"_"
# None of these may touch a name, nor a hyphen one that has hyphens: `--foo` is not in `--foo-bar`.
_WORD = bytes(byte in _LETTERS for byte in range(256))
_FLAG = bytes(byte in _LETTERS + b"-" for byte in range(256))
_TO_BLANK = bytes(byte if _WORD[byte] else 32 for byte in range(256))

# The matches of one window are in memory at once: a few hundred bytes each, and at most MAX_NESTED per byte.
_WINDOW = 1 << 20
# Names that end each other (`get`, `widget`) are all reported at one place. Real lists nest 3 or 4 deep; a list made
# to nest 1,000 deep would turn every byte of a file into 1,000 matches, so it is searched without the automaton.
MAX_NESTED = 8
# A table state costs up to 1 KiB; beyond this many bytes of names, some 4,000 of them, the table outgrows the caches of
# the processor and the smaller automaton is faster.
_MAX_TABLE = 1 << 16
# Up to this many names it is faster to look for each on its own than to stop at every word of the text.
_MAX_EACH = 32


class Searcher:
    """A set of names, ready to be looked for in any number of texts."""

    def __init__(self, names: Collection[str]) -> None:
        """Prepare the names; one with a NUL or without an ASCII letter, digit or underscore is never found."""
        encoded = {name.encode("utf-8", "surrogatepass"): name for name in names}
        self._names = {key: name for key, name in encoded.items() if _word_pattern().search(key) and 0 not in key}
        self._way = _choose(sorted(self._names))

    def find(self, data: bytes) -> set[str]:
        """Return the names that occur in `data` as whole words."""
        return {self._names[key] for key in self._way.find(data)}


def _choose(names: Sequence[bytes]) -> "_Automaton | _Words":
    return _Words(names) if not names or _nesting(names) > MAX_NESTED else _Automaton(names)


def _nesting(names: Collection[bytes]) -> int:
    """Return how many of the names can end at one place: each is the end of the next."""
    deepest = 0
    stack: list[bytes] = []
    for name in sorted(name[::-1] for name in names):
        while stack and not name.startswith(stack[-1]):
            stack.pop()
        stack.append(name)
        deepest = max(deepest, len(stack))
    return deepest


def _table(name: bytes) -> bytes:
    return _FLAG if b"-" in name else _WORD


class _Automaton:
    """All names in one automaton; overlapping, because a name may lie inside another."""

    def __init__(self, names: Sequence[bytes]) -> None:
        from ahocorasick_rs import BytesAhoCorasick, Implementation

        size = sum(map(len, names))
        kind = Implementation.DFA if size <= _MAX_TABLE else Implementation.ContiguousNFA
        self._automaton = BytesAhoCorasick(names, implementation=kind)
        self._names = names
        self._tables = [_table(name) for name in names]
        self._longest = max(map(len, names))

    def find(self, data: bytes) -> set[bytes]:
        tables, names = self._tables, self._names
        # A byte on each side, so that every match has neighbours; names do not contain it.
        padded = b"\0" + data + b"\0"
        found: set[int] = set()
        for begin in range(0, len(data), _WINDOW):
            window = padded[begin : begin + _WINDOW + self._longest + 1]
            matches = self._automaton.find_matches_as_indexes(memoryview(window)[1:-1], overlapping=True)
            found |= {
                index
                for index, start, end in matches
                if not (table := tables[index])[window[start]] and not table[window[end + 1]]
            }
        return {names[index] for index in found}


class _Words:
    """The same answer for names that nest: split into words and intersect."""

    def __init__(self, names: Sequence[bytes]) -> None:
        self._plain = frozenset(name for name in names if all(_WORD[byte] for byte in name))
        # A name with other characters hangs on its longest word, which is the rarest of them as a rule.
        self._others: dict[bytes, list[tuple[bytes, frozenset[bytes]]]] = {}
        for name in names:
            if name not in self._plain:
                words = name.translate(_TO_BLANK).split()
                self._others.setdefault(max(words, key=len), []).append((name, frozenset(words)))

    def find(self, data: bytes) -> set[bytes]:
        words = set(data.translate(_TO_BLANK).split())
        found = words & self._plain
        likely = [name for key in self._others.keys() & words for name, parts in self._others[key] if parts <= words]
        if len(likely) > _MAX_EACH:
            return found | _find_at_words(data, likely)
        return found | {name for name in likely if _find_whole(data, name) >= 0}


def _find_whole(data: bytes, name: bytes, start: int = 0) -> int:
    place = data.find(name, start)
    while place >= 0 and not _is_whole(data, place, name):
        place = data.find(name, place + 1)
    return place


def _find_at_words(data: bytes, names: Sequence[bytes]) -> set[bytes]:
    """Look for many names at once: at each word that begins one, for every length that such a name has."""
    pattern = _word_pattern()
    shapes: dict[bytes, dict[tuple[int, int], set[bytes]]] = {}
    for name in names:
        if first := pattern.search(name):
            shapes.setdefault(first.group(), {}).setdefault((first.start(), len(name)), set()).add(name)
    found = set()
    for word in pattern.finditer(data):
        for (before, length), same in shapes.get(word.group(), {}).items():
            start = word.start() - before
            name = data[start : start + length] if start >= 0 else b""
            if name in same and _is_whole(data, start, name):
                found.add(name)
    return found


@functools.cache
def _word_pattern() -> re.Pattern[bytes]:
    return re.compile(rb"[A-Za-z0-9_]++")


def _is_whole(data: bytes, start: int, name: bytes) -> bool:
    table = _table(name)
    end = start + len(name)
    return (start == 0 or not table[data[start - 1]]) and (end == len(data) or not table[data[end]])
