"""Finds characters that a reader cannot see, or that change the order in which text is shown.

The decision is made by Unicode category, with allowances for scripts and emoji that need such characters; a list of bad
code points would be outdated by the next one somebody thinks of.
"""

import enum
import functools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from memci.patterns import LazyPattern

# Format, control, private use, unassigned, surrogate, line and paragraph separator.
_SUSPECT_CATEGORIES = frozenset(("Cf", "Cc", "Co", "Cn", "Cs", "Zl", "Zp"))
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_MARKS = frozenset(("Mn", "Me"))
# Pointed and accented Hebrew stacks four marks on a letter; "zalgo" text needs more.
_MAX_MARKS = 4
_ZERO_WIDTH = frozenset("\u180e\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff")
_BIDI_MARKS = frozenset("\u061c\u200e\u200f")
_BIDI = _BIDI_MARKS | frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Signs that are visible although their category is Cf: Arabic, Syriac and Kaithi number signs, hieroglyph joiners.
_DRAWN = LazyPattern("[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd\U00013430-\U00013455]")
# Scripts whose spelling uses ZWJ and ZWNJ: Arabic, Syriac, N'Ko, Indic, Khmer, Mongolian and their extensions.
_JOINING = LazyPattern(
    "[\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\u1a20-\u1aaf\u1b00-\u1bff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00010eff\U00011000-\U00011fff\U0001e900-\U0001e95f]"
)
# Scripts written without blanks, where U+200B marks the word boundary: Thai, Lao, Myanmar, Khmer.
_UNSPACED = LazyPattern("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_HAN = LazyPattern("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
_MONGOLIAN = LazyPattern("[\u1820-\u18aa]")
# Blocks in which every Unicode version adds characters: this Python may not know them yet, fonts do.
_GROWING = LazyPattern("[\U0001f000-\U0001fbff\U00020000-\U0002fffd\U00030000-\U0003fffd]")
_EMOJI = LazyPattern("[\u2190-\u2bff\u3030\u303d\u3297\u3299\u203c\u2049\u2122\u2139\u00a9\u00ae\U0001f000-\U0001faff]")
_TEXT_STYLE, _EMOJI_STYLE, _ZWJ, _ZWNJ = "\ufe0e", "\ufe0f", "\u200d", "\u200c"
# Registered ideographic variants need few of the 240 selectors; the rest can only smuggle bytes.
_HAN_STYLES = frozenset(chr(code) for code in range(0xE0100, 0xE0120))
_AFTER = (
    dict.fromkeys((_ZWJ, _ZWNJ), _JOINING)
    | dict.fromkeys("\u180b\u180c\u180d\u180e\u180f", _MONGOLIAN)
    | dict.fromkeys(_HAN_STYLES, _HAN)
    | {"\u200b": _UNSPACED}
)
_BLACK_FLAG = "\U0001f3f4"
# The three flags that Unicode recommends for interchange: England, Scotland, Wales.
_FLAGS = tuple(
    "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f" for region in ("gbeng", "gbsct", "gbwls")
)
# Letters of Hebrew, Arabic, Syriac, Thaana and N'Ko.
_RIGHT_TO_LEFT = LazyPattern("[\u05d0-\u05ea\u0620-\u064a\u066e-\u06d3\u0710-\u072f\u0780-\u07a5\u07ca-\u07ea]")
# The largest distance of a direction mark from a letter of a right-to-left script.
_NEAR = 24


@dataclass(frozen=True, slots=True)
class Hidden:
    """Neighbouring hidden characters of one kind; `code_points` names each once, as "U+200B"."""

    start: int
    end: int
    kind: str
    code_points: tuple[str, ...]


def find_hidden(text: str) -> list[Hidden]:
    """Find all invisible or reordering characters that their surroundings do not justify."""
    kinds: dict[str, str] = {}
    found: list[Hidden] = []
    start = end = 0
    kind = ""
    for at in _hidden_positions(text):
        character = text[at]
        this = kinds.get(character) or kinds.setdefault(character, _kind(character))
        if at != end or this != kind:
            if end > start:
                found.append(_run(text, start, end, kind))
            start, kind = at, this
        end = at + 1
    if end > start:
        found.append(_run(text, start, end, kind))
    return found


def strip_hidden(text: str) -> str:
    """Return `text` without its hidden characters."""
    pieces = []
    done = 0
    for at in _hidden_positions(text):
        pieces.append(text[done:at])
        done = at + 1
    return "".join([*pieces, text[done:]]) if done else text


def _run(text: str, start: int, end: int, kind: str) -> Hidden:
    names = dict.fromkeys(text[start:end])
    return Hidden(start, end, kind, tuple(f"U+{ord(character):04X}" for character in names))


def _hidden_positions(text: str) -> Iterator[int]:
    """Yield positions to remove. Each is judged by the kept text before it, so that a second pass finds nothing."""
    if _is_plain(text):
        return
    watched = {character: watch for character in set(text) if (watch := _watch(character))}
    if not watched:
        return
    kept = ""
    expected = marks = skip_to = 0
    for match in re.finditer("[" + re.escape("".join(sorted(watched))) + "]", text):
        at = match.start()
        if at > expected:
            kept, marks = text[at - 1], 0
        expected = at + 1
        character = text[at]
        watch = watched[character]
        hidden = at >= skip_to
        if watch is _Watch.MARK:
            marks += 1
            hidden = marks > _MAX_MARKS
        elif watch is _Watch.CONTEXT and hidden:
            flag = _flag_length(text, at) if kept == _BLACK_FLAG else 0
            skip_to = at + flag
            hidden = not flag and not _is_allowed(text, at, kept)
        if hidden:
            yield at
        else:
            kept = _emoji_or(kept, character)


# The only hidden characters in ASCII; one pattern is far faster than classifying each character.
_CONTROL = LazyPattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def _is_plain(text: str) -> bool:
    return text.isascii() and not _CONTROL.search(text)


class _Watch(enum.Enum):
    """How to treat a character: never allowed, allowed in some places, or allowed in small numbers."""

    NEVER = 1
    CONTEXT = 2
    MARK = 3


@functools.lru_cache(maxsize=4096)
def _watch(character: str) -> _Watch | None:
    if not _is_suspect(character):
        return _Watch.MARK if unicodedata.category(character) in _MARKS else None
    context = character in _ZERO_WIDTH or character in _BIDI_MARKS or _is_selector(character) or _is_tag(character)
    return _Watch.CONTEXT if context else _Watch.NEVER


def _is_suspect(character: str) -> bool:
    if character in "\t\n\r":
        return False
    if character in _FILLERS or _is_selector(character):
        return True
    if unicodedata.category(character) not in _SUSPECT_CATEGORIES or _DRAWN.match(character):
        return False
    return not (_GROWING.match(character) and unicodedata.category(character) == "Cn")


def _is_tag(character: str) -> bool:
    return "\U000e0000" <= character <= "\U000e007f"


def _is_selector(character: str) -> bool:
    return (
        "\ufe00" <= character <= "\ufe0f"
        or "\U000e0100" <= character <= "\U000e01ef"
        or "\u180b" <= character <= "\u180d"
        or character == "\u180f"
    )


def _emoji_or(kept: str, character: str) -> str:
    """Return what precedes the next character: after a style selector the emoji together with its style."""
    return kept[:1] + character if character in (_TEXT_STYLE, _EMOJI_STYLE) else character


def _is_allowed(text: str, at: int, kept: str) -> bool:
    if text[at] in _BIDI_MARKS:
        return kept not in _BIDI_MARKS and bool(_RIGHT_TO_LEFT.search(text, max(0, at - _NEAR), at + _NEAR))
    return _is_allowed_between(kept, text[at], text[at + 1 : at + 2])


# Hostile text may repeat a few combinations a million times.
@functools.lru_cache(maxsize=1024)
def _is_allowed_between(kept: str, character: str, following: str) -> bool:
    # After a style selector only a joiner may modify the same base.
    base = kept if len(kept) == 1 else ""
    if character == _ZWJ and _EMOJI.match(kept):
        return bool(_EMOJI.match(following))
    if character in (_TEXT_STYLE, _EMOJI_STYLE):
        return _takes_style(base, following)
    if character in _AFTER:
        return bool(_AFTER[character].match(base)) and unicodedata.category(base) != "Cf"
    return character == "\ufeff" and not kept


def _takes_style(base: str, following: str) -> bool:
    if base and base in "0123456789#*":
        return following == "\u20e3"
    return bool(base) and (bool(_EMOJI.match(base)) or unicodedata.category(base) in ("So", "Sm"))


def _flag_length(text: str, at: int) -> int:
    return next((len(flag) for flag in _FLAGS if text.startswith(flag, at)), 0)


def _kind(character: str) -> str:
    if character in _FILLERS:
        return "filler"
    if _is_selector(character):
        return "variation-selector"
    if _is_tag(character):
        return "tag"
    if character in _ZERO_WIDTH:
        return "zero-width"
    if character in _BIDI:
        return "bidi"
    return {
        "Cc": "control",
        "Co": "private-use",
        "Cn": "unassigned",
        "Cs": "surrogate",
        "Zl": "line-separator",
        "Zp": "line-separator",
        "Mn": "stacked-mark",
        "Me": "stacked-mark",
    }.get(unicodedata.category(character), "format")
