"""Finds secrets of any vendor by the name, sentence or line that labels them."""

import re
from collections.abc import Iterator

from memci.patterns import LazyPattern
from memci.redaction.secret_data import alternatives, word_list
from memci.redaction.secret_places import (
    AHEAD,
    ALONE,
    COPULA,
    FoundLabel,
    SecretPlace,
    fits,
    line_before,
    match_words,
    names_user,
    rate,
)
from memci.redaction.secret_rules import Label
from memci.redaction.secret_values import KeyLook, PasswordLook, is_base32, is_random, judge
from memci.redaction.secret_views import split_column

# The rest of a name, as in `token_prod` and `keyV2`.
_REST = LazyPattern(r"[A-Za-z0-9_.-]{0,40}")
_OPEN = r"(?:[bruf]{0,2}(?:\\?[\"'`]){1,3}|[*„“”«»「『（(]{1,3}\s?|\{(?![{%\s]|\w{2,8}\})|%[qQ]?[({\[])?"
_SIGN = LazyPattern(
    # `name = value`, `"name": "value"`, `| name | value |`, `name: String = "value"`, `<th>name</th><td>value`
    r"(?P<sign>(?:\\?[\"'`*\])]){0,4}[ \t]{0,8}(?::[ \t]?[&*\w\[\]<>.?]{1,30}[ \t]{0,2}=|=>|:=|={1,3}|:|->|→|\||："
    r"|(?:</?[a-z]{1,10}>\s{0,4}){1,4})[ \t]{0,8}(?:</?[a-z]{1,10}>){0,2})" + _OPEN
    # `name: NAME` or `key="NAME"`, then `value: …`; `variable "name" { default = …`
    + r"|[\"']?[ \t]{0,4}[,;:{]?\s{1,40}(?:type\s{1,8}=\s{1,8}\w{1,20}\s{1,40})?[\"']?(?:value|default)[\"']?"
    + r"[ \t]{0,8}[:=][ \t]{0,4}" + _OPEN
    # `<name>value`, `define('NAME', 'value')`, `setName("value")`, `#define NAME "value"`, `by lazy { "value"`
    + r"|(?:[\"']?>|[\"']\]?[ \t]{0,2},[ \t]{0,4}(?=[bru]?[\"'])|\((?=[bru]?[\"'])|[ \t]{1,4}(?:by lazy \{ )?(?=[\"']))"
    + _OPEN
)  # fmt: skip
_BLANK = LazyPattern(r"(?P<sign>[ \t]{1,4})" + _OPEN)
# The value is on a line of its own, below the name.
_BELOW = LazyPattern(r"(?:[>|]-?|\(|\\)?[ \t]{0,4}\r?\n\s{0,60}" + _OPEN + r"(?=[^\s]{8,512}[ \t]{0,8}(?:\n|$))")
# A word beside a label that may be a value: letters alone are not, unless their case changes inside.
_LETTER = "A-Za-z0-9\u00c0-\u024f\u0400-\u04ff"
_WORD = LazyPattern(
    rf"(?=[{_LETTER}!#$%&*+/=?@^~])(?:(?<![{_LETTER}_.$@/\\+%&=~:#-])|(?<=[^\x00-\x7f])(?<![{_LETTER}]))"
    rf"(?=[^\s\"'`]{{0,64}}(?:[0-9!#$%^&*]|[a-z][A-Z]))[{_LETTER}!#$%&*+/=?@^~][{_LETTER}_!#$%&*+/=?@^~.:-]{{3,511}}"
)
_HINT = LazyPattern(r"[0-9!$%^&]")
# `--password VALUE`: an option of a command.
_OPTION = LazyPattern(r"(?:^|[\s(])--?[A-Za-z-]{0,24}$")
# `DB_PASSWORD=VALUE` of a shell; `PWD` alone is a directory.
_VARIABLE = LazyPattern(r"(?:^|[\s;&|\"'])[A-Z][A-Z0-9_]{4,29}$")
# Words are searched within runs: a run is found several times faster, and most have no character typical of a value.
_RUN = LazyPattern(r"[^\s\"'`]{4,}")
_MARKS = LazyPattern(r"[0-9!#$%^&*]|[a-z][A-Z]")
# Alone on the line below a label, or the first word there if the label ends in a colon or similar.
_NEXT_LINE = LazyPattern(r"(?P<rest>[^\n]{0,100})\n(?:[ \t]{0,8}(?:```\w{0,10})?\n){0,2}[ \t>*\"'`(-]{0,12}")
_ASKS = LazyPattern(r"[:：=({\[>|?\\][ \t]{0,4}$")
# Words that some tools put before a generated value.
_MARK = LazyPattern(r"base64:|django-insecure-|[Bb]earer |[Nn]'|!!str ")
_USER = LazyPattern(r"[A-Za-z][\w.-]{1,30}[:/]")
_VALUE = LazyPattern(r"[^\s\"'`<>|\\，。；、」』）“”„«»\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4,512}")
_OTHER_CODE = LazyPattern(r"[A-Za-z_][\w.-]{1,40}(?:=[\w\"'$]|!?[(\[{])")
# `kimchi7!(으)로`: the particle after a word, not a call.
_CALL = LazyPattern(r"[(\[{](?![^\x00-\x7f])")
# Another name is nearer to the value.
_OTHER_NAME = LazyPattern(r"[\w\"'][:=]\s?[^\s\"']|\w[\"']?: ?[\"']|://|[\w)]=[\"']")
_GROUPS = LazyPattern(r"(?:[A-Za-z2-7]{4}[ -]){3,15}[A-Za-z2-7]{2,4}(?![\w-])")
# "VALUE is the password", "as the password", "echo VALUE | docker login --password-stdin"
_BACK_LINK = LazyPattern(
    r"^[\"'`)*」』”’»“]{0,3},?(?: \(| (?:<-|←|→|=|--?) "
    # `load("VALUE"); // the password`
    r"|[\"'][^\"'\n]{0,40}(?://|#|--|/\*|<!--) ?[^\"'\n]{0,30}$"
    r"| (?:it )?(?:is|was|are|as|for|when|ist|als|est|comme|es|como|é|это|как) | ?\| |를 |을 |を)",
    re.IGNORECASE,
)
_REFERENCE = LazyPattern(r"\$\{?\w*$")
# The last part of a name whose value is something about a secret, not the secret.
_HARMLESS_REST = LazyPattern(lambda: rf"(?:^s?|[_.-]|(?=[A-Z]))(?i:{alternatives('about')})$")
_ABOUT_HEAD = LazyPattern(lambda: rf" (?i:{alternatives('about')})[ *`\"]{{0,4}}[|,;\t\n]")
_DIGEST = LazyPattern(lambda: alternatives("digests"), re.IGNORECASE)
_NEXT_PARAMETER = LazyPattern(r"&&|[&,;](?=[\w.-]{1,40}[=:])|&(?:[lg]t|quot|#\w{2,5})\b")
# How far before a label its value may be, and how long it may be there.
_BEHIND, _JUDGED = 60, 130
_KINDS = {"password": "password", "pin": "password", "session": "session-cookie"}


def match_labelled(text: str, folded: str, label: Label, match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of the values of a label that was matched in the folded text."""
    at = match.start()
    if label.role == "token" and _is_public(folded[max(0, at - 24) : at], match[0]):
        return
    end = match.end()
    rest = _REST.match(text, end) if match[0][-1].isascii() else None
    name_end = end + len(rest[0].rstrip(".-") if rest else "")
    sign = _SIGN.match(folded, name_end)
    if not sign and label.role == "password" and name_end == end and _is_option(text, at):
        sign = _BLANK.match(folded, end)
    # `password.encode("…")` calls a method of it.
    is_call = text[end : end + 1] == "." and text[name_end : name_end + 1] == "("
    if is_call or (name_end > end and _HARMLESS_REST.search(text, end, name_end)):
        if sign:
            return
        name_end = end
    before = text[at - 1 : at]
    is_bare = not (before.isalnum() or before in ("_", "-")) or text[at - 2 : at] in ("\\n", "\\t", "\\r")
    found = FoundLabel(label.role, match[0], at, name_end, text[max(0, at - 12) : name_end], is_bare)
    spans = [*match_words(text, found)] or ([*_match_assigned(text, folded, found, sign)] if sign else [])
    # Tests and people pass, too, in two passes: only a user before it makes the words around it a login.
    is_verb = found.word == "pass" and (is_bare or before == "-") and not names_user(text, at)
    # `$PWD/dist` refers to a value that is elsewhere.
    is_elsewhere = is_verb or (not spans and _REFERENCE.search(text, max(0, at - 24), at) is not None)
    spans = spans or ([] if is_elsewhere else [*_match_near(text, found)])
    kind = _KINDS.get(label.role, "api-key")
    yield from ((kind, *span) for span in spans)
    is_elsewhere = is_elsewhere or _ABOUT_HEAD.match(text, end) is not None
    for start, value in split_column(text, at, end) if not (spans or is_elsewhere) else ():
        if len(value) > 5 and fits(value, found, SecretPlace.ASSIGNED, quoted=kind == "password"):
            yield kind, start, start + len(value)


def _is_option(text: str, at: int) -> bool:
    before = text[at - 1 : at]
    return (before == "-" or before.isalpha()) and _OPTION.search(text[max(0, at - 30) : at]) is not None


def _is_public(before: str, word: str) -> bool:
    """Tell whether the first part of a name makes its value public; an ARN only names a secret."""
    if before.endswith("did:") or (before.endswith(":") and before[-2:-1].isdigit()):
        return True
    if "public" in before and "public" in re.split(r"[^\w.-]", before)[-1]:
        return True
    part = before.rstrip(" _.-").removesuffix("api").rstrip(" _.-")
    return word != "secret" and part.endswith((*word_list("public"), "restored from"))


def _match_assigned(text: str, folded: str, label: FoundLabel, sign: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the value after a name and a sign."""
    below = _BELOW.match(folded, sign.end("sign")) if sign["sign"] else None
    start = (below or sign).end()
    groups = _GROUPS.match(text, start)
    # What providers call an app password is four groups of letters.
    if groups and (is_base32(groups[0]) or (label.role == "password" and is_random(groups[0]))):
        yield groups.span()
        return
    mark = _MARK.match(text, start)
    start = mark.end() if mark else start
    value, quoted = _read_value(text, start)
    user = _USER.match(value) if label.role != "session" and label.word != "key" else None
    rest = value[user.end() :] if user and not re.search("[/:]", value[user.end() :]) else ""
    is_variable = _VARIABLE.search(text[max(0, label.start - 30) : label.name_end]) is not None
    place = _rate_sign(text, label, sign[0], is_literal=quoted or (is_variable and sign[0] == "="))
    is_login = len(rest) > 5 and judge(value).key < KeyLook.RANDOM and judge(rest).chosen >= PasswordLook.MADE_UP
    is_login = is_login and place > SecretPlace.NEAR
    if is_login:
        start, value = start + len(value) - len(rest), rest
    # Long text without blanks is of a script without them; judging all of it would be slow.
    if (len(value) > 64 and not value.isascii()) or (not quoted and _OTHER_CODE.match(value)):
        return
    if _is_digest(value, "", line_before(text, label.start)) or (label.role == "session" and "=" not in sign[0]):
        return
    if is_login or fits(value, label, place, quoted=quoted or is_variable or place == SecretPlace.ONLY):
        yield start, start + len(value)


def _rate_sign(text: str, label: FoundLabel, sign: str, *, is_literal: bool) -> SecretPlace:
    """Return how strong an assignment is."""
    if label.role != "password":
        return SecretPlace.ASSIGNED
    if label.word == "pass" and label.is_bare:
        # `build pass: 12 tests` is a result.
        is_entry = ":" in sign and not line_before(text, label.start).strip(" \t\"'-")
        if names_user(text, label.start):
            return SecretPlace.ONLY
        linked = SecretPlace.LINKED if re.search("→|->", sign) else SecretPlace.NEAR
        return SecretPlace.ASSIGNED if "=" in sign or is_entry else linked
    is_only = re.search("[:=]", sign) if is_literal else _is_option(text, label.start) and "=" not in sign
    return SecretPlace.ONLY if is_only else SecretPlace.ASSIGNED


def _match_near(text: str, label: FoundLabel) -> Iterator[tuple[int, int]]:
    """Yield values in the sentence around a label, or at the beginning of the next line."""
    line_end = text.find("\n", label.name_end, label.name_end + AHEAD)
    limit = line_end if line_end >= 0 else min(len(text), label.name_end + AHEAD)
    first = max(0, label.start - _BEHIND - _JUDGED)
    first = max(first, text.rfind("\n", first, label.start) + 1)
    groups = _GROUPS.search(text, label.name_end, limit + AHEAD) if label.role == "token" else None
    if groups and _ASKS.search(text[label.name_end : min(groups.start(), limit)]) and is_base32(groups[0]):
        yield groups.span()
    for found in _candidate_words(text, label.name_end, limit):
        word = _WORD.match(text, found.start()) if found.end() == limit else found
        if word and not _CALL.match(text, word.end()):
            yield from _judge_after(text, label, word, text[label.name_end : word.start()])
    below = _NEXT_LINE.match(text, label.name_end) if line_end >= 0 or limit < label.name_end + 100 else None
    word = _WORD.match(text, below.end()) if below else None
    if below and word:
        is_alone = ALONE.match(text, word.end())
        is_asked = _ASKS.search(below["rest"]) or (is_alone and COPULA.search(below["rest"]))
        if is_asked or (is_alone and len(word[0]) > 7):
            yield from _judge_after(text, label, word, ":" if is_asked or label.role == "token" else " line below")
    for word in _candidate_words(text, first, label.start):
        gap = text[word.end() : label.start]
        value = _cut(trim(word[0]), label)
        # `4c1d90e7b (HEAD -> main) rename the password form`
        is_commit = word.start() == first and re.fullmatch("[0-9a-f]{7,12}", value)
        is_other = (
            is_commit
            or len(value) < 6
            or _OTHER_NAME.search(gap)
            or _is_digest(value, gap, line_before(text, word.start()))
        )
        place = SecretPlace.LINKED if _BACK_LINK.search(gap) else SecretPlace.NEAR
        if 1 < len(gap) <= _BEHIND and gap[0] not in "([{=:" and not is_other and fits(value, label, place):
            yield word.end() - len(_cut(word[0], label)), word.end()


def _candidate_words(text: str, first: int, limit: int) -> Iterator[re.Match[str]]:
    # Nearly all values have a digit or a sign, and most sentences have none.
    for run in _RUN.finditer(text, first, limit) if _HINT.search(text, first, limit) else ():
        if _MARKS.search(run[0]):
            yield from _WORD.finditer(text, *run.span())


def _judge_after(text: str, label: FoundLabel, word: re.Match[str], gap: str) -> Iterator[tuple[int, int]]:
    """Yield the place of a word after a label if it is its value."""
    whole = trim(word[0])
    value = _cut(whole, label)
    start = word.start() + len(whole) - len(value)
    # `is "correct horse-…`: only the last word of a phrase looks like one.
    gap = re.sub(r"[\"“«][a-z ]{1,30}$", "", gap).rstrip(" \t\"'`*„“”«»「『（([{<")
    place = rate(text, label, gap, start, start + len(value))
    # A sentence has no code: `the password is Harbour.Lamp3`.
    is_told = label.role in ("password", "login") and place > SecretPlace.BESIDE and value[-1:].isdigit()
    is_other = place < SecretPlace.LINKED and _OTHER_NAME.search(gap) is not None
    is_other = is_other or _is_digest(value, gap, line_before(text, label.start))
    if not is_other and fits(value, label, place, quoted=is_told):
        yield start, start + len(value)


def _is_digest(value: str, gap: str, before: str) -> bool:
    """Tell whether the words around a value call it a digest."""
    return bool(_DIGEST.search(gap) or (judge(value).key == KeyLook.HEX and _DIGEST.search(before)))


def _cut(value: str, label: FoundLabel) -> str:
    """Cut off the name of a user."""
    user = _USER.match(value) if label.role != "token" else None
    return value[user.end() :] if user and len(value) - user.end() > 5 else value


def _read_value(text: str, start: int) -> tuple[str, bool]:
    """Return the value at a place, and whether quotes enclose it."""
    quote = text[start - 1].replace(">", "<")
    end = text.find(quote, start, start + 513) if quote in "\"'`<" else -1
    if end - start >= 4 and not re.search(r"[\s\\]", text[start:end]):
        return text[start:end], True
    value = _VALUE.match(text, start)
    return (trim(value[0]), False) if value else ("", False)


def trim(value: str) -> str:
    """Cut off the next command or parameter and the punctuation of the sentence."""
    return _NEXT_PARAMETER.split(value, maxsplit=1)[0].removesuffix("**").rstrip(".,;:)]}")
