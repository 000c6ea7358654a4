"""The words that topics are searched by: identifiers in parts, unspaced scripts as bigrams, and synonyms."""

import functools
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from memci.patterns import LazyPattern
from memci.prose.roots import root
from memci.prose.similar import STOP_WORDS, tokenise

# The separators inside names in code and paths.
_SEPARATORS = LazyPattern(r"[_./:@\-]+")
# Each alternative starts with its own character, which is much faster than a look-behind at every position.
_NAME = LazyPattern(r"`[^`\n]{1,200}`|[A-Z](?:(?<=[^\s.!?:*#>|-] .)|(?=\d))\w*+|\d(?<!\w.)\w*+")
# Matches only from the start of a word and never backtracks, so that long words take linear time.
_CAMEL_CASE = LazyPattern("(?<![A-Za-z])(?:[A-Z]*+[a-z]++[A-Z]|[A-Z]{2,}+[a-z])[A-Za-z]*+")
_CAMEL_CASE_PART = LazyPattern("[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def split_terms(text: str) -> list[str]:
    """Split a text into words without stop words; `a_b`, `a/b.c` and `aB` are split into their parts."""
    words = tokenise(text)
    found = [word for word in words if word not in STOP_WORDS and word.isalnum()]
    for name in (word for word in words if not word.isalnum()):
        found += [part for part in _SEPARATORS.split(name) if len(part) > 1 and part not in STOP_WORDS] or [name]
    found += _split_camel_case(text)
    return found


def _split_camel_case(text: str) -> Iterator[str]:
    for name in _CAMEL_CASE.findall(text):
        parts = map(str.lower, _CAMEL_CASE_PART.findall(name))
        yield from (part for part in parts if len(part) > 1 and part not in STOP_WORDS)


def extract_names(text: str) -> str:
    """Return the names in a text: code, capitalised words inside a sentence, words with digits."""
    return " ".join(_NAME.findall(text))


def word_roots(text: str) -> frozenset[str]:
    """Return the roots of the words of a text, without stop words."""
    return frozenset(map(root, split_terms(text)))


@functools.cache
def _read_words() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


@functools.cache
def listed_roots(name: str) -> frozenset[str]:
    """Return the roots of a list of words.toml."""
    return word_roots(_read_words()[name])


def is_asking(word: str) -> bool:
    """Tell whether a word is part of asking, not of the subject; so are small numbers, years, and pure hiragana."""
    if word.isdigit():
        return len(word) < 3 or (len(word) == 4 and word[:2] in {"19", "20"})
    return root(word) in listed_roots("asking") or all("\u3041" <= character <= "\u309f" for character in word)


@functools.cache
def _synonyms() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for line in _read_words()["synonyms"].strip().split("\n"):
        group = frozenset(map(root, line.split()))
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found


def synonyms_of(base: str) -> frozenset[str]:
    """Return the roots of the synonyms of the word with this root, without itself."""
    return _synonyms().get(base, frozenset()) - {base}
