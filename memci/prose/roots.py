"""Roots of words, and the order of steps: what comes before and after what."""

import functools
import re
from collections.abc import Iterator, Sequence

from memci.patterns import LazyPattern
from memci.prose.fold import word_set
from memci.prose.similar import profile

# Long words that begin alike differ in their ending.
_KEY = 6
# Longest first, so that "ings" is not left as "ing".
_ENDINGS = (
    "ments", "ment", "ings", "ions", "ing", "ies", "ion", "ers", "ed", "es", "er", "en", "ly", "s", "e", "y",
)  # fmt: skip
# Synonyms of people and models.
SAME_WORDS = {
    "pr": "pull", "prs": "pull", "db": "database", "dbs": "database", "repo": "repository", "repos": "repository",
    "config": "configuration", "configs": "configuration", "env": "environment", "docs": "documentation",
    "doc": "documentation", "k8s": "kubernetes", "js": "javascript", "ts": "typescript", "pg": "postgres",
    "postgresql": "postgres", "prod": "production", "deps": "dependencies", "auth": "authentication",
    "dev": "development", "dir": "directory", "msg": "message", "msgs": "message",
    "app": "application", "apps": "application",
}  # fmt: skip
# More clauses than this are no statement; bounds the cost of a hostile line.
_MAX_CLAUSES = 200


# Every guard asks for the same words.
@functools.lru_cache(maxsize=16_384)
def root(word: str) -> str:
    """Cut the ending off a word: "mocks", "mocked" and "mocking" are "mock"; names with digits or marks stay whole."""
    word = SAME_WORDS.get(word, word)
    if not word.isalpha() or len(word) < 4:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiou" else word


def _key(word: str) -> str:
    """Return the root as clauses compare it: "summary" and "summarize" are one."""
    return root(word)[:_KEY]


_ORDER = LazyPattern(r"\b(before|after|vor|bevor|nach|nachdem|avant|après|antes|después)\b", re.IGNORECASE)


_LATER = word_set("after nach nachdem après después")


def _parse_steps(text: str) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Yield what comes first and what comes next, according to "before" and "after"."""
    for sentence in re.split(r"[.;!?\n]", text)[:_MAX_CLAUSES]:
        found = _ORDER.search(sentence)
        if not found:
            continue
        left, right = sentence[: found.start()], sentence[found.end() :]
        if not left.strip(" -*"):
            right, comma, left = right.partition(",")
            if not comma:
                # "After three failures it locks": where the first step ends is not marked.
                continue
        sides = [frozenset(_key(word) for word in profile(side).content) for side in (left.rpartition(",")[2], right)]
        if all(sides):
            yield (sides[1], sides[0]) if found[0].lower() in _LATER else (sides[0], sides[1])


def find_reordered(text: str, sources: Sequence[str]) -> str:
    """Return a word that the text puts before what its sources put it after, "" if there is none."""
    told = [steps for source in sources for steps in _parse_steps(source)]
    for first, then in _parse_steps(text) if told else ():
        crossed = [(first & two) - one | (then & one) - two for one, two in told]
        agreed = [(first & one) - two | (then & two) - one for one, two in told]
        # One source that has the same order is enough.
        most = max(map(len, crossed))
        if most > max(map(len, agreed)):
            return min(min(words) for words in crossed if len(words) == most)
    return ""
