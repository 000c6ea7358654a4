"""Moves sections of an index that the client cannot load whole into topics; each leaves a pointer."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.engines.protocol import Proposals
from memci.memory.client_limit import cut
from memci.memory.compose import choose_name, choose_path, make_name, render_head
from memci.memory.pointers import BINDING, render_pointer, shorten
from memci.memory.topic import parse_topic
from memci.model.memory import IndexLine, IndexLineKind, ScopeSnapshot, TopicType
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.patterns import LazyPattern
from memci.prose.statements import StatementKind, split_body, stem_titles

# Deeper headings are part of the content below a section.
_SECTION_LEVEL = 2
# A list item that cites a file of the repository works like a pointer and stays.
_CITES = LazyPattern(
    r"\s{0,8}[-*+]\s{1,4}(?:`[^`]{0,200}[/.][^`]{0,200}`|\[[^][]{1,200}\]\((?!\w{1,9}:)[^()\s]{1,500}\))"
)
# A section with fewer lines is not worth a topic, and a longer heading leaves no room for a file name.
_MIN_ROWS = 3
_MAX_TITLE = 75
_MAX_DESCRIPTION = 120
# A guard accepts this many quotations, with some to spare.
_MAX_QUOTES = 12


@dataclass(frozen=True, slots=True)
class _Section:
    """The heading of a section, and the lines of content below it."""

    heading: str
    rows: tuple[IndexLine, ...]

    @property
    def title(self) -> str:
        return self.heading.strip("# \t")

    @property
    def text(self) -> str:
        return "".join(row.whole for row in self.rows)


def move_content(scope: ScopeSnapshot) -> Proposals:
    """Propose a topic for one section after another, while the client cannot load the whole index."""
    tried: set[str] = set()
    # What the client loads with every session is worth more there than behind a pointer.
    while scope.index and _is_full(scope):
        found = [each for each in _split_sections(scope.index.lines) if each.text not in tried]
        if not found:
            return
        # Sections without rules leave first, of these the largest.
        section = min(found, key=lambda each: (BINDING.search(each.text) is not None, -len(each.text)))
        tried.add(section.text)
        scope = yield _plan_topic(section, scope)


def _is_full(scope: ScopeSnapshot) -> bool:
    # Blank lines go first.
    lines = scope.index.lines if scope.index else ()
    return cut("".join(line.whole for line in lines if line.kind is not IndexLineKind.BLANK)).lost_from > 0


def _split_sections(lines: Sequence[IndexLine]) -> Iterator[_Section]:
    """Yield the sections with content below a telling heading; pointers stay in the index and do not end a section."""
    heading = ""
    rows: list[IndexLine] = []
    stay = _list_staying(lines)
    for line in lines:
        if line.kind is IndexLineKind.HEADING and _level(line) <= _SECTION_LEVEL:
            yield from _close(heading, rows)
            heading, rows = line.text, []
        elif line.line not in stay:
            rows.append(line)
    yield from _close(heading, rows)


def _list_staying(lines: Sequence[IndexLine]) -> frozenset[int]:
    """Return the numbers of lines that stay: pointers, and tables with pointers."""
    stay = {line.line for line in lines if line.kind is IndexLineKind.POINTER}
    for is_row, group in itertools.groupby(lines, key=lambda line: line.text.lstrip().startswith("|")):
        numbers = [line.line for line in group]
        if is_row and stay.intersection(numbers):
            stay.update(numbers)
    return frozenset(stay)


def _level(line: IndexLine) -> int:
    text = line.text.lstrip()
    return len(text) - len(text.lstrip("#")) if text.startswith("#") else 1


def _close(heading: str, rows: list[IndexLine]) -> Iterator[_Section]:
    """Yield the section if it is worth a topic."""
    told = [row for row in rows if row.kind is IndexLineKind.PROSE and not _CITES.match(row.text)]
    # Below "Memory" and "Notes" stands anything, and what has no heading introduces the index.
    if len(told) >= _MIN_ROWS and stem_titles(heading) and len(heading) <= _MAX_TITLE:
        # Blank lines and rules at its ends stay between the pointers.
        places = [place for place, row in enumerate(rows) if row.text.strip("-*_ \t")]
        yield _Section(heading, tuple(rows[places[0] : places[-1] + 1]))


def _plan_topic(section: _Section, scope: ScopeSnapshot) -> Operation:
    name = choose_name(make_name(section.title) or "note", scope.catalogue.names)
    path = choose_path(scope.scope.path, TopicType.PROJECT, name, scope.catalogue.spellings)
    head = render_head(name, _describe(section), TopicType.PROJECT)
    body = section.text.strip("\r\n").replace("\r\n", "\n") + "\n"
    topic = parse_topic(path, f"{head}\n{body}")
    pointer = render_pointer(topic, scope.scope.path, section.title)
    if topic.description == section.title:
        # The hook would say it again.
        pointer = pointer[: pointer.index(f"]({path.name})")] + f"]({path.name})"
    left = _point(scope, section, pointer + (section.rows[0].end or "\n"))
    texts: dict[PurePosixPath, str | None] = {path: topic.text, scope.index_path: left}
    quotes = [row.text for row in section.rows if row.text.strip() and row.text not in left]
    quotes = [section.heading, *quotes][:_MAX_QUOTES]
    evidence = tuple(Evidence(EvidenceKind.MEMORY, str(scope.index_path), line) for line in quotes)
    return Operation(OperationKind.CREATE, path, texts, "moves content of the index into a topic", evidence)


def _describe(section: _Section) -> str:
    """Say what moved, in the words of whoever wrote it: the headings inside, a sentence at the top, or the heading."""
    found = split_body(section.text, headings=True)
    titles = [each.text for each in found if each.kind is StatementKind.HEADING and "<" not in each.text]
    if len(titles) > 1:
        return shorten(", ".join(titles), _MAX_DESCRIPTION)
    first = found[0].text if found and found[0].kind is StatementKind.SENTENCE else ""
    plain = first.endswith((".", "。")) and not set(first) & set("`<*:|") and len(first) <= _MAX_DESCRIPTION
    return first.rstrip(".。") if plain else section.title


def _point(scope: ScopeSnapshot, section: _Section, pointer: str) -> str:
    """Return the index with the pointer in place of the section."""
    lines = scope.index.lines if scope.index else ()
    moved = {row.line for row in section.rows}
    first = section.rows[0].line
    return "".join(pointer if line.line == first else "" if line.line in moved else line.whole for line in lines)
