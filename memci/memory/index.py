"""Parses MEMORY.md: which lines are pointers to topics, which are layout, which are content."""

import functools
import posixpath
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import unquote

from memci.memory.apply_edits import split_lines
from memci.memory.client_limit import MAX_LINES, MAX_UNITS, count_units
from memci.memory.frontmatter import parse_head
from memci.memory.pointers import keep_in_topic
from memci.memory.topic import fold_name, list_names
from memci.model.finding import Edit
from memci.model.memory import Absence, Index, IndexLine, IndexLineKind, Pointer, PointerForm, Topic, TopicType
from memci.prose.markdown import MAX_TARGET, Region, RegionKind, mask, parse_regions

# Links beyond this are ignored; the client does not load that much either.
MAX_LINE = 25_000
_SEPARATORS = "—–-·:|/ \t"
_BULLETS = ("- ", "* ", "+ ")
_BEFORE_HOOK = "*_`" + _SEPARATORS
_BEHIND_HOOK = _SEPARATORS + "\r\n"


# Without slots, because of the cached properties, which most indexes never need.
@dataclass(frozen=True)
class _IndexScope:
    """The possible targets of pointers."""

    path: PurePosixPath
    topics: Collection[Topic]
    others: Collection[PurePosixPath]

    @functools.cached_property
    def files(self) -> frozenset[PurePosixPath]:
        """Every file of the scope."""
        return frozenset((*(topic.path for topic in self.topics), *self.others))

    @functools.cached_property
    def names(self) -> Mapping[str, PurePosixPath]:
        """Topics by the names that a wikilink may use."""
        return {name: topic.path for topic in self.topics for name in list_names(topic)}


def parse_index(
    path: PurePosixPath, text: str, topics: Collection[Topic], others: Collection[PurePosixPath] = ()
) -> Index:
    """Read an index; back-ticked names and wikilinks count as pointers only if they name a file of the scope."""
    scope = _IndexScope(path.parent, topics, others)
    regions = parse_regions(text)
    originals = split_lines(text)
    # Comments are layout and fences are content: neither can contain a pointer. Code spans can.
    comments = [region for region in regions if region.kind is RegionKind.COMMENT]
    rows = split_lines(mask(text, comments)) if comments else originals
    fenced = _fenced_lines(text, regions)
    head = parse_head(text)
    head_lines = 0 if isinstance(head.frontmatter, Absence) else head.body_line - 1
    lines = []
    make, blank = tuple.__new__, IndexLineKind.BLANK
    for number, (row, original) in enumerate(zip(rows, originals, strict=True), 1):
        # A hostile index may have 60,000 empty lines, so these are made without calling Python code.
        if original == "\n" and number > head_lines and number not in fenced:
            lines.append(make(IndexLine, (number, "", "\n", blank, (), False)))
            continue
        shown = original.removesuffix("\n").removesuffix("\r")
        end = original[len(shown) :]
        if number <= head_lines or number in fenced:
            kind = IndexLineKind.FURNITURE if number <= head_lines else IndexLineKind.PROSE
            lines.append(IndexLine(number, shown, end, kind))
        elif not shown:
            lines.append(IndexLine(number, shown, end, IndexLineKind.BLANK))
        else:
            pointers = _parse_pointers(row, number, scope)
            kind = _classify(row, original, pointers, rows[number] if number < len(rows) else "")
            lines.append(IndexLine(number, shown, end, kind, pointers, _is_plain(row, pointers)))
    return Index(path, text, tuple(lines))


def _fenced_lines(text: str, regions: Iterable[Region]) -> set[int]:
    numbers: set[int] = set()
    line, position = 1, 0
    for region in regions:
        if region.kind is RegionKind.FENCE:
            line += text.count("\n", position, region.start)
            last = line + text.count("\n", region.start, region.end)
            numbers.update(range(line, last))
            line, position = last, region.end
    return numbers


def _classify(row: str, original: str, pointers: tuple[Pointer, ...], following: str) -> IndexLineKind:
    stripped = row.strip()
    if not stripped:
        return IndexLineKind.FURNITURE if original.strip() else IndexLineKind.BLANK
    if pointers:
        return IndexLineKind.POINTER
    if stripped.startswith("#"):
        return IndexLineKind.HEADING
    if not stripped.strip("-=*_|: ") or (stripped.startswith("|") and _is_table_rule(following)):
        return IndexLineKind.FURNITURE
    return IndexLineKind.PROSE


def _is_table_rule(row: str) -> bool:
    stripped = row.strip()
    return stripped.startswith("|") and "-" in stripped and not stripped.strip("|-: ")


def _is_plain(row: str, pointers: tuple[Pointer, ...]) -> bool:
    if len(pointers) != 1 or pointers[0].form is not PointerForm.LINK:
        return False
    bare = row.lstrip()
    return bare.startswith(_BULLETS) and bare.startswith("[", 2)


def _parse_pointers(row: str, number: int, scope: _IndexScope) -> tuple[Pointer, ...]:
    row = row[:MAX_LINE]
    links = _parse_links(row)
    if not links:
        return _match_named(row, number, scope)
    bare = row.lstrip()
    leads = bare.startswith(_BULLETS) and links[0][0] == len(row) - len(bare) + 2
    pointers = []
    for place, (start, end, title, target) in enumerate(links):
        if is_web(target) or target.startswith("#") or not target:
            continue
        path = resolve_target(target, scope.path)
        # In running text only links to Markdown are pointers; at the head of a list item every link is.
        if not _names_markdown(target) and path not in scope.files and not (leads and place == 0):
            continue
        stop = links[place + 1][0] if place + 1 < len(links) else len(row)
        hook = _trim_hook(row[end:stop])
        pointers.append(Pointer(number, start + 1, PointerForm.LINK, title, target, path, hook))
    return tuple(pointers)


def _trim_hook(text: str) -> str:
    """Remove the separator, and the marks that close a bold or quoted link."""
    return text.lstrip(_BEFORE_HOOK).rstrip(_BEHIND_HOOK)


def _names_markdown(target: str) -> bool:
    return target.partition("#")[0].partition("?")[0].lower().endswith(".md")


def _parse_links(row: str) -> list[tuple[int, int, str, str]]:
    """Return start, end, title and target of each inline link that is neither an image nor code."""
    visible = row
    if "`" in row:
        visible = mask(row, (region for region in parse_regions(row) if region.kind is RegionKind.CODE))
    links: list[tuple[int, int, str, str]] = []
    position = 0
    while (middle := visible.find("](", position)) >= 0:
        start = visible.rfind("[", position, middle)
        close = visible.find(")", middle, middle + MAX_TARGET)
        if start < 0 or close < 0:
            position = middle + 2
            continue
        if start == 0 or row[start - 1] != "!":
            target = row[middle + 2 : close].strip().removeprefix("<").removesuffix(">")
            links.append((start, close + 1, row[start + 1 : middle], target))
        position = close + 1
    return links


def _match_named(row: str, number: int, scope: _IndexScope) -> tuple[Pointer, ...]:
    """Return the pointers written as `file.md` or [[name]]."""
    pointers = []
    for region in parse_regions(row):
        if region.kind is RegionKind.CODE:
            name = row[region.start : region.end].strip()
            path = resolve_target(name, scope.path) if "." in name else None
            if path is not None and path in scope.files:
                hook = _trim_hook(row[region.end :])
                pointers.append(Pointer(number, region.start + 1, PointerForm.CODE, name, name, path, hook))
    position = 0
    while (start := row.find("[[", position)) >= 0:
        end = row.find("]]", start, start + MAX_TARGET)
        position = end + 2 if end >= 0 else start + 2
        name = row[start + 2 : end] if end >= 0 else ""
        path = scope.names.get(fold_name(name))
        if path is not None:
            hook = _trim_hook(row[position:])
            pointers.append(Pointer(number, start + 1, PointerForm.WIKI, name, name, path, hook))
    return tuple(pointers)


def is_web(target: str) -> bool:
    """Tell whether a target is a web or mail address."""
    return target.lower().startswith(("http://", "https://", "mailto:"))


def resolve_target(target: str, scope: PurePosixPath) -> PurePosixPath | None:
    """Return the path inside the scope that a link in its index leads to; None if it leads out of the scope.

    Targets are relative to the scope; in the wild some are relative to the repository and name the scope themselves.
    """
    name = _strip_fragment(target)
    if "%" in name:
        name = unquote(name)
    if not _is_plain_name(name):
        return None
    directory = str(scope)
    inside = "" if directory == "." else f"{directory}/"
    # A path that names the scope has the last part of its name in it.
    for joined in (name, inside + name) if scope.name in name else (inside + name,):
        path = posixpath.normpath(joined)
        if path.startswith(inside) and path not in {".", ".."} and not path.startswith("../"):
            return PurePosixPath(path)
    return None


def _strip_fragment(target: str) -> str:
    head, mark, _ = target.partition("#")
    return head if mark and head else target


def _is_plain_name(name: str) -> bool:
    """Refuse roots, schemes, drives and characters that only look like path separators."""
    if not name or name.startswith(("/", "~", "\\")) or "\\" in name or not name.isprintable():
        return False
    # A scheme (`javascript:`) or a drive (`C:`) is before the first slash.
    if ":" in name.partition("/")[0]:
        return False
    if name.isascii():
        return True
    folded = unicodedata.normalize("NFKC", name)
    looks_up = folded.split("/").count("..") != name.split("/").count("..")
    return folded.count("/") == name.count("/") and "\\" not in folded and not looks_up


# Corrections and people outrank project notes: they change what an agent does, not only what it knows.
_RANKS = {TopicType.FEEDBACK: 0, TopicType.USER: 1, TopicType.REFERENCE: 2, TopicType.PROJECT: 3}


class Fitted(NamedTuple):
    """The edits that make an index fit, and the pointers that were removed."""

    edits: tuple[Edit, ...]
    dropped: tuple[str, ...]


def rank(topic: Topic) -> int:
    """Return the rank of a topic: 0 is removed last, a topic without a type first."""
    return _RANKS[topic.type] if topic.type else len(_RANKS)


def fit(
    index: Index,
    topics: Mapping[PurePosixPath, Topic],
    reserved: Sequence[str] = (),
    used: Mapping[PurePosixPath, int] | None = None,
) -> Fitted | None:
    """Shorten an index, with the reserved lines, to both limits; None if it fits, or if that is not enough.

    Blank lines are removed first, then plain pointers to these topics, lowest rank first. Within a rank those leave
    first whose topics were `used` in the fewest sessions, and of these the upper ones, because new pointers, and so
    corrections, are appended. The text of a hook is kept in its topic.
    """
    lines = len(index.lines) + len(reserved)
    size = sum(map(count_units, (index.text, *reserved)))
    if lines <= MAX_LINES and size <= MAX_UNITS:
        return None
    removed: list[IndexLine] = []
    dropped: list[str] = []
    edits: list[Edit] = []
    for line in _candidates(index, topics, used or {}):
        if lines <= MAX_LINES and size <= MAX_UNITS:
            break
        removed.append(line)
        lines -= 1
        size -= count_units(line.whole)
        if line.pointers:
            pointer = line.pointers[0]
            dropped.append(pointer.target)
            kept = keep_in_topic(topics[pointer.path], pointer.hook) if pointer.path else None
            edits += [kept] if kept else []
    if lines > MAX_LINES or size > MAX_UNITS:
        return None
    edits += [Edit(index.path, line.line, line.whole, "") for line in removed]
    return Fitted(tuple(edits), tuple(dropped))


def _candidates(
    index: Index, topics: Mapping[PurePosixPath, Topic], used: Mapping[PurePosixPath, int]
) -> Iterable[IndexLine]:
    yield from (line for line in index.lines if line.kind is IndexLineKind.BLANK)
    pointers = [(line, topics.get(line.pointers[0].path or index.path)) for line in index.lines if line.plain]
    movable = [(line, topic) for line, topic in pointers if topic and not topic.pinned]
    movable.sort(key=lambda pair: (-rank(pair[1]), used.get(pair[1].path, 0), pair[0].line))
    yield from (line for line, _ in movable)
