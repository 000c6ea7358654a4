"""Whether evidence supports a sentence: all names exactly, most other words, and never the opposite sense.

The limits come from correct operations as a good model writes them (tests/guards/helpful.py): of 137 sentences 119 have
no word that their evidence lacks, 15 have one, one has two. Higher limits admit sentences whose point is a new word.

Known gap: who does what to whom. "Services strip the header" uses only words of "the gateway strips the header,
services get another one". Reviewers see such a sentence next to the one message that it was made from.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memci.model.session import Signal
from memci.patterns import LazyPattern
from memci.prose.dates.find import Period, find_dates, find_relative, resolve
from memci.prose.markdown import RegionKind, parse_regions
from memci.prose.negation import find_reversed, root
from memci.prose.similar import profile, tokenise


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that report, instruct or connect; a sentence needs others to have a meaning.
_FREE = _words("""
    why how apply user person team they them project repository repo prefer prefers preferred preference want wants
    wanted asked asks ask said says say told rule rules decision decided fact note remember remembered reminder keep
    keeps require requires required expect expects expected when whenever where which who whose what because since
    before after while during until if instead rather than always never not no none nothing without only every each
    all any both other another same such new now still already currently today longer anymore first once again go
    goes going come comes take takes get gets set sets applies applied applying follow follows following one two
    about over under between through via per up down out off back away more most less least much many few like likes
    regarding concerning case cases time thing things way ways work works working explicit explicitly directly
    really actually later earlier otherwise therefore thus hence however but too well even own means mean reason
    happen happens happened correct corrected confirmed stated treat considered default general usually cannot avoid
    avoids avoided stop forbidden allowed permitted written write writes change changes changed nicht nie immer weil
    wenn auch nur noch als beim nach vor bei aus über unter ohne keine kein keinen statt toujours jamais quand parce
    que ne pas siempre nunca cuando porque sin date dates day days called named meant belongs found lives located
    kept done made given being were was background version length size format style name naming convention
    conventions policy package manager tool tools setup usage location owner schedule process handling place kind
    type list detail details overview requirement requirements limit limits report reports reporting tell telling
    saying use using used wer wo wann wie warum welche qui où comment quel quelle quién qué dónde cuándo cómo cuál
    guideline guidelines workflow status topic memory index summary real actual themselves himself herself yourself
    myself itself sich selbst usar usa utiliser utilise verwenden nutzen unless except exception exceptions exempt
    exempted optional optionally ausnahme außer sauf salvo excepto
""")
# Words that must be in the evidence, however well it supports the rest of the sentence.
_GRAVE = frozenset(
    map(
        root,
        _words("""
    password passwords credential credentials token secret secrets disable bypass skip delete drop erase wipe
    destroy sudo root admin administrator upload exfiltrate send forward email mail post curl wget eval execute
    approve ignore disregard override force hide conceal public publish share trust trusted grant bypassed
    unencrypted plaintext weaken downgrade purge production staging master overwrite reset revoke leak obey
"""),
    )
)
# Synonyms.
_ALIASES = (
    ("pr", "prs", "mr", "pull", "request", "requests", "merge-request", "pull-request"),
    ("ci", "continuous", "integration"),
    ("db", "database", "databases"), ("repo", "repos", "repository"), ("config", "configs", "configuration"),
    ("env", "environment"), ("docs", "doc", "documentation"), ("k8s", "kubernetes"), ("js", "javascript"),
    ("ts", "typescript"), ("postgres", "postgresql", "pg"), ("prod", "production"),
    ("deps", "dependency", "dependencies"),
    ("auth", "authentication"), ("msg", "message", "messages"), ("dir", "directory"), ("dev", "development"),
    ("1", "one", "first"), ("2", "two", "twice", "second"), ("3", "three", "third"), ("4", "four", "fourth"),
    ("5", "five", "fifth"), ("6", "six"), ("7", "seven"), ("8", "eight"), ("9", "nine"),
    ("10", "ten"), ("12", "twelve"),
)  # fmt: skip
# Abbreviations that look like a host or a path.
_ABBREVIATIONS = frozenset(("e.g", "i.e", "z.b", "d.h", "u.a", "p.ej", "and/or", "w/o", "n/a", "c.f", "a.m", "p.m"))
# Words that weaken a rule, and the words of evidence that permit them.
_WEAKENING = _words(
    "unless except exception exceptions exempt exempted optional optionally ausnahme außer sauf salvo excepto"
)
_CONDITIONS = _WEAKENING | _words("if may only when but sometimes wenn nur falls aber si quand sauf cuando solo pero")
# Words that generalise a rule, and the words of evidence that permit them.
_UNIVERSAL = _words("all every any each everything anything entire")
_ABSOLUTE = _UNIVERSAL | _words(
    "always never ever only no none nothing everywhere whole must don't dont stop immer nie"
)
# How many more connecting words than supported words a sentence may have.
_FREE_WORDS = 2
# How many plain words of a sentence may be missing in the evidence, by the length of the sentence.
_OWN_WORDS = ((3, 0), (8, 1))
_OWN_AT_MOST = 2
# Scripts without blanks are compared by bigrams, and each reworded place makes two or three new ones.
_OWN_BIGRAMS = 0.4


# URLs, hosts, flags, mail addresses, mentions.
_PLACE_NAMES = LazyPattern(
    r"[a-z][a-z0-9+.-]{1,20}://[^\s<>()\"'`]{1,500}|\bwww\.[^\s<>()\"'`]{1,200}|\bdata:[a-z/]{1,40}"
    r"|(?<![\w-])--?[a-z][\w-]{0,60}|[\w.+-]{1,64}@[\w.-]{1,100}|@[\w/-]{2,60}|#[\w-]{2,60}"
)


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """The words of one piece of evidence."""

    texts: tuple[str, ...]
    words: frozenset[str]
    roots: frozenset[str]
    heads: frozenset[str]
    characters: frozenset[str]
    folded: str


def make_source(texts: Iterable[str]) -> EvidenceText:
    """Read the words of texts; equal texts are read once."""
    return _make_source(tuple(texts))


@functools.lru_cache(maxsize=256)
def _make_source(texts: tuple[str, ...]) -> EvidenceText:
    folded = _fold("\n".join(texts))
    words = set(tokenise(folded))
    words.update(
        part for word in tuple(words) for part in re.split(r"[-_./:@+#]", word) if part.isalnum() and not part.isdigit()
    )
    for names in _ALIASES:
        if words & {names[0], *names[1:]}:
            words.update(names)
    words.update(_unaccent(word) for word in tuple(words) if not word.isascii())
    heads = frozenset(word[:_HEAD] for word in words if len(word) > _HEAD and word.isalpha())
    return EvidenceText(texts, frozenset(words), frozenset(map(root, words)), heads, frozenset(folded), folded)


# Long words with the same beginning count as one word ("configured", "configuration").
_HEAD = 6


def _unaccent(word: str) -> str:
    """Return a word without accents, as file names spell it."""
    letters = unicodedata.normalize("NFKD", word.replace("ß", "ss"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def read_signal(signal: Signal) -> tuple[str, ...]:
    """Return the texts of a signal, and the dates that it mentions."""
    said = (signal.text, signal.rule, signal.why, signal.how, *(mention.text for mention in signal.repeated))
    return tuple(dict.fromkeys((*said, *_list_days(signal))))


def _list_days(signal: Signal) -> Iterator[str]:
    times = [signal.timestamp, *(mention.timestamp for mention in signal.repeated)]
    yield from (time.date().isoformat() for time in times if time)
    if signal.repeated:
        yield str(signal.strength)
    yield from (date.date.isoformat() for date in find_dates(signal.text))
    if signal.timestamp:
        for relative in find_relative(signal.text):
            meant = resolve(relative.text, signal.timestamp.date())
            if isinstance(meant, Period):
                yield f"{meant.first.isoformat()} {meant.last.isoformat()}"
            elif meant:
                yield meant.isoformat()


def check_support(sentence: str, source: EvidenceText, *, label: bool = False) -> str:
    """Return why a source does not support a sentence; "" if it does. A label may have one more word of its own."""
    for name in _list_names(sentence):
        if not _has_name(name, source):
            return f"its evidence does not name `{name[:60]}`"
    own, count, bigrams, free = [], 0, 0, 0
    # The first word is the subject or the action in most languages, and a name there is not recognised by its case.
    first = next(iter(tokenise(sentence)), "")
    for word in profile(sentence).content:
        if word in _FREE:
            free += word not in source.words and root(word) not in source.roots
            continue
        count += 1
        unspaced = word[0] >= "\u0e00"
        bigrams += unspaced
        if _has_word(word, source, unspaced=unspaced):
            continue
        if root(word) in _GRAVE or (word == first and not label and not _has_part(word, source)):
            return f'its evidence does not say "{word[:60]}"'
        own.append(word)
    if len(own) > max(_count_own(count, bigrams), label and count > 1):
        return "its evidence does not say " + ", ".join(f'"{word[:40]}"' for word in own[:4])
    if free > count - len(own) + _FREE_WORDS:
        return "most of its words say nothing that its evidence says"
    return _check_stretched(sentence, source)


def _check_stretched(sentence: str, source: EvidenceText) -> str:
    """Return why a sentence weakens or generalises its evidence; "" if it does not."""
    words = frozenset(tokenise(sentence))
    if words & _WEAKENING and not _CONDITIONS & source.words:
        return "it makes an exception that its evidence does not make"
    if words & _UNIVERSAL and not _ABSOLUTE & source.words:
        return "it says of everything what its evidence says of something"
    return ""


def _has_part(word: str, source: EvidenceText) -> bool:
    return "-" in word and any(_has_word(part, source, unspaced=False) for part in word.split("-") if part)


def check_sense(sentence: str, texts: Sequence[str]) -> str:
    """Return why a sentence contradicts its evidence; "" if it does not."""
    turned = find_reversed(sentence, texts)
    return f'it turns around what its evidence says about "{turned[:60]}"' if turned else ""


def _count_own(count: int, bigrams: int) -> int:
    if bigrams * 2 > count:
        return int(_OWN_BIGRAMS * count)
    return next((own for least, own in _OWN_WORDS if count < least), _OWN_AT_MOST)


def _list_names(sentence: str) -> Iterator[str]:
    """Yield what the evidence must have literally: code, addresses, flags, numbers, proper names, odd spellings."""
    for region in parse_regions(sentence):
        if region.kind in {RegionKind.CODE, RegionKind.FENCE, RegionKind.TARGET, RegionKind.URL}:
            yield sentence[region.start : region.end].strip().rstrip(".,;:!?…")
    plain = _fold(sentence)
    yield from (found[0].rstrip(".,;:!?…") for found in _PLACE_NAMES.finditer(plain))
    yield from profile(sentence).markers - _FREE
    for word in tokenise(plain):
        if (any(mark in word for mark in "./:@_") and word not in _ABBREVIATIONS) or (
            not word.isascii() and any(map(str.isascii, word)) and _mixes_scripts(word)
        ):
            yield word


def _mixes_scripts(word: str) -> bool:
    """Tell whether a word mixes Latin letters with those of another alphabet."""
    alphabets = {unicodedata.name(letter, "").partition(" ")[0] for letter in word if letter.isalpha()}
    return len(alphabets) > 1 and "LATIN" in alphabets


def _has_name(name: str, source: EvidenceText) -> bool:
    folded = _fold(name)
    if not folded or folded in _ABBREVIATIONS:
        return True
    if re.fullmatch(r"[\w]+", folded):
        # "PRs" matches "pr", but digits have to be equal.
        return folded in source.words or (folded.isalpha() and root(folded) in source.roots)
    place = source.folded.find(folded)
    while place >= 0:
        around = source.folded[max(0, place - 1) : place] + source.folded[place + len(folded) : place + len(folded) + 1]
        if not any(map(_is_name_part, around)):
            return True
        place = source.folded.find(folded, place + 1)
    # Prose joins words with a slash or a hyphen; hosts, addresses and flags have to match as a whole.
    parts = re.split(r"[/\s-]+", folded)
    joined = not folded.startswith(("-", "/", "@", "#")) and len(parts) > 1 and not re.search(r"[.:@_\\\d]", folded)
    return joined and all(_has_word(part, source, unspaced=part[:1] >= "\u0e00") for part in parts if part)


def _is_name_part(character: str) -> bool:
    return character.isalnum() or character in "_@\\"


def _has_word(word: str, source: EvidenceText, *, unspaced: bool) -> bool:
    if unspaced:
        return word in source.words or source.characters.issuperset(word)
    if word in source.words or root(word) in source.roots or word in _FREE:
        return True
    if len(word) > _HEAD and word[:_HEAD] in source.heads:
        return True
    # Only letters: dates and versions have to match as a whole.
    parts = [part for part in re.split(r"[-/]", word) if part]
    return (
        len(parts) > 1
        and all(map(str.isalpha, parts))
        and all(_has_word(part, source, unspaced=False) for part in parts)
    )
