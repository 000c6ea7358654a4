"""Finds secrets of any vendor by the name, sentence or line that labels them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memci.patterns import LazyPattern
from memci.redaction.secret_data import alternatives, word_list
from memci.redaction.secret_rules import Label
from memci.redaction.secret_values import (
    PASSWORD,
    TOKEN,
    Look,
    hides_password,
    is_base32,
    is_gibberish,
    is_prefixed_token,
    is_typical,
    judge,
)
from memci.redaction.secret_views import split_column

# The rest of a name, as in `token_prod` and `keyV2`.
_REST = LazyPattern(r"[A-Za-z0-9_.-]{0,40}")
_OPEN = r"(?:[bruf]{0,2}(?:\\?[\"'`]){1,3}|[*„“”«»「『（(]{1,3}\s?|\{(?![{%\s]|\w{2,8}\})|%[qQ]?[({\[])?"
_SIGN = LazyPattern(
    # `name = value`, `"name": "value"`, `| name | value |`, `name: String = "value"`, `<th>name</th><td>value`
    r"(?P<sign>(?:\\?[\"'`*\])]){0,4}[ \t]{0,8}(?::[ \t]?[&*\w\[\]<>.?]{1,30}[ \t]{0,2}=|=>|:=|={1,3}|:|->|→|\||："
    r"|(?:</?[a-z]{1,10}>\s{0,4}){1,4})[ \t]{0,8}(?:</?[a-z]{1,10}>){0,2})" + _OPEN
    # `name: NAME` or `key="NAME"`, then `value: …`; `variable "name" { default = …`
    + r"|[\"']?[ \t]{0,4}[,;{]?\s{1,40}(?:type\s{1,8}=\s{1,8}\w{1,20}\s{1,40})?[\"']?(?:value|default)[\"']?"
    + r"[ \t]{0,8}[:=][ \t]{0,4}" + _OPEN
    # `<name>value`, `define('NAME', 'value')`, `setName("value")`, `#define NAME "value"`, `by lazy { "value"`
    + r"|(?:[\"']?>|[\"']\]?[ \t]{0,2},[ \t]{0,4}(?=[bru]?[\"'])|\((?=[bru]?[\"'])|[ \t]{1,4}(?:by lazy \{ )?(?=[\"']))"
    + _OPEN
)  # fmt: skip
_BLANK = LazyPattern(r"(?P<sign>[ \t]{1,4})" + _OPEN)
# The value is on a line of its own, below the name.
_BELOW = LazyPattern(r"(?:[>|]-?|\(|\\)?[ \t]{0,4}\r?\n\s{0,60}" + _OPEN + r"(?=[^\s]{8,512}[ \t]{0,8}(?:\n|$))")
# `names = { service = "value"`: the entries of a map.
_MAP = LazyPattern(r"\{\s{0,40}[\"']?[\w.-]{1,60}[\"']?\s{0,8}[:=]\s{0,4}[\"']")
# A word beside a label that may be a value: letters alone are not, unless their case changes inside.
_WORD = LazyPattern(
    r"(?=[A-Za-z0-9!#$%&*+/=?@^~])(?:(?<![A-Za-z0-9_.$@/\\+%&=~:#-])|(?<=[^\x00-\x7f]))"
    r"(?=[^\s\"'`]{0,64}(?:[0-9!#$%^&*]|[a-z][A-Z]))[A-Za-z0-9!#$%&*+/=?@^~][A-Za-z0-9_!#$%&*+/=?@^~.:-]{7,511}"
)
_HINT = LazyPattern(r"[0-9!$%^&]")
# `--password VALUE`: an option of a command.
_OPTION = LazyPattern(r"(?:^|[\s(])--?[A-Za-z-]{0,24}$")
# Before this, a value without quotes is a literal, not a variable of a program.
_LITERAL_END = LazyPattern(r"[\"'&;]|\s|$")
# Words are searched within runs: a run is found several times faster, and most have no character typical of a value.
_RUN = LazyPattern(r"[^\s\"'`]{8,}")
_MARKS = LazyPattern(r"[0-9!#$%^&*]|[a-z][A-Z]")
# Alone on the line below a label, or the first word there if the label ends in a colon or similar.
_NEXT_LINE = LazyPattern(r"(?P<rest>[^\n]{0,100})\n(?:[ \t]{0,8}(?:```\w{0,10})?\n){0,2}[ \t>*\"'`(-]{0,12}")
_ASKS = LazyPattern(r"[:：=({\[>|?\\][ \t]{0,4}$")
_ALONE = LazyPattern(r"[\"'`;,)]{0,3}[ \t]{0,8}(?:\r?\n|$)")
# Words that some tools put before a generated value.
_MARK = LazyPattern(r"base64:|django-insecure-|[Bb]earer ")
_USER = LazyPattern(r"[A-Za-z][\w.-]{1,30}[:/]")
_VALUE = LazyPattern(r"[^\s\"'`<>|\\，。；、」』）“”„«»\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{6,512}")
_OTHER_CODE = LazyPattern(r"[A-Za-z_][\w.-]{1,40}(?:=[\w\"'$]|!?[(\[{])")
# Another name is nearer to the value.
_OTHER_NAME = LazyPattern(r"[\w\"'][:=]\s?[^\s\"']|\w[\"']?: ?[\"']|://|[\w)]=[\"']")
_GROUPS = LazyPattern(r"(?:[A-Za-z2-7]{4}[ -]){3,15}[A-Za-z2-7]{2,4}(?![\w-])")
_BASE32 = LazyPattern(r"[A-Z2-7]{16,64}|[a-z2-7]{16,64}")
# UUIDs are ids, except for names that only ever have a credential.
_SAYS_UUID = LazyPattern(
    r"(?:(?:api|access|auth|secret|private|admin|service)[_-]?key|token|passw(?:or)?d|secret)$", re.IGNORECASE
)
# "api key", "signing key": not the key of a map or a table.
_KEY_KIND = LazyPattern(r"(?:api|access|secret|private|shared|signing|admin|master)[ _-]$", re.IGNORECASE)
_LINK = LazyPattern(
    lambda: (
        rf"(?:^|[\s,;:(…'’])(?:{'|'.join(map(re.escape, word_list('links')))})(?: 0| [a-zà-ÿ]{{3,12}})?\s*$"
        r"|(?:[:：=→>—–…]|\.{3})\s*$|^[\s,、'’s]{0,4}(?:0 )?$"
        r"|[はがをにへは은는이가을를로为為是成了到]\s*$|\s-{1,2}\s*$"
    ),
    re.IGNORECASE,
)
# `Credentials: ana, VALUE`
_AFTER_USER = LazyPattern(r"[:：→]\s?[\w.@-]{2,40}\s?[,/]?$")
_WIFI = LazyPattern(r"wi-?fi|wlan|ssid|\bw(?:ep|pa)\b", re.IGNORECASE)
# "VALUE is the password", "as the password", "echo VALUE | docker login --password-stdin"
_BACK_LINK = LazyPattern(
    r"^[\"'`)*」』”’»“]{0,3},?(?: \(| (?:<-|←|→|=|--?) "
    r"| (?:it )?(?:is|was|are|as|for|when|ist|als|est|comme|es|como|é|это|как) | ?\| |를 |을 |を)",
    re.IGNORECASE,
)
# The last part of a name whose value is something about a secret, not the secret.
_HARMLESS_REST = LazyPattern(lambda: rf"(?:^s?|[_.-]|(?=[A-Z]))(?i:{alternatives('about')})$")
_DIGEST = LazyPattern(lambda: alternatives("digests"), re.IGNORECASE)
_NEXT_PARAMETER = LazyPattern(r"&&|[&,;](?=[\w.-]{1,40}[=:])")
# Shorter words beside a label are most often something else.
_SHORTEST = 8
# How far after and before a label its value may be.
_AHEAD, _BEHIND = 72, 60
# The longest value before a label.
_JUDGED = 130

_KINDS = {"password": "password", "session": "session-cookie"}

Span = tuple[int, int]


class _Found(NamedTuple):
    """A label in the text: its role, its word and position, and the end of the name that it is part of."""

    role: str
    word: str
    start: int
    end: int
    name_end: int
    is_bare: bool


def match_labelled(text: str, folded: str, label: Label, at: int) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of the values of a label at a place."""
    match = label.pattern.match(folded, at)
    if not match or (label.role == "token" and _is_public(folded[max(0, at - 24) : at])):
        return
    end = match.end()
    rest = _REST.match(text, end) if match[0][-1].isascii() else None
    name_end = end + len(rest[0].rstrip(".-") if rest else "")
    sign = _SIGN.match(folded, name_end)
    if not sign and label.role == "password" and name_end == end and _is_option(text, at):
        sign = _BLANK.match(folded, end)
    if name_end > end and _HARMLESS_REST.search(text, end, name_end):
        if sign:
            return
        name_end = end
    before = text[at - 1 : at]
    is_bare = not (before.isalnum() or before in ("_", "-")) or text[at - 2 : at] in ("\\n", "\\t", "\\r")
    role = "password" if match[0] == "key" and is_bare and _WIFI.search(_line_before(text, at)) else label.role
    found = _Found(role, match[0], at, end, name_end, is_bare)
    spans = [*_match_assigned(text, folded, found, sign)] if sign else []
    spans = spans or ([*_match_near(text, found)] if role != "user" else [])
    kind = _KINDS.get(role, "api-key")
    for start, stop in spans:
        yield kind, start, stop
    for start, value in split_column(text, at, end) if not spans else ():
        if len(value) >= _SHORTEST and _fits_name(value, found, quoted=True):
            yield kind, start, start + len(value)


def _is_option(text: str, at: int) -> bool:
    return text[at - 1 : at] == "-" and _OPTION.search(text[max(0, at - 30) : at]) is not None


def _is_public(before: str) -> bool:
    """Tell whether the first part of a name makes its value public; an ARN only names a secret."""
    if before.endswith("did:") or (before.endswith(":") and before[-2:-1].isdigit()):
        return True
    if "public" in before and "public" in re.split(r"[^\w.-]", before)[-1]:
        return True
    return before.rstrip(" _.-").removesuffix("api").rstrip(" _.-").endswith((*word_list("public"), "restored from"))


def _match_assigned(text: str, folded: str, label: _Found, sign: re.Match[str]) -> Iterator[Span]:
    """Yield the value after a name and a sign."""
    below = _BELOW.match(folded, sign.end("sign")) if sign["sign"] else None
    entries = _MAP.match(folded, sign.end("sign")) if sign["sign"] and not below else None
    start = (below or entries or sign).end()
    groups = _GROUPS.match(text, start)
    if groups and is_base32(groups[0]):
        yield groups.span()
        return
    mark = _MARK.match(text, start)
    start = mark.end() if mark else start
    value, quoted = _read_value(text, start)
    user = _USER.match(value) if label.role != "session" else None
    rest = value[user.end() :] if user and len(value) - user.end() >= _SHORTEST else ""
    rest = "" if "/" in rest else rest
    is_login = bool(rest and not judge(value) & Look.RANDOM and judge(rest) & (PASSWORD & ~Look.HEX))
    if is_login and user:
        start, value = start + user.end(), rest
    # Long text without blanks is of a script without them; judging all of it would be slow.
    if len(value) < _SHORTEST or (len(value) > 64 and not value.isascii()) or (not quoted and _OTHER_CODE.match(value)):
        return
    name = text[max(0, label.start - 12) : label.name_end]
    look = judge(value, quoted=quoted)
    is_digest = bool(look & Look.HEX and _DIGEST.search(_line_before(text, label.start)))
    if is_digest or (label.role == "session" and "=" not in sign[0]):
        return
    is_tested = label.is_bare and label.word == "pass" and not quoted and sign["sign"] != "="
    is_literal = quoted or (_LITERAL_END.match(text, start + len(value)) is not None and is_typical(value))
    if (
        is_login
        or _fits_name(value, label, quoted=quoted)
        or (look & Look.UUID and _SAYS_UUID.search(name))
        or (look & Look.PLAIN and label.role == "password" and is_literal and not is_tested)
    ):
        yield start, start + len(value)


def _fits_name(value: str, label: _Found, *, quoted: bool) -> bool:
    """Tell whether a value fits the name that it is assigned to."""
    look = judge(value, quoted=quoted)
    if label.role in ("session", "user"):
        return label.role == "session" and len(value) > 19 and bool(look & Look.RANDOM)
    if label.role == "login":
        return bool(look & TOKEN)
    if label.role == "password":
        # `pass: 12 tests` is a result.
        accepted = Look.STRICT | Look.CHOSEN if label.is_bare and not quoted and label.word == "pass" else PASSWORD
        return bool(look & accepted & ~Look.UUID) or hides_password(value)
    if label.is_bare and label.word in ("key", "keys", "auth", "seed"):
        return bool(look & Look.GENERATED) or hides_password(value)
    if look & TOKEN or hides_password(value) or (label.word in ("totp", "seed") and _BASE32.fullmatch(value)):
        return True
    return label.word == "secret" and quoted and bool(look & Look.CHOSEN) and bool(re.search(r"[A-Z.]", value))


def _match_near(text: str, label: _Found) -> Iterator[Span]:
    """Yield values in the sentence around a label, or at the beginning of the next line."""
    line_end = text.find("\n", label.name_end, label.name_end + _AHEAD)
    limit = line_end if line_end >= 0 else min(len(text), label.name_end + _AHEAD)
    first = max(0, label.start - _BEHIND - _JUDGED)
    first = max(first, text.rfind("\n", first, label.start) + 1)
    for found in _candidate_words(text, label.name_end, limit):
        word = _WORD.match(text, found.start()) if found.end() == limit else found
        if word and text[word.end() : word.end() + 1] not in {*"([{"}:
            yield from _judge_after(text, label, word, text[label.name_end : word.start()])
    below = _NEXT_LINE.match(text, label.name_end) if line_end >= 0 or limit < label.name_end + 100 else None
    word = _WORD.match(text, below.end()) if below else None
    if below and word and (_ASKS.search(below["rest"]) or (_ALONE.match(text, word.end()) and len(word[0]) > 15)):
        yield from _judge_after(text, label, word, ":")
    for word in _candidate_words(text, first, label.start):
        gap = text[word.end() : label.start]
        said = gap + _line_before(text, word.start())
        if 1 < len(gap) <= _BEHIND and gap[0] not in "([{=:" and _fits_before(word[0], label, gap, said):
            value = _cut(word[0], label)
            yield word.end() - len(value), word.end()


def _candidate_words(text: str, first: int, limit: int) -> Iterator[re.Match[str]]:
    # Nearly all values have a digit or a sign, and most sentences have none.
    for run in _RUN.finditer(text, first, limit) if _HINT.search(text, first, limit) else ():
        if _MARKS.search(run[0]):
            yield from _WORD.finditer(text, *run.span())


def _judge_after(text: str, label: _Found, word: re.Match[str], gap: str) -> Iterator[Span]:
    """Yield the place of a word after a label if it is its value."""
    whole = trim(word[0])
    value = _cut(whole, label)
    start = word.start() + len(whole) - len(value)
    # `is "correct horse-…`: only the last word of a phrase looks like one.
    gap = re.sub(r"[\"“«][a-z ]{1,30}$", "", gap).rstrip(" \t\"'`*„“”«»「『（([{<")
    if len(value) < _SHORTEST or (label.role == "session" and len(value) < 32):
        return
    look = judge(value)
    is_linked = _is_linked(label, gap) and not _is_explanation(text, start, start + len(value))
    if look & Look.HEX and _DIGEST.search(_line_before(text, label.start)):
        return
    if _DIGEST.search(gap) or (not is_linked and _OTHER_NAME.search(gap)):
        return
    quoted = text[start - 1 : start] in {*"\"'`"}
    if label.role == "password":
        accepted = PASSWORD & ~Look.RANDOM & ~Look.MIXED | Look.STRICT | Look.GENERATED
        if re.search(r"[:;.!?].*[:=]$", gap):
            accepted &= ~Look.CHOSEN
        fits = look & (accepted if is_linked else Look.STRICT | Look.GENERATED)
        if is_linked and ":" in value and "://" not in value:
            fits = fits or judge(value.replace(":", "")) & Look.STRICT
    elif label.role == "login":
        fits = look & Look.STRICT if value.upper() != value else Look.NOTHING
        fits = fits or (look & Look.CHOSEN if _names_password(label, gap, value) else Look.NOTHING)
        fits = fits or (look & PASSWORD if whole != value and label.word.startswith("cred") else Look.NOTHING)
    else:
        fits = look & _accepted_token(text, label, is_linked=is_linked, quoted=quoted)
        # Fingerprints are in capitals.
        fits = fits & ~Look.RANDOM if value.upper() == value else fits
        if not gap and _SAYS_UUID.search(text, max(0, label.start - 12), label.name_end):
            fits = fits or look & Look.UUID
    is_seed = label.word in ("seed", "totp") and _BASE32.fullmatch(value) and is_base32(value)
    if fits or is_seed or (label.role == "token" and is_prefixed_token(value)):
        yield start, start + len(value)


def _accepted_token(text: str, label: _Found, *, is_linked: bool, quoted: bool) -> Look:
    """Return how the value of a key or token after its label may look."""
    if not is_linked:
        return Look.GENERATED if label.word != "auth" else Look.STRICT if quoted else Look.NOTHING
    names_key = label.word == "key" and _KEY_KIND.search(text, max(0, label.start - 10), label.start)
    is_certain = label.word in ("token", "secret") or names_key
    return Look.GENERATED | Look.HEX | Look.STRICT | (Look.RANDOM if is_certain else Look.NOTHING)


def _is_linked(label: _Found, gap: str) -> bool:
    """Tell whether the words between a label and a value connect them."""
    return not gap or bool(_LINK.search(gap[-40:])) or (label.role == "login" and bool(_AFTER_USER.search(gap)))


def _is_explanation(text: str, start: int, end: int) -> bool:
    """Tell `polish pass (post-8-fix verification)`, which explains a word, from `password (VALUE)`."""
    return text[start - 2 : start] == " (" and text[end : end + 1] != ")"


def _names_password(label: _Found, gap: str, value: str) -> bool:
    """Tell whether words and a number after a login are its password, not a user: `sign in with …`."""
    if re.search(r"\b(?:with|using|mit|avec|con|com|с)\s*$", gap) or (label.word == " pin" and is_gibberish(value)):
        return True
    names_both = label.word.startswith(("cred", "ident", "zugang", "доступ")) and bool(_AFTER_USER.search(gap))
    return names_both and bool(re.search(r"[A-Z].*\d{3}", value))


def _fits_before(word: str, label: _Found, gap: str, said: str) -> bool:
    """Tell whether a word in the sentence before a label is its value."""
    value = _cut(trim(word), label)
    if label.role == "session" or len(value) < _SHORTEST or _OTHER_NAME.search(gap) or _DIGEST.search(gap):
        return False
    look = judge(value)
    if look & Look.HEX and _DIGEST.search(said):
        return False
    is_linked = bool(_BACK_LINK.search(gap))
    if label.role == "password":
        return bool(look & (Look.STRICT | Look.CHOSEN | Look.GENERATED if is_linked else Look.STRICT))
    if label.role == "login":
        return bool(look & Look.STRICT)
    return bool(look & (Look.GENERATED | Look.HEX if is_linked else Look.GENERATED))


def _cut(value: str, label: _Found) -> str:
    """Cut off the name of a user."""
    user = _USER.match(value) if label.role != "token" else None
    return value[user.end() :] if user and len(value) - user.end() >= _SHORTEST else value


def _line_before(text: str, at: int) -> str:
    return text[max(0, at - 60) : at].rpartition("\n")[2]


def _read_value(text: str, start: int) -> tuple[str, bool]:
    """Return the value at a place, and whether quotes enclose it."""
    quote = text[start - 1].replace(">", "<")
    end = text.find(quote, start, start + 513) if quote in "\"'`<" else -1
    if end - start >= 6 and not re.search(r"[\s\\]", text[start:end]):
        return text[start:end], True
    value = _VALUE.match(text, start)
    return (trim(value[0]), False) if value else ("", False)


def trim(value: str) -> str:
    """Cut off the next command or parameter and the punctuation of the sentence."""
    return _NEXT_PARAMETER.split(value, maxsplit=1)[0].removesuffix("**").rstrip(".,;:)]}")
