"""Scores a value by its characters: how much it looks like a password or a key, not like a word, a name or code."""

import enum
import functools
import math
import re
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from memci.patterns import LazyPattern
from memci.redaction.secret_data import alternatives, decode_base64


class PasswordLook(enum.IntEnum):
    """How much a value looks like a password that somebody chose; what a place accepts begins at one of these."""

    NOTHING = 0
    # Two words, or a technical name: `Ginger-Root`, `base64url`.
    WORDS = 1
    # A word with a number: `clover9`, `Build412`.
    NUMBERED = 2
    # Words and numbers as people join them: `Summer-Harbour58`, `b4silleaf`.
    MADE_UP = 3
    # Letters with digits or signs that no name has: `k9&Tz3vQ`.
    MIXED = 4
    # The same, and nothing that sentences usually contain: no version, address, keyboard shortcut.
    STRICT = 5


class KeyLook(enum.IntEnum):
    """How much a value looks like a generated key."""

    NOTHING = 0
    UUID = 1
    HEX = 2
    # Long and irregular, but maybe an id, or words around a digest.
    RANDOM = 3
    GENERATED = 4


class Look(NamedTuple):
    """What a value may be, judged by its characters alone."""

    chosen: PasswordLook = PasswordLook.NOTHING
    key: KeyLook = KeyLook.NOTHING


# A longer value is judged by its head: text without a boundary may follow, and the work stays bounded.
_JUDGED = 40
# Each letter with those that often follow it in words; of two random letters a third are such a pair.
_FOLLOWERS = """
abcdghiklmnprstuvy baeiloru cacehiklortu dadeiorsu eabcdefgilmnoprstvwxyz faefiloru gaeghilnorsu haeinortu
iabcdefgklmnoprstvz jaeou kaeinosuy ladeiloptuy mabeimopsu nacdefgikostuvyz oabcdefghiklmnoprstuvw paehiloprstu qu
racdegiklmnorstuy sacehiklmnopqstuvwyz tacehiloprstuy uabcdegiklmnprst vaeio waehinors xaiptu yaeiost zaehiou
"""
_PAIRS = frozenset(pair[0] + letter for pair in _FOLLOWERS.split() for letter in pair[1:])
_LETTER = LazyPattern("[A-Za-z]")
_SEGMENT = LazyPattern(r"[A-Z]?[a-z]{2,}|[A-Z]{3,}")
_PLACEHOLDER = LazyPattern(lambda: alternatives("placeholders"), re.IGNORECASE)
_WEAK = LazyPattern(lambda: alternatives("weak"))
_EVERYDAY = LazyPattern(lambda: alternatives("everyday"))
_LEET = str.maketrans("013457@$!", "oleastasi")
# JSON or words, without a key in them: what is random does not decode to that.
_PLAIN = LazyPattern(r"(?s)(?!.*[A-Za-z0-9+/=]{64}).*[{\s].*")
_UUID = LazyPattern(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
# Some services prefix a hexadecimal key with their name.
_HEX = LazyPattern(r"(?:0x|[A-Za-z][A-Za-z0-9]{1,9}_)?([0-9a-f]{32,})", re.IGNORECASE)
_DIGEST = LazyPattern(
    # A hexadecimal number shorter than a key, the address of a wallet.
    r"0x(?:(?![0-9a-f]{32})|[0-9a-f]{40}$)"
    r"|sha\d{1,3}[:-]|md5[:-]|arn:|\d{4}-\d\d-\d\d|v?\d+\.\d+|ghsa-|cve-|toolu_|msg_|req_|pk[_.]|phc_|sb_publishable|p=M"
    r"|[\w-]+@(?:[\^~]|\d{1,3}(?:\.|$)|\d[0-9a-f]{4,40}$)"
    r"|data:|[a-z][a-z0-9+.-]{1,20}://|\$\w{1,12}\$|[\w*-]{0,4}#\d+\W{0,3}$|#[0-9a-f]{3,8}$|\{\w{2,8}\}",
    re.IGNORECASE,
)
# A call, an index, a template, a path, a variable or the hash of a password.
_CODE = LazyPattern(
    r"[A-Za-z_][\w.:>?-]*!?[\[({]|[({\[.<]|/(?![A-Za-z0-9+/]{39,87}=?=?$)|\$[\w-]{0,12}[${(]|\$(?:[A-Z][A-Z0-9_]*|[a-z_]+\d?)$|%\w+%$|~/|\\"
)
_ATTRIBUTE = LazyPattern(r"[A-Za-z_][\w$]*(?:\??\.[A-Za-z_]\w*)+")
_ASSIGNMENT = LazyPattern(
    r"(?:[a-z_]{2,}[a-z\d_]*|[A-Z][A-Z\d_]+|[A-Z][a-z]+\d{0,4})=[^=]|\w+=(?:[Tt]rue|[Ff]alse|None)$"
)
_INSIDE_CODE = LazyPattern(r"\$\{|\$\(|\{\{|\}\}|\([^()]*\)$|\$(?:[A-Z_]{4}|PWD|KEY)|=>|::|://|->|&&")
_COMPOUND = LazyPattern(r"(?=.{8})[A-Za-z][a-z]+(?:[-_.][A-Za-z]+|[A-Z][a-z]+)+")
# The names of a service and of a kind of key before a generated key.
_PREFIX = LazyPattern(r"[A-Za-z]{2,10}\d?[_-](?:[A-Za-z]{2,8}[_-])?")
_PUBLISHED = LazyPattern(r"(?:^|[_-])(?:pk|pub\w*|id)[_-]")
_ID = LazyPattern(lambda: rf"(?:{alternatives('ids')})[_-]", re.IGNORECASE)
_FILE = LazyPattern(r"\.[a-z]{2,4}$")
# In a name of several parts they are in lower case: `step_v2`, not `Tulip-Field88`.
_TECHNICAL = LazyPattern(lambda: "(?:^(?i:{0})|[._-](?:{0}))(?=[._\\d-]|$)".format(alternatives("technical")))
# `Login2`, `HTTP`, `us`, `2026`, `OPS`: a part of a name.
_NAME_PART = LazyPattern(r"[A-Za-z]*\d{0,4}|\d+[a-z]{0,3}|[A-Z]{2,6}\d{2,4}[A-Z]\d|[0-9a-f]+")
# Those that no version, address or keyboard shortcut contains.
_SPOKEN = LazyPattern(r"(?<!^)[!#$%^&*?]")
_SIGNS = LazyPattern(r"[!@#$%^&*+~?=]")
_OF_ALL_KINDS = LazyPattern(r"(?=.*[A-Z])(?=.*[a-z])(?=.*\d|.*[^\w.-].*[^\w.-])")
# Before a name these mark a variable, a tag, an option or an anchor.
_LEADING = "$%&*!@#+-~?^="
# `15min`, `24-word`, a hexadecimal number, an option, an address, a host with its port, a format: `+%Y%mT%H`, `id=%s`,
# `{name!r}`.
_NO_PASSWORD = LazyPattern(
    r"\d+[A-Za-z]{1,3}|\d{1,3}-[a-z]{3,}|(?:0x)?[0-9A-Fa-f]{16,}|0x[0-9A-Fa-fXx]+|-.*|[\w.+-]*@[\w-]+\.[\w.-]+"
    r"|(?:[a-z\d-]+\.){1,6}[a-z]{2,12}:\d{2,5}|(?:\+|\w+=)?(?:%\d*\w\w?\W?)+|[a-z_.]+![ras]|\d\*.*|.*[,\n].*"
)
# Digits inside a word, or a word after a number.
_NUMBER_INSIDE = LazyPattern(r"[^\W\d_][._-]?\d+[._-]?[^\W\d_]|^\d{1,4}[._-]?[^\W\d_]{3}")


def is_varied(value: str) -> bool:
    """Tell whether a value of a known format is not a placeholder."""
    head = value[:_JUDGED]
    # English text has 4 bits a character, random tokens 4.5, `xxxx-xxxx` below 2; with fewer than 8 none has 3.
    return len(set(head)) >= 8 and _entropy(head) >= 3 and not _PLACEHOLDER.search(value[:100])


@functools.lru_cache(maxsize=4096)
def judge(value: str, *, quoted: bool = False) -> Look:
    """Return what a value looks like; quotes around it exclude most code."""
    if _UUID.fullmatch(value):
        return Look(key=KeyLook.UUID if is_varied(value) else KeyLook.NOTHING)
    if len(value) < 4 or _PLACEHOLDER.search(value[:100]) or _DIGEST.match(value):
        return Look()
    if len(value) > 15 and _PLAIN.fullmatch(decode_base64(value.rstrip(".")).strip()):
        return Look()
    is_key = (
        len(value) > 31
        and word_share(value) < 0.3
        and is_varied(value)
        and len(_LETTER.findall(value)) * 4 > len(value)
    )
    if quoted and is_key and not _INSIDE_CODE.search(value):
        # A generated key with signs otherwise looks like code.
        return Look(key=max(KeyLook.RANDOM, _judge_key(value)))
    is_code = _CODE.match(value) or _INSIDE_CODE.search(value) or (len(value) < 24 and _ASSIGNMENT.match(value))
    is_path = _ATTRIBUTE.fullmatch(value) and not re.search(
        r"\d" if quoted else r"\d$|^(?=.*\d)(?:\.?[A-Z][a-z0-9]+)+$", value
    )
    # In a long value such a word is a coincidence.
    if (
        is_code
        or (len(value) < 64 and _is_weak(value))
        or (is_path and word_share(value) > 0.3)
        or (not quoted and _ASSIGNMENT.match(value))
    ):
        return Look()
    chosen = _judge_password(value)
    is_technical = chosen <= PasswordLook.MADE_UP and _TECHNICAL.search(value)
    return Look(min(chosen, PasswordLook.WORDS) if is_technical else chosen, _judge_key(value))


def _is_weak(value: str) -> bool:
    """Tell whether a value has words that nobody's real password contains, or half of it is everyday words."""
    plain = value.lower().translate(_LEET)
    return bool(_WEAK.search(plain)) or sum(map(len, _EVERYDAY.findall(plain))) * 2 >= len(plain)


def _judge_key(value: str) -> KeyLook:
    digits = _HEX.fullmatch(value)
    if digits:
        # Fingerprints are in capitals.
        is_key = is_varied(digits[1]) and not digits[1].isdigit() and not _ID.match(value)
        return KeyLook.NOTHING if not is_key else KeyLook.RANDOM if digits[1].upper() == digits[1] else KeyLook.HEX
    if len(value) < 16 or not re.fullmatch(r"[A-Za-z0-9_.~+/=%:-]+", value) or not is_varied(value):
        return KeyLook.NOTHING
    head = value[:_JUDGED]
    share, changes, letters = word_share(value), _changes(head), _LETTER.findall(head)
    if _UUID.search(value) or _FILE.search(value) or share >= 0.7 or len(letters) * 6 < len(head):
        return KeyLook.NOTHING
    is_mixed = changes >= max(3, len(head) // 8) or (share < 0.3 and bool(re.search(r"\d\d", value)))
    if not is_mixed or (share > 0.35 and not re.search(r"\d", value)):
        return KeyLook.NOTHING
    is_id = "@" in value or ":" in value or bool(_ID.match(value)) or sum(map(str.islower, letters)) < 3
    return KeyLook.RANDOM if is_id or all(map(_NAME_PART.fullmatch, _parts(value))) else KeyLook.GENERATED


def _judge_password(value: str) -> PasswordLook:
    is_path = "/" in value and (len(value) < 12 or word_share(value) > 0.2)
    if is_path or len(value) > 128 or not re.search(r"[^\W\d_]", value) or _NO_PASSWORD.fullmatch(value):
        return PasswordLook.NOTHING
    core = value.lstrip(_LEADING)
    share, changes, signs = word_share(core), _changes(core), len(_SIGNS.findall(core.rstrip("=*")))
    if not re.search(r"\d", core):
        return _judge_letters(core, share, changes, signs)
    if core.upper() == core and not signs:
        return PasswordLook.NUMBERED if changes > 2 else PasswordLook.WORDS if len(core) > 7 else PasswordLook.NOTHING
    # `useWeb3Auth` is a name, whatever its length.
    is_name = share > 0.7 and core.isidentifier()
    is_name = is_name or (share > 0.5 and not signs and all(map(_NAME_PART.fullmatch, _parts(core))))
    if not is_name and (signs or changes >= (2 if len(core) > 11 or share < 0.5 else 3)):
        return _strict(core, share, changes)
    is_numbered = core.isidentifier() and not re.search(r"[a-z]\d\d+$|[A-Z].*_(?:[A-Z]|\d\d+$)", core)
    is_numbered = (is_numbered or len(core) < 6) and changes < 3 and not _NUMBER_INSIDE.search(core)
    return PasswordLook.NUMBERED if is_numbered else PasswordLook.MADE_UP


def _judge_letters(value: str, share: float, changes: int, signs: int) -> PasswordLook:
    """Judge a value without digits."""
    has_case = value.lower() != value != value.upper()
    is_mixed = signs > 1 or share < 0.6 if signs else len(value) > 9 and share < 0.5 and changes > 1
    if has_case and is_mixed:
        return _strict(value, share, changes)
    # `Maple-wQLfe`: letters were added to a word at random.
    is_random = any(len(part) > 4 and _changes(part) and not word_share(part) for part in _parts(value))
    if is_random or (signs and value[-1] not in "!?*="):
        return PasswordLook.MADE_UP
    if has_case and changes and len(value) > 8 and share < 0.7:
        return PasswordLook.NUMBERED
    is_unspeakable = len(value) > 7 and value.isalpha() and not share
    return PasswordLook.WORDS if is_unspeakable or _COMPOUND.fullmatch(value) else PasswordLook.NOTHING


def _strict(value: str, share: float, changes: int) -> PasswordLook:
    """Tell whether a mixed value is a password even with only a label nearby."""
    is_other = _ID.match(value) or _FILE.search(value) or re.search(r":|\d\.\d|\w=\w", value)
    if not 7 < len(value) < 65 or is_other or ("@" in value and share > 0.5):
        return PasswordLook.MIXED
    spoken = _SPOKEN.search(value)
    if spoken and _OF_ALL_KINDS.match(value):
        return PasswordLook.STRICT
    is_named = share > 0.3 or value.lower() == value
    if is_named and not spoken and all(map(_NAME_PART.fullmatch, _parts(value))):
        return PasswordLook.MIXED
    is_strict = bool(spoken) and (changes > 1 or share < 0.4)
    return PasswordLook.STRICT if is_strict or changes >= (3 if share < 0.5 else 4) else PasswordLook.MIXED


def is_prefixed_token(value: str) -> bool:
    """Tell whether a value is a generated key with the prefix of a service: not an id, not a public key."""
    prefix = _PREFIX.match(value)
    if not prefix or _ID.match(value) or _DIGEST.match(value) or _PUBLISHED.search(prefix[0]):
        return False
    body = value[prefix.end() :]
    head = body[:_JUDGED]
    mixed = head.lower() != head != head.upper() and sum(map(str.isdigit, head)) >= 2
    mixed = mixed and not re.fullmatch(r"0\d[A-Za-z0-9]{20,24}", body)
    return mixed and _changes(head) * 4 >= len(head) and word_share(head) < 0.5 and is_varied(body)


def hides_password(value: str) -> bool:
    """Tell whether a value is the Base64 form of a password, alone or after a user name."""
    decoded = decode_base64(value) if len(value) > 7 else ""
    secret = decoded.rpartition(":")[2].strip()
    if len(secret) < 6 or not secret.isascii() or not secret.isprintable():
        return False
    look = judge(secret, quoted=True)
    return look.chosen >= PasswordLook.MADE_UP or look.key >= KeyLook.HEX


def is_placeholder(value: str) -> bool:
    """Tell whether a value stands for another one, or is a word that nobody's real password contains."""
    return _PLACEHOLDER.search(value[:100]) is not None or _is_weak(value)


def is_technical(value: str) -> bool:
    """Tell whether a value begins like the name of a method, a format or a version."""
    return _TECHNICAL.match(value) is not None


def is_base32(value: str) -> bool:
    """Tell whether a value is a seed of one-time passwords, in one piece or in groups of four; not words."""
    return value in (value.lower(), value.upper()) and re.search(r"[2-7]", value) is not None and is_random(value)


def is_random(value: str) -> bool:
    """Tell whether a value is neither a placeholder nor words."""
    return is_varied(value) and word_share(value) < 0.6


def is_wrapped_part(value: str) -> bool:
    """Tell whether a line is a part of a generated value: not a word or name."""
    is_other = _CODE.match(value) or _DIGEST.match(value) or word_share(value) > 0.6
    return not is_other and _changes(value) >= max(2, len(value) // 10)


def word_share(value: str) -> float:
    """Return how much of the letters of a value is words, by the letters that follow each other in them."""
    head = value[: _JUDGED * 2]
    size = sum(map(str.isalpha, head))
    found = sum(len(segment) for segment in _SEGMENT.findall(head) if _is_word(segment))
    # Nobody generates keys in other scripts.
    return (found + size - len(_LETTER.findall(head))) / size if size else 0.0


@functools.lru_cache(maxsize=8192)
def _is_word(segment: str) -> bool:
    pairs = [a + b for a, b in pairwise(segment.lower())]
    return len(pairs) > 1 and sum(pair in _PAIRS for pair in pairs) * 5 >= len(pairs) * 3


def _parts(value: str) -> list[str]:
    return [part for part in re.split(r"[^A-Za-z0-9]+", value) if part]


def _entropy(value: str) -> float:
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())


def _changes(value: str) -> int:
    """Count changes between digits, letters of either case and signs; a capital at the start of a word is none."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" if c.isalpha() else "s" for c in value]
    return sum(a != b and (a, b) != ("u", "l") and "s" not in (a, b) for a, b in pairwise(kinds))
