"""Classifies the paragraphs of a message: form, letter, wrapped text, output, or typed text."""

import collections
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from memci.patterns import LazyPattern
from memci.sessions.line_forms import RowKind, classify_row, is_byline, is_data_field, split_fields
from memci.sessions.reported_speech import goes_on, is_personal, points_below

# A paragraph of this size that addresses nobody is from a document, not from a chat.
_LONG = 240
# Lines of these widths that continue in lower case were wrapped by a program.
_WRAPPED = range(45, 101)
# One word alone may be an answer ("Thanks"), more than four are a sentence.
_TITLE_WORDS = range(2, 5)
# Only this much of a sentence is read.
MAX_SENTENCE = 1_000
_ROLE = LazyPattern(
    r"\W{0,3}(?:You are (?:an?|the|now)\b|Act as\b|Du bist (?:ein|der|die|das)|Tu es une?\b|Eres un|Você é um|Ты — "
    r"|あなたは|당신은|你是一)"
)  # fmt: skip
_GREETING = LazyPattern(r"\s*[^\W\d_a-z][^\n!?:]{0,40}[,，、]\s*")
_TITLE = LazyPattern(r"(?!\d{1,2}[a-z]?[-.):、．])[A-Z\d][^.!?;`,]{0,60}")
_PERSON = LazyPattern(r"[A-ZÀ-Þ][^\W\d_]+ [A-ZÀ-Þ][^\W\d_]+")
# `src/orders.ts, line 88` names a place; people go on with words.
_FILE = LazyPattern(r"[\w-]+(?:[/\\][\w.-]+)+[,:(]")
_EVENT = LazyPattern(rf"\s*{_PERSON.pattern} [^\W\d_A-Z]\S*(?: \S+){{0,10}}$")
_ADDRESS = LazyPattern(r"https?://\S+")
_ASKS = LazyPattern(r"[?？](?:\s|$)")


class TextRow(NamedTuple):
    """A line of a message, where it is and what it looks like."""

    start: int
    end: int
    kind: RowKind
    text: str


def split_rows(text: str, blanked: str) -> list[TextRow]:
    """Return the lines of a message; `blanked` is the same text without delimited parts."""
    rows: list[TextRow] = []
    position = 0
    for row in blanked.split("\n"):
        end = position + len(row)
        kind = classify_row(row)
        if kind is RowKind.BLANK and text[position:end].strip():
            kind = RowKind.GIVEN
        if not (kind is RowKind.BLANK and rows and rows[-1].kind is RowKind.BLANK):
            # A run of empty lines counts as one.
            rows.append(TextRow(position, end, kind, row))
        position = end + 1
    return rows


def judge_together(rows: list[TextRow]) -> list[TextRow]:
    """Return the lines of a paragraph, reclassified by what they have in common."""
    kinds = [row.kind for row in rows]
    if kinds.count(RowKind.FIELD) > 1:
        kinds = [RowKind.DOCUMENT if kind is RowKind.FIELD else kind for kind in kinds]
    kinds = [RowKind.PLAIN if kind is RowKind.FIELD else kind for kind in kinds]
    data = {number for number, row in enumerate(rows) if is_data_field(row.text)}
    indented = {number for number, row in enumerate(rows) if row.text[0].isspace()}
    # Comments and names of sections are between the lines of a file.
    others = sum(kind is not RowKind.MACHINE for kind in kinds)
    for found, size in ((data, others), (indented, len(rows)), (_table_rows(rows), len(rows))):
        if len(found) > 1 and len(found) * 2 >= size:
            kinds = [
                RowKind.MACHINE if number in found and kind is RowKind.PLAIN else kind
                for number, kind in enumerate(kinds)
            ]
    if _is_wrapped(rows) or _is_listing(rows) or _ROLE.match(rows[0].text):
        kinds = [RowKind.DOCUMENT] * len(rows)
    elif rows[0].text[0].isspace() and rows[0].start:
        kinds = [RowKind.MACHINE] * len(rows)
    return _split_repeated([row._replace(kind=kind) for row, kind in zip(rows, kinds, strict=True)])


def _table_rows(rows: Sequence[TextRow]) -> set[int]:
    """Return the numbers of the lines that have as many fields as other lines."""
    fields = [split_fields(row.text) for row in rows]
    counts = collections.Counter(fields)
    # Two lines of three fields are a table, or three of two.
    return {number for number, signs in enumerate(fields) if signs and counts[signs] + len(signs) > 3}


def _split_repeated(rows: list[TextRow]) -> list[TextRow]:
    """Mark lines of one pattern as output; extra text on the last of them was typed after it."""
    shapes = [re.sub(r"\d+", "0", row.text.strip()) for row in rows]
    if len(rows) < 3 or not shapes[0] or sum(shape == shapes[0] for shape in shapes) < len(rows) - 1:
        return rows
    last = rows[-1]
    done = [row._replace(kind=RowKind.MACHINE) for row in rows[:-1]]
    shape = r"\d+".join(re.escape(piece) for piece in shapes[0].split("0"))
    found = re.match(rf"\s*{shape}", last.text) if len(shapes[0]) < MAX_SENTENCE else None
    if not found or not last.text[found.end() :].strip():
        return [*done, last._replace(kind=RowKind.MACHINE)]
    rest = last.text[found.end() :]
    return [*done, TextRow(last.start + found.end(), last.end, RowKind.PLAIN, rest)]


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


def mark_headings(paragraphs: list[list[TextRow]]) -> list[list[TextRow]]:
    """Return paragraphs with titles as marks of a document if two or more of them are above sentences."""
    titled = {
        number
        for number, (rows, below) in enumerate(pairwise(paragraphs))
        if len(rows) == 1
        and rows[0].kind is RowKind.PLAIN
        and len(rows[0].text.split()) in _TITLE_WORDS
        and _TITLE.fullmatch(rows[0].text.strip())
        and below[0].text.rstrip().endswith(".")
    }
    if len(titled) < 2:
        return paragraphs
    return [
        [rows[0]._replace(kind=RowKind.DOCUMENT)] if number in titled else rows
        for number, rows in enumerate(paragraphs)
    ]


def is_event(row: TextRow) -> bool:
    """Tell whether a line says what somebody did, as sites put it above a quotation: "Ann Berg commented on this"."""
    return _EVENT.match(row.text) is not None


def is_letter(rows: Sequence[TextRow]) -> bool:
    """Tell whether a paragraph is a letter with greeting and signature."""
    greeted = [number for number, row in enumerate(rows) if _GREETING.fullmatch(row.text)]
    if greeted and "claude" in rows[greeted[0]].text.lower():
        return False
    signed = (row for row in rows[greeted[0] + 2 :] if _signs(row.text)) if greeted else iter(())
    return any(signed)


def _signs(row: str) -> bool:
    words = row.strip()
    return len(words.split()) <= 4 and len(words) <= 40 and words[-1].isalpha() and not words[0].islower()


def mark_letter(rows: list[TextRow]) -> list[TextRow]:
    """Return the lines of a paragraph with greetings as the beginning of a document."""
    return [
        row._replace(kind=RowKind.DOCUMENT) if _GREETING.fullmatch(row.text) and row.kind is RowKind.PLAIN else row
        for row in rows
    ]


def forget_byline(row: TextRow) -> TextRow:
    """Return a single line without kinds that only mean something next to other lines."""
    # People asked older clients to remember something by a line that begins with #.
    return row._replace(kind=RowKind.PLAIN) if is_byline(row.text) or row.text.startswith("# ") else row


def has_foreign(rows: Sequence[TextRow]) -> bool:
    """Tell whether a paragraph has lines of a document or of output."""
    return any(row.kind in {RowKind.DOCUMENT, RowKind.MACHINE} for row in rows)


def is_formal(rows: Sequence[TextRow]) -> bool:
    """Tell whether a paragraph is written for readers and not addressed to an agent."""
    text = " ".join(row.text for row in rows)
    return len(text) >= _LONG and not _ASKS.search(text) and not is_personal(text) and not text.lstrip()[0].islower()


def is_told(rows: Sequence[TextRow]) -> bool:
    """Tell whether a paragraph addresses somebody."""
    text = " ".join(row.text for row in rows)
    return is_continued(rows[0].text) or is_personal(text) or _ASKS.search(text) is not None or not text.isascii()


def introduces(row: str) -> bool:
    """Tell whether a line can introduce something pasted."""
    return row.rstrip().endswith((":", "：", "?", "？")) or is_continued(row) or points_below(row)


def is_continued(row: str) -> bool:
    """Tell whether a line begins like a typed continuation: in lower case, or with a word such as `also`."""
    words = row.lstrip(" \t-*+")
    return (words[:1].islower() and not _FILE.match(words)) or goes_on(words)


def take_tail(rows: Sequence[TextRow]) -> list[TextRow]:
    """Return the lines after output that look typed."""
    tail: list[TextRow] = []
    for row in reversed(rows):
        if row.kind is RowKind.MACHINE or not is_continued(row.text):
            break
        tail.append(row)
    return tail[::-1]
