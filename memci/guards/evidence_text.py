"""What evidence says, in the forms in which statements are compared with it."""

import functools
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from memci.guards.exact_words import ExactWords, read_exact
from memci.guards.free_words import FREE
from memci.patterns import LazyPattern
from memci.prose.equal_words import equal_form, find_unspaced_forms, is_english, list_meanings, spell_months, unaccent
from memci.prose.polarity_words import PERMISSIONS
from memci.prose.similar import profile, tokenise
from memci.prose.stems import detect_language, is_unreadable, stem_forms

# Synonyms.
_ALIASES = (
    ("pr", "prs", "mr", "pull", "request", "requests", "merge-request", "pull-request"),
    ("ci", "continuous", "integration"),
    ("db", "database", "databases"), ("repo", "repos", "repository"), ("config", "configs", "configuration"),
    ("env", "environment"), ("docs", "doc", "documentation"), ("k8s", "kubernetes"), ("js", "javascript"),
    ("ts", "typescript"), ("postgres", "postgresql", "pg"), ("prod", "production"),
    ("deps", "dependency", "dependencies"),
    ("auth", "authentication"), ("msg", "message", "messages"), ("dir", "directory"), ("dev", "development"),
    ("app", "application"), ("chars", "characters"), ("min", "minutes"),
)  # fmt: skip

# The language of a text that is in none of those known here.
UNKNOWN = "unknown"

# Long words with the same beginning count as one word in two languages, and as inflections in one.
_HEAD = 6

_DECIMAL = LazyPattern(r"(?<![\w.,])\d+,\d{1,2}(?![\w.,])")

_TAGGED = LazyPattern(r"(?<![\w.:/-])(?:(\d{1,5})|[a-z][\w/.-]{1,60}):(\d{1,5})(?![\w:.-])")

_ENDED = LazyPattern(r"(?<![\w.:-])(\d{1,5})[-:'’][^\W\d_]{1,6}(?![\w-])")
_CASED = LazyPattern(r"([^\W_][\w-]*[^\W_])['’](?!t\b)[^\W\d_]{1,6}\b")

# "3am" is 03:00.
_CLOCK = LazyPattern(r"(?<![\w.:])(\d{1,2}) ?([ap])\.?m\b")

_YEAR = LazyPattern(r"(?<!\d)(20\d\d)-\d\d-\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """The words of all cited evidence, and of the lines that it replaces."""

    texts: tuple[str, ...]
    # Lines of the memory and what a commit took out: their yes and no may be kept, or changed.
    older: tuple[str, ...]
    words: frozenset[str]
    # The stems of the words, and the common forms of weekdays, months, numbers and languages.
    stems: frozenset[str]
    languages: frozenset[str]
    exact: ExactWords
    # The stems of what the agent had said: what an answer refers to, if it says something of its own.
    context: frozenset[str] = frozenset()
    # What the agent had said before.
    before: tuple[str, ...] = ()
    # The sentences that are quoted: over languages no word tells which part of a message is meant.
    quoted: tuple[str, ...] = ()


def make_source(
    texts: Iterable[str],
    people: Collection[str] = (),
    speakers: Collection[str] = (),
    replaced: Iterable[str] = (),
    asked: Iterable[str] = (),
    before: Iterable[str] = (),
    quoted: Iterable[str] = (),
) -> EvidenceText:
    """Read the words of texts; `people` are full names that are known, `speakers` who said it, `asked` gives names.

    `before` is what the agent had said: only plain words may come from it. `quoted` are the sentences of the texts that
    are quoted.
    """
    old = tuple(replaced)
    told = tuple(text for text in texts if text not in old)
    source = _make_source(told, tuple(people), tuple(speakers), old, tuple(asked))
    said = tuple(before)
    words = {word for text in said for word in tokenise(text)}
    context = frozenset(form for word in words for form in stem_forms(word))
    return replace(source, context=context, quoted=tuple(quoted), before=said)


@functools.lru_cache(maxsize=256)
def _make_source(
    texts: tuple[str, ...],
    people: tuple[str, ...],
    speakers: tuple[str, ...],
    replaced: tuple[str, ...],
    asked: tuple[str, ...],
) -> EvidenceText:
    folded = spell_months(unicodedata.normalize("NFKC", "\n".join((*texts, *speakers, *replaced)))).casefold()
    words = set(tokenise(folded))
    words.update(
        part for word in tuple(words) for part in re.split(r"[-_./:@+#]", word) if part.isalnum() and not part.isdigit()
    )
    # The tag of an image and the ports of a mapping: `postgres:16`, `8200:8200`.
    words.update(number for found in _TAGGED.finditer(folded) for number in found.groups() if number)
    # A number with the ending of its case: "15-én", "3-as", "15:nä".
    words.update(found[1] for found in _ENDED.finditer(folded))
    # A name with the ending of its case: "KZD1'in", "GPS'ten"; in "don't" nothing is one.
    words.update(found[1] for found in _CASED.finditer(folded))
    for names in _ALIASES:
        if words.intersection(names):
            words.update(names)
    words.update(unaccent(word) for word in tuple(words) if not word.isascii())
    languages = frozenset(UNKNOWN if is_unreadable(text) else detect_language(text) for text in texts) - {""}
    stems = {form for word in words for language in languages or {""} for form in stem_forms(word, language)}
    stems |= set(filter(None, map(equal_form, words))) | find_unspaced_forms(folded)
    stems |= {form for text in (*texts, *speakers, *replaced) for form in _list_meant(text)}
    clock = ((int(found[1]) % 12, found[2]) for found in _CLOCK.finditer(folded))
    stems |= {f"number:{hour + 12 * (half == 'p')}" for hour, half in clock}
    # 0,4 is 0.4, and the year of a date is known.
    stems |= {equal_form(found[0]) for found in _DECIMAL.finditer(folded)}
    stems |= {f"number:{found[1]}" for found in _YEAR.finditer(folded)}
    # A text in Norwegian may be called that.
    stems |= set(filter(None, map(equal_form, languages)))
    named = "\n".join(asked).casefold()
    exact = read_exact(f"{folded}\n{named}", frozenset({*words, *tokenise(named)}), frozenset(stems), people)
    own = exact.words - (frozenset(tokenise(named)) - words)
    return EvidenceText(texts or replaced, (*replaced, *asked), own | exact.people, frozenset(stems), languages, exact)


def _list_meant(text: str) -> Iterator[str]:
    """Yield the days, months and numbers that words of evidence may mean in the language of their text."""
    language = detect_language(text)
    abroad = language not in {"", "english"} or is_unreadable(text)
    for word in tokenise(spell_months(unicodedata.normalize("NFKC", text)).casefold()):
        if form := equal_form(word, loose=not language or is_english(word)):
            yield form
        meanings = list_meanings(word, filter(None, (language,)))
        # "Wed and thu" are days in English, too.
        yield from meanings if abroad else (form for form in meanings if form.startswith("weekday:"))


def list_missing(statement: str, source: EvidenceText, language: str) -> Iterator[tuple[str, bool]]:
    """Yield the words that carry meaning, and whether the evidence has each."""
    for word in profile(statement).content:
        # Whether something is allowed is a question of sense.
        if word not in FREE and word not in PERMISSIONS:
            yield word, has_word(word, source, language)


def has_word(word: str, source: EvidenceText, language: str = "") -> bool:
    """Tell whether the evidence has a word, in any inflection."""
    if word[0] >= "\u0e00":
        return word in source.words
    if word in source.words or word in FREE or not source.stems.isdisjoint(stem_forms(word, language)):
        return True
    if (form := equal_form(word)) and form in source.stems:
        return True
    if len(word) > _HEAD and any(other.startswith(word[:_HEAD]) for other in source.words):
        return True
    # Only letters: dates and versions have to match as a whole.
    parts = [part for part in re.split(r"[-/]", word) if part]
    return len(parts) > 1 and all(map(str.isalpha, parts)) and all(has_word(part, source, language) for part in parts)


def is_context(word: str, source: EvidenceText) -> bool:
    """Tell whether the agent used a word right before."""
    return not source.context.isdisjoint(stem_forms(word))


def quote_words(words: Iterable[str]) -> str:
    """Return the first words for a message."""
    return ", ".join(f'"{word[:40]}"' for word in list(words)[:4])
