"""Judges whether a value looks like a real secret or like a placeholder, a name, code or a digest."""

import base64
import binascii
import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

# English text has about 4 bits a character, random tokens of 30 characters 4.5, `xxxx-xxxx` and `abababab` below 2.
_MIN_ENTROPY = 3.0
# A longer value is judged by its head: text without a boundary may follow, and the work stays bounded.
_JUDGED = 40
_PLACEHOLDER = re.compile(
    r"example|x{4}|your|placeholder|redact|dummy|fake|\.{3}|…|\*{3}|#{4}|0{7}|1234567|abcdefg|89abcdef|insert|changeme|change[_-]me"
    r"|sample|replace[_-]|to[_-]?do",
    re.IGNORECASE,
)
# Words that nobody's real password contains, after 0, 1, 3, 4, 5, @ and $ are read as the letters they stand for.
_WEAK = re.compile(
    r"passw|passwd|mypass|userpass|secret|token|apikey|api[_-]key|test|example|dummy|fake|admin|qwerty|letmein|default|postgres|hunter2"
    r"|mysql|mongo|redis|guest|demo|mock|wrong|invalid|credential|correct.?horse|^foo|^bar"
)
_LEET = str.maketrans("013457@$!", "oleastasi")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"(?:0x)?[0-9a-f]+", re.IGNORECASE)
_DIGEST = re.compile(
    r"sha\d{1,3}[:-]|md5[:-]|arn:|\d{4}-\d\d-\d\d|v?\d+\.\d+|toolu_|msg_|req_|pk_|phc_|sb_publishable|p=M|[\w-]+@[\d^~]|data:|[a-z][a-z0-9+.-]{1,20}://",
    re.IGNORECASE,
)
# A call, an index, an attribute, a template, a path, or the hash of a password.
_CODE = re.compile(
    r"[A-Za-z_][\w.:>?-]*!?[\[({]|[({\[/.<]|\$[\w-]{0,12}[${(]|\$(?:[A-Z][A-Z0-9_]*|[a-z_]+\d?)$|~/|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$"
)
_ASSIGNMENT = re.compile(r"(?:[a-z_]{2,}|[A-Z_]{2,}|[A-Z][a-z]+)\d{0,2}=[^=]")
# Before a name these mark a variable, a tag, an option or an anchor.
_LEADING = "$%&*!@#+-~?^="
_INSIDE_CODE = re.compile(r"\$\{|\$\(|\{\{|\}\}|\)$|\(\)|\$(?:[A-Z_]{4}|PWD|KEY)|=>|::|://|->|&&")
# Ids of records, as many services make them, and digests and assets with a hash in their names.
_ID = re.compile(
    r"(?:cus|pi|pm|ch|cs|si|seti|sub|in|ii|il|evt|price|prod|acct|card|ba|txn|py|po|dp|plink|call|resp|fc|file|run|step|vs"
    r"|thread|asst|batch|chatcmpl|gen|org|user|team|proj|prj|dpl|bld|job|req|msg|toolu|srvtoolu|session|sess|trace|span"
    r"|event|conv|item|rs|ws|ctr|container|node|pod|img|image|index|chunk|vendor|main|asset|cache|sha\d*|md5|integrity"
    r"|etag|h1|zh|rev|commit|build|uid|uuid|guid|id|pk|pub|phc|ca|site|anon|publishable|data|blob|nonce|gid|i|vol|ami"
    r"|snap|sg|subnet|vpc|eni|rtb|arn|ulid|ksuid|doc|page|block|ticket|order|inv|invoice|tx|hash|font|css|js)[_-]",
    re.IGNORECASE,
)
# `violin3264`, `Orchid_Violin109`, `raven.violin.puzzle28`: words and a number, as people choose passwords.
_CHOSEN = re.compile(r"\d{0,4}[A-Za-z][a-z]{2,}(?:[._-]?[A-Za-z][a-z]{2,}){0,4}[._-]?\d{2,6}[!?#*$.]?")
# The names of a service and of a kind of key before a generated key.
_PREFIX = re.compile(r"[A-Za-z]{2,10}\d?[_-](?:[A-Za-z]{2,8}[_-])?")
_PUBLISHED = re.compile(r"(?:^|[_-])(?:pk|pub\w*|id)[_-]")
# Names with a number at the end: methods, formats, versions, attributes of objects.
_TECHNICAL = re.compile(
    r"(?:^|[._-])(?:sha|md|aes|rsa|pbkdf|hmac|argon|bcrypt|scrypt|ed|curve|secp|prime|utf|base|blake|keccak|chacha|rfc|cve|iso|oauth"
    r"|tls|ssl|http|https|port|issue|ticket|version|release|build|python|node|java|php|ruby|ubuntu|debian|windows|win"
    r"|server|db|host|user|account|line|page|step|chapter|section|table|figure|type|size|int|uint|float|char|varchar"
    r"|self|this|cls|config|cfg|conf|settings|env|process|os|params|args|kwargs|options|opts|request|req|response|res|ctx"
    r"|context|state|props|data|local|var|vars|module|each|app|auth|client|vault|values|inputs|github|steps|needs"
    r"|matrix|key|value|string|field|column|name|id|hash|digest|login|amd|arm|x|v|oracle|sql|chrome|firefox|pass|pin|cert"
    r"|slot|group|model|gpt|claude|opus|sonnet|haiku|gemini|llama|http|error|code|status|year|q)(?=[._\d-]|$)",
    re.IGNORECASE,
)
# `Login2`, `HTTP`, `oauth2proxy`, `us`, `2026`: a part of a name.
_NAME_PART = re.compile(
    r"[A-Za-z]*\d{0,4}|\d+[a-z]{0,3}|[A-Za-z][a-z]{1,9}\d{1,4}[a-z]{2,10}\d{0,2}|[A-Z]{2,6}\d{2,4}[A-Z]\d"
)
# One sign that no name has, and no sign of paths, addresses and code.
_MEMORABLE = re.compile(r"(?=.*\d)(?=.*[A-Z])(?=.*[a-z])(?=.*[!#$%&*+~^?])[A-Za-z][A-Za-z0-9!#$%&*+~^?_-]{7,39}")
_SYMBOLS = frozenset("!@#$%^&*+~?=")
# Of these, what no version, address or chord of keys contains.
_SPOKEN = _SYMBOLS - frozenset("+@=~")
# The shortest Base64 run that can hold a secret and something that gives it away.
_MIN_BASE64 = 24
# The shortest token of a known vendor is an AWS access key.
_MIN_DENSE = 20


def _table(signs: str) -> bytes:
    return bytes(ord("b" if code < 128 and (chr(code).isalnum() or chr(code) in signs) else " ") for code in range(256))


_BASE64 = _table("+/_-")
_DENSE = _table("+/_-.=~:%@")
_LOCAL = re.compile(
    r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|[a-z0-9_-]+|.*\bexample\.\w+|.*\.(?:local|internal|test))$", re.IGNORECASE
)


def is_random(value: str) -> bool:
    """Whether a value of a known shape is more than a placeholder."""
    head = value[:_JUDGED]
    # Less than eight different characters cannot have three bits.
    return len(set(head)) >= 8 and _entropy(head) >= _MIN_ENTROPY and not _PLACEHOLDER.search(value[:100])


def is_chosen(value: str) -> bool:
    """Whether a value is words and a number; it may as well be a name, so something must call it a password."""
    if len(value) < 8 or not _CHOSEN.fullmatch(value) or value.upper() == value:
        return False
    return not (_TECHNICAL.search(value) or _PLACEHOLDER.search(value) or _WEAK.search(value.lower().translate(_LEET)))


def is_memorable(value: str) -> bool:
    """Whether a value mixes letters of both cases, digits and signs as people do who must: `Walnut#Ferry62`."""
    if not _MEMORABLE.fullmatch(value) or _PLACEHOLDER.search(value) or _TECHNICAL.search(value):
        return False
    return not _WEAK.search(value.lower().translate(_LEET))


def is_gibberish(value: str) -> bool:
    """Whether letters and digits make up no word: `730xdhpohkms`; it may as well be an id."""
    if not re.fullmatch(r"[A-Za-z0-9]{8,24}", value) or _TECHNICAL.search(value) or not is_random(value):
        return False
    has_both = len(re.findall(r"\d", value)) > 1 and len(re.findall(r"[A-Za-z]", value)) > 2
    unpronounceable = re.search(r"[bcdfghjklmnpqrstvwxz]{4}", value.lower()) or _changes(value) > 2
    return has_both and bool(unpronounceable) and value.upper() != value


def is_prefixed_token(value: str) -> bool:
    """Whether a value is a generated key behind the prefix of a service: no id, not for publishing."""
    prefix = _PREFIX.match(value)
    if not prefix or _ID.match(value) or _DIGEST.match(value) or _PUBLISHED.search(prefix[0]):
        return False
    body = value[prefix.end() :]
    if re.fullmatch(r"0\d[A-Za-z0-9]{20,24}", body):
        return False
    head = body[:_JUDGED]
    mixed = head.lower() != head != head.upper() and sum(map(str.isdigit, head)) >= 2
    return mixed and _changes(head) * 4 >= len(head) and _word_share(head) < 0.65 and is_random(body)


def is_token(value: str) -> bool:
    """Whether a value of unknown shape looks generated: long and irregular."""
    if len(value) < 16 or _is_plain(value) or not re.fullmatch(r"[A-Za-z0-9_.~+/=%:-]+", value):
        return False
    # In a long value such a word is chance.
    if len(value) < 64 and _WEAK.search(value.lower().translate(_LEET)):
        return False
    is_mixed = (re.search(r"\d", value) or _is_jumble(value)) and _changes(value) >= max(3, len(value) // 8)
    return bool(is_mixed) and is_random(value) and not re.fullmatch(r"[A-Za-z ,.-]+", decode_base64(value))


def is_credential(value: str) -> bool:
    """Whether a value that is sent to identify somebody is more than a placeholder; it may be a UUID."""
    return is_token(value) or is_uuid(value) or hides_password(value)


def is_generated(value: str) -> bool:
    """Whether a value can be nothing but generated: no digest, no id, no words around a digest."""
    if not is_token(value) or re.search("[@:]", value) or _ID.match(value):
        return False
    parts = [part for part in re.split(r"[^A-Za-z0-9]+", value) if part]
    return not _is_identifier(value) and not all(_HEX.fullmatch(part) or _NAME_PART.fullmatch(part) for part in parts)


def is_hex_key(value: str) -> bool:
    """Whether a value is hexadecimal and as long as a key; fingerprints are in capitals."""
    # Some services put their name before it.
    digits = re.sub(r"^(?:0x|[A-Za-z][A-Za-z0-9]{1,9}_)", "", value)
    return len(digits) >= 32 and digits.upper() != digits and bool(_HEX.fullmatch(digits)) and is_random(digits)


def is_uuid(value: str) -> bool:
    """Whether a value is a UUID that is more than a placeholder."""
    return bool(_UUID.fullmatch(value)) and is_random(value)


def is_base32_groups(value: str) -> bool:
    """Whether a value is a seed of one-time passwords in groups of four, not four words."""
    return bool(re.search(r"[2-7]", value)) and value in (value.lower(), value.upper()) and is_random(value)


def is_password(value: str, *, quoted: bool = False) -> bool:
    """Whether a value looks like a password that somebody uses: mixed, no code, no name, not well known."""
    if _is_plain(value, quoted=quoted) or _PLACEHOLDER.search(value) or _WEAK.search(value.lower().translate(_LEET)):
        return False
    symbols = sum(character in _SYMBOLS for character in value)
    if not re.search(r"\d", value):
        is_mixed = symbols >= 2 or (symbols and _word_share(value) < 0.5) or (_is_jumble(value) and _changes(value) > 1)
        return bool(is_mixed) and value.lower() != value != value.upper()
    is_mixed = _changes(value) >= (2 if len(value) > 11 or _is_jumble(value) else 3) or symbols > 0
    is_mixed = is_mixed or _is_scrambled_groups(value)
    return is_mixed and bool(re.search(r"[^\W\d_]", value))


def is_spoken_password(value: str) -> bool:
    """Whether a value in a sentence looks like a password where no sign says that it is one."""
    if len(value) > 64 or not is_password(value) or _is_identifier(value) or _ID.match(value):
        return False
    if re.search(r"[/:]|\d\.\d", value) or ("@" in value and not _is_jumble(value)):
        return False
    parts = [part for part in re.split(r"[^A-Za-z0-9]+", value) if part]
    if re.fullmatch(r"[A-Z][a-z]{3,}\d{2,4}[!?#*$%&=~^]\w{0,2}", value):
        return True
    is_named = all(_HEX.fullmatch(part) or _NAME_PART.fullmatch(part) for part in parts)
    if (
        is_named
        and not _is_scrambled_groups(value)
        and not _SPOKEN & set(value)
        and ("+" not in value or _word_share(value) >= 0.5)
    ):
        return False
    if _is_scrambled_groups(value):
        return True
    is_mixed = re.search(r"[!#$%^&*?=+~].", value) and (_changes(value) >= 2 or _word_share(value) < 0.4)
    return bool(is_mixed) or _changes(value) >= (3 if _is_jumble(value) else 4)


def is_login_password(value: str) -> bool:
    """Whether a value at the place of a password is more than a placeholder."""
    return is_password(value) or is_chosen(value) or is_passphrase(value) or is_token(value)


def is_command_password(value: str) -> bool:
    """Whether a value behind an option is a password; most options of one letter take a path or a name."""
    return "://" not in value and not re.match(r"[\d.,:]+$", value) and is_login_password(value)


def hides_password(value: str) -> bool:
    """Whether a value is the Base64 form of a password, alone or behind the name of a user."""
    decoded = decode_base64(value) if len(value) > 7 else ""
    secret = decoded.rpartition(":")[2].strip()
    return (
        len(secret) > 7
        and secret.isascii()
        and secret.isprintable()
        and (is_password(secret, quoted=True) or is_token(secret) or is_passphrase(secret))
    )


def is_wrapped_part(value: str) -> bool:
    """Whether a line is a part of a generated value: no word, no name."""
    return not _is_plain(value) and _changes(value) >= max(2, len(value) // 10)


def is_passphrase(value: str) -> bool:
    """Whether a value is words and a number, as password managers make them: `maple-Stone-42-otter`."""
    parts = re.split(r"[-_.]", value)
    words = [part for part in parts if re.fullmatch(r"[A-Za-z][a-z]{3,}", part)]
    numbers = [part for part in parts if re.fullmatch(r"\d{1,4}", part)]
    weak = _PLACEHOLDER.search(value) or _WEAK.search(value.lower())
    return len(parts) > 3 and len(words) > 2 and bool(numbers) and len(words) + len(numbers) == len(parts) and not weak


def is_scrambled(value: str) -> bool:
    """Whether a quoted value is a token, or a generated key with signs in it, which looks like code otherwise."""
    if is_token(value):
        return True
    judged = value[:_JUDGED]
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" if c.isalpha() else "s" for c in judged]
    # Of random characters seven in ten differ in kind from the next, in code it is one in four.
    mixed = sum(a != b for a, b in pairwise(kinds)) * 2 >= len(judged)
    return len(value) >= 32 and mixed and not _INSIDE_CODE.search(value) and is_random(judged)


def is_url_password(address: str) -> bool:
    """Whether `://user:password@host` holds a password that is more than a default of a local service."""
    user, _, rest = address.removeprefix("://").partition(":")
    password, _, host = rest.rpartition("@")
    if (
        password.lower() in (user.lower(), "pass", "pw")
        or _INSIDE_CODE.search(password)
        or password.startswith(("$", "{", "[", "%"))
    ):
        return False
    if is_password(password) or is_token(password):
        return True
    weak = _PLACEHOLDER.search(password) or _WEAK.search(password.lower().translate(_LEET)) or len(password) < 8
    is_mixed = re.search(r"\d", password) or _changes(password) * 5 >= len(password)
    return not weak and not _LOCAL.match(host) and bool(is_mixed)


def is_url_token(value: str) -> bool:
    """Whether the user of an address is a token; a DSN of Sentry, in hex, may be published."""
    return is_token(value) and not _HEX.fullmatch(value)


def is_basic_auth(value: str) -> bool:
    """Whether a value is the Base64 form of `user:password`."""
    user, separator, password = decode_base64(value).partition(":")
    return bool(separator and user.isprintable()) and (is_password(password) or is_token(password))


def is_private_jwt(value: str) -> bool:
    """Whether a JSON Web Token is neither the example of jwt.io nor a public key of a hosted database."""
    claims = decode_base64(value.split(".")[1])
    return "1234567890" not in claims and '"anon"' not in claims and is_random(value)


def decode_base64(value: str) -> str:
    """Return the text behind a Base64 value, or "" if there is no text behind it."""
    standard = value.rstrip("=").replace("-", "+").replace("_", "/") if value.isascii() else ""
    try:
        text = base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return text if text.isascii() or text.isprintable() else ""


def find_base64(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of runs that may be Base64, padding included."""
    for start, end in _runs(text, _BASE64, _MIN_BASE64):
        padding = text[end : end + 2]
        yield start, end + len(padding) - len(padding.lstrip("="))


def find_dense(text: str) -> Iterator[tuple[int, int]]:
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


def _is_plain(value: str, *, quoted: bool = False) -> bool:
    """Whether the value is code, an identifier, a digest, a date or made of words."""
    if _CODE.match(value) or _INSIDE_CODE.search(value) or _UUID.fullmatch(value) or _DIGEST.match(value):
        return True
    if not quoted and _ASSIGNMENT.match(value):
        return True
    core = value.lstrip(_LEADING)
    # `kWay-ilE5-wXos`: each group for itself could be a name.
    if _is_scrambled_groups(core):
        return False
    return not _SYMBOLS & set(core.rstrip("=")) and all(
        _NAME_PART.fullmatch(part) and not _is_jumble(part) for part in re.split(r"[^A-Za-z0-9]+", core)
    )


def _is_jumble(value: str) -> bool:
    """Whether letters of both cases make up no words."""
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
    """Whether a value is a name of several words in source text."""
    return value.isidentifier() and value.lower() != value and _word_share(value) >= 0.7


def _entropy(value: str) -> float:
    size = len(value)
    return -sum(count / size * math.log2(count / size) for count in Counter(value).values())


def _changes(value: str) -> int:
    """Count changes between digits, letters of either case and signs; a capital at the start of a word is none."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" if c.isalpha() else "s" for c in value]
    return sum(a != b and (a, b) != ("u", "l") and "s" not in (a, b) for a, b in pairwise(kinds))
