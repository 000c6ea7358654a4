"""Finds the delimited parts of a message: fences, comments, elements, quotations and pastes of the client."""

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator

from memci.model.session import Part, PartKind, blank_out
from memci.patterns import LazyPattern
from memci.prose.fold import count_unspaced, lower_in_place
from memci.prose.markdown import RegionKind, parse_regions

_PASTE_MARK = LazyPattern(r"\[Pasted [^\]\n+]{1,40}(?:\+ ?(\d{1,5}) lines?)?\]")
_IMAGE_MARK = LazyPattern(r"\[Image #\d{1,4}\]")
# What the client leaves of a text that is too long for its input: all of it was pasted.
_CUT_MARK = LazyPattern(r"\[\.{3}Truncated text #\d{1,4} [^\]\n]{1,40}\]")
_QUOTATION = (">", "&gt;")
_SENTENCE_MARKS = (".", "!", "?", "…", "。", "！", "？", '"', ")")
# "^ what does that mean?", and the line above the signature of a mail.
_POINTS_UP = LazyPattern(r"^(?:[ \t]*[\^↑⬆☝]+\ufe0f?[ \t]|-- $)", re.MULTILINE)
# Tags may be escaped, and go over lines.
_TAG = LazyPattern(r"(?:<|&lt;)(/?)([^\W\d_][\w.:-]{0,60})(\s[^<>]{0,300}?)?(?:>|&gt;)")
# A line of nothing but one mark, such as `%%%` or `{quote}`: what is between the first and the last of a kind is one
# text. Rules between sections are no such marks, and fences pair in their own way.
_MARK_LINE = LazyPattern(r"^[ \t]*((?![-=*_`~]{3}|[-*+•>|][ \t]|@)[^\w\s][^\s]{0,40}(?<![\w\s]))[ \t]*$", re.MULTILINE)
# A line that opens more brackets than it closes, and one that closes them.
_OPENED = LazyPattern(r"^[ \t]*(\{\{|\[\[|<<|\(\()[^}\])>\n]{0,200}$", re.MULTILINE)
_CLOSED = LazyPattern(r"^[ \t]*(?:\}\}|\]\]|>>|\)\))", re.MULTILINE)
_BEGIN = LazyPattern(r"^[ \t]*[^\w\s]{1,5}(begin|end)(?=[\W_])[^\n]{0,80}$", re.MULTILINE | re.IGNORECASE)
# A fence that opens behind text.
_LATE_FENCE = LazyPattern(r"(?<=[^\s`~])[ \t]*(`{3,}|~{3,})[\w+-]{0,20}[ \t]*\n")
# A quotation that goes on in another line.
_LONG_QUOTE = LazyPattern(r"(?<![\w\"])\"(?=\w)[^\"]{4,2000}\"(?!\w)|“[^“”]{4,2000}”")
# Lines of three quotation marks, from the first to the last.
_LITERAL = LazyPattern(r"^[ \t]*(\"{3}|'{3})[^\n]{0,40}\n.*\n[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)
# A line that is nothing but a quotation.
_QUOTED_LINE = LazyPattern(
    r"^[ \t]*(?:\"[^\"\n]{20,}\"|“[^“”\n]{20,}”|„[^„“”\n]{20,}[“”]|«[^«»\n]{20,}»|「[^「」\n]{10,}」)[ \t]*$",
    re.MULTILINE,
)


def match_delimited(text: str) -> Iterator[Part]:
    """Yield the delimited parts: fences, comments, elements, quotations and pastes of the client."""
    yield from _match_signs(text)
    text = text if text.isascii() else text.translate(_PLAIN)
    yield from _match_fences(text)
    yield from _match_blocks(text)
    if "<" in text or "&lt;" in text:
        yield from _match_elements(text)
    if not text.isascii() or any(mark in text for mark in _QUOTATION):
        yield from _match_quotations(text)
    if found := _LITERAL.search(text):
        yield Part(found.start(), found.end(), PartKind.QUOTED)
    yield from (Part(line.start(), line.end(), PartKind.QUOTED) for line in _QUOTED_LINE.finditer(text))
    quotes = _LONG_QUOTE.finditer(text)
    yield from (Part(quote.start(), quote.end(), PartKind.QUOTED) for quote in quotes if "\n" in quote[0])
    yield from (Part(0, mark.start(), PartKind.PASTED) for mark in _POINTS_UP.finditer(text))
    yield from (Part(mark.start(), mark.end(), PartKind.WRAPPED) for mark in _IMAGE_MARK.finditer(text))
    for mark in _PASTE_MARK.finditer(text) if "[Pasted " in text else ():
        yield Part(mark.start(), _paste_end(text, mark), PartKind.PASTED)
    if _CUT_MARK.search(text):
        yield Part(0, len(text), PartKind.PASTED)


# Marks in full width are the same marks.
_PLAIN = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F) if not chr(wide - 0xFEE0).isalnum()}


def _match_blocks(text: str) -> Iterator[Part]:
    """Yield what is between two lines that mark a block."""
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for line in _MARK_LINE.finditer(text):
        first.setdefault(line[1].lower(), line.start())
        last[line[1].lower()] = line.end()
    yield from (
        Part(first[mark], last[mark], PartKind.QUOTED) for mark in first if "\n" in text[first[mark] : last[mark]]
    )
    if opened := _OPENED.search(text):
        closes = [line.end() for line in _CLOSED.finditer(text, opened.end())]
        yield from [Part(opened.start(), closes[-1], PartKind.QUOTED)] if closes else []
    edges = list(_BEGIN.finditer(text))
    if edges and (edges[0][1].lower(), edges[-1][1].lower()) == ("begin", "end"):
        yield Part(edges[0].start(), edges[-1].end(), PartKind.QUOTED)


def _match_quotations(text: str) -> Iterator[Part]:
    """Yield the lines of quotations with their lazy continuation lines, as in Markdown."""
    position = 0
    above = ""
    for row in text.split("\n"):
        words = _skip_hidden(row).strip()
        marked = (words.startswith(_QUOTATION) and not words.startswith(">>>")) or _is_angle(words)
        # A reply right below starts like typed text, after a quotation that ends a sentence.
        if not marked and (not words or words.startswith(("```", "~~~", "<")) or _is_reply(above, words)):
            above = ""
        elif marked or above:
            yield Part(position, position + len(row), PartKind.QUOTED)
            above = words
        position += len(row) + 1


def _is_reply(above: str, words: str) -> bool:
    return above.endswith(_SENTENCE_MARKS) and words[0].islower()


def blank_delimited(text: str) -> str:
    """Return a text of the same length with blanks in place of fences, quotations, elements and comments."""
    return blank_out(text, merge_parts(match_delimited(text)))


def merge_parts(parts: Iterable[Part]) -> list[Part]:
    """Return parts in order without overlaps; the one that begins first keeps its kind."""
    merged: list[Part] = []
    for part in sorted(parts):
        if merged and part.start < merged[-1].end:
            merged[-1] = merged[-1]._replace(end=max(merged[-1].end, part.end))
        elif part.start < part.end:
            merged.append(part)
    return merged


def _paste_end(text: str, mark: re.Match[str]) -> int:
    """Return where the lines end that a paste mark of the client announces; unknown without their number."""
    if "\n" not in text[mark.end() :]:
        # The paste was never inserted: what follows on the line was typed.
        return mark.end()
    end = mark.end()
    # The client counts line breaks: a paste has one line more.
    for _ in range(int(mark[1]) + 2 if mark[1] else len(text)):
        following = text.find("\n", end)
        if following < 0:
            return len(text)
        end = following + 1
    return end


def _match_fences(text: str) -> Iterator[Part]:
    if not any(mark in text for mark in ("```", "~~~", "<!--")):
        return
    if late := _LATE_FENCE.search(text):
        yield Part(late.start(), max(text.rfind(late[1]) + len(late[1]), late.end()), PartKind.CODE)
    regions = [region for region in parse_regions(text) if region.kind in {RegionKind.FENCE, RegionKind.COMMENT}]
    fences = [region for region in regions if region.kind is RegionKind.FENCE]
    # A fence with a language inside another one: the outer one was closed from inside.
    if any(re.search(r"^[ \t]{0,3}(?:`{3,}|~{3,})\w", text[fence.start : fence.end], re.MULTILINE) for fence in fences):
        yield _with_marks(text, fences[0].start, fences[-1].end)
    for region in regions:
        yield _with_marks(text, region.start, region.end)


def _with_marks(text: str, start: int, end: int) -> Part:
    """Return the lines of a fence together with those that open and close it."""
    above = text.rfind("\n", 0, max(0, start - 1)) + 1
    below = text.find("\n", end)
    return Part(above, below if below >= 0 else len(text), PartKind.CODE)


def _match_elements(text: str) -> Iterator[Part]:
    """Yield elements, each from its first start tag to its last end tag: text inside cannot close it."""
    tags = [(lower_in_place(tag[2]), tag) for tag in _TAG.finditer(text)]
    ends = {name: tag.end() for name, tag in tags if tag[1]}
    done = 0
    seen: set[str] = set()
    for name, tag in tags:
        if tag[1] or tag.start() < done or name in seen:
            continue
        seen.add(name)
        alone = not text[text.rfind("\n", 0, tag.start()) + 1 : tag.start()].strip()
        # Nothing else on the line: what it opens is below.
        opens = text[tag.end() :].partition("\n")[0].strip() == ""
        if ends.get(name, 0) > tag.end():
            done = ends[name]
            yield Part(tag.start(), done, PartKind.WRAPPED)
        elif alone and (opens or "-" in name or "_" in name or tag[3]):
            yield Part(tag.start(), len(text), PartKind.WRAPPED)
            return


# The signs that keyboards and editors of the supported languages write; what they enclose may be the person's own.
_TYPED = frozenset("«»‹›‘’‚“”„「」『』《》")
_BRACKETS = frozenset("()[]{}")
# The other signs that quote: their names say so.
_NAMES = ("QUOTATION MARK", "PRIME", "ACUTE ACCENT")
# Signs of several plain characters, as in TeX.
_DOUBLED = LazyPattern(r"(?<![\w<`',])(?:<<|``|''|,,)(?=[^\W\d_])([^\n]{1,500}?)(?:>>|''|``)(?![\w>`'])")
# Code that is a sentence: so many words, and no sign of a command among them.
_CODE = LazyPattern(r"(?<!`)(`{1,2})(?!`)((?:[\w'-]*\w[,.;:!?]?[ \t]+){4,200}[\w'-]*\w[,.;:!?]?)\1(?!`)")
_COMMAND = LazyPattern(r"(?:^|\s)-|_|\d\.\d")
_WORDS = 4
_LETTERS = 8


def _match_signs(text: str) -> Iterator[Part]:
    """Yield quotations between signs that nobody has on a keyboard, between doubled ones, and sentences as code."""
    if "`" in text:
        for code in _CODE.finditer(text):
            if not _COMMAND.search(code[2]):
                yield Part(code.start(), code.end(), PartKind.CODE)
    for quote in _DOUBLED.finditer(text):
        yield from _grade(quote.start(), quote.end(), quote[1])
    if text.isascii():
        return
    signs = {sign: side for sign in set(text) if not sign.isascii() and (side := _find_side(sign))}
    if not signs.keys() <= _TYPED:
        begun = "".join(sorted(sign for sign, side in signs.items() if side != "close"))
        ended = "".join(sorted(sign for sign, side in signs.items() if side != "open"))
        for quote in _compile(begun, ended).finditer(text) if begun and ended else ():
            if not {quote[1], quote[3]} <= _TYPED:
                yield from _grade(quote.start(), quote.end(), quote[2])


def _grade(start: int, end: int, words: str) -> Iterator[Part]:
    """Yield a quotation that is longer than a name."""
    if len(words.split()) >= _WORDS or count_unspaced(words) >= _LETTERS:
        yield Part(start, end, PartKind.QUOTED)


@functools.lru_cache(maxsize=4096)
def _find_side(sign: str) -> str:
    """Return on which side of a quotation a sign stands: `open`, `close` or `both`; "" if it is no such sign."""
    category = unicodedata.category(sign)
    if category in {"Ps", "Pe"} and unicodedata.normalize("NFKC", sign) not in _BRACKETS:
        return "open" if category == "Ps" else "close"
    # Languages differ in which of these is first.
    return "both" if category in {"Pi", "Pf"} or any(each in unicodedata.name(sign, "") for each in _NAMES) else ""


@functools.lru_cache(maxsize=64)
def _compile(begun: str, ended: str) -> LazyPattern:
    return LazyPattern(rf"(?<![a-zA-Z\d])([{begun}])(?=\S)([^\n]{{1,500}}?)(?<=\S)([{ended}])")


def _is_angle(line: str) -> bool:
    """Tell whether a line begins with a sign of quotation that stands alone, as mail programs put it."""
    if line[:1].isascii() or line[1:2] != " " or unicodedata.category(line[0]) not in {"Pi", "Pf"}:
        return False
    return not any(_find_side(sign) for sign in line[1:] if not sign.isascii())


def _skip_hidden(line: str) -> str:
    """Return a line without the signs before its words that nobody sees."""
    if line[:1].isascii():
        return line
    start = next((at for at, sign in enumerate(line) if not _is_hidden(sign)), len(line))
    return line[start:]


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in {"Cf", "Mn", "Zs"} or "FILLER" in unicodedata.name(sign, "")
