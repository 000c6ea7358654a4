"""Finds quotations by what a sign is in Unicode: whoever types a rule has no such signs on the keyboard."""

import functools
import unicodedata
from collections.abc import Iterator

from memci.model.session import Part, PartKind
from memci.patterns import LazyPattern
from memci.prose.fold import count_unspaced

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


def match_signs(text: str) -> Iterator[Part]:
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


def is_angle(line: str) -> bool:
    """Tell whether a line begins with a sign of quotation that stands alone, as mail programs put it."""
    if line[:1].isascii() or line[1:2] != " " or unicodedata.category(line[0]) not in {"Pi", "Pf"}:
        return False
    return not any(_find_side(sign) for sign in line[1:] if not sign.isascii())


def skip_hidden(line: str) -> str:
    """Return a line without the signs before its words that nobody sees."""
    if line[:1].isascii():
        return line
    start = next((at for at, sign in enumerate(line) if not _is_hidden(sign)), len(line))
    return line[start:]


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in {"Cf", "Mn", "Zs"} or "FILLER" in unicodedata.name(sign, "")
