"""Compares texts: equal but for their form, nearly equal, or about the same thing."""

import functools
import itertools
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memci.patterns import LazyPattern
from memci.prose.fold import word_set

# Five characters join inflections ("deploy", "deploys", "deployment") and keep most words apart;
# with three to four, unrelated words collide, with six, English and German endings separate.
STEM = 5
# Nearly equal texts share four of five stems; below that, texts of one form about two things would match.
NEAR = 0.8


# Function words; negations and conditions are not among them.
STOP_WORDS = word_set("""
    a an the this that these those it its is are be been am do does did has have had of to in on at by for from with
    into as and or so we you they he she i our your their there here will would shall should must may can could than
    then also just very please
    der die das den dem des ein eine einen einem einer und oder ist sind im am zu zum zur von mit für auf wird werden
    soll muss wir man
    le la les un une du de et ou est sont dans pour sur au aux par avec nous vous
    el los las una unos y o es son en para por con del al se lo
""")
# Words that two writers exchange without changing the rule.
_LIGHT_WORDS = word_set("use used uses using run runs running against always make sure ensure need needs prefer only")
NEGATIONS = word_set("""
    not no never nor none neither without cannot dont doesnt isnt arent wont cant mustnt shouldnt avoid
    nicht nie niemals kein keine keinen keinem keiner ohne
    pas jamais aucun aucune sans
    nunca jamás ningún ninguna sin tampoco
""")
_ELISIONS = word_set("l d n s j c m t qu")
_ENDINGS = word_set("s es ed d ing e er en n t st r ion ions ly ment ments y ies al a as o os x ent ez") | {""}
_PLAIN = dict(zip("‘’‚‛´“”„‟«»‐‑‒–—―−", '\'\'\'\'\'""""""-------', strict=True))
_LAST = " .!;:,…。！；：，、"
# In a scope of 200 topics, the most an index can list, no rare word occurs in more texts.
_MAX_HOLDERS = 50
# Floating-point products may be slightly above the integer they represent.
_SLACK = 1e-9
_NEGATIONS_CJK = LazyPattern("不|没|沒|未|无|無|勿|ない|なく|ませ|禁止|避け")
_FIRST_CJK = "\u0e00"
_CJK = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"


# A word may contain the marks of names (`a_b`, `v1.2`, `x-y`) but not end with them, and never mixes scripts.
_WORD = LazyPattern(rf"[{_CJK}]+|[^\W{_CJK}]+(?:['./:@-][^\W{_CJK}]+)*")
_CODE_SPAN = LazyPattern(r"`([^`\n]+)`")
# Emphasis touches a word; a product has blanks on both sides, and a glob is next to a slash or a dot.
_STARS = LazyPattern(r"(`[^`\n]+`)|(?<![*/])(?:(?<=\S)\*++|(?<!\S)\*++(?=[^\s*./]))")
_LINE_MARKS = LazyPattern(r"\s*(?:(?:[-+*•>]|#{1,6})(?:\s+|$))*")


# Rules normalise the same statement two or three times in a row.
@functools.lru_cache(maxsize=2_048)
def normalise(text: str) -> str:
    """Return the text without markup, case and punctuation: texts with equal results may be merged unasked."""
    lines = unicodedata.normalize("NFKC", text.replace("\r", "\n")).split("\n")
    parts = (_normalise_line(line) for line in lines)
    return " ".join(part for part in parts if part)


def _normalise_line(line: str) -> str:
    parts: list[str] = []
    position = 0
    for found in _CODE_SPAN.finditer(line):
        parts += (_fold(line[position : found.start()]), _fold_code(found[1]))
        position = found.end()
    parts.append(_fold(line[position:]))
    joined = " ".join("".join(parts).split())
    if "*" in joined:
        joined = _STARS.sub(r"\1", joined)
    said = joined.rstrip(_LAST)
    marks = _LINE_MARKS.match(said)
    return said[marks.end() :] if marks else said


_TYPOGRAPHY = LazyPattern(lambda: f"[{''.join(_PLAIN)}]")


def _plain(text: str) -> str:
    # Far cheaper than str.translate, which looks up every character.
    return _TYPOGRAPHY.sub(lambda found: _PLAIN[found[0]], text)


def _fold(prose: str) -> str:
    if prose.isascii():
        return prose.lower().replace("`", "")
    # Folding can undo the composition that came before it.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", prose).casefold())
    return _plain(folded).replace("`", "")


def _fold_code(code: str) -> str:
    """Drop the backticks of code that reads the same as prose; `-B` and `-b` stay different."""
    plain = code == _fold(code) and "*" not in code and code[0].isalnum() and code[-1].isalnum()
    return code if plain else f"`{code}`"


def tokenise(text: str) -> list[str]:
    """Return the words of a text in order, lower case, without apostrophes; scripts without blanks as bigrams."""
    # Most text is ASCII, and the steps for the rest cost more than the tokenising.
    folded = text.lower() if text.isascii() else _plain(unicodedata.normalize("NFKC", text).casefold())
    words: list[str] = []
    for run in _WORD.findall(folded):
        if run[0] >= _FIRST_CJK and re.match(f"[{_CJK}]", run):
            words += (run[place : place + 2] for place in range(max(1, len(run) - 1)))
        elif "'" in run:
            head, _, rest = run.partition("'")
            words.append(rest if head in _ELISIONS else run.replace("'", ""))
        else:
            words.append(run)
    return words


def stem(word: str) -> str:
    """Cut a word to its stem; names with digits or marks stay complete."""
    # The last vowel is dropped too: "merge" and "merging", "query" and "queries".
    return word[:STEM].rstrip("eiy") if len(word) >= STEM and word.isalpha() else word


def stem_words(text: str) -> list[str]:
    """Return the stems of all words that carry meaning, in order."""
    return [stem(word) for word in tokenise(text) if word not in STOP_WORDS]


def is_same_word(one: str, other: str) -> bool:
    """Tell whether two words differ only in their ending; `config` and `confirm` share a stem and do not."""
    if one == other:
        return True
    if stem(one) != stem(other) or not (one.isalpha() and other.isalpha()):
        return False
    shared = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return one[shared:] in _ENDINGS and other[shared:] in _ENDINGS


@dataclass(frozen=True, slots=True)
class Profile:
    """What near-equality compares."""

    # The content words, in order.
    content: tuple[str, ...]
    stems: frozenset[str]
    words: frozenset[str]
    # Words that distinguish statements of the same form: numbers, code, names.
    markers: frozenset[str]
    negations: int


def count_negations(text: str) -> int:
    """Count the words that negate a statement."""
    return sum(word in NEGATIONS for word in tokenise(text)) + len(_NEGATIONS_CJK.findall(text))


def profile(text: str) -> Profile:
    """Return what near-equality compares."""
    words = tokenise(text)
    content = _content_words(words)
    markers = frozenset(_list_markers(text))
    return Profile(content, frozenset(map(stem, content)), frozenset(words), markers, count_negations(text))


# Each rule that compares statements asks for the same ones.
@functools.lru_cache(maxsize=16_384)
def stem_content(text: str) -> frozenset[str]:
    """Return the stems of a profile."""
    return frozenset(map(stem, _content_words(tokenise(text))))


def _content_words(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in STOP_WORDS and word not in _LIGHT_WORDS)


def _list_markers(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKC", text)
    for found in _CODE_SPAN.finditer(plain):
        yield from tokenise(found[1])
    for found in _WORD.finditer(plain):
        word = found[0]
        before = plain[max(0, found.start() - 4) : found.start()].rstrip(" *_(\"'")
        begins = not before or before[-1] in ".!?:\n-*#>"
        name = word[0].isupper() and not begins
        if name or word[1:] != word[1:].lower() or any(map(str.isdigit, word)):
            yield from tokenise(word)


def is_near_equal(one: Profile, other: Profile) -> bool:
    """Tell whether two texts are the same but for a few extra plain words."""
    short, long = sorted((one, other), key=lambda side: len(side.content))
    if one.negations != other.negations or not (one.markers <= other.words and other.markers <= one.words):
        return False
    # Two words are too few to identify a statement.
    if len(short.stems) < 3 or len(one.stems & other.stems) < NEAR * len(one.stems | other.stems):
        return False
    rest = iter(long.content)
    return all(any(is_same_word(word, candidate) for candidate in rest) for word in short.content)


def find_similar_pairs(sets: Sequence[frozenset[str]], threshold: float) -> list[tuple[int, int]]:
    """Return all pairs of positions whose sets have at least this Jaccard similarity; empty sets match nothing.

    Two sets that share enough must share one of their rarest members, so only those are indexed (prefix filtering).
    A member that many sets share is not indexed further: what is found is complete unless two sets have nothing
    rarer in common, and the work stays linear. Equal sets all pair up, so callers pass each set once.
    """
    frequency = Counter(token for tokens in sets for token in tokens)
    order = sorted((position for position, tokens in enumerate(sets) if tokens), key=lambda at: (len(sets[at]), at))
    index: dict[str, list[int]] = {}
    pairs: list[tuple[int, int]] = []
    for position in order:
        tokens = sets[position]
        size = len(tokens)
        least = _least(threshold, size)
        rare = sorted(tokens, key=lambda token: (frequency[token], token))
        seen: set[int] = set()
        for token in rare[: size - least + 1]:
            seen.update(index.get(token, ()))
        for other in seen:
            if len(sets[other]) < least:
                continue
            shared = len(tokens & sets[other])
            if shared >= threshold * (size + len(sets[other]) - shared) - _SLACK:
                pairs.append((min(position, other), max(position, other)))
        # Later sets are at least as large, so they must share at least 2t/(1+t) of this one.
        for token in rare[: size - _least(2 * threshold / (1 + threshold), size) + 1]:
            holders = index.setdefault(token, [])
            if len(holders) < _MAX_HOLDERS:
                holders.append(position)
    return sorted(pairs)


def _least(share: float, size: int) -> int:
    return math.ceil(share * size - _SLACK)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text as it is written, and its stems."""

    text: str
    stems: frozenset[str]


def read_phrases(texts: Iterable[str]) -> dict[str, Phrase]:
    """Return one phrase for each normalised text."""
    phrases: dict[str, Phrase] = {}
    for text in texts:
        key = normalise(text)
        if key not in phrases:
            phrases[key] = Phrase(text, stem_content(text))
    return phrases


def find_alike(phrases: Mapping[str, Phrase]) -> dict[str, set[str]]:
    """Map each normalised text to those with the same meaning, itself included."""
    by_stems: dict[frozenset[str], list[str]] = {}
    for key, phrase in phrases.items():
        group = by_stems.setdefault(phrase.stems, [])
        if len(group) < _MAX_HOLDERS:
            group.append(key)
    sets = list(by_stems)
    alike = {key: {key} for key in phrases}
    # Few texts resemble another, so most profiles are never needed.
    look = functools.cache(lambda key: profile(phrases[key].text))
    equal = ((place, place) for place, stems in enumerate(sets) if stems and len(by_stems[stems]) > 1)
    for one, other in (*equal, *find_similar_pairs(sets, NEAR)):
        for first, second in itertools.product(by_stems[sets[one]], by_stems[sets[other]]):
            if is_near_equal(look(first), look(second)):
                alike[first].add(second)
                alike[second].add(first)
    return alike
