"""Which characters of a message a person typed, and which are somebody else's: pasted, quoted, code or wrapped.

Judged over the whole message, by marks and layout. In doubt a part is somebody else's: a rule that is missed is said
again, one that was planted stays.
"""

import bisect
import enum
import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memci.sessions.reporting import announces, goes_on, is_personal, labels_text, opens, points_below, reports
from memci.sessions.rows import RowKind, classify_row, is_byline, is_data_field
from memci.text.markdown import RegionKind, find_regions
from memci.transcript import Part, PartKind, blank_out

# Nobody types that much at once; of a longer message only the paragraphs at its ends can be typed.
_MAX_TYPED = 8_000
# A paragraph of this size without a word of one person to another is from a text, not from a chat.
_LONG = 240
# A request that points at a text is short.
_MAX_REQUEST = 240
# Lines between these widths, going on in lower case, were wrapped by a program.
_WRAPPED = range(45, 101)
# Fewer words in quotation marks are a name or a label.
_QUOTED_WORDS = 4
_QUOTED_LETTERS = 8
# A sentence is looked at up to here.
_MAX_SENTENCE = 1_000

# Invisible: in front of a mark they would hide it from the patterns below.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")
_PASTE_MARK = re.compile(r"\[Pasted [^\]\n+]{1,40}(?:\+ ?(\d{1,5}) lines?)?\]")
_IMAGE_MARK = re.compile(r"\[Image #\d{1,4}\]")
_TAG = re.compile(r"<([A-Za-z][\w.:-]{0,60})(\s[^<>\n]{0,300})?>")
_ROLE = re.compile(
    r"\W{0,3}(?:You are (?:an?|the|now)\b|Act as\b|Du bist (?:ein|der|die|das)|Tu es une?\b|Eres un|Você é um|Ты — "
    r"|あなたは|당신은|你是一)"
)  # fmt: skip
_QUOTES = re.compile(
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
# Lines of three quotation marks, from the first to the last.
_LITERAL = re.compile(r"^[ \t]*(\"{3}|'{3})[^\n]{0,40}\n.*\n[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)
# "^ what does that mean?", and what mails have above a signature.
_POINTS_UP = re.compile(r"^(?:[ \t]*[\^↑⬆☝]+\ufe0f?[ \t]|-- $)", re.MULTILINE)
_GREETING = re.compile(r"\s*[^\W\d_a-z][^\n!?:]{0,40}[,，、]\s*")
_SPOT = re.compile(r"(?<!\S)[\w./\\-]{1,120}:\d{1,6}:\d{1,5}:\s")
_TITLE = re.compile(r"(?!\d{1,2}[a-z]?[-.):])[A-Z\d][^.!?;`,]{0,60}")
_ADDRESS = re.compile(r"https?://\S+")
_ASKS = re.compile(r"[?？](?:\s|$)")
_SENTENCE_END = re.compile(r"[.!?…][\"')\]”»]{0,3}(?=\s)|[。！？]")
_INLINE_COLON = re.compile(r"[:：](?=\s|(?<=：))")


class _Kind(enum.Enum):
    """What a part of a message leaves open for what follows it."""

    NOTHING = enum.auto()
    # A request points at a text: "what do you think of this?"
    POINTED = enum.auto()
    # Somebody's words were announced: "here is the ticket:"
    ANNOUNCED = enum.auto()
    # A document has begun, and nothing tells where it ends.
    DOCUMENT = enum.auto()


class _Row(NamedTuple):
    start: int
    end: int
    kind: RowKind
    text: str


@functools.lru_cache(maxsize=64)
def split_parts(text: str) -> tuple[Part, ...]:
    """Return the parts of a message in order; together they are the whole of it."""
    text = text if text.isascii() else _UNSEEN.sub(" ", text)
    marks = _merge(_find_delimited(text))
    blanked = blank_out(text, marks)
    typed = list(_Reader(text, blanked).read())
    inline = (cut for start, end in typed for cut in _find_inline(blanked, start, end))
    return tuple(_cover(len(text), typed, _merge([*marks, *inline])))


def blank_delimited(text: str) -> str:
    """Return a text of the same length with blanks in place of fences, quotations, elements and comments."""
    return blank_out(text, _merge(_find_delimited(text)))


def typed_spans(parts: Sequence[Part]) -> tuple[tuple[int, int], ...]:
    """Return where the person's own words are."""
    return tuple((part.start, part.end) for part in parts if part.kind is PartKind.TYPED)


def _merge(parts: Iterable[Part]) -> list[Part]:
    """Return parts in order without overlaps; the one that begins first keeps its kind."""
    merged: list[Part] = []
    for part in sorted(parts):
        if merged and part.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(merged[-1].end, part.end))
        elif part.start < part.end:
            merged.append(part)
    return merged


def _cover(size: int, typed: Sequence[tuple[int, int]], marks: Sequence[Part]) -> Iterator[Part]:
    """Yield consecutive parts: the marks, what was typed outside of them, and the rest, which was pasted."""
    ends = [end for _, end in typed]
    done = 0
    for mark in (*marks, Part(size, size, PartKind.PASTED)):
        at = bisect.bisect_right(ends, done)
        while at < len(typed) and typed[at][0] < mark.start:
            start, end = max(typed[at][0], done), min(typed[at][1], mark.start)
            if done < start:
                yield Part(done, start, PartKind.PASTED)
            if start < end:
                yield Part(start, end, PartKind.TYPED)
            done = end
            at += 1
        if done < mark.start:
            yield Part(done, mark.start, PartKind.PASTED)
        if mark.start < mark.end:
            yield mark
        done = mark.end


def _find_delimited(text: str) -> Iterator[Part]:
    """Yield what marks of its own begin and end: fences, comments, elements, quotations and pastes of the client."""
    yield from _find_fences(text)
    if "<" in text:
        yield from _find_elements(text)
    position = 0
    for row in text.split("\n") if any(mark in text for mark in (">", "&gt;", "＞")) else ():
        if row.lstrip().startswith((">", "&gt;", "＞")) and not row.lstrip().startswith(">>>"):
            yield Part(position, position + len(row), PartKind.QUOTED)
        position += len(row) + 1
    if found := _LITERAL.search(text):
        yield Part(found.start(), found.end(), PartKind.QUOTED)
    yield from (Part(0, mark.start(), PartKind.PASTED) for mark in _POINTS_UP.finditer(text))
    yield from (Part(mark.start(), mark.end(), PartKind.WRAPPED) for mark in _IMAGE_MARK.finditer(text))
    for mark in _PASTE_MARK.finditer(text) if "[Pasted " in text else ():
        yield Part(mark.start(), _find_paste_end(text, mark), PartKind.PASTED)


def _find_paste_end(text: str, mark: re.Match[str]) -> int:
    """Return where the lines end that a mark of the client stands for; without their number nothing tells."""
    if "\n" not in text[mark.end() :]:
        # Never put in place: what follows on the line was typed.
        return mark.end()
    end = mark.end()
    # The client counts line breaks: a paste has one line more.
    for _ in range(int(mark[1]) + 2 if mark[1] else len(text)):
        following = text.find("\n", end)
        if following < 0:
            return len(text)
        end = following + 1
    return end


def _find_fences(text: str) -> Iterator[Part]:
    if not any(mark in text for mark in ("```", "~~~", "<!--")):
        return
    regions = [region for region in find_regions(text) if region.kind in {RegionKind.FENCE, RegionKind.COMMENT}]
    fences = [region for region in regions if region.kind is RegionKind.FENCE]
    # A fence that names a language inside of another: the outer one was closed from inside.
    if any(re.search(r"^[ \t]{0,3}(?:`{3,}|~{3,})\w", text[fence.start : fence.end], re.MULTILINE) for fence in fences):
        yield _with_marks(text, fences[0].start, fences[-1].end)
    for region in regions:
        yield _with_marks(text, region.start, region.end)


def _with_marks(text: str, start: int, end: int) -> Part:
    """Return the lines of a fence together with those that open and close it."""
    above = text.rfind("\n", 0, max(0, start - 1)) + 1
    below = text.find("\n", end)
    return Part(above, below if below >= 0 else len(text), PartKind.CODE)


def _find_elements(text: str) -> Iterator[Part]:
    """Yield elements, each from its first start tag to its last end tag: text inside cannot close it."""
    done = 0
    seen: set[str] = set()
    for tag in _TAG.finditer(text):
        name = tag[1]
        if tag.start() < done or name in seen:
            continue
        seen.add(name)
        close = text.rfind(f"</{name}>")
        alone = not text[text.rfind("\n", 0, tag.start()) + 1 : tag.start()].strip()
        if close >= tag.end():
            done = close + len(name) + 3
            yield Part(tag.start(), done, PartKind.WRAPPED)
        elif alone and ("-" in name or "_" in name or tag[2]):
            yield Part(tag.start(), len(text), PartKind.WRAPPED)
            return


class _Reader:
    """Reads a message paragraph by paragraph and remembers what a paragraph leaves open."""

    def __init__(self, text: str, blanked: str) -> None:
        self._rows = _split_rows(text, blanked)
        self._blanked = blanked
        self._open = _Kind.NOTHING
        # The first and the last line of the message with something on it.
        plain = [row.start for row in self._rows if row.kind not in {RowKind.BLANK, RowKind.GIVEN}]
        self._first, self._last = (plain[0], plain[-1]) if plain else (0, 0)
        # Documents go on in small letters, too; then those say nothing.
        self._small = False
        # Output often ends with advice of its own.
        self._after_output = False

    def read(self) -> Iterator[tuple[int, int]]:
        """Yield what was typed."""
        paragraphs = [(_judge_together(rows), given) for rows, given in self._split_paragraphs()]
        if _is_letter([row for rows, _ in paragraphs for row in rows]):
            paragraphs = [(_mark_letter(rows), given) for rows, given in paragraphs]
        if sum(len(rows) for rows, _ in paragraphs) == 1 and not paragraphs[0][1]:
            # One line alone has nobody's name above it.
            paragraphs = [([_forget_byline(row) for row in rows], given) for rows, given in paragraphs]
        foreign = [number for number, (rows, _) in enumerate(paragraphs) if _has_foreign(rows)]
        last = foreign[-1] if foreign else 0
        large = len(self._blanked.strip()) > _MAX_TYPED
        for number, (rows, given) in enumerate(paragraphs):
            if given and self._open in {_Kind.POINTED, _Kind.ANNOUNCED}:
                self._open = _Kind.NOTHING
            between = 0 < number < last and not _is_continued(rows[0].text) and not _has_foreign(rows)
            if (large and 0 < number < len(paragraphs) - 1) or (between and not given):
                continue
            yield from self._read_paragraph(rows)

    def _split_paragraphs(self) -> Iterator[tuple[list[_Row], bool]]:
        """Yield the lines between blank ones, and whether something delimited stands right before them."""
        rows: list[_Row] = []
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

    def _read_paragraph(self, rows: list[_Row]) -> Iterator[tuple[int, int]]:
        kinds = {row.kind for row in rows}
        if self._open is _Kind.DOCUMENT:
            yield from self._read_after_document(rows)
        elif self._open is _Kind.ANNOUNCED:
            # Output ends somewhere; what was announced as prose does not say where.
            self._open = _Kind.POINTED if kinds <= {RowKind.MACHINE} else _Kind.DOCUMENT
        elif RowKind.DOCUMENT in kinds:
            yield from self._read_rows(self._take_lead(rows, RowKind.DOCUMENT))
            self._open = _Kind.DOCUMENT
            self._small = any(row.text.lstrip()[0].islower() for row in rows)
        elif self._open is _Kind.POINTED and not _is_continued(rows[0].text):
            # What was pointed at; without marks nothing tells where it ends.
            self._open = _Kind.POINTED if kinds <= {RowKind.MACHINE} else _Kind.DOCUMENT
        elif RowKind.MACHINE in kinds:
            yield from self._read_rows(self._take_lead(rows, RowKind.MACHINE))
            yield from self._read_rows(_take_tail(rows))
            self._after_output = rows[-1].kind is RowKind.MACHINE
            return
        elif _is_formal(rows) or (self._after_output and not _is_told(rows)):
            self._open = _Kind.POINTED
        else:
            yield from self._read_rows(rows)

    def _read_after_document(self, rows: Sequence[_Row]) -> Iterator[tuple[int, int]]:
        """Yield a last line in small letters below a document that has none."""
        alone = len(rows) == 1 and rows[0].start == self._last and rows[0].kind is RowKind.PLAIN
        if alone and not self._small and rows[0].text.lstrip()[0].islower():
            yield rows[0].start, rows[0].end
        self._small = self._small or any(row.text.lstrip()[0].islower() for row in rows)

    def _take_lead(self, rows: Sequence[_Row], kind: RowKind) -> list[_Row]:
        """Return the lines at the beginning with which the person introduces what follows."""
        taken: list[_Row] = []
        for row in rows:
            if row.kind is kind or not _introduces(row.text) or (kind is RowKind.DOCUMENT and row.start != self._first):
                break
            taken.append(row)
        return taken

    def _read_rows(self, rows: Sequence[_Row]) -> Iterator[tuple[int, int]]:
        """Yield the lines of a paragraph up to where somebody else's words are announced."""
        for number, row in enumerate(rows):
            if number and self._open is _Kind.POINTED and not _is_continued(row.text):
                return
            self._open = _Kind.NOTHING
            colon = _find_opening(row.text)
            yield row.start, row.start + colon if colon else row.end
            if colon or announces(row.text):
                self._open = _Kind.ANNOUNCED
                return
            if len(row.text) <= _MAX_REQUEST and points_below(row.text):
                # "feedback from the audit:" above a blank line announces; above a list it may be a label.
                self._open = _Kind.ANNOUNCED if row is rows[-1] and labels_text(row.text) else _Kind.POINTED


def _split_rows(text: str, blanked: str) -> list[_Row]:
    rows: list[_Row] = []
    position = 0
    for row in blanked.split("\n"):
        end = position + len(row)
        kind = classify_row(row)
        if kind is RowKind.BLANK and text[position:end].strip():
            kind = RowKind.GIVEN
        if not (kind is RowKind.BLANK and rows and rows[-1].kind is RowKind.BLANK):
            # Runs of empty lines are one.
            rows.append(_Row(position, end, kind, row))
        position = end + 1
    return rows


def _judge_together(rows: list[_Row]) -> list[_Row]:
    """Return the lines of a paragraph with what only several of them show."""
    kinds = [row.kind for row in rows]
    if kinds.count(RowKind.FIELD) > 1:
        kinds = [RowKind.DOCUMENT if kind is RowKind.FIELD else kind for kind in kinds]
    kinds = [RowKind.PLAIN if kind is RowKind.FIELD else kind for kind in kinds]
    data = {number for number, row in enumerate(rows) if is_data_field(row.text)}
    indented = {number for number, row in enumerate(rows) if row.text[0].isspace()}
    for found in (data, indented):
        if len(found) > 1 and len(found) * 2 >= len(rows):
            kinds = [
                RowKind.MACHINE if number in found and kind is RowKind.PLAIN else kind
                for number, kind in enumerate(kinds)
            ]
    if _is_wrapped(rows) or _is_listing(rows) or _ROLE.match(rows[0].text):
        kinds = [RowKind.DOCUMENT] * len(rows)
    elif rows[0].text[0].isspace() and rows[0].start:
        kinds = [RowKind.MACHINE] * len(rows)
    return _split_repeated([row._replace(kind=kind) for row, kind in zip(rows, kinds, strict=True)])


def _split_repeated(rows: list[_Row]) -> list[_Row]:
    """Mark lines of one pattern as output; what the last of them has more was typed behind it."""
    shapes = [re.sub(r"\d+", "0", row.text.strip()) for row in rows]
    if len(rows) < 3 or not shapes[0] or sum(shape == shapes[0] for shape in shapes) < len(rows) - 1:
        return rows
    last = rows[-1]
    done = [row._replace(kind=RowKind.MACHINE) for row in rows[:-1]]
    shape = r"\d+".join(re.escape(piece) for piece in shapes[0].split("0"))
    found = re.match(rf"\s*{shape}", last.text) if len(shapes[0]) < _MAX_SENTENCE else None
    if not found or not last.text[found.end() :].strip():
        return [*done, last._replace(kind=RowKind.MACHINE)]
    rest = last.text[found.end() :]
    return [*done, _Row(last.start + found.end(), last.end, RowKind.PLAIN, rest)]


def _is_wrapped(rows: Sequence[_Row]) -> bool:
    """Tell whether a program broke the lines of a paragraph."""
    if len(rows) < 3 or any(row.kind is RowKind.MACHINE for row in rows):
        return False
    if not all(len(row.text.rstrip()) in _WRAPPED for row in rows[:-1]):
        return False
    # People end their lines where a thought ends.
    broken = (before.text.rstrip()[-1:] not in ".!?:;,。" for before in rows)
    going_on = sum(row.text[:1].islower() and inside for row, inside in zip(rows[1:], broken, strict=False))
    return going_on >= 2 or (going_on == 1 and len(rows) == 3)


def _is_listing(rows: Sequence[_Row]) -> bool:
    """Tell whether a paragraph is a column of titles, as copied from the edge of a page."""
    titles = sum(len(row.text.split()) <= 4 and _TITLE.fullmatch(row.text.strip()) is not None for row in rows)
    if len(rows) > 1 and titles and _ADDRESS.fullmatch(rows[0].text.strip()) and _TITLE.fullmatch(rows[1].text.strip()):
        return True
    return titles >= 3 and titles * 3 >= len(rows)


def _is_letter(rows: Sequence[_Row]) -> bool:
    """Tell whether somebody is greeted and somebody signs."""
    greeted = [number for number, row in enumerate(rows) if _GREETING.fullmatch(row.text)]
    if greeted and "claude" in rows[greeted[0]].text.lower():
        return False
    signed = (row for row in rows[greeted[0] + 2 :] if _signs(row.text)) if greeted else iter(())
    return any(signed)


def _signs(row: str) -> bool:
    words = row.strip()
    return len(words.split()) <= 4 and len(words) <= 40 and words[-1].isalpha() and not words[0].islower()


def _mark_letter(rows: list[_Row]) -> list[_Row]:
    return [
        row._replace(kind=RowKind.DOCUMENT) if _GREETING.fullmatch(row.text) and row.kind is RowKind.PLAIN else row
        for row in rows
    ]


def _forget_byline(row: _Row) -> _Row:
    # A line that begins with # was how people asked the client to remember something.
    return row._replace(kind=RowKind.PLAIN) if is_byline(row.text) or row.text.startswith("# ") else row


def _has_foreign(rows: Sequence[_Row]) -> bool:
    return any(row.kind in {RowKind.DOCUMENT, RowKind.MACHINE} for row in rows)


def _is_formal(rows: Sequence[_Row]) -> bool:
    """Tell whether a paragraph is written for readers and not said to an agent."""
    text = " ".join(row.text for row in rows)
    return len(text) >= _LONG and not _ASKS.search(text) and not is_personal(text) and not text.lstrip()[0].islower()


def _is_told(rows: Sequence[_Row]) -> bool:
    """Tell whether a paragraph is said to somebody."""
    text = " ".join(row.text for row in rows)
    return _is_continued(rows[0].text) or is_personal(text) or _ASKS.search(text) is not None or not text.isascii()


def _introduces(row: str) -> bool:
    """Tell whether a line can be what a person puts before something pasted."""
    return row.rstrip().endswith((":", "：", "?", "？")) or _is_continued(row) or points_below(row)


def _is_continued(row: str) -> bool:
    words = row.lstrip(" \t-*+")
    return words[:1].islower() or goes_on(words)


def _take_tail(rows: Sequence[_Row]) -> list[_Row]:
    """Return the lines behind output that look typed."""
    tail: list[_Row] = []
    for row in reversed(rows):
        if row.kind is RowKind.MACHINE or not _is_continued(row.text):
            break
        tail.append(row)
    return tail[::-1]


def _find_opening(row: str) -> int:
    """Return where on a line the words of somebody else begin behind a colon; 0 if they do not."""
    if spot := _SPOT.search(row):
        return spot.start()
    for colon in _INLINE_COLON.finditer(row):
        if not row[colon.end() :].strip():
            break
        before = row[max(0, colon.start() - _MAX_REQUEST) : colon.start()]
        clause = _SENTENCE_END.split(before)[-1]
        if clause.strip() and opens(clause, row[colon.end() :]):
            return colon.end()
    return 0


def _find_inline(text: str, start: int, end: int) -> Iterator[Part]:
    """Yield quotations and reported speech inside what was typed."""
    for quote in _QUOTES.finditer(text, start, end):
        words = next(group for group in quote.groups() if group)
        if len(words.split()) >= _QUOTED_WORDS or (not words.isascii() and _count_unspaced(words) >= _QUOTED_LETTERS):
            yield Part(quote.start(), quote.end(), PartKind.QUOTED)
    first = start
    for stop in (*(found.end() for found in _SENTENCE_END.finditer(text, start, end)), end):
        if stop > first and reports(text[first : min(stop, first + _MAX_SENTENCE)]):
            yield Part(first, stop, PartKind.QUOTED)
        first = stop


def _count_unspaced(words: str) -> int:
    return len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", words))
