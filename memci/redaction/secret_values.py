"""Classifies values by their look: generated, chosen by a person, or a placeholder, a name, code or a digest."""

import base64
import binascii
import enum
import functools
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from memci.patterns import LazyPattern
from memci.redaction.secret_data import alternatives


class Look(enum.Flag):
    """What a value may be, judged by its characters alone. Each place of a secret accepts some of these."""

    NOTHING = 0
    # Words and numbers, as people choose passwords; may also be a name: `Summer-Harbour58`.
    CHOSEN = enum.auto()
    # Letters with digits or signs that no name has: `k9&Tz3vQ`.
    MIXED = enum.auto()
    # The same, and nothing that sentences usually contain: no version, address, keyboard shortcut.
    STRICT = enum.auto()
    # Long and irregular: a generated key, maybe in hexadecimal.
    RANDOM = enum.auto()
    # Certainly generated: no digest, no id, no words around a digest.
    GENERATED = enum.auto()
    HEX = enum.auto()
    UUID = enum.auto()
    # Letters with a digit or a sign: a password where nothing else can be, as in `--password VALUE`.
    PLAIN = enum.auto()


# What is accepted as a password, and as the value of a key or token.
PASSWORD = Look.CHOSEN | Look.MIXED | Look.RANDOM | Look.HEX | Look.UUID
TOKEN = Look.RANDOM | Look.STRICT

# English text has about 4 bits a character, random tokens of 30 characters 4.5, `xxxx-xxxx` and `abababab` below 2.
_MIN_ENTROPY = 3.0
# A longer value is judged by its head: text without a boundary may follow, and the work stays bounded.
_JUDGED = 40
_PLACEHOLDER = LazyPattern(lambda: alternatives("placeholders"), re.IGNORECASE)
_WEAK = LazyPattern(lambda: alternatives("weak"))
_LEET = str.maketrans("013457@$!", "oleastasi")
_UUID = LazyPattern(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_HEX = LazyPattern(r"(?:0x)?[0-9a-f]+", re.IGNORECASE)
# Some services prefix a hexadecimal key with their name.
_HEX_PREFIX = LazyPattern(r"^(?:0x|[A-Za-z][A-Za-z0-9]{1,9}_)")
_DIGEST = LazyPattern(
    r"sha\d{1,3}[:-]|md5[:-]|arn:|\d{4}-\d\d-\d\d|v?\d+\.\d+|toolu_|msg_|req_|pk[_.]|phc_|sb_publishable|p=M|[\w-]+@[\d^~]"
    r"|data:|[a-z][a-z0-9+.-]{1,20}://|\$\w{1,12}\$|[\w*-]{0,4}#\d+\W{0,3}$|#[0-9a-f]{3,8}$|\{\w{2,8}\}",
    re.IGNORECASE,
)
# A call, an index, a template, a path, a variable or the hash of a password.
_CODE = LazyPattern(
    r"[A-Za-z_][\w.:>?-]*!?[\[({]|[({\[/.<]|\$[\w-]{0,12}[${(]|\$(?:[A-Z][A-Z0-9_]*|[a-z_]+\d?)$|%\w+%$|~/|\\"
)
_ATTRIBUTE = LazyPattern(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
_ASSIGNMENT = LazyPattern(r"(?:[a-z_]{2,}|[A-Z_]{2,}|[A-Z][a-z]+)\d{0,2}=[^=]")
# Before a name these mark a variable, a tag, an option or an anchor.
_LEADING = "$%&*!@#+-~?^="
_INSIDE_CODE = LazyPattern(r"\$\{|\$\(|\{\{|\}\}|\)$|\(\)|\$(?:[A-Z_]{4}|PWD|KEY)|=>|::|://|->|&&")
_ID = LazyPattern(lambda: rf"(?:{alternatives('ids')})[_-]", re.IGNORECASE)
# The names of a service and of a kind of key before a generated key.
_PREFIX = LazyPattern(r"[A-Za-z]{2,10}\d?[_-](?:[A-Za-z]{2,8}[_-])?")
_PUBLISHED = LazyPattern(r"(?:^|[_-])(?:pk|pub\w*|id)[_-]")
_TECHNICAL = LazyPattern(lambda: rf"(?:^|[._-])(?:{alternatives('technical')})(?=[._\d-]|$)", re.IGNORECASE)
# `Login2`, `HTTP`, `oauth2proxy`, `us`, `2026`: a part of a name.
_NAME_PART = LazyPattern(
    r"[A-Za-z]*\d{0,4}|\d+[a-z]{0,3}|[A-Za-z][a-z]{1,9}\d{1,4}[a-z]{2,10}\d{0,2}|[A-Z]{2,6}\d{2,4}[A-Z]\d"
)
# Words and numbers in any order, with the separators that people put between them.
_CHOSEN = LazyPattern(
    r"(?=\D*\d)(?=.*[A-Za-z][a-z]{2})(?!.*[A-Z]{2})(?!.*\d{7})[A-Za-z0-9]+(?:[._+-]{1,2}[A-Za-z0-9]+)*[!?#*$.]{0,2}"
)
_SYMBOLS = frozenset("!@#$%^&*+~?=")
# Those that no version, address or keyboard shortcut contains.
_SPOKEN = _SYMBOLS - frozenset("+@=~")
# The shortest Base64 run that can contain a secret with its context.
_MIN_BASE64 = 24
# The shortest token of a known vendor is an AWS access key.
_MIN_DENSE = 20


def _table(signs: str) -> bytes:
    return bytes(ord("b" if code < 128 and (chr(code).isalnum() or chr(code) in signs) else " ") for code in range(256))


_BASE64 = _table("+/_-")
_DENSE = _table("+/_-.=~:%@")


def is_varied(value: str) -> bool:
    """Tell whether a value of a known format is not a placeholder."""
    head = value[:_JUDGED]
    # Fewer than eight different characters cannot have three bits.
    return len(set(head)) >= 8 and _entropy(head) >= _MIN_ENTROPY and not _PLACEHOLDER.search(value[:100])


@functools.lru_cache(maxsize=2048)
def judge(value: str, *, quoted: bool = False) -> Look:
    """Return what a value looks like; quotes around it exclude most code."""
    if _UUID.fullmatch(value):
        return Look.UUID if is_varied(value) else Look.NOTHING
    if len(value) < 6 or _PLACEHOLDER.search(value[:100]) or _DIGEST.match(value):
        return Look.NOTHING
    if _CODE.match(value) or _INSIDE_CODE.search(value) or (not quoted and _ASSIGNMENT.match(value)):
        return Look.RANDOM if quoted and _is_scrambled(value) else Look.NOTHING
    if _ATTRIBUTE.fullmatch(value) and not any(map(_is_jumble, value.split("."))) and not re.search(r"\d\d$", value):
        return Look.NOTHING
    # In a long value such a word is a coincidence.
    if len(value) < 64 and _WEAK.search(value.lower().translate(_LEET)):
        return Look.NOTHING
    groups = _is_scrambled_groups(value.lstrip(_LEADING))
    found = _judge_hex(value) | _judge_random(value, quoted=quoted, groups=groups)
    if len(value) <= 64 and re.search(r"[a-z]", value) and re.search(r"[\d!#$%^&*?]", value):
        found |= Look.PLAIN
    return found | _judge_password(value, groups=groups)


def _judge_hex(value: str) -> Look:
    digits = _HEX_PREFIX.sub("", value)
    is_key = len(digits) >= 32 and bool(_HEX.fullmatch(digits)) and is_varied(digits)
    # Fingerprints are in capitals.
    return Look.HEX if is_key and digits.upper() != digits else Look.NOTHING


def _judge_random(value: str, *, quoted: bool, groups: bool) -> Look:
    if quoted and _is_scrambled(value):
        return Look.RANDOM
    if len(value) < 16 or not re.fullmatch(r"[A-Za-z0-9_.~+/=%:-]+", value) or _is_named(value, groups=groups):
        return Look.NOTHING
    if _is_identifier(value) or _UUID.search(value):
        return Look.NOTHING
    is_mixed = bool(re.search(r"\d", value) or _is_jumble(value)) and _changes(value) >= max(3, len(value) // 8)
    # Lower case and digits alone change rarely; without vowels they are no words.
    is_mixed = is_mixed or (bool(re.search(r"\d\d", value)) and is_gibberish(value))
    if not is_mixed or not is_varied(value) or re.fullmatch(r"[A-Za-z ,.-]+", decode_base64(value)):
        return Look.NOTHING
    parts = [part for part in re.split(r"[^A-Za-z0-9]+", value) if part]
    is_id = "@" in value or ":" in value or bool(_ID.match(value))
    is_id = is_id or all(_HEX.fullmatch(part) or _NAME_PART.fullmatch(part) for part in parts)
    return Look.RANDOM if is_id else Look.RANDOM | Look.GENERATED


def _judge_password(value: str, *, groups: bool) -> Look:
    """Return how much a value looks like a password that somebody uses."""
    symbols = sum(character in _SYMBOLS for character in value)
    has_digit = bool(re.search(r"\d", value))
    found = Look.NOTHING
    if 7 < len(value) < 64 and _CHOSEN.fullmatch(value) and not _TECHNICAL.search(value):
        # `Orchid_Violin109` is a password, `refreshTokens3` a name.
        is_name = value.isidentifier() and not re.search(r"\d\d$|\d[a-z]|_\d+[A-Z]|[A-Z].*_[A-Z]", value)
        found |= Look.NOTHING if is_name or value.upper() == value else Look.CHOSEN
    if is_gibberish(value) and not _TECHNICAL.search(value) and has_digit:
        found |= Look.CHOSEN
    if _is_named(value, groups=groups) or not re.search(r"[A-Za-z]", value) or len(value) > 128:
        return found
    if not has_digit:
        is_mixed = symbols >= 2 or (symbols and _word_share(value) < 0.5) or (_is_jumble(value) and _changes(value) > 1)
        is_mixed = (groups or is_mixed) and value.lower() != value != value.upper()
    else:
        is_mixed = groups or symbols > 0 or _changes(value) >= (2 if len(value) > 11 or _is_jumble(value) else 3)
    if is_mixed:
        found |= Look.MIXED | (Look.STRICT if _is_strict(value, groups=groups) else Look.NOTHING)
    return found


def _is_strict(value: str, *, groups: bool) -> bool:
    """Tell whether a value is a password even with only a label nearby."""
    if len(value) > 64 or _is_identifier(value) or _ID.match(value) or re.search(r"[/:]|\d\.\d", value):
        return False
    if "@" in value and not _is_jumble(value):
        return False
    if groups or re.fullmatch(
        r"(?=.*[A-Z])[A-Za-z][a-z0-9]*[a-z](?:[._-]?[A-Z][a-z0-9]*[a-z]){0,3}[._-]?\d{2,4}[!?#*$%&=~^]\w{0,2}", value
    ):
        return True
    parts = [part for part in re.split(r"[^A-Za-z0-9]+", value) if part]
    is_named = all(_HEX.fullmatch(part) or _NAME_PART.fullmatch(part) for part in parts)
    if is_named and not _SPOKEN & set(value) and ("+" not in value or _word_share(value) >= 0.5):
        return False
    signs = re.search(r"[!#$%^&*?=+~].", value)
    is_memorable = signs and re.search(r"[A-Z]", value) and re.search(r"[a-z]", value) and re.search(r"\d", value)
    is_mixed = signs and (_changes(value) >= 2 or _word_share(value) < 0.4 or (is_memorable and value[0].isalpha()))
    return bool(is_mixed) or _changes(value) >= (3 if _is_jumble(value) else 4)


def is_gibberish(value: str) -> bool:
    """Tell whether letters and digits form no word: `730xdhpohkms`; it may also be an id."""
    if not re.fullmatch(r"[A-Za-z0-9]{8,}", value) or not is_varied(value) or value.upper() == value:
        return False
    has_both = len(re.findall(r"\d", value)) > 1 and len(re.findall(r"[A-Za-z]", value)) > 2
    unpronounceable = re.search(r"[bcdfghjklmnpqrstvwxz]{4}", value.lower()) or _changes(value) > 2
    return has_both and bool(unpronounceable)


def is_typical(value: str) -> bool:
    """Tell whether a value without quotes is a password, not a word or a name with a number."""
    has_digit = re.search(r"[A-Z].*\d|\d.*[A-Z]|\d[a-z_-]", value)
    return not _TECHNICAL.search(value) and bool(has_digit or _SPOKEN & set(value[1:]))


def is_prefixed_token(value: str) -> bool:
    """Tell whether a value is a generated key with the prefix of a service: not an id, not a public key."""
    prefix = _PREFIX.match(value)
    if not prefix or _ID.match(value) or _DIGEST.match(value) or _PUBLISHED.search(prefix[0]):
        return False
    body = value[prefix.end() :]
    if re.fullmatch(r"0\d[A-Za-z0-9]{20,24}", body):
        return False
    head = body[:_JUDGED]
    mixed = head.lower() != head != head.upper() and sum(map(str.isdigit, head)) >= 2
    return mixed and _changes(head) * 4 >= len(head) and _word_share(head) < 0.65 and is_varied(body)


def hides_password(value: str) -> bool:
    """Tell whether a value is the Base64 form of a password, alone or after a user name."""
    decoded = decode_base64(value) if len(value) > 7 else ""
    secret = decoded.rpartition(":")[2].strip()
    if len(secret) < 8 or not secret.isascii() or not secret.isprintable():
        return False
    return bool(judge(secret, quoted=True) & (Look.MIXED | Look.RANDOM | Look.CHOSEN))


def is_base32(value: str) -> bool:
    """Tell whether a value is a seed of one-time passwords, in one piece or in groups of four; not words."""
    return bool(re.search(r"[2-7]", value)) and value in (value.lower(), value.upper()) and is_varied(value)


def is_wrapped_part(value: str) -> bool:
    """Tell whether a line is a part of a generated value: not a word or name."""
    if _CODE.match(value) or _DIGEST.match(value) or _is_named(value, groups=False):
        return False
    return _changes(value) >= max(2, len(value) // 10)


def decode_base64(value: str) -> str:
    """Return the text that a Base64 value encodes, or "" if it encodes none."""
    standard = value.rstrip("=").replace("-", "+").replace("_", "/") if value.isascii() else ""
    try:
        text = base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return text if text.isascii() or text.isprintable() else ""


def match_base64(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of runs that may be Base64, padding included."""
    for start, end in _runs(text, _BASE64, _MIN_BASE64):
        padding = text[end : end + 2]
        yield start, end + len(padding) - len(padding.lstrip("="))


def match_dense(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of runs without blanks and quotes that are long enough for a token."""
    return _runs(text, _DENSE, _MIN_DENSE)


def _runs(text: str, table: bytes, shortest: int) -> Iterator[tuple[int, int]]:
    """Yield runs of characters that the table maps to `b`. This is much faster than a pattern."""
    shape = text.encode("ascii", "replace").translate(table)
    start = shape.find(b"b" * shortest)
    while start >= 0:
        end = shape.find(b" ", start)
        end = len(shape) if end < 0 else end
        yield start, end
        start = shape.find(b"b" * shortest, end)


def _is_named(value: str, *, groups: bool) -> bool:
    """Tell whether all parts of a value are words and numbers, without a sign that no name has."""
    core = value.lstrip(_LEADING)
    # `kWay-ilE5-wXos`: each group alone could be a name.
    if groups or _SYMBOLS & set(core.rstrip("=")):
        return False
    return all(_NAME_PART.fullmatch(part) and not _is_jumble(part) for part in re.split(r"[^A-Za-z0-9]+", core))


def _is_scrambled(value: str) -> bool:
    """Tell whether a quoted value is a generated key with signs, which otherwise looks like code."""
    judged = value[:_JUDGED]
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" if c.isalpha() else "s" for c in judged]
    # In random text seven of ten characters differ in kind from the next, in code one of four.
    mixed = sum(a != b for a, b in pairwise(kinds)) * 2 >= len(judged)
    return len(value) >= 32 and mixed and not _INSIDE_CODE.search(value) and is_varied(judged)


def _is_jumble(value: str) -> bool:
    """Tell whether letters of both cases form no words."""
    return len(value) > 9 and value.lower() != value != value.upper() and _word_share(value) < 0.5


def _is_scrambled_groups(value: str) -> bool:
    if not _is_jumble(value):
        return False
    # Password managers make groups of the same length.
    groups = value.split("-")
    is_grouped = (
        len(groups) > 2 and len({*map(len, groups)}) == 1 and 4 <= len(groups[0]) <= 6 and "".join(groups).isalnum()
    )
    return is_grouped or _changes(value) * 5 >= len(value)


def _word_share(value: str) -> float:
    """Return how much of a value is words, a capital beginning each; of random letters it is a third."""
    return sum(map(len, re.findall(r"[A-Z][a-z]{2,}|[a-z]{3,}", value))) / len(value)


def _is_identifier(value: str) -> bool:
    """Tell whether a value is an identifier of several words."""
    return value.isidentifier() and value.lower() != value and _word_share(value) >= 0.7


def _entropy(value: str) -> float:
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())


def _changes(value: str) -> int:
    """Count changes between digits, letters of either case and signs; a capital at the start of a word is none."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" if c.isalpha() else "s" for c in value]
    return sum(a != b and (a, b) != ("u", "l") and "s" not in (a, b) for a, b in pairwise(kinds))
