"""Splits a scope into facts: sentences, items, rows, code, comments, fields of the frontmatter and pointers."""

import bisect
import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from memci.memory.frontmatter import parse_head
from memci.memory.topic import fold_name
from memci.model.memory import DailyLog, Frontmatter, Index, IndexLineKind, Pointer, ScopeSnapshot, Topic
from memci.patterns import LazyPattern
from memci.prose.markdown import Region, RegionKind, parse_regions
from memci.prose.statements import Statement, StatementKind, is_negated, split_body
from memci.review.fact_tokens import split_tokens

_CHECKBOX = LazyPattern(r"\s*(?:[-*+•]|\d{1,9}[.)])\s+\[([ xX])\]\s")
_NUMBERED = LazyPattern(r"\s*\d{1,9}[.)]\s")
_NOWHERE = PurePosixPath()
# A name of this many words is a statement itself.
_MIN_SAID = 5
# A field may be at the top level or below this key.
_NESTED = "metadata."


class FactForm(enum.StrEnum):
    """How a fact is written."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    QUOTE = "quote"
    HEADING = "heading"
    CODE = "code"
    COMMENT = "comment"
    # A field of the frontmatter with a statement, and one that only classifies the topic.
    DESCRIPTION = "description"
    FIELD = "field"
    POINTER = "pointer"


# Statements in full words.
PROSE = frozenset((FactForm.SENTENCE, FactForm.ITEM, FactForm.ROW, FactForm.QUOTE))


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """One statement of memory; facts are compared by identity, because the place is part of them."""

    path: PurePosixPath
    line: int
    form: FactForm
    # As written, joined to one line.
    text: str
    tokens: tuple[str, ...]
    # Whether a line above it ("Never:") negates it.
    negated: bool = False
    # The heading above it.
    heading: str = ""
    # What identifies it regardless of its words: the name of a field, or the target of a pointer.
    slot: str = ""
    # The words in the header of its table.
    columns: tuple[str, ...] = ()
    # The numbered list or code block in which its order matters; "" elsewhere.
    sequence: str = ""
    # Its scope: agents do not see the memory of each other.
    scope: PurePosixPath = _NOWHERE

    @property
    def key(self) -> tuple[tuple[str, ...], bool]:
        """Equal for facts that say the same."""
        return self.tokens, self.negated


def split_facts(scope: ScopeSnapshot) -> list[Fact]:
    """Return the facts of a scope, file by file, in order."""
    found = (fact for text in scope.texts for fact in sorted(_split_text(text), key=lambda fact: fact.line))
    return [replace(fact, scope=scope.scope.path) for fact in found if fact.tokens]


def _split_text(text: Index | Topic | DailyLog) -> Iterator[Fact]:
    match text:
        case Topic():
            yield from _read_fields(text.path, text.frontmatter) if isinstance(text.frontmatter, Frontmatter) else ()
            yield from _read_body(text.path, text.text, text.body_line)
        case Index():
            yield from _read_index(text)
        case DailyLog():
            yield from _read_body(text.path, text.text, 1)


def _read_fields(path: PurePosixPath, head: Frontmatter) -> Iterator[Fact]:
    for name, value in head.fields.items():
        line = head.lines.get(name, 1)
        field = name.removeprefix(_NESTED)
        # `Test Rules` and `test-rules` are the same name.
        words = tuple(fold_name(value).split("_")) if field == "name" else split_tokens(value)
        if field == "description" or (field == "name" and len(words) >= _MIN_SAID):
            yield Fact(path, line, FactForm.DESCRIPTION, _join(value), words, slot=field)
        elif value.strip():
            yield Fact(path, line, FactForm.FIELD, f"{field}: {_join(value)}", (f"{field}:", *words), slot=field)


def _read_index(index: Index) -> Iterator[Fact]:
    """Read pointers as pointers, and everything else in an index as in a topic."""
    plain = {line.line for line in index.lines if line.kind is IndexLineKind.POINTER and _is_simple(line.pointers)}
    for number in plain:
        for pointer in index.lines[number - 1].pointers:
            yield _read_pointer(index, pointer)
    head = parse_head(index.text)
    if isinstance(head.frontmatter, Frontmatter):
        yield from _read_fields(index.path, head.frontmatter)
    yield from _read_body(index.path, index.text, head.body_line, frozenset(plain))


def _is_simple(pointers: Sequence[Pointer]) -> bool:
    return all(pointer.path is not None for pointer in pointers) and len(pointers) == 1


def _read_pointer(index: Index, pointer: Pointer) -> Fact:
    text = f"{pointer.title} — {pointer.hook}" if pointer.hook else pointer.title
    tokens = split_tokens(f"{pointer.title} {pointer.hook}")
    return Fact(index.path, pointer.line, FactForm.POINTER, _join(text), tokens, slot=f"→{pointer.path}")


def _read_body(path: PurePosixPath, text: str, first: int, pointers: frozenset[int] = frozenset()) -> Iterator[Fact]:
    rows = text.split("\n")
    body = "\n".join("" if number in pointers else row for number, row in enumerate(rows[first - 1 :], first))
    titles: list[tuple[int, str]] = []
    columns: tuple[str, ...] = ()
    for found in split_body(body, first, headings=True):
        form = FactForm.HEADING if _is_table_head(found, rows) else FactForm(found.kind.value)
        if found.kind is StatementKind.HEADING:
            titles.append((found.line, found.text))
        tokens = (*_read_checkbox(found, rows), *split_tokens(found.text))
        place = bisect.bisect(titles, found.line, key=lambda title: title[0]) - 1
        heading = titles[place][1] if place >= 0 and form is not FactForm.HEADING else ""
        if found.kind is StatementKind.ROW and form is FactForm.HEADING:
            columns = tokens
        yield Fact(
            path,
            found.line,
            form,
            found.text,
            tokens,
            is_negated(found),
            heading,
            columns=columns if form is FactForm.ROW else (),
            sequence=f"list {heading}" if form is FactForm.ITEM and _NUMBERED.match(rows[found.line - 1]) else "",
        )
    yield from _read_regions(path, body, first)


def _is_table_head(found: Statement, rows: Sequence[str]) -> bool:
    below = rows[found.line].strip() if found.kind is StatementKind.ROW and found.line < len(rows) else ""
    return "-" in below and not below.strip("|-: ")


def _read_checkbox(found: Statement, rows: Sequence[str]) -> tuple[str, ...]:
    box = _CHECKBOX.match(rows[found.line - 1]) if found.kind is StatementKind.ITEM else None
    return (f"[{box[1].lower()}]",) if box and found.text[:20] in rows[found.line - 1] else ()


def _read_regions(path: PurePosixPath, body: str, first: int) -> Iterator[Fact]:
    """Read fenced code line by line, and comments, which are hidden from people but not from the model."""
    line, position = first, 0
    for region in parse_regions(body):
        if region.kind not in {RegionKind.FENCE, RegionKind.COMMENT}:
            continue
        line += body.count("\n", position, region.start)
        position = region.start
        yield from _read_region(path, body, region, line)


def _read_region(path: PurePosixPath, body: str, region: Region, line: int) -> Iterator[Fact]:
    content = body[region.start : region.end]
    if region.kind is RegionKind.COMMENT:
        said = content.removeprefix("<!--").removesuffix("-->")
        yield Fact(path, line, FactForm.COMMENT, _join(said), split_tokens(said))
        return
    for number, row in enumerate(content.split("\n"), line):
        yield Fact(path, number, FactForm.CODE, row.strip(), tuple(row.split()), sequence=f"code {line}")


def _join(text: str) -> str:
    return " ".join(text.split())
