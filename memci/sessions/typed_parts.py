"""Splits a message into what a person typed, what is in doubt (`reported`), and what is somebody else's.

Graded over the whole message, by marks, layout and style. Typed is only what its form makes certain: people repeat a
missed rule, but a planted one stays.
"""

import functools
import itertools
from collections.abc import Iterable, Iterator, Sequence

from memci.model.session import TOLD, Part, PartKind, blank_out
from memci.patterns import LazyPattern
from memci.prose.fold import count_unspaced
from memci.prose.sentences import TYPED_END
from memci.redaction.secrets import REDACTED
from memci.sessions.delimited import match_delimited, merge_parts
from memci.sessions.line_forms import RowKind, is_item
from memci.sessions.paragraphs import END_MARKS, TextParagraph, TextRow, is_by_hand, split_paragraphs
from memci.sessions.reported_speech import reports

# Invisible characters in front of a mark would hide it from the patterns below.
_UNSEEN = LazyPattern("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
# Nobody types that much at once; in a longer message only the paragraphs at its ends can be typed.
_MAX_TYPED = 8_000
# Only this much of a sentence is read.
_MAX_SENTENCE = 1_000
# Fewer words in quotation marks are a name or a label, more are a sentence of somebody else.
_QUOTED_WORDS = range(4, 9)
_QUOTED_LETTERS = range(8, 25)

_QUOTES = LazyPattern(
    "|".join(
        rf"{before}([^{inside}\n]{{4,2000}}?){after}"
        for before, inside, after in (
            ("`(?=[^\\W\\d_a-z])", "`", "`"),
            ("“", "“”", "”"), ("„", "„“”", "[“”]"), ("«", "«»", "»"), ("»", "«»", "«"), ("「", "「」", "」"),
            ("『", "『』", "』"), ("‹", "‹›", "›"), ("《", "《》", "》"), ("‚", "‚‘", "‘"),
            (r"(?<!\w)‘", "‘", r"’(?!\w)"),
            (r'(?<![a-zA-Z\d])"', '"', r'"(?![a-zA-Z\d])'), (r"(?<!\w)'", "", r"'(?!\w)"),
        )
    )
)  # fmt: skip
_ASKS = ("?", "？", ":", "：")
_LEAD_IN = LazyPattern(r"[:：][\s*_]*$")
_INLINE_COLON = LazyPattern(r"[:：](?=\s+\S|(?<=：)|(?<=[\u3040-\u9fff\uac00-\ud7af]:))")
# "one more thing: the queue is shared", "i told you before: …": few words in lower case that name nobody, or the
# person's own clause, and it goes on in lower case.
_LABELLED = LazyPattern(
    r"(?:^|[-*+.!?,\n]\s)\s*(?!(?:the|an?|his|her|their|der|die|das|im|le|la|les|el|los|o|os|as|no|na|en)\s)"
    r"(?:(?:[iI]|we|ich|wir|je|я|мы) [^A-Z:\n]+|(?:[a-zß-ÿа-яё]+ ){0,2}(?!(?:says|said|wrote|writes|sagt|meint|schrieb"
    r"|schreibt|dit|écrit|dice|dijo|diz|disse)\b|[а-яё]+(?:[еиа]т|[уюя]т|[аи]л[аи]?)\b)[a-zß-ÿа-яё]+ ?): [a-zß-ÿа-яё]$"
)
_MAX_LABEL = 60
# Longer paragraphs are from a document, not from a chat; fewer words are a greeting or a thank-you.
_LONG = 240
_SAID = 5
# Nobody types so many sentences with a capital and an end mark each, and of this length together, in one go.
_PROSE = 3
_PARAGRAPH = 180
# More lines introduce nothing.
_INTRODUCTION = 2
# A sign of a script without blanks stands for so many more letters.
_WIDE = 2


@functools.lru_cache(maxsize=64)
def split_parts(text: str) -> tuple[Part, ...]:
    """Return the parts of a message in order; together they are the whole of it."""
    text = text if text.isascii() else _UNSEEN.sub(" ", text)
    # The colon in the place of a secret announces nothing.
    text = text.replace(REDACTED, REDACTED.replace(":", " "))
    marks = merge_parts(match_delimited(text))
    blanked = blank_out(text, marks)
    graded = _join(_Grader(split_paragraphs(text, blanked), len(blanked.strip())).read(), len(text))
    typed = (part for part in graded if part.kind is PartKind.TYPED)
    told = (doubt for part in typed for doubt in _match_doubts(blanked, part.start, part.end))
    quotes = [quote for part in graded if part.kind in TOLD for quote in _match_quotes(blanked, part.start, part.end)]
    doubts = merge_parts((*told, *(quote for quote in quotes if quote.kind is PartKind.REPORTED)))
    marks = merge_parts((*marks, *(quote for quote in quotes if quote.kind is PartKind.QUOTED)))
    return tuple(_overlay(_overlay(graded, doubts), marks))


def _join(rows: Iterator[Part], size: int) -> list[Part]:
    """Return the graded lines as parts that cover the message; lines of one kind are one part."""
    parts: list[Part] = []
    done = 0
    for row in rows:
        if parts and parts[-1].kind is row.kind:
            parts[-1] = parts[-1]._replace(end=row.end)
        else:
            parts.append(row._replace(start=done))
        done = row.end
    if done < size:
        last = parts.pop() if parts else Part(0, 0, PartKind.PASTED)
        parts.append(last._replace(end=size))
    return parts


def _overlay(parts: Iterable[Part], marks: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts with the marks on top of them."""
    done = number = 0
    for part in parts:
        while number < len(marks) and marks[number].start < part.end:
            if done < marks[number].start:
                yield Part(done, marks[number].start, part.kind)
            yield marks[number]
            done = marks[number].end
            number += 1
        if done < part.end:
            yield Part(done, part.end, part.kind)
            done = part.end


class _Grader:
    """Grades a message paragraph by paragraph and remembers what a paragraph leaves open."""

    def __init__(self, paragraphs: Sequence[TextParagraph], size: int) -> None:
        self._paragraphs = paragraphs
        self._large = size > _MAX_TYPED
        self._one_hand = not self._large and _is_one_hand(paragraphs)
        self._introduces = _introduces(paragraphs)
        plain = [row for each in paragraphs for row in each.rows if not row.is_marked]
        # One line typed in a hurry is all of a message; of several, one may be what another is about.
        self._single = len(plain) == 1
        self._ends_in_document = any(each.has_document for each in paragraphs)
        # A document has begun, with no mark of its end.
        self._document = False
        # A line that ends in a colon announces something.
        self._announced = False

    def read(self) -> Iterator[Part]:
        """Yield the lines with their grades."""
        last = len(self._paragraphs) - 1
        for number, paragraph in enumerate(self._paragraphs):
            self._announced = self._announced and not paragraph.below_mark
            if self._large and 0 < number < last:
                yield from _grade_all(paragraph.rows, PartKind.PASTED)
            elif self._document:
                yield from self._read_after_document(paragraph.rows, last=number == last)
            else:
                yield from self._read_paragraph(paragraph, first=number == 0)

    def _read_paragraph(self, paragraph: TextParagraph, *, first: bool) -> Iterator[Part]:
        rows = paragraph.rows
        marked = [number for number, row in enumerate(rows) if row.is_marked]
        if not marked and self._ends_in_document and not first:
            # A document may begin before its first mark.
            yield from _grade_all(rows, PartKind.PASTED)
            return
        if not marked:
            yield from self._read_plain(rows, trusted=self._one_hand or (first and self._introduces))
            return
        self._document = paragraph.has_document
        # Lines right above output introduce it, and so does the first line of the message above a document.
        lead = marked[0] if not self._document else int(marked[0] > 0 and first)
        yield from self._read_plain(rows[:lead], trusted=rows[0].text.rstrip().endswith(_ASKS))
        tail = len(rows)
        while not self._document and tail > marked[-1] + 1 and is_by_hand(rows[tail - 1].text):
            tail -= 1
        yield from _grade_all(rows[lead:tail], PartKind.PASTED)
        self._announced = False
        yield from self._read_plain(rows[tail:], trusted=False)

    def _read_plain(self, rows: Sequence[TextRow], *, trusted: bool) -> Iterator[Part]:
        for row in rows:
            by_hand = is_by_hand(row.text)
            if self._announced and not (by_hand or is_item(row.text)):
                yield Part(row.start, row.end, PartKind.PASTED)
            elif by_hand and self._single and not (trusted or self._announced):
                yield from _grade_sentences(row)
            else:
                yield Part(row.start, row.end, PartKind.TYPED if trusted and not self._announced else PartKind.REPORTED)
            self._announced = self._announced or _LEAD_IN.search(row.text) is not None

    def _read_after_document(self, rows: Sequence[TextRow], *, last: bool) -> Iterator[Part]:
        """Yield a last line in lower case as perhaps typed below the document."""
        below = last and len(rows) == 1 and rows[0].kind is RowKind.PLAIN and is_by_hand(rows[0].text)
        yield from _grade_all(rows, PartKind.REPORTED if below else PartKind.PASTED)


def _is_one_hand(paragraphs: Sequence[TextParagraph]) -> bool:
    """Tell whether all that has no marks is of one author.

    Either it is one line or one paragraph of whole sentences, or single lines typed in a hurry beside something with
    marks, or short paragraphs in which two styles alternate: a pasted text is one run of paragraphs in its style.
    """
    plain = [paragraph for paragraph in paragraphs if not paragraph.is_marked]
    if any(paragraph.is_titled or paragraph.has_document for paragraph in paragraphs):
        return False
    if len(paragraphs) == 1:
        rows = [row.text.rstrip() for row in paragraphs[0].rows]
        # More than one line right above something delimited may be a letter above its signature.
        framed = paragraphs[0].above_mark
        whole = not framed and all(row[-1] in END_MARKS and not (is_by_hand(row) or is_item(row)) for row in rows)
        return not any(map(_is_prose, rows)) and (len(rows) == 1 or whole)
    if any(paragraph.is_marked or paragraph.below_mark or paragraph.above_mark for paragraph in paragraphs):
        return all(len(each.rows) == 1 and is_by_hand(each.rows[0].text, caseless=True) for each in plain)
    texts = [" ".join(row.text for row in paragraph.rows) for paragraph in paragraphs]
    styles = [is_by_hand(text) for text in texts if len(text.split()) >= _SAID]
    runs = [style for style, _ in itertools.groupby(styles)]
    return min(runs.count(True), runs.count(False)) > 1 and all(len(text) <= _LONG for text in texts)


def _is_prose(row: str) -> bool:
    """Tell whether a line has several well-formed sentences and the length of a paragraph."""
    sentences = [each for each in TYPED_END.sub("\\g<0>\0", row).split("\0") if each.strip()]
    if len(sentences) < _PROSE or len(row) + count_unspaced(row) * _WIDE < _PARAGRAPH:
        return False
    return all(each.strip()[-1] in END_MARKS and not is_by_hand(each) for each in sentences)


def _introduces(paragraphs: Sequence[TextParagraph]) -> bool:
    """Tell whether the first paragraph introduces what is right below it: it has marks, or nothing else is typed."""
    if not paragraphs or len(paragraphs[0].rows) > _INTRODUCTION:
        return False
    if not (paragraphs[0].above_mark or any(below.is_marked or below.is_titled for below in paragraphs[1:2])):
        return False
    others = [
        paragraph.rows[0].text for paragraph in paragraphs[1:] if not (paragraph.is_marked or paragraph.is_titled)
    ]
    asks = paragraphs[0].rows[-1].text.rstrip().endswith(_ASKS)
    return not others or (asks and not any(map(is_by_hand, others)))


def _grade_sentences(row: TextRow) -> Iterator[Part]:
    """Yield a line that begins in lower case; sentences with a capital and an end mark on it are doubted."""
    first = 0
    for end in (*(found.end() for found in TYPED_END.finditer(row.text)), len(row.text)):
        sentence = row.text[first:end].strip()
        formal = bool(sentence) and sentence[0].isupper() and sentence[-1] in END_MARKS
        if end > first:
            yield Part(row.start + first, row.start + end, PartKind.REPORTED if formal else PartKind.TYPED)
        first = end


def _grade_all(rows: Sequence[TextRow], kind: PartKind) -> Iterator[Part]:
    yield from (Part(row.start, row.end, kind) for row in rows)


def _match_quotes(text: str, start: int, end: int) -> Iterator[Part]:
    """Yield quotations; a short one that is no sentence may be what the person means."""
    for quote in _QUOTES.finditer(text, start, end):
        words = next(group for group in quote.groups() if group)
        count = len(words.split())
        signs = count_unspaced(words) if not words.isascii() else 0
        if count >= _QUOTED_WORDS.start or signs >= _QUOTED_LETTERS.start:
            short = (count in _QUOTED_WORDS or signs in _QUOTED_LETTERS) and words[-1] not in END_MARKS
            yield Part(quote.start(), quote.end(), PartKind.REPORTED if short else PartKind.QUOTED)


def _match_doubts(text: str, start: int, end: int) -> Iterator[Part]:
    """Yield reported speech and what is behind a colon, inside what was typed."""
    first = start
    for stop in (*(found.end() for found in TYPED_END.finditer(text, start, end)), end):
        if stop > first and reports(text[first : min(stop, first + _MAX_SENTENCE)]):
            yield Part(first, stop, PartKind.REPORTED)
        first = stop
    position = start
    while colon := _INLINE_COLON.search(text, position, end):
        position = colon.end()
        if not _LABELLED.search(text[max(start, colon.start() - _MAX_LABEL) : position + 2]):
            line = text.find("\n", position, end)
            yield Part(position, position := line if line >= 0 else end, PartKind.REPORTED)
