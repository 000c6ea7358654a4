"""Finds values of any vendor by the name, the sentence or the line that calls them a secret."""

import re
from collections.abc import Iterator

from memci.redaction.secret_scopes import find_in_column
from memci.redaction.secret_values import (
    hides_password,
    is_base32_groups,
    is_chosen,
    is_generated,
    is_gibberish,
    is_hex_key,
    is_memorable,
    is_passphrase,
    is_password,
    is_prefixed_token,
    is_scrambled,
    is_spoken_password,
    is_token,
    is_uuid,
)
from memci.redaction.secret_words import BACK_LINK, DIGEST, HARMLESS_REST, LABEL, LINK, PUBLIC

# The rest of a name, as in `token_prod` and `keyV2`.
_REST = re.compile(r"[A-Za-z0-9_.-]{0,40}")
_OPEN = r"(?:[bruf]{0,2}(?:\\?[\"'`]){1,3}|[*„“”«「『（(]{1,3}\s?|\{(?![{%\s])|%[qQ]?[({\[])?"
_SIGN = re.compile(
    # `name = value`, `"name": "value"`, `| name | value |`, `name: String = "value"`, `<th>name</th><td>value`
    r"(?P<sign>(?:\\?[\"'`*\])]){0,4}[ \t]{0,8}(?::[ \t]?[&*\w\[\]<>.?]{1,30}[ \t]{0,2}=|=>|:=|={1,3}|:|->|→|\||："
    r"|(?:</?[a-z]{1,10}>\s{0,4}){1,4})[ \t]{0,8})" + _OPEN
    # `name: NAME` or `key="NAME"`, then `value: …`; `variable "name" { default = …`
    + r"|[\"']?[ \t]{0,4}[,;{]?\s{1,40}(?:type\s{1,8}=\s{1,8}\w{1,20}\s{1,40})?[\"']?(?:value|default)[\"']?"
    + r"[ \t]{0,8}[:=][ \t]{0,4}" + _OPEN
    # `<name>value`, `define('NAME', 'value')`, `setName("value")`, `#define NAME "value"`
    + r"|(?:[\"']?>|[\"']\]?[ \t]{0,2},[ \t]{0,4}(?=[bru]?[\"'])|\((?=[bru]?[\"'])|[ \t]{1,4}(?=[\"']))" + _OPEN
)  # fmt: skip
# The value is on a line of its own, below the name.
_BELOW = re.compile(r"(?:[>|]-?|\(|\\)?[ \t]{0,4}\r?\n\s{0,60}" + _OPEN + r"(?=[^\s]{8,512}[ \t]{0,8}(?:\n|$))")
# A word beside a label that may be a value: letters alone are not, unless their case changes inside.
_WORD = re.compile(
    r"(?=[A-Za-z0-9!#$%&*+/=?@^~])(?:(?<![A-Za-z0-9_.$@/\\+%&=~:#-])|(?<=[^\x00-\x7f]))"
    r"(?=[^\s\"'`]{0,64}(?:[0-9!#$%^&*]|[a-z][A-Z]))[A-Za-z0-9!#$%&*+/=?@^~][A-Za-z0-9_!#$%&*+/=?@^~.:-]{7,511}"
)
_HINT = re.compile(r"[0-9!$%^&]")
# Alone on the line below a label, or the first word there if the line above asks for it.
_NEXT_LINE = re.compile(r"(?P<rest>[^\n]{0,100})\n(?:[ \t]{0,8}(?:```\w{0,10})?\n){0,2}[ \t>*\"'`(-]{0,12}")
_ASKS = re.compile(r"[:：=({\[>|?\\][ \t]{0,4}$")
# Words that some tools put before a generated value.
_MARK = re.compile(r"base64:|django-insecure-")
_USER = re.compile(r"[A-Za-z][\w.-]{1,30}[:/]")
_VALUE = re.compile(r"[^\s\"'`<>|\\，。；、」』）“”„»\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{6,512}")
_OTHER_CODE = re.compile(r"[A-Za-z_][\w.-]{1,40}(?:=[\w\"'$]|!?[(\[{])")
# Another name stands nearer to the value.
_OTHER_NAME = re.compile(r"[\w\"'][:=]\s?[^\s\"']|\w[\"']?: ?[\"']|://|[\w)]=[\"']")
_GROUPS = re.compile(r"(?:[A-Za-z2-7]{4}[ -]){3,15}[A-Za-z2-7]{2,4}(?![\w-])")
# UUIDs are ids, but for what is only ever given a credential.
_SAYS_UUID = re.compile(r"(?:(?:api|access|auth)[_-]?key|token|passw(?:or)?d|secret)$", re.IGNORECASE)

# Shorter words beside a label are most often something else.
_SHORTEST = 8
# How far behind and before a label its value may stand.
_AHEAD, _BEHIND = 72, 60
# The longest value before a label.
_JUDGED = 130

Span = tuple[str, int, int]


def find_labelled(text: str, folded: str, word: str) -> Iterator[Span]:
    """Yield kind, start and end of values that a label beginning with `word` calls a secret."""
    at = folded.find(word)
    while at >= 0:
        label = LABEL.match(folded, at)
        if label and not (label["token"] and _is_public(folded[max(0, at - 24) : at])):
            assigned = _find_assigned(text, folded, label)
            found = [assigned] if assigned else [*_find_near(text, label)] if not label["user"] else []
            kind = "password" if label["password"] else "session-cookie" if label["session"] else "api-key"
            for start, end in found:
                yield kind, start, end
            for start, value in find_in_column(text, at, label.end()) if not found else ():
                if len(value) >= _SHORTEST and _is_secret(value, label, quoted=True):
                    yield kind, start, start + len(value)
        at = folded.find(word, at + 1)


def _is_public(before: str) -> bool:
    """Whether the first part of a name says that its value is none; in an ARN a secret is only named."""
    name = re.split(r"[^\w.-]", before)[-1]
    if "public" in name or (before.endswith(":") and before[-2:-1].isdigit()):
        return True
    return before.rstrip(" _.-").removesuffix("api").rstrip(" _.-").endswith(PUBLIC)


def _find_assigned(text: str, folded: str, label: re.Match[str]) -> tuple[int, int] | None:
    """Find the value behind a name and a sign."""
    name_end = _match(_REST, text, label.end()).end()
    sign = _SIGN.match(folded, name_end)
    if not sign or HARMLESS_REST.search(text, label.end(), name_end):
        return None
    below = _BELOW.match(folded, sign.end("sign")) if sign["sign"] else None
    start = below.end() if below else sign.end()
    groups = _GROUPS.match(text, start)
    if groups and is_base32_groups(groups[0]):
        return groups.span()
    value, quoted = _read_value(text, start)
    mark = _MARK.match(value) or (_USER.match(value) if not label["session"] else None)
    is_login = bool(mark and mark.re is _USER)
    if mark and (not is_login or (not is_token(value) and _is_chosen_password(value[mark.end() :]))):
        start, value = start + mark.end(), value[mark.end() :]
    else:
        is_login = False
    # Long text without blanks is of a script that has none; judging all of it would be slow.
    if len(value) < _SHORTEST or (len(value) > 64 and not value.isascii()) or (not quoted and _OTHER_CODE.match(value)):
        return None
    name = text[max(0, label.start() - 12) : name_end]
    fits = is_login or _is_secret(value, label, quoted=quoted) or (is_uuid(value) and _SAYS_UUID.search(name))
    if label["session"] and "=" not in sign[0]:
        fits = False
    if fits and is_hex_key(value) and DIGEST.search(_line_before(text, label.start())):
        fits = False
    return (start, start + len(value)) if fits else None


def _is_secret(value: str, label: re.Match[str], *, quoted: bool) -> bool:
    """Whether a value that is assigned to a name looks like what the name says."""
    is_bare = not re.search(r"[\w-]", label.string[label.start() - 1 : label.start()])
    if label["session"] or label["user"]:
        return bool(label["session"]) and len(value) > 19 and is_token(value)
    if label["login"] or (is_bare and not quoted and label[0] == "pass"):
        return (
            is_spoken_password(value)
            or (bool(label["login"]) and is_token(value))
            or (bool(label["password"]) and is_chosen(value))
        )
    if label["password"]:
        return is_password(value, quoted=quoted) or _is_chosen_password(value) or hides_password(value)
    if is_bare and label[0] in ("key", "keys", "auth", "seed"):
        return is_generated(value) or hides_password(value)
    if is_token(value) or (quoted and is_scrambled(value)) or hides_password(value) or is_spoken_password(value):
        return True
    return label[0] == "secret" and quoted and is_chosen(value) and bool(re.search(r"[A-Z.]", value))


def _is_chosen_password(value: str) -> bool:
    return is_chosen(value) or is_passphrase(value) or is_spoken_password(value) or is_generated(value)


def _find_near(text: str, label: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Find values in the sentence around a label, or at the beginning of the next line."""
    name_end = _match(_REST, text, label.end()).end()
    if HARMLESS_REST.search(text, label.end(), name_end):
        name_end = label.end()
    line_end = text.find("\n", name_end, name_end + _AHEAD)
    limit = line_end if line_end >= 0 else min(len(text), name_end + _AHEAD)
    first = max(0, label.start() - _BEHIND - _JUDGED)
    first = max(first, text.rfind("\n", first, label.start()) + 1)
    # Nearly all values have a digit or a sign, and most sentences have none.
    is_plain = not _HINT.search(text, first, limit)
    for found in _WORD.finditer(text, name_end, limit) if not is_plain else ():
        word = _WORD.match(text, found.start()) if found.end() == limit else found
        if word and text[word.end() : word.end() + 1] not in {*"([{"}:
            yield from _judge(text, label, word, text[name_end : word.start()])
    below = _NEXT_LINE.match(text, name_end)
    word = _WORD.match(text, below.end()) if below else None
    if below and word:
        is_alone = re.match(r"[\"'`;,)]{0,3}[ \t]{0,8}(?:\r?\n|$)", text[word.end() : word.end() + 16])
        if _ASKS.search(below["rest"]) or (is_alone and len(word[0]) > 15):
            yield from _judge(text, label, word, ":")
    for word in _WORD.finditer(text, first, label.start()) if not is_plain else ():
        gap = text[word.end() : label.start()]
        if 1 < len(gap) <= _BEHIND and (gap[0] not in "([{=:") and _fits_before(word[0], label, gap):
            value = _cut(word[0], label)
            yield word.start() + len(word[0]) - len(value), word.start() + len(word[0])


def _judge(text: str, label: re.Match[str], word: re.Match[str], gap: str) -> Iterator[tuple[int, int]]:
    """Yield the place of a word behind a label if it is its value."""
    value = trim(word[0])
    whole = len(value)
    value = _cut(value, label)
    start = word.start() + whole - len(value)
    gap = gap.rstrip(" \t\"'`*„“”«「『（([{<")
    if len(value) < _SHORTEST or (label["session"] and len(value) < 32):
        return
    is_linked = bool(LINK.search(gap[-24:])) or not gap
    if is_hex_key(value) and DIGEST.search(_line_before(text, label.start())):
        return
    if DIGEST.search(gap) or (not is_linked and _OTHER_NAME.search(gap)):
        return
    quoted = text[start - 1 : start] in {*"\"'`"}
    if label["password"]:
        fits = is_spoken_password(value) or is_passphrase(value) or is_generated(value) or is_memorable(value)
        fits = fits or (is_linked and (is_chosen(value) or is_uuid(value) or is_hex_key(value) or is_gibberish(value)))
        fits = fits or (is_linked and is_spoken_password(value.replace(":", "")) and "://" not in value)
    elif label["login"]:
        fits = (is_spoken_password(value) and value.upper() != value) or is_memorable(value)
        fits = fits or (is_linked and label[0] == " pin" and is_gibberish(value))
        fits = fits or (is_chosen(value) and _names_password(label, gap, value))
    else:
        fits = (is_generated(value) and (is_linked or label[0] != "auth")) or is_prefixed_token(value)
        fits = fits or (is_linked and (is_hex_key(value) or is_spoken_password(value)))
        fits = fits or (quoted and is_spoken_password(value) and label[0] == "auth")
    if fits:
        yield start, start + len(value)


def _names_password(label: re.Match[str], gap: str, value: str) -> bool:
    """Whether a login is told such that words and a number are its password, not a user: `sign in with …`."""
    if re.search(r"\b(?:with|using|mit|avec|con|com|с)\s*$", gap):
        return True
    return label[0].startswith(("cred", "ident", "zugang", "доступ")) and bool(re.search(r"[A-Z].*\d{3}", value))


def _fits_before(word: str, label: re.Match[str], gap: str) -> bool:
    """Whether a word in the sentence before a label is its value."""
    value = _cut(trim(word), label)
    if label["session"] or len(value) < _SHORTEST or _OTHER_NAME.search(gap) or DIGEST.search(gap):
        return False
    is_linked = bool(BACK_LINK.search(gap))
    if label["password"] or label["login"]:
        if is_spoken_password(value) or is_memorable(value):
            return True
        return is_linked and bool(label["password"]) and _is_chosen_password(value)
    return is_generated(value) or (is_linked and is_hex_key(value))


def _cut(value: str, label: re.Match[str]) -> str:
    """Cut off the name of a user."""
    user = _USER.match(value) if not label["token"] else None
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
    """Cut off the next parameter and the punctuation of the sentence."""
    return re.split(r"[&,;](?=[\w.-]{1,40}[=:])", value, maxsplit=1)[0].removesuffix("**").rstrip(".,;:)]}")


def _match(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str]:
    found = pattern.match(text, at)
    assert found  # noqa: S101 - the pattern matches the empty string
    return found
