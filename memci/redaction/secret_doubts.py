"""Finds what only may be a secret: any odd word near a word for a password, whatever the language of the sentence.

It is meant for text that nobody keeps: a word too many does no harm there, and a password that is left does. So it asks
little of a value, and leaves what by its form is something else: code, paths, names, versions, placeholders.
"""

import re
from collections.abc import Iterable, Iterator

from memci.patterns import LazyPattern
from memci.redaction.secret_data import alternatives, word_list
from memci.redaction.secret_values import KeyLook, PasswordLook, is_placeholder, is_technical, is_varied, judge

# How far from a word for a password its value may be in the same line, and how long the line below may be.
_REACH, _BELOW = 160, 120
# An answer may have a few words around the value: `sure, it's VALUE`.
_ANSWER = 6
# `user: ana` has fewer blanks than what somebody says.
_NAMES = 2
# A line with one of these is code, or text with a table of its own rules.
_CODE = LazyPattern(lambda: alternatives("code"), re.MULTILINE)
_HINT = LazyPattern(r"\d|[^\W\d_][!#$%&*@?+~^][^\s)]|[-_.][^\W\d_]+[-_.]|[\"'“«„‘`(][^\W\d_]|[a-z][A-Z]|\n")
# A word in one script; where words are not set apart by blanks, only the letters and signs of ASCII.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30fa\u3400-\u9fff\uac00-\ud7af"
_TOKEN = LazyPattern(
    rf"(?:[^\s\"'`„“”«»‘’「」『』<>|()\[\]{{}},;:=→，。；：、！？{_UNSPACED}]"
    r"|(?<=[A-Za-z0-9])[\u30a1-\u30fa](?=[A-Za-z0-9])|[\u30a1-\u30fa]{2,8}(?=\d)){4,64}"
)
_QUOTED = LazyPattern(
    r"\"[^\"\n]{4,64}\"|(?<!\w)'[^'\n]{4,64}'(?!\w)|`[^`\n]{4,64}`|[„“][^„“”\n]{4,64}[“”]|«[^«»\n]{4,64}»"
    r"|「[^」\n]{4,64}」|『[^』\n]{4,64}』|‘[^‘’\n]{4,64}’|\([^()\n]{10,64}\)"
)
_OPENING = "\"'`*_„“”«»‘’「『([<> \t"
_PHRASE = LazyPattern(
    r"[^\W\d_]{2,14}(?:([-_.])[^\W\d_]{1,14}(?:\1[^\W\d_]{1,14}){1,7}(?:[-_]?\d{1,4})?|[-_][^\W\d_]{3,14}[-_][^\W\d_]{3,14})"
)
_SENTENCE = LazyPattern(r"\b(?:the|your|of|must|least)\b")
_SPOKEN_PHRASE = LazyPattern(r"[^\W\d_]{2,14}(?: [^\W\d_]{2,14}){2,9}")
_MAYBE = LazyPattern(r"[\d!#$%&*@?+~^]|[-_.][^\W\d_]+[-_.]|[a-z][A-Z]|[^\W\d_]-[A-Z]|[-_][^\W\d_]+_")
# A letter, and a digit or a sign inside.
_ODD = LazyPattern(r"(?=.*[^\W\d_])(?=.*\d|.*[!#$%&*@?+~^].).{5,64}")
# `web-prod-2`: a password only right after a word for one.
_HOST = LazyPattern(r"[a-z]+(?:-[a-z]+)*-?\d{1,2}")
# `Ctrl+Shift+F7`, `C++11`, a commit, `UserSerializer2`, `12-digit`, a file, an address, `key=value`
_OTHER = LazyPattern(lambda: alternatives("other_things"))
_PIN = LazyPattern(
    r"(?!(?:19|20)\d\d[01]\d[0-3]\d)(?<![\w.,:/-])(?:\d{4,8}|\d\d-\d\d-\d\d)(?:-\d{2,4})?[#*]?(?![\w.,:/-]*\w)"
)
# Nothing but a few words and the word that links the value.
_LINKED = LazyPattern(
    lambda: (
        rf"[^.!?\n,;]{{0,70}}?(?:[:：=→—–]|->|(?<![^\W\d_])(?<!-)(?:{alternatives('copulas')})(?![A-Za-z]))(?: \w+)?\s*"
    ),
    re.IGNORECASE,
)
# A few words, the last of them no preposition: `on web-prod-2`.
_BESIDE = LazyPattern(
    lambda: (
        r"[^\W\d_]{0,6}(?:\s[^\W\d_]{1,12}){0,3}(?<!\s)"
        + "".join(rf"(?<!\s{word})" for word in word_list("prepositions"))
        + r"\s*"
    ),
    re.IGNORECASE,
)
# `“…” as the password`
_BACK = LazyPattern(r" (?:is|as|als|ist|comme|est|como|es|come|è|som|jako|как|это|olarak)\s|[로을를을をが]")
# A user is named before a password, or a word that it belongs to.
_PAIR = LazyPattern(
    r"[\w)][\s\"'`]*[/:,|]\s*$|\b(?:with|using|mit|avec|con|com|с|and|und|et|y|и|та|och|og|en|ve|i|a|e|oraz|và|dan|és|și|z)\s*$",
    re.IGNORECASE,
)
_STORED = LazyPattern(lambda: rf"(?<![A-Za-z])(?:{alternatives('stores')})", re.IGNORECASE)
_EXAMPLE = LazyPattern(
    lambda: rf"(?<![^\W_])(?:{'|'.join(map(re.escape, word_list('examples')))})[,:]?[\s\"'`„“«(]*$", re.IGNORECASE
)
_ASKS = LazyPattern(lambda: rf"(?:[:：=?？>\\]|\s(?:{alternatives('copulas')}))[\"'*_`)» ]*$", re.IGNORECASE)
_HEADING = LazyPattern(r"[#*\s_>|-]{0,8}\w+(?:[ /'’-]\w+){0,3}[*_\s:：]{0,4}")
# `[14:02] sven:`, `<rob>`, `**lea**`, `>>`
_SPEAKER = LazyPattern(
    r"(?:[ \t]*(?:>{1,3}(?=[ \t])|[–—](?=[ \t])|\[[^\]\n]{1,25}\]|<[^>\n]{1,25}>|\*\*[^*\n]{1,25}\*\*)[ \t]*)*"
    r"(?:[^\W\d_][\w .-]{0,24}(?::(?=\s)|：)[ \t]*)?"
)
_FRAME = LazyPattern(r"[ \t]*(?:```\w{0,10}|[-=~_*|+: ]{3,80})?[ \t]*\r?$")
# Cells of a table, how long the heads of its columns are, and how much of it is read.
_CELL = LazyPattern(r"\S+(?: \S+){0,20}")
_NAME = LazyPattern(r"[^\W\d_][\w -]*")
_HEAD, _TABLE = 25, 4000
# What a name may be assigned instead of a value.
_REFERENCE = LazyPattern(lambda: alternatives("references"), re.IGNORECASE)

# The words themselves, as in translations.
_LABEL = LazyPattern(
    lambda: "|".join(
        word.replace("_", " ")
        for name in ("doubts", "misspelled")
        for word in word_list(name)
        if len(word) > 4 or word > "\u3000"
    ),
    re.IGNORECASE,
)


def is_value(value: str, whole: str) -> bool:
    """Tell whether a value that a name assigns is the thing itself; in a call only if it looks like it."""
    key = whole.rpartition(value)[0]
    if _REFERENCE.fullmatch(value) or is_placeholder(value) or _LABEL.search(value) or is_technical(value):
        return False
    if re.search(r"[: ]$", key) and "=" not in key and _OTHER.fullmatch(value):
        return False
    # `password: optional`, `password = name`, `password field`
    if re.search(r"[: ] *$", key) and not key.isupper() and value.replace("_", "").isalpha() and value.islower():
        return ":" in key and value.count("_") > 1
    return not re.search(r"[(\[{,]", key) or judge(value).chosen > PasswordLook.NOTHING


def is_literal(value: str) -> bool:
    """Tell whether a quoted value is no label, sentence or reference."""
    if (
        _REFERENCE.fullmatch(value)
        or is_placeholder(value)
        or is_technical(value)
        or _LABEL.search(value)
        or re.search(r"\{\w*\}|%[sd(]", value)
    ):
        return False
    if " " in value.strip():
        return re.search(r"\d\S*$", value) is not None and not _SENTENCE.search(value)
    # A word of another language is the label of a form.
    return re.search(r"\w{3}", value) is not None and not (value.isalpha() and not value.isascii())


def is_quoted(value: str) -> bool:
    """Tell whether what a command takes as a password is one, whatever words it has."""
    return not (_REFERENCE.fullmatch(value) or is_placeholder(value) or re.search(r"[{}$]", value))


def match_lines(text: str, words: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int]]:
    """Yield the places of values near words for a password, a PIN or a login: in their lines and in those below."""
    line, is_code = (-1, -1), False
    for start, end, role in words:
        first = max(text.rfind("\n", max(0, start - _REACH), start) + 1, start - _REACH)
        last = text.find("\n", end, end + _REACH)
        last = last if last >= 0 else min(len(text), end + _REACH)
        if text[start:end].lower() == "pass" and not _is_noun(text, first, start, end):
            continue
        if line != (first, last):
            line, is_code = (
                (first, last),
                not _HINT.search(text, first, last + 1) or bool(_CODE.search(text, first, last)),
            )
        if is_code:
            continue
        yield from _match_line(text, first, last, start, end, role)
        yield from _match_below(text, first, last, start, end, role)


def _is_noun(text: str, first: int, start: int, end: int) -> bool:
    """Tell whether "pass" is short for a password: tests pass, too, in a first pass."""
    before = text[first:start].rstrip()
    is_named = re.match(r"[\"'`*]* ?(?::\s|=)", text[end : end + 5]) and (
        not before.strip("*-> ") or before[-1] in ",;/"
    )
    return (
        bool(is_named)
        or re.match(r"\?| (?:is|for|của|to the|für|pour|para|de|du|от|для) |/\S", text[end : end + 10]) is not None
    )


def _match_line(text: str, first: int, last: int, start: int, end: int, role: str) -> Iterator[tuple[int, int]]:
    quoted = [(found.start() + 1, found.end() - 1) for found in _QUOTED.finditer(text, first, last)]
    is_stored = _STORED.search(text, first, last) is not None
    for at, to in quoted:
        value = text[at:to].strip()
        if (start < to and at < end) or _EXAMPLE.search(text, first, at):
            continue
        if " " in value:
            gap = text[end : at - 1].rstrip(_OPENING)
            is_told = at > end and (_LINKED.fullmatch(gap) or _BESIDE.fullmatch(gap)) is not None
            is_phrase = is_told and "phrase" in text[start:end].lower() and _SPOKEN_PHRASE.fullmatch(value)
            is_told = is_told or _BACK.match(text, to + 1) is not None
            if is_phrase or (
                is_told
                and not _SENTENCE.search(value)
                and text[at - 1] != "("
                and re.fullmatch(r"[^\W\d_]{2,}(?:[, ]{1,2}[^\W\d_]{1,14}){0,6} \d{1,4}", value)
            ):
                yield at, to
    for found in _TOKEN.finditer(text, first, last):
        at, to = found.start(), found.start() + len(found[0].rstrip(".?-*"))
        rated = _rate(text[at:to]) if _MAYBE.search(found[0]) else 0
        is_other = (
            not (rated or role == "pin") or (at < end and start < to) or re.match(r"[(\[]|:\w", text[to : to + 2])
        )
        if is_other or _EXAMPLE.search(text, first, at):
            continue
        is_set_off = any(a <= at and to <= b for a, b in quoted) and text[at - 1] not in "`("
        # `with no-info-leak messages`, `password: form.field`
        is_words = rated == 1 and text[at:to].isascii() and not re.search(r"\d", text[at:to])
        if is_words and not is_set_off and (re.match(r" [^\W\d_]", text[to : to + 2]) or "." in text[at:to]):
            continue
        gap = text[end:at].rstrip(_OPENING.strip()) if at > end else ""
        if _fits(text[at:to], gap, role, rated, is_free=not is_stored and (is_set_off or rated > 1)):
            yield at, to


def _fits(value: str, gap: str, role: str, rated: int, *, is_free: bool) -> bool:
    """Tell whether the words between a word for a password and a value connect them, if that is not `is_free`."""
    is_told = bool(gap) and _LINKED.fullmatch(gap) is not None
    if role == "login":
        # `Office365` is a service.
        is_pair = _PAIR.search(gap) is not None
        return rated > 1 and is_pair and (not value.isalnum() or gap.rstrip().endswith(("/", ":")))
    if role == "pin":
        return is_told and gap != " to" and _PIN.fullmatch(value) is not None
    is_joined = rated > 1 or re.search(r"[^\W\d_][^\w\s]|_", value) is not None
    is_beside = bool(gap) and is_joined and _BESIDE.fullmatch(gap) is not None and not _HOST.fullmatch(value)
    return is_told or is_beside or is_free


def _match_below(text: str, first: int, last: int, start: int, end: int, role: str) -> Iterator[tuple[int, int]]:
    """Yield values in the lines that answer a line, or that a heading announces."""
    yield from _match_column(text, first, last, start)
    head = text[first:last].rstrip()
    is_chat = 0 < _skip_speaker(head) <= start - first and head.count(" ") > _NAMES
    is_asked = _ASKS.search(head, min(end - first, len(head))) is not None
    if not (is_asked or is_chat or _HEADING.fullmatch(head)):
        return
    left = 3 if is_chat else 1
    at = last + 1
    for line in text[at : at + 4 * _BELOW].split("\n")[:6]:
        if not _FRAME.match(line):
            left -= 1
            said = _skip_speaker(line) if is_chat or head.endswith(("?", "？")) else 0
            if left < 0 or (is_chat and not said):
                return
            yield from _match_answer(text, at + said, at + len(line.rstrip()), text[start:end].lower(), role)
        at += len(line) + 1


def _match_answer(text: str, first: int, last: int, word: str, role: str) -> Iterator[tuple[int, int]]:
    count = len(text[first:last].split())
    if "phrase" in word and _SPOKEN_PHRASE.fullmatch(text, first, last):
        yield first, last
    elif count <= _ANSWER and not _CODE.search(text, first, last):
        for found in _TOKEN.finditer(text, first, last):
            at, to = found.start(), found.start() + len(found[0].rstrip(".?"))
            rated = _rate(text[at:to])
            is_pin = role == "pin" and _PIN.fullmatch(text, at, to)
            if is_pin or rated > 1 or (rated and (count == 1 or _PHRASE.fullmatch(text, at, to))):
                yield at, to


def _skip_speaker(line: str) -> int:
    """Return where the words begin in a line of a chat, 0 without a speaker."""
    speaker = _SPEAKER.match(line)
    return speaker.end() if speaker else 0


def _match_column(text: str, first: int, last: int, start: int) -> Iterator[tuple[int, int]]:
    """Yield the cells below a head in a table whose columns are set apart by blanks."""
    heads = [cell.span() for cell in _CELL.finditer(text, first, last)]
    column = sum(to <= start for _, to in heads)
    if len(heads) < 2 or not all(to - at < _HEAD and _NAME.fullmatch(text, at, to) for at, to in heads):
        return
    at = last + 1
    for line in text[at : at + _TABLE].split("\n"):
        cells = [cell.span() for cell in _CELL.finditer(line)]
        if len(cells) != len(heads):
            break
        if _rate(line[slice(*cells[column])]):
            yield at + cells[column][0], at + cells[column][1]
        at += len(line) + 1


def _rate(value: str) -> int:
    """Return 2 for what looks like a password, 1 for what does so right after a word for one, 0 for other words."""
    value = value.strip("*")
    if _OTHER.fullmatch(value) or _STORED.match(value) or is_placeholder(value):
        return 0
    chosen = judge(value, quoted=True).chosen
    if chosen >= PasswordLook.MADE_UP and not _HOST.fullmatch(value):
        return 2
    if re.search(r"(?:^|-)(?:to|be|not|never|non?|only|pre|re|is|by|self|multi|per|up)-", value):
        return 0
    return int(
        chosen > PasswordLook.WORDS
        or (not is_technical(value) and bool(_ODD.fullmatch(value) or _PHRASE.fullmatch(value)))
    )


# Three words in front of a value.
_DIGITS = LazyPattern(r"\d\D{1,20}\d")
_SAID = LazyPattern(r"(?<![^\W_])(?:[^\W\d_]+(?:['’-][^\W\d_]+)?[,.:;)]{0,2} [(\"'“„]?){3}$")
# An address of a wallet or a recipient.
_ADDRESS = LazyPattern(
    r"(?:age|bc|tb|ltc|npub|addr|cosmos)1[02-9ac-hj-np-z]{30,}|0x[0-9a-fA-F]{40}|pk[_-].*|[a-z-]+-[0-9a-f]{8,10}-[a-z0-9]{5}"
)
_KEY = LazyPattern(r"\b(?:key|token|secret|schlüssel|clé|clave|chave|chiave|ключ|klucz)\b(?!.*\bin\W*$)", re.IGNORECASE)
_NAMED = LazyPattern(
    lambda: rf"\b(?:{'|'.join(word for word in word_list('ids') if len(word) > 3)})s?\b|{alternatives('digests')}",
    re.IGNORECASE,
)


def match_spoken(text: str, start: int, end: int) -> bool:
    """Tell whether a random string is in a sentence that gives it no name: `the new one is VALUE`."""
    value = text[start:end].rstrip(".,:")
    if text[start - 1] not in " \"'“„(" or not _DIGITS.search(value):
        return False
    before = text[max(0, start - 80) : start].rpartition("\n")[2]
    # A digest of this length is a commit or a file unless a word says that it is a key.
    is_digest = re.fullmatch("[0-9a-f]{40}|[0-9a-f]{64}", value) and not _KEY.search(before)
    if is_digest or not _SAID.search(before) or _NAMED.search(before):
        return False
    look = judge(value.partition(":")[0]).key
    if look in (KeyLook.NOTHING, KeyLook.RANDOM) or not is_varied(value) or _ADDRESS.fullmatch(value):
        return False
    return look != KeyLook.UUID or ":" in value
