"""Classifies the paragraphs of a message: form, letter, wrapped text, output, or typed text."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from memci.patterns import LazyPattern
from memci.sessions.line_forms import ITEM, RowKind, classify_row, has_symbol, is_byline, is_data_field

# Lines of these widths that continue in lower case were wrapped by a program.
_WRAPPED = range(45, 101)
# More words are a sentence.
_TITLE_WORDS = 5
# Longer lines are not compared with each other.
_MAX_SHAPE = 1_000
_ROLE = LazyPattern(
    r"\W{0,3}(?:You are (?:an?\b|the\b|now\b|[A-Z])|Act as\b|Du bist (?:ein|der|die|das)|Tu es une?\b|Eres un|Você é um"
    r"|Ты — |あなたは|당신은|你是一)"
)  # fmt: skip
_GREETING = LazyPattern(r"\s*[^\W\d_a-z][^\n!?:]{0,40}[,，、]\s*")
_TITLE = LazyPattern(r"(?!\d{1,2}[a-z]?[-.):、．])[A-Z\d][^.!?;`,]{0,60}")
_PERSON = LazyPattern(r"[A-ZÀ-Þ][^\W\d_]+ [A-ZÀ-Þ][^\W\d_]+")
# `src/orders.ts, line 88` names a place; people go on with words.
_FILE = LazyPattern(r"[\w-]+(?:[/\\][\w.-]+)+[,:(]")
_ADDRESS = LazyPattern(r"https?://\S+")
# Two sentences on one line.
_SENTENCES = LazyPattern(r"[^\n]{12,}?(?:[.!?]\s+[^\W\d_a-z]|[。！？][^\n])")
END_MARKS = frozenset(".!?…。！？")


class TextRow(NamedTuple):
    """A line of a message, where it is and what it looks like."""

    start: int
    end: int
    kind: RowKind
    text: str

    @property
    def is_marked(self) -> bool:
        """Tell whether it is a line of a document or of output."""
        return self.kind in {RowKind.DOCUMENT, RowKind.MACHINE}


class TextParagraph(NamedTuple):
    """Lines without a blank one between them, and whether something delimited is right above or below them."""

    rows: Sequence[TextRow]
    below_mark: bool
    above_mark: bool

    @property
    def is_marked(self) -> bool:
        """Tell whether it has lines of a document or of output."""
        return any(row.is_marked for row in self.rows)

    @property
    def has_document(self) -> bool:
        """Tell whether it has lines of a document, whose end has no mark."""
        return any(row.kind is RowKind.DOCUMENT for row in self.rows)

    @property
    def is_titled(self) -> bool:
        """Tell whether its first line is a title: short, with a capital, without an end mark, above sentences."""
        title = self.rows[0].text.strip()
        return (
            len(self.rows) > 1
            and len(title.split()) <= _TITLE_WORDS
            and title[-1].isalnum()
            and not is_by_hand(title)
            and _SENTENCES.match(self.rows[1].text) is not None
        )


def split_paragraphs(text: str, blanked: str) -> list[TextParagraph]:
    """Return the paragraphs of a message, their lines classified; `blanked` is the text without delimited parts."""
    groups = [
        (kind, list(rows)) for kind, rows in groupby(_split_rows(text, blanked), lambda row: _GROUPS.get(row.kind))
    ]
    groups = [group for group in groups if group[0] is not RowKind.BLANK]
    paragraphs = [
        TextParagraph(
            _judge_together(rows),
            number > 0 and groups[number - 1][0] is RowKind.GIVEN,
            number + 1 < len(groups) and groups[number + 1][0] is RowKind.GIVEN,
        )
        for number, (kind, rows) in enumerate(groups)
        if kind is None
    ]
    everything = [row for paragraph in paragraphs for row in paragraph.rows]
    if _is_letter(everything):
        paragraphs = [paragraph._replace(rows=_mark_letter(paragraph.rows)) for paragraph in paragraphs]
    if len(everything) == 1 and not paragraphs[0].below_mark:
        # A single line has no author's name above it.
        paragraphs = [paragraphs[0]._replace(rows=[_forget_byline(everything[0])])]
    return paragraphs


_GROUPS = {RowKind.BLANK: RowKind.BLANK, RowKind.GIVEN: RowKind.GIVEN}


def _split_rows(text: str, blanked: str) -> Iterator[TextRow]:
    position = 0
    for row in blanked.split("\n"):
        end = position + len(row)
        kind = classify_row(row)
        given = kind is RowKind.BLANK and text[position:end].strip()
        yield TextRow(position, end, RowKind.GIVEN if given else kind, row)
        position = end + 1


def _judge_together(rows: list[TextRow]) -> list[TextRow]:
    """Return the lines of a paragraph, reclassified by what they have in common."""
    kinds = [row.kind for row in rows]
    if kinds.count(RowKind.FIELD) > 1:
        kinds = [RowKind.DOCUMENT if kind is RowKind.FIELD else kind for kind in kinds]
    kinds = [RowKind.PLAIN if kind is RowKind.FIELD else kind for kind in kinds]
    data = {number for number, row in enumerate(rows) if is_data_field(row.text)}
    indented = {number for number, row in enumerate(rows) if row.text[0].isspace()}
    # Comments and names of sections are between the lines of a file.
    others = sum(kind is not RowKind.MACHINE for kind in kinds)
    for found, size in ((data, others), (indented, len(rows))):
        if len(found) > 1 and len(found) * 2 >= size:
            kinds = [
                RowKind.MACHINE if number in found and kind is RowKind.PLAIN else kind
                for number, kind in enumerate(kinds)
            ]
    if RowKind.MACHINE in kinds:
        # Bullets and check marks of a program, and what it indents.
        program = {number for number, row in enumerate(rows) if number in indented or has_symbol(row.text)}
        kinds = [RowKind.MACHINE if number in program else kind for number, kind in enumerate(kinds)]
    if _is_wrapped(rows) or _is_listing(rows) or _ROLE.match(rows[0].text):
        kinds = [RowKind.DOCUMENT] * len(rows)
    elif rows[0].text[0].isspace() and rows[0].start:
        kinds = [RowKind.MACHINE] * len(rows)
    return _split_repeated([row._replace(kind=kind) for row, kind in zip(rows, kinds, strict=True)])


def _split_repeated(rows: list[TextRow]) -> list[TextRow]:
    """Mark lines of one pattern as output; extra text on the last of them was typed after it."""
    shapes = [re.sub(r"\d+", "0", row.text.strip()) for row in rows]
    if len(rows) < 3 or not shapes[0] or sum(shape == shapes[0] for shape in shapes) < len(rows) - 1:
        return rows
    last = rows[-1]
    done = [row._replace(kind=RowKind.MACHINE) for row in rows[:-1]]
    shape = r"\d+".join(re.escape(piece) for piece in shapes[0].split("0"))
    found = re.match(rf"\s*{shape}", last.text) if len(shapes[0]) < _MAX_SHAPE else None
    if not found or not last.text[found.end() :].strip():
        return [*done, last._replace(kind=RowKind.MACHINE)]
    cut = last.start + found.end()
    head = TextRow(last.start, cut, RowKind.MACHINE, found[0])
    return [*done, head, TextRow(cut, last.end, RowKind.PLAIN, last.text[found.end() :])]


def _is_wrapped(rows: Sequence[TextRow]) -> bool:
    """Tell whether a program broke the lines of a paragraph."""
    if len(rows) < 3 or any(row.kind is RowKind.MACHINE for row in rows):
        return False
    if not all(len(row.text.rstrip()) in _WRAPPED for row in rows[:-1]):
        return False
    # People end their lines where a thought ends.
    broken = (before.text.rstrip()[-1:] not in ".!?:;,。" for before in rows)
    going_on = sum(row.text[:1].islower() and inside for row, inside in zip(rows[1:], broken, strict=False))
    return going_on >= 2 or (going_on == 1 and len(rows) == 3)


def _is_listing(rows: Sequence[TextRow]) -> bool:
    """Tell whether a paragraph is a column of titles or has lines of names, as copied from a page."""
    titles = sum(len(row.text.split()) <= 4 and _TITLE.fullmatch(row.text.strip()) is not None for row in rows)
    if len(rows) > 1 and titles and _ADDRESS.fullmatch(rows[0].text.strip()) and _TITLE.fullmatch(rows[1].text.strip()):
        return True
    # In copied chats, names are on lines of their own between messages.
    names = sum(_PERSON.fullmatch(row.text.strip()) is not None for row in rows)
    return names > 1 or (titles >= 3 and titles * 3 >= len(rows))


def _is_letter(rows: Sequence[TextRow]) -> bool:
    """Tell whether a paragraph is a letter with greeting and signature."""
    greeted = [number for number, row in enumerate(rows) if _GREETING.fullmatch(row.text)]
    if greeted and "claude" in rows[greeted[0]].text.lower():
        return False
    signed = (row for row in rows[greeted[0] + 2 :] if _signs(row.text)) if greeted else iter(())
    return any(signed)


def _signs(row: str) -> bool:
    words = row.strip()
    return len(words.split()) <= 4 and len(words) <= 40 and words[-1].isalpha() and not words[0].islower()


def _mark_letter(rows: Sequence[TextRow]) -> list[TextRow]:
    """Return the lines of a paragraph with greetings as the beginning of a document."""
    return [
        row._replace(kind=RowKind.DOCUMENT) if _GREETING.fullmatch(row.text) and row.kind is RowKind.PLAIN else row
        for row in rows
    ]


def _forget_byline(row: TextRow) -> TextRow:
    """Return a single line without kinds that only mean something next to other lines."""
    # People asked older clients to remember something by a line that begins with #.
    return row._replace(kind=RowKind.PLAIN) if is_byline(row.text) or row.text.startswith("# ") else row


def is_by_hand(row: str, *, caseless: bool = False) -> bool:
    """Tell whether a line looks typed in a hurry: it begins in lower case, or if `caseless` has no end mark."""
    words = ITEM.sub("", row, count=1).strip().lstrip("¿¡(\"'…")
    first = words[:1]
    if first.islower():
        return not _FILE.match(words)
    return caseless and first.isalpha() and not first.isupper() and words[-1] not in END_MARKS
