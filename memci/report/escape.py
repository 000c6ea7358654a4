"""Make untrusted text harmless for the place where it is shown; nothing is ever deleted, only made visible."""

import dataclasses
import datetime as dt
import functools
import itertools
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import PurePath

from memci.patterns import LazyPattern

# The other signs that are emoji with a selector behind them; most are symbols by category.
_STYLED = frozenset("‼⁉〰〽↔⤴⤵◻◼◽◾")
# Printable by category, yet drawn as nothing: joiners, fillers, vowel carriers, the braille blank, variation selectors.
_BLANK = LazyPattern(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
_COMMAND = LazyPattern(r"(?m)^([^\S\n]*)::")
_TOKEN = LazyPattern("(?s:.)[\ufe0e\ufe0f]?")
# Words that no forge takes for markup, a mention, a reference, a commit, an emoji or an address, wherever they are.
# Letters of other scripts are safe; a digit behind a letter or a hyphen may be part of a reference to a ticket.
_LETTER = r"[\u0080-\U0010ffff]|[A-Za-z](?!\d)"
_PLAIN_WORD = LazyPattern(
    rf"""(?!.*(?<![A-Za-z0-9])[0-9a-fA-F]{{7,}}(?![A-Za-z0-9]))["'(]?
    (?:(?:{_LETTER}|\d)+(?:['-](?:{_LETTER})+)*%?|\d{{1,3}}[.,:]\d{{1,3}}|\d{{4}}-\d\d-\d\d|[-/]|)
    [)"']?[.,;:!?]{{0,3}}[)"'”’“»]?""",
    re.VERBOSE,
)
# Code with the punctuation of the sentence around it.
_CODE_WORD = LazyPattern(r"(\(?)([^()]*[^().,;:!?])(\)?[.,;:!?]?)|(.+?)([.,;:!?]?)")
_BOLD = LazyPattern(r"\*\*([^\W\d_][\w ]{0,30}:?)\*\*")
_CODE_SPAN = LazyPattern(r"`([^`]+)`|(\[[^\]]{1,200}\]\([^)\s]{1,200}\))")
# Punctuation that stays readable in the source; links also need a bracket or a colon, which are escaped.
_READABLE = frozenset("-.,;?!'\"/%()+=")
# Between letters it emphasises nothing, and names of files stay readable in a mail.
_INSIDE = LazyPattern(r"(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])")
# Forges make a link of a host that begins like this.
_HOST = LazyPattern(r"(www)\.", re.IGNORECASE)
_HALF_PAIR = LazyPattern("[\ud800-\udfff]")
_NON_ASCII = LazyPattern(r"[^\x00-\x7e]+")
_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def visible(text: str, *, keep: str = "") -> str:
    """Replace control, bidirectional and invisible characters with escapes such as `\\x1b`; spare those in `keep`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_show(token, keep) for token in _TOKEN.findall(text))


def shorten(text: str, limit: int) -> str:
    """Return about `limit` characters of `text`, and how many were left out."""
    rest = len(text) - limit
    note = f" [... {rest:,} more characters]"
    # A rest no longer than the note is shown instead of it.
    return text if rest <= len(note) else text[:limit] + note


def markdown(text: str) -> str:
    """Return HTML that shows `text` literally in GitHub's and GitLab's Markdown, inline or inside of an HTML block.

    Entities alone do not stop `@name` and `#1`: forges look for those after decoding (github/cmark-gfm#181), but not
    inside of `<code>`. The empty comment keeps the parser from making a mail link of `a@b.c`, for which it does not
    look at tags.
    """
    return f"<code>{entities(visible(text))}</code>"


def markdown_words(text: str) -> str:
    """Return HTML that shows `text` like `markdown`, but with plain words in the normal font.

    Only words of a closed list of forms are outside of `<code>`. Code spans and bold labels lose their marks.
    """
    pieces = _CODE_SPAN.split(_BOLD.sub(r"\1", visible(text)))
    # Words, then the inside of a code span or a whole link, and so on.
    return "".join(_show_code(piece or "") if number % 3 else _show_words(piece) for number, piece in enumerate(pieces))


def _show_words(text: str) -> str:
    runs = itertools.groupby(text.split(" "), lambda word: bool(_PLAIN_WORD.fullmatch(word)))
    shown = ((plain, " ".join(words)) for plain, words in runs)
    return " ".join(words if plain else _show_code_words(words) for plain, words in shown)


def _show_code_words(words: str) -> str:
    found = _CODE_WORD.fullmatch(words)
    before, code, behind = (
        (found[1] or "", found[2] or found[4], found[3] or found[5] or "") if found else ("", words, "")
    )
    return f"{before}{_show_code(code)}{behind}"


def _show_code(text: str) -> str:
    return f"<code>{entities(text)}</code>" if text else ""


def entities(text: str) -> str:
    """Replace the signs of ASCII that may begin markup, a reference or an address with HTML entities."""
    # Hexadecimal, because `&#35;` itself looks like a reference to issue 35.
    pieces = (piece.translate(_entity_table()) for piece in _INSIDE.split(text))
    return _HOST.sub(r"\1&#x2e;", "_".join(pieces))


def workflow_data(text: str) -> str:
    """Escape the message of a GitHub workflow command."""
    return workflow_line(text.replace("%", "%25"), keep="\r\n").translate({0x0D: "%0D", 0x0A: "%0A"})


def workflow_property(text: str) -> str:
    """Escape a property of a GitHub workflow command."""
    return workflow_data(text).replace(":", "%3A").replace(",", "%2C")


def workflow_line(text: str, *, keep: str = "") -> str:
    """Escape text for the middle of a log line; the caller puts a word of its own in front."""
    # The runner takes `::` for a command only at the start of a line, but `##[` anywhere in it (ActionCommand.cs).
    return visible(text, keep=keep).replace("##[", "##\\[")


def quiet_lines(text: str) -> str:
    """Return lines of which a GitHub runner obeys none; it takes the blanks in front of a command away."""
    return _COMMAND.sub(r"\1\\::", text).replace("##[", "##\\[")


def json_text(value: object) -> str:
    """Return JSON in ASCII with a newline at the end; half a surrogate pair, which is not Unicode, becomes text.

    A value of ours becomes an object of its fields, or what its method `as_json` returns.
    """
    raw = json.dumps(value, indent=2, ensure_ascii=False, default=_encode)
    whole = _HALF_PAIR.sub(lambda match: f"\\\\u{ord(match[0]):04x}", raw)
    ascii_only = _NON_ASCII.sub(lambda match: json.dumps(match[0])[1:-1], whole) + "\n"
    # Only possible inside a string, where the escape means the same and is not a command to a runner.
    return ascii_only.replace("##[", "##\\u005b")


def _encode(value: object) -> object:
    if callable(as_json := getattr(value, "as_json", None)):
        return as_json()
    match value:
        case dt.date():
            return value.isoformat()
        case PurePath():
            return str(value)
        case Decimal():
            return float(value)
        case Mapping():
            return {str(key): item for key, item in value.items()}
    return fields_of(value)


def fields_of(value: object) -> dict[str, object]:
    """Return the fields of a dataclass by name."""
    return {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}  # type: ignore[arg-type]  # refuses others


def name_reasons(pairs: Iterable[tuple[str, str]], what: str = "what", why: str = "why") -> list[dict[str, str]]:
    """Return pairs of a name and a reason as objects with these keys."""
    return [{what: name, why: reason} for name, reason in pairs]


# Texts repeat their characters; the size bounds memory use for hostile ones.
@functools.lru_cache(maxsize=4096)
def _show(token: str, keep: str) -> str:
    """Show one character, or one with the variation selector behind it."""
    character, style = token[0], token[1:]
    # A selector behind a symbol is how keyboards write emoji such as U+26A0 U+FE0F; anywhere else it hides something.
    plain = character in keep or (character.isprintable() and not _BLANK.match(character))
    if style and not (plain and (unicodedata.category(character) == "So" or character in _STYLED)):
        style = _escape(style)
    return (character if plain else _escape(character)) + style


def _escape(character: str) -> str:
    code = ord(character)
    if character in _NAMED:
        return _NAMED[character]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


@functools.cache
def _entity_table() -> dict[int, str]:
    table = {
        code: f"&#x{code:x};" for code in range(0x21, 0x7F) if not chr(code).isalnum() and chr(code) not in _READABLE
    }
    table[ord("@")] += "<!-- -->"
    return table
