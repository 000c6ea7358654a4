"""Rates how strongly the place of a value says that it is the secret which a label names."""

import enum
import re
import string
from collections.abc import Iterator
from typing import NamedTuple

from memci.patterns import LazyPattern
from memci.redaction.secret_data import alternatives, word_list
from memci.redaction.secret_rules import SENTENCE
from memci.redaction.secret_values import KeyLook, PasswordLook, hides_password, is_base32, is_prefixed_token, judge

_LINKS = LazyPattern(lambda: "|".join(map(re.escape, word_list("links"))))
_END = r"[:：→]\s?[\w.@-]{2,40} /$|(?:[:：=→>—–…]|\.{3})\s*$|[はがをにへ은는이가을를로为為是成了到면]\s*$|\s-{1,2}\s*$"
_LINK = LazyPattern(
    lambda: rf"(?:^|[\s,;:(…'’])(?:{_LINKS.pattern})(?: 0| [a-zà-ÿ]{{3,12}})?\s*$|{_END}|^[\s,、'’s]{{0,4}}(?:0 )?$",
    re.IGNORECASE,
)
# Nothing but such words is between a label and a value.
_DIRECT = LazyPattern(
    lambda: rf"(?:[\s,;:：=→>—–]|-(?!\w)|(?<![\w-])(?:{_LINKS.pattern})(?!\w)|[はがをに은는为為是])*", re.IGNORECASE
)
# `the password of the box is VALUE.`
_IS = r"(?:[:：=]|\b(?:is|was|ist|lautet|est|es|é|è)\b)"
COPULA = LazyPattern(lambda: rf"{_IS}(?:\s(?:{_LINKS.pattern}))?\s*$", re.IGNORECASE)
# `the password of VALUE is …` names what has it.
_SUBJECT = LazyPattern(rf"\s?{_IS}\s", re.IGNORECASE)
_CLAUSE = LazyPattern(r"[:,;!?.]\s|[:;!?](?=.)")
_CLAUSE_END = LazyPattern(r"[\"'`»”]?[.,;!)]{0,2}(?:\s*$|\s*\n|(?<=[.,;!)])\s)")
# `Credentials: ana, VALUE`
_AFTER_USER = LazyPattern(r"[:：→]\s?[\w.@-]{2,40}\s?[,/]?$|(?:[\s(]\w|[\"'`][a-z])[\w.@-]{1,39}[\"'`]?\s?/$")
_WITH = LazyPattern(r"\b(?:with|using|mit|avec|con|com|с)\s*$")
# A user is named before the password, or owns it.
_USER_BEFORE = LazyPattern(
    lambda: rf"\b(?:my|mi|mon|meu|мой) $|(?:{alternatives('users')})[\"']?[\s:：=]{{1,3}}[\"']?[\w.@-]{{2,40}}\W",
    re.IGNORECASE,
)
_NAME = string.ascii_letters + string.digits + "_.- \t"
# How far after a label its words may be.
AHEAD = 72
ALONE = LazyPattern(r"[\"'`;,)]{0,3}[ \t]{0,8}(?:\r?\n|$)")
# UUIDs are ids, except for names that only ever have a credential.
_SAYS_UUID = LazyPattern(
    r"(?:(?:api|access|auth|secret|private|admin|service)[_-]?key|token|passw(?:or)?d|secret)$", re.IGNORECASE
)
# "api key", "signing key": not the key of a map or a table.
_SAYS_KEY = LazyPattern(
    r"(?:api|access|secret|private|shared|signing|admin|master|licen[sc]e)[ _-]key|token|secret", re.IGNORECASE
)
_ONE_WORD = LazyPattern(r"\s[^\W\d_]{2,16}(?:['’][^\W\d_]|-[^\W\d_]{2,8})?")
_BASE32 = LazyPattern(r"[A-Z2-7]{16,64}|[a-z2-7]{16,64}")
# The digits of a PIN, and words that are joined to them.
_PIN = LazyPattern(
    r"([^\n\d]{1,40}?)[\"'`*「]{0,2}(?<![A-Za-z0-9_])(\d{4,8}(?:[-_][^\W\d_]\w{0,40}){0,4})"
    r"(?![\w.,:%/-]*\d)(?! ?[a-z%])"
)
_PHRASE = LazyPattern(
    r"([^\n\"'`„“«]{1,40}?)[\"'`*„“« ]{0,3}((?:[a-z]{3,10}|\d{1,4})(?:[ -](?:[a-z]{2,10}|\d{1,4})){2,9})"
    r"(?=[\"'`.]{0,2}(?:\n|$)|[\"'`])"
)
_JOINED = LazyPattern(r"(?<![\w-])[a-z]{3,10}(?:-(?:[a-z]{2,10}|\d{1,4})){2,9}(?![\w-])")
_LONG = LazyPattern(r"[a-z]{4,10}(?:-[a-z]{4,10}){3,9}")
# `tulip-harbour-kettle-lamp` as the password
_AS = LazyPattern(r"[\"'`”»*]{0,2} (?:as|is|als|ist|comme|est|como|es|come|è|как|это)(?: \w{1,6}){0,2} ")
# `user ana, password tulip_harbour`, and nothing behind it
_WORDS = LazyPattern(r":? {1,3}[\"'`]?([a-z]{4,16}(?:_[a-z]{3,16}){1,3})[\"'`]?[.,;)]{0,2}[ \t]{0,8}(?:\r?\n|$)")


class SecretPlace(enum.IntEnum):
    """How strongly the place of a value says that it is what the label names."""

    NEAR = 0
    # Right after it: `password VALUE`.
    BESIDE = 1
    # `the password of the staging box is VALUE`
    LINKED = 2
    # `the password is VALUE`
    DIRECT = 3
    # `password: VALUE`
    ASSIGNED = 4
    # `--password VALUE`, `password="VALUE"`
    ONLY = 5


class FoundLabel(NamedTuple):
    """A label in the text: its role, its word and position, and the name that it is part of."""

    role: str
    word: str
    start: int
    name_end: int
    name: str
    is_bare: bool


# What a password has to look like at least, by place.
_LEAST = (
    *(PasswordLook.STRICT, PasswordLook.MADE_UP, PasswordLook.MADE_UP),
    *(PasswordLook.NUMBERED, PasswordLook.NUMBERED, PasswordLook.WORDS),
)


def rate(text: str, label: FoundLabel, gap: str, start: int, end: int) -> SecretPlace:
    """Return how the words between a label and a value connect them."""
    # `polish pass (post-8-fix verification)` explains a word, unlike `password (VALUE)`.
    is_explained = text[start - 2 : start] == " (" and text[end : end + 1] != ")"
    has_user = names_user(text, label.start)
    is_verb = (
        label.word == "pass" and label.is_bare and (gap.endswith(" to") or not (has_user or re.search(r"\w", gap)))
    )
    if is_explained or is_verb:
        return SecretPlace.NEAR
    if label.role == "login":
        # `sign in with …`, `credentials: ana / …`, `credentials are ana:…`, `login: ana / …`
        names_both = label.word.startswith(("basic", "cred", "ident", "zugang", "доступ", "вход")) or gap.endswith("/")
        is_joined = len(gap) < 12 and text[start - 1] in (":/" if names_both else ":")
        is_after_user = is_joined or (names_both and _AFTER_USER.search(gap))
        # `Office365` is a service.
        is_with = _WITH.search(gap) and (text[start - 1] in ":/" or not text[start:end].isalnum())
        return SecretPlace.DIRECT if is_after_user or is_with else SecretPlace.NEAR
    if not gap.strip(" ,、"):
        before = line_before(text, label.start)
        # In Chinese or Japanese no other word follows a label that is the first half of a compound.
        is_name = not before.strip(_NAME) or label.word[-1] > "\u3000"
        is_certain = has_user or (is_name and ALONE.match(text, end))
        return SecretPlace.DIRECT if is_certain or text[start - 1] in "\"'`„“«「『" else SecretPlace.BESIDE
    if _SUBJECT.match(text, end) and not COPULA.search(gap):
        return SecretPlace.NEAR
    return SecretPlace.DIRECT if _DIRECT.fullmatch(gap) else _rate_words(text, gap, start, end)


def _rate_words(text: str, gap: str, start: int, end: int) -> SecretPlace:
    # `mot de passe admin VALUE`
    if _ONE_WORD.fullmatch(gap) and (text[start - 1] == '"' or judge(text[start:end]).chosen >= PasswordLook.MIXED):
        return SecretPlace.BESIDE
    # Another clause is about something else, unless it has nothing but the link: `…, is VALUE`.
    _, *clauses = _CLAUSE.split(gap)
    is_link = not clauses or _DIRECT.fullmatch(clauses[-1]) or gap.endswith(" /")
    if not is_link or not _LINK.search(gap[-40:]):
        return SecretPlace.NEAR
    return SecretPlace.DIRECT if COPULA.search(gap) and _CLAUSE_END.match(text, end) else SecretPlace.LINKED


def names_user(text: str, at: int) -> bool:
    """Tell whether a user is named on the same line before a place."""
    return _USER_BEFORE.search(line_before(text, at)) is not None


def line_before(text: str, at: int) -> str:
    """Return the end of the line before a place."""
    return text[max(0, at - 60) : at].rpartition("\n")[2]


def match_words(text: str, label: FoundLabel) -> Iterator[tuple[int, int]]:
    """Yield the digits of a PIN, or the words of a passphrase."""
    if label.role == "pin":
        pin = _PIN.match(text, label.name_end)
        if pin and pin[1].strip() and not re.search(r" to $|\w=$", pin[1]) and _LINK.search(pin[1]):
            yield pin.span(2)
    elif label.role == "password":
        is_pass = label.word.startswith("passphrase")
        phrase = _PHRASE.match(text, label.name_end) if label.word.endswith(("phrase", "phrases")) else None
        if phrase and _DIRECT.fullmatch(phrase[1]) and not SENTENCE.search(phrase[2]):
            # Without a word between them, quotes set it off: passphrase `…`.
            is_set_off = is_pass and text[phrase.start(2) - 1] in "\"'`„“«"
            if phrase[1].strip() or is_set_off:
                yield phrase.span(2)
        yield from _match_joined(text, label, is_short=is_pass)


def _match_joined(text: str, label: FoundLabel, *, is_short: bool) -> Iterator[tuple[int, int]]:
    """Yield words that hyphens or underscores join, without any digit."""
    first, last = max(0, label.start - AHEAD), label.name_end + AHEAD
    for joined in _JOINED.finditer(text, first, last) if text.count("-", first, last) > 1 else ():
        is_long = _LONG.fullmatch(joined[0]) and judge(joined[0]).chosen > PasswordLook.NOTHING
        gap = text[label.name_end : joined.start()]
        is_after = label.word != "pass" and gap.strip() and "\n" not in gap and _LINK.search(gap)
        # `… as the password style` is about something else.
        is_other = text[label.name_end + 1 : label.name_end + 5].isalpha()
        is_before = not is_other and _AS.fullmatch(text, joined.end(), label.start)
        if (is_after and (is_long or is_short)) or (is_before and is_long):
            yield joined.span()
    words = _WORDS.match(text, label.name_end) if text[label.start - 2 : label.start - 1] in (",", ";") else None
    if words and judge(words[1]).chosen > PasswordLook.NOTHING and names_user(text, label.start):
        yield words.span(1)


def fits(value: str, label: FoundLabel, place: SecretPlace, *, quoted: bool = False) -> bool:
    """Tell whether a value looks like what the label names; the stronger the place, the less is asked."""
    chosen, key = judge(value, quoted=quoted)
    is_assigned = place >= SecretPlace.ASSIGNED
    if label.role in ("password", "token") and key == KeyLook.UUID:
        return place != SecretPlace.NEAR and _SAYS_UUID.search(label.name) is not None
    if label.role == "password":
        least = _LEAST[place]
        if label.word == "pass" and label.is_bare and place < SecretPlace.ONLY:
            least = PasswordLook.MADE_UP if place >= SecretPlace.LINKED else PasswordLook.STRICT
        is_key = key >= (KeyLook.HEX if place >= SecretPlace.LINKED else KeyLook.GENERATED)
        # The keys that routers come with are numbers.
        least_digits = 8 if place == SecretPlace.ONLY else 16 if place >= SecretPlace.LINKED else 513
        is_key = is_key or (value.isdigit() and len(value) >= least_digits)
        return chosen >= least or is_key or (is_assigned and hides_password(value))
    if label.role == "token":
        return _fits_key(value, label, place, quoted=quoted)
    if label.role == "login":
        least = PasswordLook.MADE_UP if place == SecretPlace.DIRECT else PasswordLook.STRICT
        return (chosen >= least and value.upper() != value) or (is_assigned and key >= KeyLook.HEX)
    return label.role == "session" and is_assigned and len(value) > 19 and key >= KeyLook.HEX


def _fits_key(value: str, label: FoundLabel, place: SecretPlace, *, quoted: bool) -> bool:
    chosen, key = judge(value, quoted=quoted)
    is_assigned = place >= SecretPlace.ASSIGNED
    if place == SecretPlace.NEAR and label.word == "auth":
        return False
    if key == KeyLook.GENERATED or is_prefixed_token(value) or (is_assigned and hides_password(value)):
        return True
    if label.word in ("totp", "seed") and _BASE32.fullmatch(value) and (is_assigned or is_base32(value)):
        return True
    # `key: value` is most often a pair of any kind.
    says_key = _SAYS_KEY.search(label.name) is not None
    is_pair = label.is_bare and is_assigned and label.word in ("key", "keys", "auth", "seed") and not says_key
    if place == SecretPlace.NEAR or is_pair:
        return False
    is_named = label.word == "secret" and place >= SecretPlace.DIRECT
    is_named = is_named and (not label.is_bare or (quoted and bool(re.search(r"[A-Z.]", value))))
    is_key = key >= KeyLook.HEX and (is_assigned or says_key)
    is_key = is_key or (key == KeyLook.HEX and place > SecretPlace.BESIDE)
    # A key that nobody calls secret may be that of a record.
    is_known = says_key or not label.word.startswith("key") or key > KeyLook.NOTHING
    return is_key or (is_known and chosen >= (PasswordLook.MADE_UP if is_named else PasswordLook.STRICT))
