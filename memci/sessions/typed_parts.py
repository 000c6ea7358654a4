"""Splits a message into what a person typed and what is somebody else's: pasted, quoted, code or wrapped.

Classified over the whole message, by marks and layout. In doubt a part is somebody else's: people repeat a missed
rule, but a planted one stays.
"""

import bisect
import enum
import functools
import itertools
from collections.abc import Iterator, Sequence

from memci.model.session import Part, PartKind, blank_out
from memci.patterns import LazyPattern
from memci.prose.fold import count_unspaced
from memci.prose.sentences import TYPED_END
from memci.redaction.secrets import REDACTED
from memci.sessions.delimited import match_delimited, merge_parts
from memci.sessions.line_forms import RowKind, is_item
from memci.sessions.paragraphs import (
    MAX_SENTENCE,
    TextRow,
    forget_byline,
    has_foreign,
    introduces,
    is_continued,
    is_event,
    is_formal,
    is_letter,
    is_told,
    judge_together,
    mark_headings,
    mark_letter,
    split_rows,
    take_tail,
)
from memci.sessions.reported_speech import announces, gives_line, labels_text, opens, points_below, reports

# Invisible characters in front of a mark would hide it from the patterns below.
_UNSEEN = LazyPattern("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
# Nobody types that much at once; in a longer message only the paragraphs at its ends can be typed.
_MAX_TYPED = 8_000
# A request that refers to a pasted text is short.
_MAX_REQUEST = 240
# A line that somebody types; longer ones are pasted.
_MAX_LINE = 300
# Fewer words in quotation marks are a name or a label.
_QUOTED_WORDS = 4
_QUOTED_LETTERS = 8

_QUOTES = LazyPattern(
    "|".join(
        rf"{before}([^{inside}\n]{{4,2000}}?){after}"
        for before, inside, after in (
            ("`(?=[^\\W\\d_a-z])", "`", "`"),
            ("“", "“”", "”"), ("„", "„“”", "[“”]"), ("«", "«»", "»"), ("»", "«»", "«"), ("「", "「」", "」"),
            ("『", "『』", "』"), ("‹", "‹›", "›"), ("《", "《》", "》"), ("‚", "‚‘", "‘"),
            (r"(?<!\w)‘", "‘", r"’(?!\w)"),
            (r'(?<!\w)"', '"', r'"(?!\w)'), (r"(?<!\w)'", "", r"'(?!\w)"),
        )
    )
)  # fmt: skip
_BOLD_ITEM = LazyPattern(r"\s{0,8}(?:\d{1,2}[.)]|[-*•])\s\*\*[^*\n]{2,80}\*\*")
_ENDS = tuple(".!?…。！？,;:：)")
# A line with a capital and the end of a sentence; a second sentence on it.
_PROSE = LazyPattern(
    r"\s*(?:[A-ZÀ-ÖØ-ÞА-ЯЁ][^\n]{12,}[.!?](?=\s|$)|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af][^\n]{6,}[。！？])"
)
_PROSE_AGAIN = LazyPattern(r"[.!?]\s+[A-ZÀ-ÖØ-ÞА-ЯЁ]|[。！？][^\n]")
_MAX_TITLE = 80
_TITLE = 6
_INLINE_COLON = LazyPattern(r"[:：](?=\s|(?<=：)|(?<=[\u3040-\u9fff\uac00-\ud7af]:))")


class _TextKind(enum.Enum):
    """What a part of a message announces for the part after it."""

    NOTHING = enum.auto()
    # A request refers to a text: "what do you think of this?"
    POINTED = enum.auto()
    # Somebody's words were announced: "here is the ticket:"
    ANNOUNCED = enum.auto()
    # A document has begun, with no mark of its end.
    DOCUMENT = enum.auto()


@functools.lru_cache(maxsize=64)
def split_parts(text: str) -> tuple[Part, ...]:
    """Return the parts of a message in order; together they are the whole of it."""
    text = text if text.isascii() else _UNSEEN.sub(" ", text)
    # The colon in the place of a secret announces nothing.
    text = text.replace(REDACTED, REDACTED.replace(":", " "))
    marks = merge_parts(match_delimited(text))
    blanked = blank_out(text, marks)
    typed = list(_Reader(text, blanked).read())
    inline = (cut for start, end in typed for cut in _match_inline(blanked, start, end))
    return tuple(_cover(text, typed, merge_parts([*marks, *_match_other_style(blanked), *inline])))


def _match_other_style(text: str) -> Iterator[Part]:
    """Yield whole sentences below a line that is a title, or that is typed in another way: perhaps somebody else's.

    "from their docs", and below it prose with capitals and full stops; it ends where the first way goes on. Items that
    begin in bold are written by models.
    """
    starts = [0, *(place + 1 for place, sign in enumerate(text) if sign == "\n")]
    lines = [(start, line) for start, line in zip(starts, text.split("\n"), strict=True) if line.strip()]
    bold = [start for start, line in lines if _BOLD_ITEM.match(line)]
    if len(bold) > 1:
        yield Part(bold[0], text.find("\n", bold[-1]) % (len(text) + 1), PartKind.REPORTED)
    for (start, above), (place, below) in itertools.pairwise(lines):
        title = above.strip()
        if len(title) > _MAX_TITLE or title.endswith(_ENDS) or not _PROSE.match(below):
            continue
        close = start + len(above) + 1 == place
        small = title[:1].islower() and " " in title and len(below) > _MAX_TITLE // 2
        if small or (close and _PROSE_AGAIN.search(below) and title[:1].isalpha() and len(title.split()) <= _TITLE):
            after = (at for at, line in lines if at > place and line.lstrip()[:1].islower())
            yield Part(place, next(after, len(text)), PartKind.REPORTED)
            return


def _classify_rest(text: str, start: int) -> PartKind:
    """Classify what follows a lead-in: in one short line, in lower case, it is typed as well ("she wrote: never …")."""
    line = text.strip()
    short = "\n" not in line and len(line) <= _MAX_LINE
    return PartKind.REPORTED if short and text[start:].lstrip()[:1].islower() else PartKind.PASTED


def _cover(text: str, typed: Sequence[tuple[int, int]], marks: Sequence[Part]) -> Iterator[Part]:
    """Yield consecutive parts: the marks, what was typed outside of them, and the rest, which is somebody else's."""
    ends = [end for _, end in typed]
    size, done = len(text), 0
    for mark in (*marks, Part(size, size, PartKind.PASTED)):
        at = bisect.bisect_right(ends, done)
        while at < len(typed) and typed[at][0] < mark.start:
            start, end = max(typed[at][0], done), min(typed[at][1], mark.start)
            if done < start:
                yield Part(done, start, _classify_rest(text, done))
            if start < end:
                yield Part(start, end, PartKind.TYPED)
            done = end
            at += 1
        if done < mark.start:
            yield Part(done, mark.start, _classify_rest(text, done))
        if mark.start < mark.end:
            yield mark
        done = mark.end


class _Reader:
    """Reads a message paragraph by paragraph and remembers what a paragraph leaves open."""

    def __init__(self, text: str, blanked: str) -> None:
        self._rows = split_rows(text, blanked)
        self._blanked = blanked
        self._open = _TextKind.NOTHING
        # The first and the last line of the message with something on it.
        plain = [row.start for row in self._rows if row.kind not in {RowKind.BLANK, RowKind.GIVEN}]
        self._first, self._last = (plain[0], plain[-1]) if plain else (0, 0)
        # Documents may continue in lower case, too; then it proves nothing.
        self._small = False
        # Output often ends with advice of its own, and a text for readers with a short paragraph.
        self._wary = False

    def read(self) -> Iterator[tuple[int, int]]:
        """Yield what was typed."""
        paragraphs = [(judge_together(rows), given) for rows, given in self._split_paragraphs()]
        if is_letter([row for rows, _ in paragraphs for row in rows]):
            paragraphs = [(mark_letter(rows), given) for rows, given in paragraphs]
        if sum(len(rows) for rows, _ in paragraphs) == 1 and not paragraphs[0][1]:
            # A single line has no author's name above it.
            paragraphs = [([forget_byline(row) for row in rows], given) for rows, given in paragraphs]
        marked = mark_headings([rows for rows, _ in paragraphs])
        paragraphs = [(rows, given) for rows, (_, given) in zip(marked, paragraphs, strict=True)]
        foreign = [number for number, (rows, _) in enumerate(paragraphs) if has_foreign(rows)]
        last = foreign[-1] if foreign else 0
        large = len(self._blanked.strip()) > _MAX_TYPED
        for number, (rows, given) in enumerate(paragraphs):
            if given and self._open in {_TextKind.POINTED, _TextKind.ANNOUNCED}:
                self._open = _TextKind.NOTHING
            between = 0 < number < last and not is_continued(rows[0].text) and not has_foreign(rows)
            if (large and 0 < number < len(paragraphs) - 1) or (between and not given):
                continue
            yield from self._read_paragraph(rows)
            if any(below for _, below in paragraphs[number + 1 : number + 2]) and is_event(rows[-1]):
                self._open = _TextKind.DOCUMENT

    def _split_paragraphs(self) -> Iterator[tuple[list[TextRow], bool]]:
        """Yield the lines between blank ones, and whether something delimited is right before them."""
        rows: list[TextRow] = []
        given = False
        for row in self._rows:
            if row.kind in {RowKind.BLANK, RowKind.GIVEN}:
                if rows:
                    yield rows, given
                    rows, given = [], False
                given = given or row.kind is RowKind.GIVEN
            else:
                rows.append(row)
        if rows:
            yield rows, given

    def _read_paragraph(self, rows: list[TextRow]) -> Iterator[tuple[int, int]]:
        kinds = {row.kind for row in rows}
        if self._open is _TextKind.DOCUMENT:
            yield from self._read_after_document(rows)
        elif self._open is _TextKind.ANNOUNCED:
            # Output has a visible end; announced prose has none.
            self._open = _TextKind.POINTED if kinds <= {RowKind.MACHINE} else _TextKind.DOCUMENT
        elif RowKind.DOCUMENT in kinds:
            yield from self._read_rows(self._take_lead(rows, RowKind.DOCUMENT))
            self._open = _TextKind.DOCUMENT
            self._small = any(row.text.lstrip()[0].islower() for row in rows)
        elif self._open is _TextKind.POINTED and not is_continued(rows[0].text):
            # The text referred to; without marks its end is unknown.
            self._open = _TextKind.POINTED if kinds <= {RowKind.MACHINE} else _TextKind.DOCUMENT
        elif RowKind.MACHINE in kinds:
            yield from self._read_rows(self._take_lead(rows, RowKind.MACHINE))
            yield from self._read_rows(take_tail(rows))
            self._wary = rows[-1].kind is RowKind.MACHINE
        elif is_formal(rows) or (self._wary and not is_told(rows)):
            self._wary = True
        else:
            self._wary = False
            yield from self._read_rows(rows)

    def _read_after_document(self, rows: Sequence[TextRow]) -> Iterator[tuple[int, int]]:
        """Yield a last line in lower case below a document that has no such lines."""
        alone = len(rows) == 1 and rows[0].start == self._last and rows[0].kind is RowKind.PLAIN
        if alone and not self._small and rows[0].text.lstrip()[0].islower():
            yield rows[0].start, rows[0].end
        self._small = self._small or any(row.text.lstrip()[0].islower() for row in rows)

    def _take_lead(self, rows: Sequence[TextRow], kind: RowKind) -> list[TextRow]:
        """Return the lines at the beginning with which the person introduces what follows."""
        taken: list[TextRow] = []
        for row in rows:
            if row.kind is kind or not introduces(row.text) or (kind is RowKind.DOCUMENT and row.start != self._first):
                break
            taken.append(row)
        return taken

    def _read_rows(self, rows: Sequence[TextRow]) -> Iterator[tuple[int, int]]:
        """Yield the lines of a paragraph up to where somebody else's words are announced."""
        given = False
        for number, row in enumerate(rows):
            if given and (is_item(row.text) or not is_continued(row.text)):
                continue
            if number and self._open is _TextKind.POINTED and not is_continued(row.text):
                # The text referred to has begun.
                self._open = _TextKind.DOCUMENT
                return
            self._open = _TextKind.NOTHING
            colon, given = _match_opening(row.text)
            yield row.start, row.start + colon if colon else row.end
            if (colon and not given) or announces(row.text):
                self._open = _TextKind.ANNOUNCED
                return
            listed = number + 1 < len(rows) and is_item(rows[number + 1].text)
            if not given and len(row.text) <= _MAX_REQUEST and points_below(row.text, listed=listed):
                # "feedback from the audit:" above a blank line announces; above a list it may be a label.
                self._open = _TextKind.ANNOUNCED if row is rows[-1] and labels_text(row.text) else _TextKind.POINTED


def _match_opening(row: str) -> tuple[int, bool]:
    """Return where on a line somebody else's words begin, 0 if they do not, and whether they end with the line."""
    for colon in _INLINE_COLON.finditer(row):
        rest = row[colon.end() :]
        if not rest.strip():
            break
        before = row[max(0, colon.start() - _MAX_REQUEST) : colon.start()]
        clause = TYPED_END.split(before)[-1]
        if clause.strip() and opens(clause):
            return colon.end(), False
        if clause.strip() and gives_line(clause, rest, first=clause == row[: colon.start()]):
            return colon.end(), True
    return 0, False


def _match_inline(text: str, start: int, end: int) -> Iterator[Part]:
    """Yield quotations and reported speech inside what was typed."""
    for quote in _QUOTES.finditer(text, start, end):
        words = next(group for group in quote.groups() if group)
        if len(words.split()) >= _QUOTED_WORDS or (not words.isascii() and count_unspaced(words) >= _QUOTED_LETTERS):
            yield Part(quote.start(), quote.end(), PartKind.QUOTED)
    first = start
    for stop in (*(found.end() for found in TYPED_END.finditer(text, start, end)), end):
        if stop > first and reports(text[first : min(stop, first + MAX_SENTENCE)]):
            yield Part(first, stop, PartKind.REPORTED)
        first = stop
