"""Splits Markdown into statements: sentences, list items and table rows, each with its line and headings."""

import enum
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from memci.patterns import LazyPattern
from memci.prose.markdown import RegionKind, mask, parse_regions
from memci.prose.sentences import split_sentences
from memci.prose.similar import count_negations, normalise, stem, stem_words

# A label is a word or two before a colon; a longer start belongs to the sentence.
MAX_LABEL = 40
# A lead-in or a parent item is context; its beginning is enough for that.
MAX_SECTION = 200
# People write a line of bold text as a heading below real headings.
_BOLD_LEVEL = 7
# Topics; more than one run compares.
_KEPT = 16_384


class StatementKind(enum.StrEnum):
    """How a statement is written."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    QUOTE = "quote"
    # Only on request.
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, list item or table row of a text."""

    # As written, with blanks and line ends as single blanks.
    text: str
    line: int
    kind: StatementKind
    # Headings, the paragraph that introduces the list, and parent items, outermost first.
    section: tuple[str, ...] = ()
    # The text before the colon at the start of the paragraph or item: "Why", "Good", …
    label: str = ""


class _BlockKind(enum.Enum):
    HEADING = enum.auto()
    PARAGRAPH = enum.auto()
    ITEM = enum.auto()
    ROW = enum.auto()
    QUOTE = enum.auto()


@dataclass(frozen=True, slots=True)
class _MarkdownBlock:
    kind: _BlockKind
    # The level of a heading, else the indent.
    depth: int
    line: int
    start: int
    end: int


_KINDS = {
    _BlockKind.PARAGRAPH: StatementKind.SENTENCE,
    _BlockKind.ITEM: StatementKind.ITEM,
    _BlockKind.ROW: StatementKind.ROW,
    _BlockKind.QUOTE: StatementKind.QUOTE,
}


_HEADING = LazyPattern(r" {0,3}(#{1,6})\s")
_ITEM = LazyPattern(r"(\s*)(?:[-*+•]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(?=\S)")
_LABEL = LazyPattern(rf"[*_\s]{{0,4}}([^:：*\n]{{1,{MAX_LABEL}}})[*_]{{0,3}}[:：](?!/)")


# Each rule and guard asks for the statements of the topics that it compares.
@functools.lru_cache(maxsize=_KEPT)
def split_body(body: str, line: int = 1, *, headings: bool = False) -> tuple[Statement, ...]:
    """Split a text without frontmatter whose first line is line `line` of its file."""
    regions = list(parse_regions(body))
    visible = mask(body, (region for region in regions if region.kind is RegionKind.COMMENT))
    found = _read_blocks(visible, mask(body, regions), line - 1)
    return tuple(one for one in found if headings or one.kind is not StatementKind.HEADING)


def list_fenced_lines(body: str) -> frozenset[str]:
    """Return the lines of all fenced code, without blanks around them."""
    return frozenset(line.strip() for fence in _list_fences(body) for line in fence.split("\n")) - {""}


def _list_fences(body: str) -> list[str]:
    if "```" not in body and "~~~" not in body:
        return []
    return [body[region.start : region.end] for region in parse_regions(body) if region.kind is RegionKind.FENCE]


def _read_blocks(text: str, masked: str, offset: int) -> Iterator[Statement]:
    headings: list[tuple[int, str]] = []
    items: list[tuple[int, str]] = []
    lead = ""
    for block in _split_blocks(text, offset):
        content = " ".join(text[block.start : block.end].split())
        level = _heading_level(block, content)
        if level:
            headings = [(depth, title) for depth, title in headings if depth < level]
            above = tuple(title for _, title in headings)
            yield Statement(content.strip("#*_: "), block.line, StatementKind.HEADING, above)
            headings.append((level, content.strip("#*_: ")[:MAX_SECTION]))
            items, lead = [], ""
            continue
        items = [(depth, title) for depth, title in items if depth < block.depth]
        if block.kind in {_BlockKind.PARAGRAPH, _BlockKind.QUOTE} and not block.depth:
            lead = ""
        above = (*(title for _, title in headings), *((lead,) if lead else ()), *(title for _, title in items))
        yield from _split_block(block, text, masked, above)
        if block.kind is _BlockKind.ITEM:
            items.append((block.depth, content[:MAX_SECTION]))
        elif content.rstrip("*_ ").endswith((":", "：")):
            lead = content[-MAX_SECTION:]


def _heading_level(block: _MarkdownBlock, content: str) -> int:
    if block.kind is _BlockKind.HEADING:
        return block.depth
    bold = content.startswith("**") and content.rstrip(":").endswith("**") and content.count("**") == 2
    return _BOLD_LEVEL if block.kind is _BlockKind.PARAGRAPH and bold and not content.endswith(".**") else 0


def _split_blocks(text: str, offset: int) -> Iterator[_MarkdownBlock]:
    current: _MarkdownBlock | None = None
    for number, start, line in _unfenced_lines(text):
        mark = line.strip()
        begun = _begin_block(line, mark, number + offset, start)
        if current and mark and _continues(current, begun, mark):
            current = replace(current, end=start + len(line))
            continue
        if current:
            yield _underlined(current, mark)
        current = begun
        if not begun and mark and not _is_rule(mark):
            indent = len(line) - len(line.lstrip())
            current = _MarkdownBlock(_BlockKind.PARAGRAPH, indent, number + offset, start, start + len(line))
    if current:
        yield current


def _continues(current: _MarkdownBlock, begun: _MarkdownBlock | None, mark: str) -> bool:
    if begun:
        return begun.kind is current.kind is _BlockKind.QUOTE
    return current.kind not in {_BlockKind.HEADING, _BlockKind.ROW} and not _is_rule(mark)


def _underlined(block: _MarkdownBlock, mark: str) -> _MarkdownBlock:
    """Return a paragraph as a heading if the line below it is a rule (setext)."""
    if block.kind is not _BlockKind.PARAGRAPH or not mark or (mark.strip("=") and mark.strip("-")):
        return block
    return replace(block, kind=_BlockKind.HEADING, depth=1 if mark[0] == "=" else 2)


def _unfenced_lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield number, start and text of every line; fences and their content as blank lines."""
    fence = ""
    position = 0
    for number, line in enumerate(text.split("\n"), 1):
        mark = line.strip()
        opens = not fence and mark.startswith(("```", "~~~")) and not ("`" in mark.lstrip("`") and mark[0] == "`")
        yield number, position, "" if fence or opens else line
        position += len(line) + 1
        if opens:
            fence = mark[: len(mark) - len(mark.lstrip(mark[0]))]
        elif fence and mark.startswith(fence) and not mark.strip(fence[0]):
            fence = ""


def _begin_block(line: str, mark: str, number: int, start: int) -> _MarkdownBlock | None:
    """Return the block that a mark on this line begins; None for the line of a paragraph."""
    end = start + len(line)
    if heading := _HEADING.match(line):
        return _MarkdownBlock(_BlockKind.HEADING, len(heading[1]), number, start + heading.end(), end)
    if mark.startswith("|"):
        return _MarkdownBlock(_BlockKind.ROW, 0, number, start, end) if mark.strip("|-: ") else None
    if mark.startswith(">"):
        return _MarkdownBlock(_BlockKind.QUOTE, 0, number, start + line.index(">") + 1, end)
    if not _is_rule(mark) and (item := _ITEM.match(line)):
        return _MarkdownBlock(_BlockKind.ITEM, len(item[1].expandtabs(4)), number, start + item.end(), end)
    return None


def _is_rule(mark: str) -> bool:
    """Tell a line of dashes, equal signs or the rule below a table's head."""
    return not mark.strip("-=_*|: ")


def _split_block(block: _MarkdownBlock, text: str, masked: str, above: tuple[str, ...]) -> Iterator[Statement]:
    label = _LABEL.match(text[block.start : min(block.end, block.start + 2 * MAX_LABEL)])
    name = label[1].strip("*_ ") if label else ""
    line, position = block.line, block.start
    for start, end in _split_sentences(text, masked, block):
        line += text.count("\n", position, start)
        position = start
        raw = text[start:end]
        content = " ".join((raw.replace("\n>", "\n") if block.kind is _BlockKind.QUOTE else raw).split())
        if content.strip("*_|-: "):
            yield Statement(content, line, _KINDS[block.kind], above, name)


def _split_sentences(text: str, masked: str, block: _MarkdownBlock) -> Iterator[tuple[int, int]]:
    if block.kind is _BlockKind.ROW:
        yield _trim(text, block.start, block.end)
        return
    for start, end in split_sentences(text, masked, block.start, block.end):
        yield _trim(text, start, end)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Move the start to the first non-blank character, so that its line is the statement's line."""
    raw = text[start:end]
    return start + len(raw) - len(raw.lstrip()), end


@functools.cache
def _generic_headings() -> frozenset[str]:
    words = """rule note key fact overview summary detail context background convention guideline pattern learning
        lesson memory project feedback reference important general behavior behaviour decision reminder info
        why how apply main current status policy setup guide config workflow process style usage tip user"""
    return frozenset(stem(form) for word in words.split() for form in (word, f"{word}s"))


def stem_titles(*titles: str) -> frozenset[str]:
    """Return the stems of headings and names without generic words such as "notes"."""
    return frozenset(found for title in titles for found in stem_words(title)) - _generic_headings()


_REASONS = frozenset({
    "why", "how to apply", "rationale", "reason", "warum", "begründung", "anwendung", "pourquoi", "raison",
    "por qué", "razón", "为什么", "原因", "理由", "なぜ", "適用方法", "如何应用",
})  # fmt: skip


def is_reason(statement: Statement) -> bool:
    """Tell whether the statement explains a rule (`**Why:**`, `**How to apply:**`) instead of stating one."""
    return any(title.strip("*_:： ").lower() in _REASONS for title in (statement.label, *statement.section))


def group_statements(statements: Iterable[Statement]) -> dict[str, list[Statement]]:
    """Group statements by their normalised text."""
    groups: dict[str, list[Statement]] = {}
    for found in statements:
        groups.setdefault(normalise(found.text), []).append(found)
    return groups


def match_said(
    statement: Statement, groups: Mapping[str, Sequence[Statement]], alike: Mapping[str, Iterable[str]]
) -> Statement | None:
    """Return the statement of `groups` with the same meaning and subject; `alike` is from `find_alike`."""
    near = sorted(alike[normalise(statement.text)])
    candidates = (other for text in near for other in groups.get(text, ()))
    return next((other for other in candidates if _is_one_subject(statement, other)), None)


def _is_one_subject(one: Statement, other: Statement) -> bool:
    said = stem_titles(one.text, other.text)
    subjects = [stem_titles(*side.section) - said for side in (one, other)]
    apart = subjects[0] - subjects[1] and subjects[1] - subjects[0]
    return not apart and is_negated(one) == is_negated(other)


def is_negated(statement: Statement) -> bool:
    """Tell whether a short heading or a lead-in negates the statement ("Never:")."""
    leads = (title for title in statement.section if title.endswith((":", "：")) or len(title.split()) <= 2)
    return sum(count_negations(title) for title in leads) % 2 == 1


def make_key(body: str, statements: Sequence[Statement]) -> tuple[str, ...]:
    """Return the normalised content of a body; bodies with equal keys may be merged unasked."""
    said = (" > ".join(map(normalise, (*found.section, found.text))) for found in statements)
    return (*said, *("\n".join(line.rstrip() for line in fence.split("\n")) for fence in _list_fences(body)))
