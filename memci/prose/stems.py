"""The language of a text, and the stems of its words."""

import functools
from collections import Counter
from typing import Protocol, cast

from memci.patterns import LazyPattern
from memci.prose.fold import word_set
from memci.prose.roots import SAME_WORDS, root

# A dozen words that nearly every sentence has one of, and that few other languages use.
_FUNCTION_WORDS = {
    "english": "the is are of to and not in on for it by be",
    "german": "der die das am nicht wir ist und bitte auf mit im für",
    "french": "le les des est pas du une sur au ne et dans",
    "spanish": "el los las del es una por para con se en y",
    "portuguese": "os não um uma são com em ao para pelo da pela",
    "italian": "il gli della che non è alla di sono una nel lo",
    "dutch": "het een niet van zijn voor met wij op naar ook geen",
    "norwegian": "og ikke på er vi det som av til bare før noe",
    "swedish": "och inte på är vi det som av till bara före något",
    "polish": "nie w się na jest z po dla że czy przez tylko",
    "russian": "не и в на это с мы для по что как только",
}
_WORDS = LazyPattern(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# Letters that few other languages have.
_LETTERS = {
    "german": "ßüä", "french": "çêèœ", "spanish": "ñ¿ó", "portuguese": "ãõ", "norwegian": "åøæ", "swedish": "åäö",
    "polish": "łąęśżń",
}  # fmt: skip
_SCRIPTS = (
    ("japanese", LazyPattern("[\u3040-\u30ff]")),
    ("korean", LazyPattern("[\uac00-\ud7af]")),
    ("chinese", LazyPattern("[\u3400-\u9fff]")),
)


@functools.cache
def _markers() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for language, words in _FUNCTION_WORDS.items():
        for word in word_set(words):
            found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}


@functools.lru_cache(maxsize=1_024)
def detect_language(text: str) -> str:
    """Return the language of a text by its script or its function words; "" if that is unclear."""
    letters = sum(map(str.isalpha, text))
    for language, signs in _SCRIPTS:
        if 4 * len(signs.findall(text)) > letters:
            return language
    counts: Counter[str] = Counter()
    for word in _WORDS.findall(text.lower().replace("’", "'")):
        languages = _markers().get(word, ())
        for language in languages:
            counts[language] += 2 if len(languages) == 1 else 1
    # Names tell nothing about the language of their sentence.
    plain = "".join(word for word in _WORDS.findall(text) if not word[0].isupper())
    for language, letters_of in _LETTERS.items():
        counts[language] += 2 * sum(letter in plain for letter in letters_of)
    best = [pair for pair in counts.most_common(2) if pair[1]]
    if not best or (len(best) > 1 and best[0][1] == best[1][1]):
        return ""
    return best[0][0]


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
    if language in _FUNCTION_WORDS and language != "english":
        forms.add(_stemmer(language).stemWord(word))
    return frozenset(forms)


@functools.lru_cache(maxsize=32_768)
def stem_word(word: str, language: str = "") -> str:
    """Return the stem of a word in the language of its text, English if that is unclear."""
    word = SAME_WORDS.get(word, word)
    known = language if language in _FUNCTION_WORDS else "english"
    return _stemmer(known).stemWord(word) if word.isalpha() else word
