"""Rates how strongly the place of a value says that it is the secret which a label names."""

import enum
import re
import string
from typing import NamedTuple

from memci.patterns import LazyPattern
from memci.redaction.secret_data import alternatives, word_list
from memci.redaction.secret_values import KeyLook, PasswordLook, hides_password, is_base32, is_prefixed_token, judge

_LINKS = LazyPattern(lambda: "|".join(map(re.escape, word_list("links"))))
_END = r"[:：→]\s?[\w.@-]{2,40} /$|(?:[:：=→>—–…]|\.{3})\s*$|[はがをにへ은는이가을를로为為是成了到]\s*$|\s-{1,2}\s*$"
LINK = LazyPattern(
    lambda: rf"(?:^|[\s,;:(…'’])(?:{_LINKS.pattern})(?: 0| [a-zà-ÿ]{{3,12}})?\s*$|{_END}|^[\s,、'’s]{{0,4}}(?:0 )?$",
    re.IGNORECASE,
)
# Nothing but such words is between a label and a value.
DIRECT = LazyPattern(
    lambda: rf"(?:[\s,;:：=→>—–-]|(?<!\w)(?:{_LINKS.pattern})(?!\w)|[はがをに은는为為是])*", re.IGNORECASE
)
# `Credentials: ana, VALUE`
_AFTER_USER = LazyPattern(r"[:：→]\s?[\w.@-]{2,40}\s?[,/]?$|\s[\w.@-]{2,40}\s?/$")
_WITH = LazyPattern(r"\b(?:with|using|mit|avec|con|com|с)\s*$")
# A user is named before the password.
_USER_BEFORE = LazyPattern(
    lambda: rf"(?:{alternatives('users')})[\"']?[\s:：=]{{1,3}}[\"']?[\w.@-]{{2,40}}\W", re.IGNORECASE
)
_NAME = string.ascii_letters + string.digits + "_.- \t"
ALONE = LazyPattern(r"[\"'`;,)]{0,3}[ \t]{0,8}(?:\r?\n|$)")
_BASE32 = LazyPattern(r"[A-Z2-7]{16,64}|[a-z2-7]{16,64}")


class SecretPlace(enum.IntEnum):
    """How strongly the place of a value says that it is what the label names."""

    NEAR = 0
    BESIDE = 1
    LINKED = 2
    DIRECT = 3
    ASSIGNED = 4


class FoundLabel(NamedTuple):
    """A label in the text: its role, its word and position, and the end of the name that it is part of."""

    role: str
    word: str
    start: int
    end: int
    name_end: int
    is_bare: bool


# What a password has to look like at least.
_PASSWORD = {
    SecretPlace.NEAR: PasswordLook.STRICT,
    SecretPlace.BESIDE: PasswordLook.MADE_UP,
    SecretPlace.LINKED: PasswordLook.MADE_UP,
    SecretPlace.DIRECT: PasswordLook.NUMBERED,
    SecretPlace.ASSIGNED: PasswordLook.NUMBERED,
}


def rate(text: str, label: FoundLabel, gap: str, start: int, end: int) -> SecretPlace:
    """Return how the words between a label and a value connect them."""
    # `polish pass (post-8-fix verification)` explains a word, unlike `password (VALUE)`.
    if text[start - 2 : start] == " (" and text[end : end + 1] != ")":
        return SecretPlace.NEAR
    if label.word == "pass" and gap.endswith(" to"):
        return SecretPlace.NEAR
    if not gap.strip(" ,、"):
        before = line_before(text, label.start)
        is_certain = names_user(text, label.start) or (not before.strip(_NAME) and ALONE.match(text, end))
        return SecretPlace.DIRECT if is_certain or text[start - 1] in "\"'`„“«「『" else SecretPlace.BESIDE
    if not LINK.search(gap[-40:]) and not (label.role == "login" and _AFTER_USER.search(gap)):
        return SecretPlace.NEAR
    if DIRECT.fullmatch(gap):
        return SecretPlace.DIRECT
    return SecretPlace.NEAR if re.search(r"[:;.!?].*[:=]$", gap) else SecretPlace.LINKED


def names_password(label: FoundLabel, gap: str) -> bool:
    """Tell whether a word after a login is its password, not a user: `sign in with …`, `credentials: ana / …`."""
    names_both = label.word.startswith(("cred", "ident", "zugang", "доступ", "вход"))
    return bool(_WITH.search(gap) or (names_both and _AFTER_USER.search(gap)))


def names_user(text: str, at: int) -> bool:
    """Tell whether a user is named on the same line before a place."""
    return _USER_BEFORE.search(line_before(text, at)) is not None


def line_before(text: str, at: int) -> str:
    """Return the end of the line before a place."""
    return text[max(0, at - 60) : at].rpartition("\n")[2]


def fits(value: str, label: FoundLabel, place: SecretPlace, *, quoted: bool = False, certain: bool = False) -> bool:
    """Tell whether a value looks like what the label names; the stronger the place, the less is asked."""
    if label.role == "password":
        return _fits_password(value, label, place, quoted=quoted, certain=certain)
    if label.role == "token":
        return _fits_key(value, label, place, quoted=quoted, certain=certain)
    chosen, key = judge(value, quoted=quoted)
    if label.role == "login":
        is_password = chosen >= (PasswordLook.MADE_UP if certain else PasswordLook.STRICT) and value.upper() != value
        return is_password or (place == SecretPlace.ASSIGNED and key >= KeyLook.HEX)
    return label.role == "session" and place == SecretPlace.ASSIGNED and len(value) > 19 and key >= KeyLook.HEX


def _fits_password(value: str, label: FoundLabel, place: SecretPlace, *, quoted: bool, certain: bool) -> bool:
    chosen, key = judge(value, quoted=quoted)
    least = _PASSWORD[place]
    if label.is_bare and label.word == "pass" and not (quoted and certain):
        # `pass: 12 tests` is a result.
        least = max(least, PasswordLook.MADE_UP) if certain else PasswordLook.MIXED
    elif place == SecretPlace.ASSIGNED and certain and (not quoted or re.search(r"\d", value)):
        least = PasswordLook.WORDS
    is_key = key >= (KeyLook.HEX if place >= SecretPlace.LINKED else KeyLook.GENERATED)
    return chosen >= least or is_key or (place == SecretPlace.ASSIGNED and hides_password(value))


def _fits_key(value: str, label: FoundLabel, place: SecretPlace, *, quoted: bool, certain: bool) -> bool:
    chosen, key = judge(value, quoted=quoted)
    is_assigned = place == SecretPlace.ASSIGNED
    if place == SecretPlace.NEAR and label.word == "auth":
        return False
    if key == KeyLook.GENERATED or is_prefixed_token(value) or (is_assigned and hides_password(value)):
        return True
    if label.word in ("totp", "seed") and _BASE32.fullmatch(value) and (is_assigned or is_base32(value)):
        return True
    # `key: value` is most often a pair of any kind.
    if place == SecretPlace.NEAR or (label.is_bare and is_assigned and label.word in ("key", "keys", "auth", "seed")):
        return False
    is_named = label.word == "secret" and place >= SecretPlace.DIRECT
    is_named = is_named and (not label.is_bare or (quoted and bool(re.search(r"[A-Z.]", value))))
    is_key = key >= KeyLook.HEX and (is_assigned or certain)
    is_key = is_key or (key == KeyLook.HEX and place > SecretPlace.BESIDE)
    return is_key or chosen >= (PasswordLook.MADE_UP if is_named else PasswordLook.STRICT)
