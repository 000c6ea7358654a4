"""Splits facts into tokens: without markup, but with every name, number, sign and negation."""

import unicodedata
from collections.abc import Iterator

from memci.patterns import LazyPattern
from memci.prose.dates.words import MONTHS, VERBS_TOO, WEEKDAYS
from memci.prose.similar import NEGATIONS, STOP_WORDS

# Scripts without spaces between words: every character is a token.
_UNSPACED = "\u0e00-\u0eff\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_PLAIN = str.maketrans("‘’‚‛´“”„‟«»‐‑‒–—―−", "'''''\"\"\"\"\"\"-------")  # fmt: skip
# Punctuation is stripped from the edges of words; inside a word it belongs to a name or a number.
_BEFORE = "\"'([{|:;,!…、。，；：！「『（《【"
_BEHIND = "\"')]}|:;,.!…、。，；：！」』）》】"
# "may" and "march" are verbs as well.
_DAYS = frozenset((*WEEKDAYS, *MONTHS)) - VERBS_TOO
_DENIALS_CJK = frozenset("不没沒未无無勿禁")

_PIECE = LazyPattern(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_CODE_SPAN = LazyPattern(r"(`+)([^`\n]+)\1")
_ESCAPED = LazyPattern(r"\\(?=[!-/:-@\[-`{-~])")
# "< 3 s" and "<3 s" are the same limit.
_SIGN = LazyPattern(r"([<>≤≥≈~±]=?)[ \t](?=\d)")
_WORD = LazyPattern(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


def split_tokens(text: str) -> tuple[str, ...]:
    """Split a text into tokens; texts that differ only in markup have equal tokens."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_PLAIN)
    return tuple(_split(text))


def _split(text: str) -> Iterator[str]:
    position = 0
    for span in _CODE_SPAN.finditer(text):
        yield from _split_prose(text[position : span.start()])
        yield from (_fold(piece) for found in _PIECE.findall(span[2]) if (piece := _strip(found)))
        position = span.end()
    yield from _split_prose(text[position:])


def _split_prose(text: str) -> Iterator[str]:
    # A link becomes its text and its target.
    plain = _SIGN.sub(r"\1", _ESCAPED.sub("", text)).replace("](", " ").replace("`", "")
    for found in _PIECE.findall(plain):
        piece = _strip_emphasis(found)
        if piece:
            yield _fold(piece)


def _strip(piece: str) -> str:
    bare = piece.lstrip(_BEFORE).rstrip(_BEHIND)
    # Dashes between words are punctuation, those before a word (`--flag`, `-5`) are not.
    return bare if bare.strip("-|") else ""


def _strip_emphasis(piece: str) -> str:
    """Also strip emphasis; a glob keeps its asterisks, and a name its underscores."""
    bare = _strip(piece)
    if "*" in bare and not _is_glob(bare):
        bare = _strip(bare.strip("*"))
    if len(bare) > 2 and bare[0] == bare[-1] == "_" and not bare.startswith("__"):
        bare = _strip(bare.strip("_"))
    if len(bare) > 2 and bare[0] == "<" and bare[-1] == ">":
        bare = bare[1:-1]
    return bare


def _is_glob(piece: str) -> bool:
    return "/*" in piece or "*/" in piece or piece.lstrip("*").startswith(".") or not piece.strip("*")


def _fold(piece: str) -> str:
    """Lower the case of plain words; in names it is significant."""
    plain = _WORD.fullmatch(piece) and (piece.isupper() or piece[1:] == piece[1:].lower())
    return piece.lower() if plain else piece


def code_spans(text: str) -> dict[str, str]:
    """Return the code spans of a text by their lower-case form."""
    return {span[2].strip().lower(): span[2].strip() for span in _CODE_SPAN.finditer(text)}


def is_content(token: str) -> bool:
    """Tell whether a token is not a stop word or punctuation."""
    return token not in STOP_WORDS and any(map(str.isalnum, token))


def is_number(token: str) -> bool:
    """Tell whether a token contains a digit."""
    return any(map(str.isdigit, token))


def is_figure(token: str) -> bool:
    """Tell whether a token is an amount or a date: a number, a day of the week or a month."""
    return is_number(token) or token in _DAYS or token.removesuffix("s") in _DAYS


def is_denial(token: str) -> bool:
    """Tell whether a token negates a statement."""
    return token.replace("'", "") in NEGATIONS or token in _DENIALS_CJK


def is_marker(token: str) -> bool:
    """Tell whether a token is a name or a number, which has no synonym."""
    return is_number(token) or (is_content(token) and not _WORD.fullmatch(token) and token.isascii())
