"""Moves prose out of the index: every section becomes a topic, and the index keeps a pointer."""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from memci.engines.protocol import Proposals
from memci.memory.client_limit import cut
from memci.memory.compose import choose_name, choose_path, describe, make_name, render_head
from memci.memory.pointers import render_pointer
from memci.memory.topic import parse_topic
from memci.model.memory import IndexLine, IndexLineKind, ScopeSnapshot, TopicType
from memci.model.plan import Evidence, EvidenceKind, Operation, OperationKind
from memci.patterns import LazyPattern
from memci.prose.statements import stem_titles

# Deeper headings are part of the content below a section.
_SECTION_LEVEL = 2
# User and feedback topics come only from signals, so prose of the index is about the project or a reference.
_REFERENCE = LazyPattern(r"\b(?:links?|references?|resources?|urls?|dashboards?|where to find)\b", re.IGNORECASE)
# In a description, a link is replaced by its text.
_LINK = LazyPattern(r"\[([^][]{1,200})\]\([^()\s]{1,500}\)")
# A list item that cites a file of the repository works like a pointer and stays.
_CITES = LazyPattern(
    r"\s{0,8}[-*+]\s{1,4}(?:`[^`]{0,200}[/.][^`]{0,200}`|\[[^][]{1,200}\]\((?!\w{1,9}:)[^()\s]{1,500}\))"
)
_BINDING = LazyPattern(
    r"\b(?:must|never|always|mandatory|required|do not|don['’]t|immer|nie|jamais|nunca)\b", re.IGNORECASE
)
# The number of a list item would be read as a sentence.
_NUMBER = LazyPattern(r"^\s{0,8}\d{1,3}[.)]\s{1,4}")
# A line with fewer words is a label.
_TELLING = 5
# Longer headings leave no room for the hook.
_MAX_TITLE = 60
# A guard accepts this many quotations, with some to spare.
_MAX_QUOTES = 12
# Markup around the words of a line.
_MARKS = " \t-*+>#|"


@dataclass(frozen=True, slots=True)
class _Section:
    """The prose lines of one section, and the heading line above them ("" if there is none)."""

    heading: str
    rows: tuple[IndexLine, ...]


def move_content(scope: ScopeSnapshot) -> Proposals:
    """Propose a topic for each section with prose, one by one, while the client cannot load the whole index."""
    if not _is_full(scope):
        # What the client loads with every session is worth more there than behind a pointer.
        return
    refused: set[str] = set()
    while scope.index and _is_full(scope):
        found = [each for each in _split_sections(scope.index.lines) if each.rows[0].text not in refused]
        if not found:
            return
        section = min(found, key=_rank)
        operation = _plan_topic(section, scope)
        scope = yield operation
        if operation.file not in scope.files:
            refused.add(section.rows[0].text)
        else:
            # A line that was in two sections could not be moved out of one; now only the other has it.
            refused.clear()


def _rank(section: _Section) -> tuple[bool, int]:
    """Return the order in which sections leave: those without rules first, of these the largest."""
    text = "".join(row.whole for row in section.rows)
    return _BINDING.search(text) is not None, -len(text)


def _is_full(scope: ScopeSnapshot) -> bool:
    if scope.index is None:
        return False
    # Blank lines go first.
    text = "".join(line.whole for line in scope.index.lines if line.kind is not IndexLineKind.BLANK)
    return cut(text).lost_from > 0


def _split_sections(lines: Sequence[IndexLine]) -> Iterator[_Section]:
    """Yield the sections that have prose; pointers stay in the index and do not end a section."""
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
    """Return the numbers of lines that stay: the head of the index, pointers, and tables with pointers."""
    stay = {line.line for line in lines if line.kind is IndexLineKind.POINTER}
    head = itertools.takewhile(lambda line: line.kind is IndexLineKind.FURNITURE, lines)
    stay.update(line.line for line in head)
    for is_row, group in itertools.groupby(lines, key=lambda line: line.text.lstrip().startswith("|")):
        numbers = [line.line for line in group]
        if is_row and stay.intersection(numbers):
            stay.update(numbers)
    return frozenset(stay)


def _level(line: IndexLine) -> int:
    text = line.text.lstrip()
    return len(text) - len(text.lstrip("#")) if text.startswith("#") else 1


def _close(heading: str, rows: list[IndexLine]) -> Iterator[_Section]:
    prose = [row for row in rows if row.kind is IndexLineKind.PROSE]
    if not all(_CITES.match(row.text) for row in prose):
        first = next(place for place, row in enumerate(rows) if row.kind is not IndexLineKind.BLANK)
        last = max(place for place, row in enumerate(rows) if row.kind is not IndexLineKind.BLANK)
        yield _Section(heading, tuple(rows[first : last + 1]))


def _plan_topic(section: _Section, scope: ScopeSnapshot) -> Operation:
    body = "".join(row.whole for row in section.rows).strip("\r\n") + "\n"
    said = _first_statement(section)
    # Generic headings such as "Memory" and "Notes" are no titles.
    title = section.heading.strip("# \t")
    titled = title if stem_titles(title) else ""
    name = choose_name(make_name(titled or said) or "note", scope.catalogue.names)
    kind = TopicType.REFERENCE if _REFERENCE.search(titled) else TopicType.PROJECT
    path = choose_path(scope.scope.path, kind, name, scope.catalogue.spellings)
    description = describe(said)
    topic = parse_topic(path, render_head(name, description, kind) + "\n" + body.replace("\r\n", "\n"))
    pointer = render_pointer(topic, scope.scope.path, titled[:_MAX_TITLE]) + (section.rows[0].end or "\n")
    texts: dict[PurePosixPath, str | None] = {path: topic.text, scope.index_path: _point(scope, section, pointer)}
    left = texts[scope.index_path] or ""
    quotes = [row.text for row in section.rows if row.text.strip() and row.text not in left]
    quotes = [*([section.heading] if section.heading else []), *quotes][:_MAX_QUOTES]
    evidence = tuple(Evidence(EvidenceKind.MEMORY, str(scope.index_path), line) for line in quotes)
    return Operation(OperationKind.CREATE, path, texts, "moves content of the index into a topic", evidence)


def _first_statement(section: _Section) -> str:
    """Return the first telling line; a fence or a table row only if there is nothing else."""
    rows = [row.text.replace("**", "") for row in section.rows if row.kind is IndexLineKind.PROSE]
    prose = [_LINK.sub(r"\1", _NUMBER.sub("", row).strip(_MARKS)) for row in rows]
    plain = [text for text in prose if text and not text.startswith(("```", "~~~"))]
    told = [text for text in plain if "|" not in text] or plain or prose
    # A label such as "Maturity: MVP" does not describe the lines below it.
    return next((text for text in told if len(text.split()) >= _TELLING), told[0])


def _point(scope: ScopeSnapshot, section: _Section, pointer: str) -> str:
    """Return the index with the pointer in place of the section."""
    lines = scope.index.lines if scope.index else ()
    moved = {row.line for row in section.rows}
    first = section.rows[0].line
    return "".join(pointer if line.line == first else "" if line.line in moved else line.whole for line in lines)
