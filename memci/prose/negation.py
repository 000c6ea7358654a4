"""Splits statements into clauses with their polarity, and detects when two texts state the opposite."""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memci.patterns import LazyPattern
from memci.prose.fold import word_set
from memci.prose.similar import NEGATIONS, count_negations, profile, tokenise

# Words that forbid without a "not".
_PROHIBITIONS = word_set("""
    nothing nobody nichts niemand rien nada nadie forbidden banned prohibited disallowed stop hate dislike
    dislikes stopped wrong forbid ban refuse obsolete verboten untersagt interdit interdite prohibido prohibida
""")
# Those that precede what they forbid.
_ACTIVE = word_set("stop hate dislike dislikes stopped forbid ban refuse nothing nobody nichts niemand")
_PERMISSIONS = word_set("allowed permitted acceptable ok okay fine wanted welcome supported erlaubt permis permitido")
# Markers for a limit among the roots of its clause; neither is a word.
_AT_MOST, _MORE = "≤", ">"
# Long words that begin alike differ in their ending.
_KEY = 6
# Words beside a negation that have no object: "not 80 % anymore".
_FILLERS = word_set("""
    anymore longer now still already ever mehr plus más anything something everything when where what which how just if
    between
""")
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
# Scripts without blanks are compared by bigrams; this share of them counts as "all of it, slightly reworded".
_MOST = 0.75
# More clauses than this are no statement; bounds the cost of a hostile line.
_MAX_CLAUSES = 200
_MAX_TEXT = 4_000


_BORDER = LazyPattern(
    r"(?P<against>\b(?:instead of|rather than|as opposed to|anstatt|anstelle|statt|au lieu de|plutôt que"
    r"|en lugar de|en vez de"
    r"|otherwise|or else|sonst|sinon|de lo contrario)\b|而不是|ではなく|否则)"
    r"|[,;:.!?()\n—–。，、；：！？（）](?=\s|$|[^\x00-\x7f])|\n(?=[-*+] )|[—–。，、；：！？（）]"
    r"|\b(?:but|and|unless|except|until|because|since|instead|sondern|aber|und|außer|mais|sauf|et|sino|pero|excepto|y)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """One assertion of a statement: the roots of its words, and whether it is negated."""

    roots: frozenset[str]
    negated: bool
    # The words right after the negation: what is forbidden.
    heads: frozenset[str] = frozenset()
    unspaced: bool = False


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


def split_clauses(text: str) -> tuple[Clause, ...]:
    """Split a statement into clauses with their polarity; only the first 4,000 characters are read."""
    return _split_clauses(text[:_MAX_TEXT])


# A rule is compared with every statement of a topic.
@functools.lru_cache(maxsize=1_024)
def _split_clauses(text: str) -> tuple[Clause, ...]:
    return tuple(_split(text))


_PREFERENCE = LazyPattern(r"\b(?:prefer|favou?r|choose|chose)", re.IGNORECASE)
# The comparisons that set a limit when they are negated.
_COMPARISON = LazyPattern(r"\b(?:more|less|later|fewer|longer|larger|bigger|higher|lower|older) than\b", re.IGNORECASE)


def _split(text: str) -> Iterator[Clause]:
    text = text.replace("not only", "")
    if _PREFERENCE.search(text):
        text = text.replace(" over ", " instead of ")
    if "rather" in text:
        text = text.replace(" than ", " instead of ")
    position = 0
    against = False
    for number, border in enumerate(_BORDER.finditer(text)):
        if number >= _MAX_CLAUSES:
            break
        yield from _read(text[position : border.start()], against=against)
        # "instead of" negates what follows it, up to the next border.
        against = border["against"] is not None
        position = border.end()
    yield from _read(text[position:], against=against)


def _key(word: str) -> str:
    """Return the root as clauses compare it: "summary" and "summarize" are one."""
    return root(word)[:_KEY]


def _is_doing(word: str) -> bool:
    return word.endswith("ing") and not word.endswith("thing")


def _read_words(text: str) -> list[str]:
    """Return the words; "stop" is a prohibition only before a verb ("stop adding"), not in "CI will stop"."""
    words = tokenise(text)
    pairs = zip(words, [*words[1:], ""], strict=True)
    return ["halt" if word in {"stop", "stopped"} and not _is_doing(behind) else word for word, behind in pairs]


def _read(text: str, *, against: bool) -> Iterator[Clause]:
    content = tuple(word for word in profile(text).content if word not in _FILLERS)
    if not content:
        return
    words = _read_words(text)
    count = sum(word in _PROHIBITIONS for word in words) + count_negations(text) + against
    limit = ""
    if _COMPARISON.search(text):
        # "Not longer than" is "at most", and no denial.
        limit = _AT_MOST if count % 2 else _MORE
        count += count % 2
    roots = frozenset(_key(word) for word in content if not _is_negation(word))
    unspaced = sum(word[0] >= "\u0e00" for word in content) * 2 > len(content)
    heads = set() if unspaced else set(_forbidden_words(words, frozenset(content)))
    if against and not unspaced:
        heads.update(_key(word) for word in content[:1])
    if roots or count % 2:
        yield Clause(roots | ({limit} if limit else set()), count % 2 == 1, frozenset(heads), unspaced)


def _is_negation(word: str) -> bool:
    return word in _PROHIBITIONS or word in NEGATIONS


def _forbidden_words(words: Sequence[str], content: frozenset[str]) -> Iterator[str]:
    for place, word in enumerate(words):
        passive = word in _PROHIBITIONS and word not in _ACTIVE
        if passive or (word in NEGATIONS and _PERMISSIONS.intersection(words[place + 1 : place + 2])):
            # "X is forbidden", "X is not allowed": what is forbidden comes first.
            yield from (_key(other) for other in words[:place] if other in content and not _is_negation(other))
        elif word in NEGATIONS or word in _ACTIVE:
            behind = (other for other in words[place + 1 : place + 5] if other in content and not _is_negation(other))
            head = next(behind, "")
            if head:
                yield _key(head)


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


def is_flipped(one: str, other: str) -> bool:
    """Tell whether a clause of one text, or part of it, is in the other with the opposite polarity."""
    theirs = split_clauses(other)
    return any(
        mine.negated != their.negated
        and bool(mine.roots and their.roots)
        and (mine.roots <= their.roots or their.roots <= mine.roots)
        for mine in split_clauses(one)
        for their in theirs
    )
