"""The rules of secret_rules.toml as values, and the automata that find their literals in one pass."""

import functools
import re
import string
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from memci.patterns import LazyPattern
from memci.redaction.secret_data import alternatives, decode_base64, secret_data, word_list
from memci.redaction.secret_doubts import is_literal, is_quoted, is_value
from memci.redaction.secret_values import KeyLook, PasswordLook, hides_password, is_random, is_varied, judge

_CLASSES = {"%a": "[A-Za-z0-9]", "%u": "[A-Za-z0-9_-]", "%h": "[0-9a-f]", "%q": "[\"'`]", "%Q": "\"'`"}
# The rank of secrets found by a label or a command.
LAST = 10_000
# Words that are in every sentence and in no list of seed words.
SENTENCE = LazyPattern(
    r"\b(?:the|and|for|you|your|with|from|are|not|was|has|can|will|use|der|die|und|les|des|que|los)\b"
)


@dataclass(frozen=True, slots=True, eq=False)
class SecretRule:
    """One kind of secret: its pattern starts at a keyword, or `before` characters ahead of it."""

    kind: str
    keywords: tuple[str, ...]
    pattern: LazyPattern
    # Judges the value and the whole match.
    accepts: Callable[[str, str], bool]
    # -1: it starts at the word with the keyword, or right before the keyword.
    before: int = 0
    # Of two rules for one place, the one with the lower rank names the kind.
    rank: int = 0
    # It finds what only may be a secret.
    is_doubt: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A word that labels a value as a secret; its role is password, pin, session, login or token."""

    role: str
    keyword: str
    pattern: LazyPattern


def _is_jwt(value: str, _whole: str) -> bool:
    """Tell whether a JSON Web Token is neither the example of jwt.io nor a public key of a hosted database."""
    claims = decode_base64(re.sub(r"\s", "", value).split(".")[1])
    return "1234567890" not in claims and '"anon"' not in claims and is_varied(value)


def _is_basic(value: str, _whole: str) -> bool:
    """Tell whether a value is the Base64 form of `user:password`."""
    user, separator, password = decode_base64(value).partition(":")
    return bool(separator and user.isprintable() and _is_password(password, ""))


def _is_password(value: str, _whole: str) -> bool:
    """Tell whether a value fits a place that only has a password; an address or a port is none."""
    if re.fullmatch(r"[\d.,:]+|[\w.-]+://.*", value):
        return False
    # Nothing there is code.
    chosen, key = judge(value, quoted=True)
    return chosen >= PasswordLook.NUMBERED or key > KeyLook.NOTHING


def _is_odd(value: str, _whole: str) -> bool:
    """Tell whether a value is a password without any context; `Sheet1!B2` is a cell."""
    is_odd = re.fullmatch(r"(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?!.*!\$?[A-Z]{1,3}\$?\d+$).{8,40}", value)
    return is_odd is not None and judge(value).chosen == PasswordLook.STRICT


def _is_seed(value: str, _whole: str) -> bool:
    words = re.findall(r"[a-z]+", value.lower())
    return len(words) in (12, 15, 18, 21, 24) and len(set(words)) > 7 and not SENTENCE.search(value.lower())


# Adjectives and participles.
_STATE = LazyPattern(lambda: rf"(?:{alternatives('states')})$")
ACCEPTS: dict[str, Callable[[str, str], bool]] = {
    # A single code has digits among its letters.
    "codes": lambda value, _: re.search(r"(?i)[\n,;]\s*\S|\d[a-z].*\d[a-z]", value) is not None,
    "any": lambda value, _: is_varied(value),
    # A program may only name the first line of a key.
    "pem": lambda value, _: is_varied(value) and re.search(r"[A-Za-z0-9+/=]{16}", value) is not None,
    "varied": lambda value, _: len(set(value)) > 6 and not re.search(r"1{6}|0{6}|x{4}", value),
    "password": _is_password,
    # The command says what it is; two words are enough.
    "command": lambda value, _: _is_password(value, "") or judge(value).chosen == PasswordLook.WORDS,
    "made-up": lambda value, _: judge(value).chosen >= PasswordLook.MADE_UP and ":" not in value,
    "strict": lambda value, _: judge(value).chosen == PasswordLook.STRICT,
    "random": lambda value, _: judge(value).key >= KeyLook.HEX,
    "credential": lambda value, _: (
        judge(value).key > KeyLook.NOTHING or judge(value).chosen == PasswordLook.STRICT or hides_password(value)
    ),
    "url": lambda value, whole: (
        ACCEPTS["command"](value, whole) and f"://{value}:" not in whole and not value.startswith(("$", "%"))
    ),
    "url_token": lambda value, _: judge(value).key >= KeyLook.RANDOM and value.lower() != value,
    "jwt": _is_jwt,
    "basic": _is_basic,
    "seed": _is_seed,
    "variable": is_value,
    "literal": lambda value, _: is_literal(value),
    "words": lambda value, _: is_quoted(value) and not SENTENCE.search(value.replace(" and ", " ")),
    "quoted": lambda value, _: is_quoted(value),
    "sql": lambda value, whole: is_literal(value) and (whole.split()[0].isupper() or not value.isalpha()),
    "key": lambda value, _: (
        is_random(value)
        and is_literal(value)
        and not decode_base64(value)
        and not re.search(r"[a-z]\.[a-z]|\w\(\w*\)|://", value)
    ),
    "session": lambda value, _: (
        is_varied(value) and bool(re.search(r"\d.*[A-Za-z]", value)) and judge(value).key != KeyLook.UUID
    ),
    "ftp": lambda value, whole: (
        whole.startswith("PASS ")
        and bool(re.search(r"[^A-Za-z]|[a-z][A-Z]", value.rstrip(".!,;:\"'")))
        and is_value(value, "")
    ),
    # `the password is wrong`
    "told": lambda value, _: is_value(value, "") and not _STATE.search(value),
    "odd": _is_odd,
}


def _pattern(source: str) -> LazyPattern:
    return LazyPattern(lambda: functools.reduce(lambda text, item: text.replace(*item), _CLASSES.items(), source))


@functools.cache
def token_rules() -> tuple[SecretRule, ...]:
    """Return the published formats, each prefix a rule of its own."""
    rules = []
    for rank, (kind, prefixes, rest) in enumerate(secret_data()["tokens"]):
        for prefix in prefixes.split():
            word = prefix.lstrip("^")
            pattern = ("(?<![A-Za-z0-9_-])" if word != prefix else "") + re.escape(word) + f"(?:{rest})"
            rules.append(SecretRule(kind, (word,), _pattern(pattern), ACCEPTS["any"], rank=rank))
    return tuple(rules)


@functools.cache
def context_rules() -> tuple[SecretRule, ...]:
    """Return the rules for secrets with a context, commands included."""
    rules = [
        SecretRule(kind, tuple(keywords), _pattern(pattern), ACCEPTS[accepts], before, rank)
        for rank, (kind, keywords, before, pattern, accepts) in enumerate(secret_data()["contexts"], len(token_rules()))
    ]
    rules += [
        SecretRule(kind, tuple(_with_signs(keywords)), _pattern(pattern), ACCEPTS[accepts], before, LAST, is_doubt=True)
        for kind, keywords, before, pattern, accepts in secret_data()["doubts"]
    ]
    value = r"[\"']?(?!-)([^\s\"'`<>|;]{4,128})"
    for names, option in secret_data()["commands"]:
        words = "|".join(map(re.escape, names))
        pattern = rf"(?:(?<![\w./-])|(?<=bin/))(?={words})[^\n|;]{{0,140}}?(?<![\w-])(?:{option}){value}"
        rules.append(SecretRule("command-password", tuple(names), _pattern(pattern), ACCEPTS["command"], rank=LAST))
    return tuple(rules)


def _with_signs(keywords: list[str]) -> Iterator[str]:
    """Yield each keyword; a star stands for what a name may have between it and its value."""
    for keyword in keywords:
        name = keyword.removesuffix("*")
        yield from (keyword,) if name == keyword else (name + sign for sign in (*":=\"'])*\\", " =", " :", " value"))


@functools.cache
def labels() -> tuple[Label, ...]:
    """Return the words that label a value as a secret; near those of the role "doubt" it only may be one."""
    written = [
        Label(role, keyword, LazyPattern(pattern))
        for role, words in secret_data()["labels"].items()
        for keyword, pattern in words.items()
    ]
    words = {word.replace("_", " ") for word in word_list("doubts")}
    typos = {typo for word in word_list("misspelled") for typo in _misspell(word)}.difference(word_list("misspelled"))
    doubts = [*((word, len(word) < 5) for word in words), *((typo, True) for typo in typos - words)]
    return (
        *written,
        *(Label("doubt", word, _word_pattern(word[0] < "\u0250", len(word), whole)) for word, whole in doubts),
    )


@functools.cache
def _word_pattern(is_latin: bool, size: int, is_whole: bool) -> LazyPattern:  # noqa: FBT001
    # One pattern for all words of a length: thousands would take longer to make than most texts to read.
    return LazyPattern(
        (r"(?<![^\W_])" if is_latin else "") + f".{{{size}}}" + (r"(?![^\W\d_])" if is_whole and is_latin else "")
    )


def _misspell(word: str) -> Iterator[str]:
    """Yield the word with one letter missing, misplaced, doubled or wrong."""
    letters = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя" if word[0] >= "а" else string.ascii_lowercase
    for at in range(len(word)):
        head, tail = word[:at], word[at:]
        yield from (head + tail[1:], head + tail[1:2] + tail[0] + tail[2:], head + tail[0] + tail)
        # `passed` is one letter from `passwd`.
        yield from (head + letter + tail[1:] for letter in letters)


Rule = SecretRule | Label


class Finder:
    """Finds the literals of many rules in one pass."""

    def __init__(self, rules: Iterable[tuple[str, Rule]]) -> None:
        from ahocorasick_rs import BytesAhoCorasick

        by_keyword: dict[str, list[Rule]] = {}
        for keyword, rule in rules:
            by_keyword.setdefault(keyword, []).append(rule)
        self._rules = [*by_keyword.values()]
        self._automaton = BytesAhoCorasick([keyword.encode() for keyword in by_keyword])

    def find(self, text: str) -> Iterator[tuple[int, Rule]]:
        """Yield each place of a literal with its rules."""
        data = text.encode("utf-8", "surrogatepass")
        found = self._automaton.find_matches_as_indexes(data, overlapping=True)
        places: Iterable[tuple[int, int]] = ((start, number) for number, start, _ in found)
        for start, number in places if len(data) == len(text) else _count_characters(data, sorted(places)):
            for rule in self._rules[number]:
                yield start, rule


def _count_characters(data: bytes, found: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Turn offsets in UTF-8 into offsets in the text."""
    done = at = 0
    for start, number in found:
        at += len(data[done:start].decode("utf-8", "surrogatepass"))
        done = start
        yield at, number


@functools.cache
def token_finder() -> Finder:
    """Return the finder for the prefixes of published formats."""
    return Finder((rule.keywords[0], rule) for rule in token_rules())


@functools.cache
def context_finder() -> Finder:
    """Return the finder for contexts and labels, in lower case."""
    rules = [(keyword, rule) for rule in context_rules() for keyword in rule.keywords]
    return Finder([*rules, *((label.keyword, label) for label in labels())])
