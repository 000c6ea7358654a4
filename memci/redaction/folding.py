"""Folds a text to what a model reads in it: one form of each letter, no markup, the same number of lines."""

import functools
import html
import re
import unicodedata
from urllib.parse import unquote

from memci.patterns import LazyPattern
from memci.redaction.hidden import strip_hidden

# Cyrillic, Greek, Armenian and phonetic letters that look like a Latin one.
_LOOKALIKES = "аеорсухіјѕԁһԛԝӏγαορνυικτεχηωօսոհցզյɡıɩʟɴʀʜᴀᴇᴏᴜꜱкмтвнгд"
_LATIN = str.maketrans(_LOOKALIKES, "aeopcyxijsdhqwlyaopvuiktexnwounhgqjgiilnrhaeouskmtbhrd")
# In words of one script only these are read as Latin: the others would change real Russian words.
_STRICT = frozenset("аеорсухіјѕԁһԛԝӏοօսո")
_APOSTROPHE = LazyPattern("[’‘ʼ´′]")


@functools.cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the replacements in order; none adds or removes a line break."""
    rules = (
        # A word hyphenated over two lines, completed on the first.
        (r"-\n(?<=[^\W\d_]-\n)[ >]{0,4}([^\W\d_]{1,30})", r"\1\n"),
        # The marks of quotations, list items and headings.
        (r"^[ \t>]*(?:(?:[-+*]|\d{1,3}[.)]|#{1,6})[ \t]+)?", ""),
        # Tags of formatting, and empty comments.
        (r"</?(?:b|i|u|s|em|strong|span|font|code|small|wbr|mark)>|<!-- {0,4}-->", ""),
        (r"<br {0,2}/?>", " "),
        # Emphasis, code marks, strikethrough, and a backslash before a character that it escapes.
        (r"[*`]|~~|\\(?=[\W_])", ""),
        # Names with underscores are words.
        ("_", " "),
    )
    return tuple((re.compile(pattern, re.MULTILINE), new) for pattern, new in rules)


_ENTITY = LazyPattern(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,10});", re.IGNORECASE)
_PERCENT = LazyPattern(r"(?:%[0-9a-f]{2})+", re.IGNORECASE)
_ROW = LazyPattern(r"^\|.*$", re.MULTILINE)
# Words written letter by letter, with wider gaps between words than between letters.
_SPACED = LazyPattern(r"(?<!\S)(?:[a-z] {1,3}){8,200}[a-z](?!\S)")
# All runs of blanks but those that are one space already.
_BLANKS = LazyPattern(r"[^\S\n](?:(?<! )|[^\S\n])[^\S\n]*+")
_LOOKALIKE = LazyPattern(f"[{_LOOKALIKES}]")
_WORD = LazyPattern(r"[^\W\d_]+")
_ACCENTS = LazyPattern("[\u0300-\u036f](?<=[A-Za-z].)[\u0300-\u036f]*")


def fold(text: str) -> str:
    """Return the text in lower case without disguise and markup; it has as many lines as before."""
    folded = _fold_letters(_decode(strip_hidden(text)))
    for pattern, new in _patterns():
        folded = pattern.sub(new, folded)
    if "|" in folded:
        folded = _ROW.sub(lambda row: row[0].replace("|", " "), folded)
    folded = _SPACED.sub(lambda run: re.sub(r"(?<=\S) (?=\S)", "", run[0]), folded)
    return _BLANKS.sub(" ", folded)


def strip_accents(text: str) -> str:
    """Return the text in compatibility form, without the accents of Latin letters."""
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))


def _fold_letters(text: str) -> str:
    """Return the text in lower case, with the plain form of each letter."""
    if text.isascii():
        return text.lower()
    text = strip_accents(_APOSTROPHE.sub("'", text)).lower()
    if not _LOOKALIKE.search(text):
        return text
    return _WORD.sub(lambda word: word[0] if word[0].isascii() else _fold_word(word[0]), text)


# Text in another script repeats its words.
@functools.lru_cache(maxsize=4096)
def _fold_word(word: str) -> str:
    latin = word.translate(_LATIN)
    mixed = any(letter.isascii() for letter in word)
    return latin if latin.isascii() and (mixed or _STRICT.issuperset(word)) else word


def _decode(text: str) -> str:
    """Resolve entities and the escapes of addresses."""
    if "&" in text:
        text = _ENTITY.sub(lambda entity: _one_line(html.unescape(entity[0])), text)
    if "%" in text:
        text = _PERCENT.sub(lambda escape: _one_line(unquote(escape[0], errors="ignore")), text)
    return text


def _one_line(text: str) -> str:
    return " ".join(text.split("\n"))
