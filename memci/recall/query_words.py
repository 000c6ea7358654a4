"""The words by which topics are found: names in code are taken apart, other scripts come as bigrams."""

import functools
import re
from collections.abc import Iterator

from memci.prose.negation import root
from memci.prose.similar import STOP_WORDS, find_words

_MARKS = "_./:@-"


def find_terms(text: str) -> list[str]:
    """Return the words of a text without stop words; of `a_b` and `a/b.c` the parts, of `aB` the parts as well."""
    words = find_words(text)
    found = [word for word in words if word not in STOP_WORDS and word.isalnum()]
    for name in (word for word in words if not word.isalnum()):
        found += [part for part in _marks().split(name) if len(part) > 1 and part not in STOP_WORDS] or [name]
    found += _split_humps(text)
    return found


def _split_humps(text: str) -> Iterator[str]:
    for name in _humped().findall(text):
        yield from (part for part in map(str.lower, _hump().findall(name)) if len(part) > 1 and part not in STOP_WORDS)


def find_names(text: str) -> str:
    """Return what names something in a text: code, words with a capital inside of a sentence, words with digits."""
    return " ".join(_named().findall(text))


@functools.cache
def _named() -> re.Pattern[str]:
    # Each part begins with the character it is known by, which is much faster than looking back from everywhere.
    return re.compile(r"`[^`\n]{1,200}`|[A-Z](?:(?<=[^\s.!?:*#>|-] .)|(?=\d))\w*+|\d(?<!\w.)\w*+")


@functools.cache
def _marks() -> re.Pattern[str]:
    return re.compile(f"[{re.escape(_MARKS)}]+")


@functools.cache
def _humped() -> re.Pattern[str]:
    # Tried at the beginning of each word only, and never twice over one part: long words cost no more than short ones.
    return re.compile("(?<![A-Za-z])(?:[A-Z]*+[a-z]++[A-Z]|[A-Z]{2,}+[a-z])[A-Za-z]*+")


@functools.cache
def _hump() -> re.Pattern[str]:
    return re.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def find_roots(text: str) -> frozenset[str]:
    """Return the roots of a text's words, without those that carry grammar only."""
    return frozenset(map(root, find_terms(text)))


# Words of any request, and of programming itself, whatever it is about: they find nothing by themselves. A machine's
# "error" is not among them.
_ASKING = find_roots("""
    add build change check continue convert create do explain file find fix generate get give go help how
    implement introduce let look make move need new now open prepare provide put question quick quickly read
    replace run see set show start stop tell thanks try turn understand undo update
    use want what when where whether which who whom whose why work write wrong yes you again all any because
    been before behind both but correctly each even every everyone everything find first good if instead into last
    like long more most much my no not nothing off ok old one only other out over proper same seem should some someone
    something still such thing through time too under up us very via was way well were while yet between about after
    code function class method variable string array list loop object value type line struct pointer operator syntax
    linked nested
    ich du er sie es wie was warum wer wen bitte kann können mir mich wenn ob noch auch aber nur nach bei aus über
    schreibe erkläre mache ändere
    comment pourquoi quand qui que quoi ce cette fais ajoute corrige
    cómo por qué cuándo quién hay este esta haz añade revisa
    как что почему когда где это для на не по из за от до или если все мне напиши проверь сделай добавь
""")


def is_asking(word: str) -> bool:
    """Whether a word belongs to asking and not to the subject; so do small numbers, years, and hiragana alone."""
    if word.isdigit():
        return len(word) < 3 or (len(word) == 4 and word[:2] in {"19", "20"})
    return root(word) in _ASKING or all("\u3041" <= character <= "\u309f" for character in word)
