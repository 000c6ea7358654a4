"""Writes what is known of the words of languages: weekdays, months, numbers, names of languages; function words.

Needs babel (the names of the Unicode CLDR), num2words and stopwordsiso, which only this tool uses:
    pip install babel num2words stopwordsiso && python -m tools.languages
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import babel
import stopwordsiso
from babel.dates import get_day_names, get_month_names
from num2words import num2words

DATA = Path("memci/prose/languages.json")
FUNCTION_WORDS = Path("memci/prose/function_words.json")
# The languages of most developers, by the number of people who speak them and by what the sources know.
LOCALES = (
    "en", "de", "fr", "es", "pt", "it", "nl", "nb", "da", "sv", "pl", "ru", "ja", "ko", "zh", "cs", "sk", "sl", "hr",
    "sr", "uk", "be", "bg", "ro", "hu", "fi", "et", "lv", "lt", "tr", "el", "ca", "gl", "eu", "is", "ga", "cy", "he",
    "ar", "fa", "hi", "bn", "id", "ms", "vi", "th", "az", "kk",
)  # fmt: skip
_COUNTED = (*range(21), *range(30, 100, 10), 100, 1000)
_ORDINALS = range(1, 11)
# Languages that short texts cannot be told from a more common one.
_ALIKE = frozenset(("ca", "gl", "da"))
_LONGEST = 12
_PAIR = 2
_ENGLISH_PAIRS = frozenset("an as at be by do go he if in is it me my no of on or so to up us we".split())  # noqa: SIM905
# Widths and contexts of names.
_FORMS = (("wide", "format"), ("wide", "stand-alone"), ("abbreviated", "format"), ("abbreviated", "stand-alone"))
_NAMED = tuple(locale.replace("nb", "no") for locale in LOCALES)


def main() -> None:
    """Write the data files."""
    _write(DATA, {locale: dict(_list_words(locale)) for locale in LOCALES})
    known = [code for code in LOCALES if code.replace("nb", "no") in stopwordsiso.langs() and code not in _ALIKE]
    _write(FUNCTION_WORDS, {locale: " ".join(_list_function_words(locale)) for locale in known})


def _write(path: Path, rows: Mapping[str, object]) -> None:
    lines = (f"{json.dumps(locale)}: {json.dumps(row, ensure_ascii=False)}" for locale, row in rows.items())
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _list_function_words(locale: str) -> list[str]:
    """Return the short words of a list of stop words; long ones, and abbreviations among the English, tell nothing."""
    words = stopwordsiso.stopwords(locale.replace("nb", "no"))
    plain = (word for word in words if word.replace("'", "").isalpha() and len(word) <= _LONGEST)
    return sorted(word for word in plain if locale != "en" or len(word) != _PAIR or word in _ENGLISH_PAIRS)


def _list_words(locale: str) -> Iterator[tuple[str, str]]:
    """Yield the forms, such as "month:3", with the words of a language for each."""
    for number in range(7):
        yield f"weekday:{number}", _join(get_day_names(*form, locale)[number] for form in _FORMS)
    for number in range(1, 13):
        yield f"month:{number}", _join(get_month_names(*form, locale)[number] for form in _FORMS)
    for code in _NAMED:
        yield f"language:{code}", _join([babel.Locale(locale).languages.get(code, "")])
    for kind, numbers in (("number", _COUNTED), ("ordinal", _ORDINALS)):
        counted = ((number, _join(_count(number, locale, kind))) for number in numbers)
        yield from ((f"{kind}:{number}", words) for number, words in counted if words)


def _count(number: int, locale: str, kind: str) -> Iterator[str]:
    try:
        yield num2words(number, lang="no" if locale == "nb" else locale, to=kind.replace("number", "cardinal"))
    except (NotImplementedError, KeyError, IndexError, TypeError, AttributeError):
        return


def _join(words: Iterable[str]) -> str:
    """Return the single words, each once; what consists of several is no word to compare."""
    # "segunda-feira" is called "segunda".
    plain = (word.strip(" .").casefold().partition("-")[0] for word in words)
    return " ".join(dict.fromkeys(word for word in plain if word.isalpha()))


if __name__ == "__main__":
    main()
