"""The language of a text, and the stems of its words."""

import functools
import json
from collections import Counter
from pathlib import Path
from typing import Protocol, cast

from memci.patterns import LazyPattern
from memci.prose.equal_words import CODES, equal_form, unaccent
from memci.prose.roots import SAME_WORDS, root

# Lists of stop words by the code of their language; `tools/languages.py` makes the file.
_DATA = Path(__file__).with_name("function_words.json")
# The languages that have a stemmer, or are asked for by name; others go by their code.
_NAMES = {code: name for name, code in CODES.items() if name not in {"japanese", "korean", "chinese"}}
_STEMMED = frozenset(_NAMES.values()) - {"polish"}
# A text of so many words has a language, known or not.
_SENTENCE = 6
# A word that one language has counts one point; less than this many points a word are an accident.
_SCORE = 0.05
# A text is rather in a language that many developers write.
_COMMON = 1.5
# A language that few of them write has so many words of a text, and more than English has.
_RARE = 2
_WORDS = LazyPattern(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SCRIPTS = (
    ("japanese", LazyPattern("[\u3040-\u30ff]")),
    ("korean", LazyPattern("[\uac00-\ud7af]")),
    ("chinese", LazyPattern("[\u3400-\u9fff]")),
)


@functools.cache
def _markers() -> dict[str, tuple[str, ...]]:
    data: dict[str, str] = json.loads(_DATA.read_text(encoding="utf-8"))
    found: dict[str, list[str]] = {}
    hurried: dict[str, list[str]] = {}
    for code, words in data.items():
        spelled = dict.fromkeys(words.split())
        for word in spelled:
            found.setdefault(word, []).append(_NAMES.get(code, code))
        # Hurried people leave out accents.
        for word in dict.fromkeys(map(unaccent, spelled)):
            if word not in spelled:
                hurried.setdefault(word, []).append(_NAMES.get(code, code))
    # Where a language that many write spells a word so, those that few write do not count.
    for word, languages in hurried.items():
        common = "english" in found.get(word, ())
        found.setdefault(word, []).extend(name for name in languages if not common or name in _NAMES.values())
    return {word: tuple(languages) for word, languages in found.items()}


@functools.lru_cache(maxsize=1_024)
def detect_language(text: str) -> str:
    """Return the language of a text by its script or its function words; "" if that is unclear."""
    letters = sum(map(str.isalpha, text))
    for language, signs in _SCRIPTS:
        if 4 * len(signs.findall(text)) > letters:
            return language
    counts: dict[str, float] = {}
    known: Counter[str] = Counter()
    # Names, also those of months, are alike in many languages.
    found = _WORDS.findall(text.replace("’", "'"))
    words = [word for place, word in enumerate(found) if (not place or word[0].islower()) and not equal_form(word)]
    for word in words:
        languages = _markers().get(word.lower()) or _markers().get(unaccent(word), ())
        known.update(languages)
        for language in languages:
            weight = _COMMON if language in _NAMES.values() else 1.0
            counts[language] = counts.get(language, 0.0) + weight / len(languages)
    # A word of a rare language among others is an accident.
    for language in frozenset(counts).difference(_NAMES.values()):
        if known[language] <= known["english"] or known[language] < _RARE:
            del counts[language]
    (best, score), (_, second) = sorted((*counts.items(), ("", 0.0), ("", 0.0)), key=lambda pair: -pair[1])[:2]
    return best if score > second and score >= _SCORE * len(words) else ""


def is_unreadable(text: str) -> bool:
    """Tell whether a text is long enough to have a language, and that language is not known here."""
    return not detect_language(text) and len(_WORDS.findall(text)) >= _SENTENCE


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str:  # noqa: N802  # the name of the package
        """Return the stem of a word."""


@functools.cache
def _stemmer(language: str) -> _Stemmer:
    # Lazy: it loads all languages, and only what compares words needs it.
    import snowballstemmer

    return cast("_Stemmer", snowballstemmer.stemmer(language))


# Every guard asks for the same words.
@functools.lru_cache(maxsize=32_768)
def stem_forms(word: str, language: str = "") -> frozenset[str]:
    """Return the stems of a word, in English and in the language of its text; equal words share one."""
    if not word.isalpha():
        return frozenset((word,))
    forms = {root(word), _stemmer("english").stemWord(word)}
    if language in _STEMMED and language != "english":
        forms.add(_stemmer(language).stemWord(word))
    return frozenset(forms)


@functools.lru_cache(maxsize=32_768)
def stem_word(word: str, language: str = "") -> str:
    """Return the stem of a word in the language of its text, English if that is unclear."""
    word = SAME_WORDS.get(word, word)
    known = language if language in _STEMMED else "english"
    return _stemmer(known).stemWord(word) if word.isalpha() else word
