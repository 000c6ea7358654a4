"""Which of many names occur in a file as whole words: one pass over its bytes, however many names there are."""

import re
from collections.abc import Collection, Iterable, Iterator

_LETTERS = bytes(byte for byte in range(256) if chr(byte).isalnum() and byte < 128) + b"_"
# None of these may touch a name, nor a hyphen one that has hyphens: `--foo` is not in `--foo-bar`.
_WORD = bytes(byte in _LETTERS for byte in range(256))
_FLAG = bytes(byte in _LETTERS + b"-" for byte in range(256))

# The matches of one window are in memory at once: a few hundred bytes each, and at most MAX_NESTED per byte.
_WINDOW = 1 << 20
# Names that end each other (`get`, `widget`) are all reported at one place. Real lists nest 3 or 4 deep; a list made
# to nest 1,000 deep would turn every byte of a file into 1,000 matches, so what is deeper is not looked for.
MAX_NESTED = 8
# A table state costs up to 1 KiB; beyond this many bytes of names, some 4,000 of them, the table outgrows the caches of
# the processor and the smaller automaton is faster.
_MAX_TABLE = 1 << 16


class Searcher:
    """A set of names, ready to be looked for in any number of texts; one may lie inside another."""

    def __init__(self, names: Collection[str]) -> None:
        """Prepare the names; one with a NUL or without an ASCII letter, digit or underscore is never found."""
        from ahocorasick_rs import BytesAhoCorasick, Implementation

        encoded = {name.encode("utf-8", "surrogatepass"): name for name in names}
        keys = sorted(_drop_nested(key for key in encoded if re.search(rb"\w", key) and 0 not in key))
        self._names = [encoded[key] for key in keys]
        self._tables = [_FLAG if b"-" in key else _WORD for key in keys]
        self._longest = max(map(len, keys), default=0)
        size = sum(map(len, keys))
        kind = Implementation.DFA if size <= _MAX_TABLE else Implementation.ContiguousNFA
        self._automaton = BytesAhoCorasick(keys, implementation=kind)

    def find(self, data: bytes) -> set[str]:
        """Return the names that occur in `data` as whole words."""
        tables = self._tables
        # A byte on each side, so that every match has neighbours; names do not contain it.
        padded = b"\0" + data + b"\0"
        found: set[int] = set()
        for begin in range(0, len(data) if tables else 0, _WINDOW):
            window = padded[begin : begin + _WINDOW + self._longest + 1]
            matches = self._automaton.find_matches_as_indexes(memoryview(window)[1:-1], overlapping=True)
            found |= {
                index
                for index, start, end in matches
                if not (table := tables[index])[window[start]] and not table[window[end + 1]]
            }
        return {self._names[index] for index in found}


def _drop_nested(names: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the names of which at most MAX_NESTED can end at one place: each is the end of the next."""
    stack: list[bytes] = []
    for name in sorted(name[::-1] for name in names):
        while stack and not name.startswith(stack[-1]):
            stack.pop()
        if len(stack) < MAX_NESTED:
            stack.append(name)
            yield name[::-1]
