"""What a fact says as a row of tokens: without its form, but with every name, number, sign and "not" of it."""

import functools
import re
import unicodedata
from collections.abc import Iterator

from memci.prose.dates.words import MONTHS, VERBS_TOO, WEEKDAYS
from memci.prose.similar import NEGATIONS, STOP_WORDS

# Scripts without blanks between words: every character is a token.
_UNSPACED = "\u0e00-\u0eff\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_PLAIN = str.maketrans("‘’‚‛´“”„‟«»‐‑‒–—―−", "'''''\"\"\"\"\"\"-------")  # fmt: skip
# Marks that only furnish a sentence stand at the edge of a word; inside of one they belong to a name or a number.
_BEFORE = "\"'([{|:;,!…、。，；：！「『（《【"
_BEHIND = "\"')]}|:;,.!…、。，；：！」』）》】"
# "may" and "march" are verbs as well.
_DAYS = frozenset((*WEEKDAYS, *MONTHS)) - VERBS_TOO
_DENIALS_CJK = frozenset("不没沒未无無勿禁")


@functools.cache
def _piece() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")


@functools.cache
def _code_span() -> re.Pattern[str]:
    return re.compile(r"(`+)([^`\n]+)\1")


@functools.cache
def _escaped() -> re.Pattern[str]:
    return re.compile(r"\\(?=[!-/:-@\[-`{-~])")


@functools.cache
def _sign() -> re.Pattern[str]:
    # "< 3 s" and "<3 s" are one limit.
    return re.compile(r"([<>≤≥≈~±]=?)[ \t](?=\d)")


@functools.cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


def find_tokens(text: str) -> tuple[str, ...]:
    """Return what a text says, in order; equal tokens mean equal but for the form."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_PLAIN)
    return tuple(_read(text))


def _read(text: str) -> Iterator[str]:
    position = 0
    for span in _code_span().finditer(text):
        yield from _read_prose(text[position : span.start()])
        yield from (_fold(piece) for found in _piece().findall(span[2]) if (piece := _strip(found)))
        position = span.end()
    yield from _read_prose(text[position:])


def _read_prose(text: str) -> Iterator[str]:
    # A link says its words and where it leads.
    plain = _sign().sub(r"\1", _escaped().sub("", text)).replace("](", " ").replace("`", "")
    for found in _piece().findall(plain):
        piece = _strip_emphasis(found)
        if piece:
            yield _fold(piece)


def _strip(piece: str) -> str:
    bare = piece.lstrip(_BEFORE).rstrip(_BEHIND)
    # Dashes between words furnish, those before a word (`--flag`, `-5`) do not.
    return bare if bare.strip("-|") else ""


def _strip_emphasis(piece: str) -> str:
    """Take off emphasis, too; a glob keeps its stars, and a name its underscores."""
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
    """Ignore the case of plain words; of names it is a part."""
    plain = _word().fullmatch(piece) and (piece.isupper() or piece[1:] == piece[1:].lower())
    return piece.lower() if plain else piece


def find_code(text: str) -> dict[str, str]:
    """Return the code of a text by its folded form."""
    return {span[2].strip().lower(): span[2].strip() for span in _code_span().finditer(text)}


def is_content(token: str) -> bool:
    """Tell whether a token carries more than grammar."""
    return token not in STOP_WORDS and any(map(str.isalnum, token))


def is_number(token: str) -> bool:
    """Tell whether a token holds a digit."""
    return any(map(str.isdigit, token))


def is_figure(token: str) -> bool:
    """Tell whether a token says how much or when: a number, a day of the week or a month."""
    return is_number(token) or token in _DAYS or token.removesuffix("s") in _DAYS


def is_denial(token: str) -> bool:
    """Tell whether a token turns a statement around."""
    return token.replace("'", "") in NEGATIONS or token in _DENIALS_CJK


def is_marker(token: str) -> bool:
    """Tell whether a token is a name or a number, which nobody exchanges for another word."""
    return is_number(token) or (is_content(token) and not _word().fullmatch(token) and token.isascii())
