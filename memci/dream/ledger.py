"""Traces every line of the old memory, by comparing the texts before and after.

A line is *kept* if it is still in its file, and *moved* if another file has it now. It is *merged* if its content is
still somewhere: equal except for markup, or inside a longer line of a changed file. It is *reworded* if another line in
its place has every name, number and "not" of it; after a repair, most of its words. All others are *retired*: a rule
with another number or the opposite sense is another rule.
"""

import itertools
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.model.plan import Fate, Ledger, LedgerEntry, Operation, OperationKind
from memci.prose.polarity import is_flipped
from memci.prose.similar import is_near_equal, normalise, profile, stem_content

_Texts = Mapping[PurePosixPath, str]
# A repair keeps at least this share of the words of a line.
_MOST = 0.5
# Longer lines are indexed by runs of this many words.
_RUN = 4
# Longer lines are compared literally only.
_MAX_LINE = 4_000
# The number of lines that are compared for one run of words; common runs match by chance.
_MAX_HOLDERS = 20


@dataclass(frozen=True, slots=True)
class _New:
    """The lines of the new texts: added copies, normalised lines, and runs of words, each with their files."""

    spare: Mapping[str, deque[PurePosixPath]]
    said: Mapping[str, PurePosixPath]
    runs: Mapping[tuple[str, ...], Sequence[tuple[str, PurePosixPath]]]


def trace_lines(before: _Texts, after: _Texts, operations: Sequence[Operation]) -> Ledger:
    """Return one entry for every non-blank line of the old texts."""
    touched = {path: text for path, text in before.items() if after.get(path) != text}
    repaired = {path for operation in operations if operation.kind is OperationKind.REPAIR for path in operation.texts}
    new = _read_new(before, after, touched, frozenset(operation.file for operation in operations))
    entries: list[LedgerEntry] = []
    for path, text in before.items():
        if path not in touched:
            entries += (LedgerEntry(path, number, line, Fate.KEPT, path) for number, line in _number_lines(text))
            continue
        edited = _match_edited(text, after.get(path, ""), repaired=path in repaired)
        entries += _trace_file(path, (text, after.get(path, "")), new, edited, operations)
    return Ledger(tuple(entries))


def _number_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield number and text of every line that is not blank."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.removesuffix("\r")


def _count_lines(text: str) -> Counter[str]:
    return Counter(line for _, line in _number_lines(text))


def _normalise(line: str) -> str:
    return normalise(line) if len(line) <= _MAX_LINE else ""


def _read_new(before: _Texts, after: _Texts, touched: _Texts, named: frozenset[PurePosixPath]) -> _New:
    gone = (line for path, text in touched.items() for line in _count_lines(text) - _count_lines(after.get(path, "")))
    wanted = {line: key for line in gone if (key := _normalise(line))}
    known = frozenset(wanted.values())
    spare: dict[str, deque[PurePosixPath]] = {}
    said: dict[str, PurePosixPath] = {}
    runs: dict[tuple[str, ...], list[tuple[str, PurePosixPath]]] = {}
    plain = {_strip(line): key for line, key in wanted.items()}
    for path, text in after.items() if touched else ():
        if before.get(path) == text and path not in named:
            # Most files are unchanged; their lines are compared without normalising each, which is slow.
            found = (plain.get(_strip(line)) for line in text.split("\n")) if plain else ()
            said |= {key: path for key in found if key and key not in said}
            continue
        lines = _count_lines(text)
        keys = [_normalise(line) for line in lines] if wanted else []
        said |= {key: path for key in keys if key in known and key not in said}
        for line, count in (lines - _count_lines(before.get(path, ""))).items():
            spare.setdefault(line, deque()).extend([path] * count)
        _add_runs(keys, path, runs)
    return _New(spare, said, runs)


def _add_runs(
    keys: Iterable[str], path: PurePosixPath, runs: dict[tuple[str, ...], list[tuple[str, PurePosixPath]]]
) -> None:
    for key in keys:
        for run in set(_split_runs(key)):
            holders = runs.setdefault(run, [])
            if len(holders) < _MAX_HOLDERS:
                holders.append((key, path))


def _split_runs(said: str) -> Iterator[tuple[str, ...]]:
    words = said.split()
    # In scripts without blanks, characters count as words.
    units = list(said) if not said.isascii() and len(said) > 6 * len(words) + 6 else words
    return zip(*(itertools.islice(units, start, None) for start in range(_RUN)), strict=False)


def _trace_file(
    path: PurePosixPath, texts: tuple[str, str], new: _New, edited: frozenset[int], operations: Sequence[Operation]
) -> Iterator[LedgerEntry]:
    old, now = texts
    here = _count_lines(now)
    for number, line in _number_lines(old):
        if here[line] > 0:
            here[line] -= 1
            yield LedgerEntry(path, number, line, Fate.KEPT, path)
        elif places := new.spare.get(line):
            yield LedgerEntry(path, number, line, Fate.MOVED, places.popleft())
        elif home := _find_home(line, new):
            yield LedgerEntry(path, number, line, Fate.MERGED, home)
        elif number in edited:
            yield LedgerEntry(path, number, line, Fate.REWORDED, path)
        else:
            yield LedgerEntry(path, number, line, Fate.RETIRED, None, _find_reason(path, line, operations))


def _find_reason(path: PurePosixPath, line: str, operations: Sequence[Operation]) -> str:
    """Return the reason of the operation that took the line away."""
    touching = [operation for operation in operations if path in operation.texts]
    without = (each for each in touching if line not in (each.texts[path] or "").replace("\r", "").split("\n"))
    return next((operation.reason for operation in (*without, *touching)), "")


def _find_home(line: str, new: _New) -> PurePosixPath | None:
    """Return a file that still has the content of the line, with other markup or inside a longer line."""
    key = _normalise(line)
    if not key:
        return None
    if key in new.said:
        return new.said[key]
    first = next(_split_runs(key), None)
    holders = new.runs.get(first, ()) if first else ()
    # "Never push to main" does not keep "push to main".
    return next((path for other, path in holders if key in other and not is_flipped(other, key)), None)


def _match_edited(text: str, now: str, *, repaired: bool) -> frozenset[int]:
    """Return the numbers of old lines that were reworded in place."""
    old, new = text.split("\n"), now.split("\n")
    stays, stood = frozenset(new), frozenset(old)
    edited: set[int] = set()
    for gone, come in _split_gaps(old, new):
        # Lines of both texts were not edited.
        changed = ((number, line) for number, line in gone if line not in stays)
        fresh = (line for line in come if line not in stood)
        pairs = zip(changed, fresh, strict=False)
        edited.update(number for (number, line), other in pairs if _says_same(line, other, repaired=repaired))
    return frozenset(edited)


def _says_same(line: str, other: str, *, repaired: bool) -> bool:
    if max(len(line), len(other)) > _MAX_LINE:
        return False
    if is_near_equal(profile(line), profile(other)):
        return True
    mine, theirs = stem_content(line), stem_content(other)
    return repaired and bool(mine) and len(mine & theirs) >= _MOST * len(mine)


def _strip(line: str) -> str:
    return line.strip(" \t\r-*+>#.!;:,").lower()


def _split_gaps(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[list[tuple[int, str]], list[str]]]:
    """Yield the lines between anchors: lines that occur once in both texts, in the same order."""
    counts, others = Counter(old), Counter(new)
    places = {line: number for number, line in enumerate(new) if others[line] == 1}
    position, gone = 0, list[tuple[int, str]]()
    for number, line in enumerate(old, 1):
        if not line.strip():
            continue
        at = places.get(line, -1) if counts[line] == 1 else -1
        if at >= position:
            yield gone, [other for other in new[position:at] if other.strip()]
            position, gone = at + 1, []
        else:
            gone.append((number, line))
    yield gone, [other for other in new[position:] if other.strip()]
