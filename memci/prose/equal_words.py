"""Words that mean the same in every language and are exact in each: weekdays, months, numbers, names of languages."""

import functools
import json
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from memci.patterns import LazyPattern
from memci.prose.fold import word_set

# The names of the Unicode CLDR and the numbers of num2words; `tools/languages.py` makes the file.
_DATA = Path(__file__).with_name("languages.json")
# Languages of which the words are known in statements as well.
_MAIN = ("en", "de", "fr", "es", "pt", "it", "nl", "nb", "da", "sv", "pl", "ru", "ja", "ko", "zh")
# What the sources do not have.
_FURTHER = {
    "number:0": "null", "number:1": "一", "number:2": "twice 二 两", "number:3": "thrice 三", "number:4": "四",
    "number:5": "五", "number:6": "六", "number:7": "七", "number:8": "八", "number:9": "九", "number:10": "十",
    "number:12": "dozen", "number:20": "二十", "number:30": "三十", "number:40": "四十", "number:50": "五十",
    "number:60": "六十", "number:70": "七十", "number:80": "八十", "number:90": "九十", "number:100": "百",
    "number:1000": "千", "weekday:0": "月曜", "weekday:1": "火曜", "weekday:2": "水曜", "weekday:3": "木曜",
    "weekday:4": "金曜", "weekday:5": "土曜", "weekday:6": "日曜", "language:zh": "中文", "language:en": "英文",
}  # fmt: skip
# Number words that are often something else: they stand for a number in evidence, and are none in a statement.
_LOOSE = word_set(
    "one un uno en ett to due ti ni sex sei six mil cent once acht elf fire dix null fem sept cem cento sto atten "
    "quince venti"
)
# The languages that do not go by their code.
CODES = {
    "english": "en", "german": "de", "french": "fr", "spanish": "es", "portuguese": "pt", "italian": "it",
    "dutch": "nl", "norwegian": "nb", "swedish": "sv", "polish": "pl", "russian": "ru", "japanese": "ja",
    "korean": "ko", "chinese": "zh",
}  # fmt: skip
# Shorter names are abbreviations, which are often other words.
_NAME = 4
# The longest ending of a plural or a case: "tirsdagene", "freitags".
_ENDING = 3
_LEAST = 4
# The name of a language, in front of "language" or "speaking", without its ending.
_SPOKEN = 4
# Months that are also verbs or prepositions count with a capital only.
_VERBS_TOO = frozenset(("may", "march", "mars", "mai", "mei", "maj"))
# 4h30 is 4:30.
_CLOCK = LazyPattern(r"(\d{1,2})[hH](\d\d)")
_NUMBER = LazyPattern(r"(\d[\d.,:]*)(?:st|nd|rd|th|er|e|h|k|%)?")


def unaccent(word: str) -> str:
    """Return a word in lower case without accents, as file names and hurried people spell it."""
    letters = unicodedata.normalize("NFKD", word.casefold().replace("ß", "ss"))
    return (
        "".join(letter for letter in letters if not unicodedata.combining(letter)).replace("ø", "o").replace("ł", "l")
    )


@functools.cache
def _read_data() -> dict[str, dict[str, str]]:
    data: dict[str, dict[str, str]] = json.loads(_DATA.read_text(encoding="utf-8"))
    return data


@functools.cache
def _named() -> dict[str, str]:
    """Return the names of weekdays, months and languages, and the number words, of the main languages."""
    rows = [*(_read_data()[code] for code in _MAIN), _FURTHER]
    return {
        unaccent(word): form
        for row in reversed(rows)
        for form, words in row.items()
        for word in words.split()
        if form.startswith(("number", "ordinal")) or len(word) >= (2 if word[0] >= "\u3000" else _NAME) or word == "may"
    }


@functools.cache
def _named_anywhere(language: str = "") -> dict[str, frozenset[str]]:
    """Return what each word means in one or in any of the languages, abbreviations included."""
    found: dict[str, set[str]] = {}
    code = CODES.get(language, language)
    for row in (_read_data()[code],) if code in _read_data() else _read_data().values():
        for form, words in row.items():
            for word in words.split():
                found.setdefault(unaccent(word), set()).add(form.replace("ordinal", "number"))
    return {word: frozenset(forms) for word, forms in found.items()}


def list_meanings(word: str, languages: Iterable[str] = ()) -> frozenset[str]:
    """Return the forms that a word of evidence may have, also inflected: a short one in its languages if known."""
    plain = unaccent(word)
    if len(plain) < _NAME or plain in _LOOSE:
        return frozenset().union(*(_named_anywhere(each).get(plain, frozenset()) for each in (*languages,) or ("",)))
    if plain in _named_anywhere():
        return _named_anywhere()[plain]
    # Long words have long endings, or go on with another word: "keskiviikkoisin", "suomenkielinen".
    ends = range(len(plain) - 1, max(len(plain) - max(_ENDING, len(plain) // 3), _LEAST) - 1, -1)
    found = next((forms for end in ends if (forms := _stems_anywhere().get(plain[:end]))), frozenset[str]())
    return found or frozenset(form for form in _stems_anywhere().get(plain[:_SPOKEN], ()) if form.startswith("lang"))


@functools.cache
def _stems_anywhere() -> dict[str, frozenset[str]]:
    """Return the meanings by the word without its last letter, which changes with its case."""
    found: dict[str, frozenset[str]] = {}
    for word, forms in _named_anywhere().items():
        for stem in (word, word[:-1]):
            if len(stem) >= _LEAST:
                found[stem] = found.get(stem, frozenset()) | forms
    return found


@functools.cache
def _english_names() -> frozenset[str]:
    return frozenset(word for words in _read_data()["en"].values() for word in words.split())


def is_english(word: str) -> bool:
    """Tell whether a word names a day, a month, a language or a number in English."""
    return unaccent(word) in _english_names()


@functools.lru_cache(maxsize=16_384)
def equal_form(word: str, *, loose: bool = False) -> str:
    """Return the form that a weekday, month, language or number has in common with its translations; "" for others.

    `loose` also reads words that only sometimes mean a number or a month, as evidence may.
    """
    if clock := _CLOCK.fullmatch(word):
        word = f"{clock[1]}:{clock[2]}"
    if digits := _NUMBER.fullmatch(word.casefold()):
        return f"number:{_plain_number(digits[1])}"
    plain = unaccent(word)
    form = _named().get(plain, "")
    kind, _, number = form.partition(":")
    if kind == "ordinal":
        return f"number:{number}" if loose else ""
    if kind == "number":
        return form if loose or plain not in _LOOSE else ""
    # "Polish" is also what one does to a floor.
    common = plain in _VERBS_TOO or (kind == "language" and plain in _english_names())
    if not loose and common and not word[0].isupper():
        return ""
    endings = range(len(plain) - 1, max(len(plain) - _ENDING, _LEAST) - 1, -1)
    inflected = (found for end in endings if (found := _named().get(plain[:end], "")))
    return form or next((found for found in inflected if found.startswith(("weekday", "month", "language"))), "")


def _plain_number(text: str) -> str:
    """Return a number without separators of thousands, full hours as their hour, and nothing behind it."""
    text = text.rstrip(".,:")
    if ":" in text:
        return text.lstrip("0").removesuffix(":00") or "0"
    head, mark, tail = text.replace(",", ".").rpartition(".")
    if mark and len(tail) == 3 and head.replace(".", "").isdigit():
        return head.replace(".", "") + tail
    # 0,4 is 0.4.
    text = head if mark and not tail.strip("0") else text.replace(",", ".")
    return text.lstrip("0") or "0"


_MONTH_SIGN = LazyPattern("(1[0-2]|[1-9])\\s?[月월]")


def spell_months(text: str) -> str:
    """Return the text with months that are written as a number in English: 10月."""
    english = _read_data()["en"]
    return _MONTH_SIGN.sub(lambda found: f" {english[f'month:{found[1]}'].split()[0].capitalize()} ", text)


def find_unspaced_forms(text: str) -> frozenset[str]:
    """Return the forms of words in scripts without blanks, where no word can be cut out."""
    named = ((word, form) for word, form in _named().items() if word[0] >= "\u3000" and not form.startswith("number"))
    return frozenset(form for word, form in named if word in text)
