"""Merges two versions of a memory file with their common ancestor: statement by statement, key by key in the head."""

import difflib
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import NamedTuple, TypeVar

from memci.memory.apply_edits import split_lines
from memci.memory.frontmatter import parse_head
from memci.memory.index import parse_index
from memci.memory.units import split_units
from memci.model.memory import INDEX_NAME, Frontmatter

# Comparing takes quadratic time; the client loads 200 lines of an index.
_MAX_UNITS = 2_000
# A unit that shares more than this part of its words with an old one is the old one in other words.
_REWORDED = 0.5
_NO_PARAGRAPH = ("#", "|", "`", "~", "-", "*", "+", ">", " ", "\t")
_OURS = "<<<<<<< ours\n"
_Key = tuple[str, ...]
_Value = TypeVar("_Value")


class MergedText(NamedTuple):
    """The merged text, and whether it has conflict markers."""

    text: str
    clashes: bool


@dataclass(frozen=True, slots=True)
class _Unit:
    """A paragraph, list item, heading, table row or fence, with the blank lines above it."""

    text: str
    gap: str
    end: str
    # The units above it, in the versions that it comes from.
    above: frozenset[str]
    clash: bool = False

    @property
    def level(self) -> int:
        """The level of a heading; 0 for anything else."""
        return len(self.text) - len(self.text.lstrip("#"))


class _SideChange(NamedTuple):
    """What one side made of `base[first:last]`; an insertion replaces nothing."""

    first: int
    last: int
    units: tuple[_Unit, ...]
    reworded: bool = False


class _Version(NamedTuple):
    """One version of the file: the lines of its head by key, its body by unit, and its pointers."""

    fences: tuple[str, str]
    entries: dict[_Key, str]
    units: tuple[_Unit, ...]
    tail: str
    broken: bool
    targets: Counter[str]


def merge_versions(base: str, ours: str, theirs: str) -> MergedText:
    """Keep what both sides added, delete what one side deleted; mark what both changed."""
    if ours in (theirs, base) or theirs == base:
        return MergedText(theirs if ours == base else ours, clashes=False)
    old, mine, other = versions = [_read(text) for text in (base, ours, theirs)]
    if max(len(version.units) for version in versions) > _MAX_UNITS:
        return _clash_whole(ours, theirs)
    entries = _merge_entries(old.entries, mine.entries, other.entries)
    units = _merge_units(old.units, mine.units, other.units)
    fences = (mine if mine.entries else other).fences if entries else ("", "")
    text = "".join((fences[0], *entries.values(), fences[1], _join(units), _pick(old.tail, mine.tail, other.tail)))
    if any(unit.clash for unit in units) or any(lines.startswith(_OURS) for lines in entries.values()):
        return MergedText(text, clashes=True)
    # A reader has to find what was put together: every key, every unit, and every pointer as often as in a version.
    merged = _read(text)
    alike = [*merged.entries] == [*entries] and [unit.text for unit in merged.units] == [unit.text for unit in units]
    pointed = mine.targets & other.targets <= merged.targets <= mine.targets | other.targets
    good = alike and pointed and merged.broken <= (mine.broken or other.broken)
    return MergedText(text, clashes=False) if good else _clash_whole(ours, theirs)


def _read(text: str) -> _Version:
    head, first = parse_head(text)
    if isinstance(head, Frontmatter) and not head.lines:
        # Lines of dashes around text.
        first = 1
    lines = split_lines(text)
    parts, tail = split_units("".join(lines[first - 1 :]))
    rows = []
    for part in parts:
        *upper, last = part.text.split("\n") if part.text.lstrip().startswith("|") else [part.text]
        rows += [(row, part.gap if row is upper[0] else "", "\n") for row in upper]
        rows.append((last, "" if upper else part.gap, part.end))
    above = [frozenset((row,)) for row in ("", *(row for row, _, _ in rows))]
    units = tuple(_Unit(*row, over) for row, over in zip(rows, above, strict=False))
    index = parse_index(PurePosixPath(INDEX_NAME), text, ())
    targets = Counter(line.pointers[0].target for line in index.lines if line.plain)
    if not isinstance(head, Frontmatter) or not head.lines:
        return _Version(("", ""), {}, units, tail, broken=False, targets=targets)
    keys = {number: tuple(name.split(".")) for name, number in reversed(list(head.lines.items()))}
    bounds = [*sorted(keys), first - 1]
    entries = {keys[a]: "".join(lines[a - 1 : b - 1]) for a, b in itertools.pairwise(bounds)}
    fences = ("".join(lines[: bounds[0] - 1]), lines[first - 2])
    return _Version(fences, entries, units, tail, broken=head.problem is not None, targets=targets)


def _pick(base: _Value, ours: _Value, theirs: _Value) -> _Value:
    """Return the version that changed; ours if both did."""
    return theirs if ours == base else ours


def _merge_entries(base: dict[_Key, str], ours: dict[_Key, str], theirs: dict[_Key, str]) -> dict[_Key, str]:
    merged: dict[_Key, str] = {}
    for key in _join_orders(ours, theirs):
        old, a, b = base.get(key, ""), ours.get(key, ""), theirs.get(key, "")
        clash = a not in (b, old) and b != old
        # The time of the last change, which both sides set with every edit.
        later = max(a, b) if a and b and key[-1] == "modified" else ""
        merged[key] = (later or f"{_mark(a, b)}\n") if clash else _pick(old, a, b)
    return {key: lines for key, lines in merged.items() if lines}


def _join_orders(ours: Iterable[_Key], theirs: Iterable[_Key]) -> list[_Key]:
    """Return all keys in our order; each of theirs follows what it follows there, and what is below that."""
    order = list(ours)
    before: _Key = ()
    for key in theirs:
        if key not in order:
            place = order.index(before) + 1 if before else 0
            while before and place < len(order) and order[place][: len(key)] == before[: len(key)]:
                place += 1
            order.insert(place, key)
        before = key
    return order


def _merge_units(base: Sequence[_Unit], ours: Sequence[_Unit], theirs: Sequence[_Unit]) -> list[_Unit]:
    (kept_a, mine), (kept_b, other) = _compare(base, ours), _compare(base, theirs)
    merged: list[_Unit] = []
    position = 0
    end = [(_SideChange(len(base), len(base), ()), True)]
    for group in [*_group_changes(base, _drop_known(mine, other), _drop_known(other, mine)), end]:
        first, last = group[0][0].first, max(change.last for change, _ in group)
        merged += [_keep(base[place], kept_a[place], kept_b[place]) for place in range(position, first)]
        units = _resolve(base[first:last], group)
        if len(group) == 1 and group[0][0].reworded:
            # The other side may have changed the blank lines above it.
            kept = (kept_b if group[0][1] else kept_a)[first]
            units = [replace(units[0], gap=_pick(base[first].gap, units[0].gap, kept.gap))]
        merged += units
        position = last
    return merged


def _compare(base: Sequence[_Unit], side: Sequence[_Unit]) -> tuple[dict[int, _Unit], list[_SideChange]]:
    """Return the units that a side kept, by their place in the base, and its changes."""
    kept: dict[int, _Unit] = {}
    changes: list[_SideChange] = []
    matcher = difflib.SequenceMatcher(None, [u.text for u in base], [u.text for u in side], autojunk=False)
    for tag, first, last, start, stop in matcher.get_opcodes():
        if tag == "equal":
            kept |= zip(range(first, last), side[start:stop], strict=True)
        else:
            changes += _split_change(base[first:last], first, side[start:stop])
    return kept, changes


def _split_change(old: Sequence[_Unit], first: int, new: Sequence[_Unit]) -> Iterator[_SideChange]:
    """Yield rewordings, deletions and insertions one by one, as far as it is clear what became of a unit."""
    done, taken = 0, 0
    for place in range(len(old) + 1):
        end = place == len(old)
        match = (
            len(new) if end else next((at for at in range(taken, len(new)) if _is_reworded(old[place], new[at])), -1)
        )
        if match < 0:
            continue
        if taken < match:
            yield _SideChange(first + done, first + place, tuple(new[taken:match]))
        else:
            # What is deleted with its heading is one change.
            starts = [at for at in range(done, place) if at == done or old[at].level or not old[done].level]
            yield from (_SideChange(first + a, first + b, ()) for a, b in itertools.pairwise([*starts, place]))
        if not end:
            yield _SideChange(first + place, first + place + 1, (new[match],), reworded=True)
        done, taken = place + 1, match + 1


def _drop_known(changes: Iterable[_SideChange], others: Sequence[_SideChange]) -> Iterator[_SideChange]:
    """Yield the changes without insertions that the other side makes as part of a replacement beside them."""
    for change in changes:
        if change.first < change.last:
            yield change
            continue
        beside = [other for other in others if other.first <= change.first <= other.last and other.first < other.last]
        known = {unit.text for other in beside for unit in other.units}
        if units := tuple(unit for unit in change.units if unit.text not in known):
            yield change._replace(units=units)


def _is_reworded(old: _Unit, new: _Unit) -> bool:
    if bool(old.level) != bool(new.level) or old.text.count("\n") != new.text.count("\n"):
        # The lines that a paragraph gains or loses may be those of the next one.
        return False
    links = {unit.text.partition("](")[2].partition(")")[0] for unit in (old, new)}
    if any(links):
        return len(links) == 1
    a, b = set(old.text.split()), set(new.text.split())
    return len(a & b) > _REWORDED * len(a | b)


def _group_changes(
    base: Sequence[_Unit], mine: Iterable[_SideChange], other: Iterable[_SideChange]
) -> list[list[tuple[_SideChange, bool]]]:
    """Return the changes in order, with whether they are ours; those of both sides to one place together."""
    groups: list[list[tuple[_SideChange, bool]]] = []
    both = [*((change, True) for change in mine), *((change, False) for change in other)]
    end = -1
    for change, is_ours in sorted(both, key=lambda pair: (pair[0].first, pair[0].last, not pair[1])):
        joins = change.first < end
        if change.first == change.last == end:
            deleted = not any(each.units for each, _ in groups[-1])
            joins = groups[-1][0][0].first == end or (deleted and base[groups[-1][0][0].first].level > 0)
            joins = joins and not (deleted and change.units[0].level)
        if not joins:
            groups.append([])
        groups[-1].append((change, is_ours))
        end = max(end, change.last) if joins else change.last
    return groups


def _keep(old: _Unit, ours: _Unit, theirs: _Unit) -> _Unit:
    gap, end = _pick(old.gap, ours.gap, theirs.gap), _pick(old.end, ours.end, theirs.end)
    return replace(old, gap=gap, end=end, above=old.above | ours.above | theirs.above)


def _resolve(rows: Sequence[_Unit], group: list[tuple[_SideChange, bool]]) -> list[_Unit]:
    """Return what becomes of a part of the base; one marked unit if both sides changed it."""
    start = group[0][0].first
    ours, theirs = (_apply(rows, start, [change for change, own in group if own is side]) for side in (True, False))
    owners = {own for _, own in group}
    if len(owners) == 1 or [unit.text for unit in ours] == [unit.text for unit in theirs]:
        return ours if True in owners else theirs
    if not rows:
        return _unite(ours, theirs)
    # What one side rewords, the other one must have in the same words.
    reworded = {unit.text for change, _ in group if change.reworded for unit in change.units}
    if all(reworded <= {unit.text for unit in side} for side in (ours, theirs)):
        if _includes(ours, theirs, rows):
            return ours
        if _includes(theirs, ours, rows):
            return theirs
    text = _mark(*(_join(side).lstrip("\r\n") for side in (ours, theirs)))
    return [replace((*ours, *theirs)[0], text=text, end="\n", clash=True)]


def _includes(more: Sequence[_Unit], less: Sequence[_Unit], rows: Sequence[_Unit]) -> bool:
    """Tell whether one side did all that the other one did."""
    added = Counter(unit.text for unit in less) - Counter(unit.text for unit in rows)
    lines = [{line for unit in units for line in unit.text.split("\n")} for units in (rows, less, more)]
    return not added - Counter(unit.text for unit in more) and not (lines[0] - lines[1]) & lines[2]


def _apply(rows: Sequence[_Unit], start: int, changes: Iterable[_SideChange]) -> list[_Unit]:
    units: list[_Unit] = []
    position = 0
    for change in changes:
        units += [*rows[position : change.first - start], *change.units]
        position = change.last - start
    return [*units, *rows[position:]]


def _unite(ours: Sequence[_Unit], theirs: Sequence[_Unit]) -> list[_Unit]:
    """Return what both sides insert at one place: what belongs to the item above, items, sections by heading."""
    mine, other = _split_sections(ours), _split_sections(theirs)
    merged: list[_Unit] = []
    for key in _join_orders(mine, other):
        known = Counter(unit.text for unit in mine.get(key, ()))
        merged += mine.get(key, ())
        for unit in other.get(key, ()):
            known[unit.text] -= 1
            merged += [unit] if known[unit.text] < 0 else []
    return merged


def _split_sections(units: Sequence[_Unit]) -> dict[_Key, list[_Unit]]:
    key: _Key = ("nested",)
    sections: dict[_Key, list[_Unit]] = {key: [], ("items",): []}
    path: list[_Unit] = []
    for unit in units:
        if unit.level:
            path = [*(above for above in path if above.level < unit.level), unit]
            key = tuple(above.text for above in path)
            while key in sections:
                key = (*key[:-1], f"{key[-1]} ")
        elif key == ("nested",) and not unit.text[0].isspace():
            key = ("items",)
        sections.setdefault(key, []).append(unit)
    return sections


def _join(units: Sequence[_Unit]) -> str:
    parts: list[str] = []
    for place, unit in enumerate(units):
        # A paragraph below another line than before would become part of it.
        new = place > 0 and units[place - 1].text not in unit.above and not unit.text.startswith(_NO_PARAGRAPH)
        gap = "\n" if new and not unit.clash and not unit.gap else unit.gap
        parts += [gap, unit.text, unit.end if place == len(units) - 1 else unit.end or "\n"]
    return "".join(parts)


def _mark(ours: str, theirs: str) -> str:
    a, b = (text if not text or text.endswith("\n") else f"{text}\n" for text in (ours, theirs))
    return f"{_OURS}{a}=======\n{b}>>>>>>> theirs"


def _clash_whole(ours: str, theirs: str) -> MergedText:
    """Leave the whole text to a person, without the lines that both begin and end with."""
    a, b = split_lines(ours), split_lines(theirs)
    room = min(len(a), len(b))
    same = next((place for place in range(room) if a[place] != b[place]), room)
    below = next((place for place in range(room - same) if a[-1 - place] != b[-1 - place]), room - same)
    middle = _mark(*("".join(rows[same : len(rows) - below]) for rows in (a, b)))
    return MergedText("".join((*a[:same], f"{middle}\n", *a[len(a) - below :])), clashes=True)
