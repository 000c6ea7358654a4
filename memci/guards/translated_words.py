"""Whether a statement may translate its evidence: something in common, and no denial from nowhere."""

import functools
from collections.abc import Iterator

from memci.guards.evidence_text import EvidenceText
from memci.guards.exact_words import cognate
from memci.guards.free_words import FREE
from memci.patterns import LazyPattern
from memci.prose.equal_words import equal_form, find_unspaced_forms
from memci.prose.polarity_words import ONLY, has_denial, is_denied, may_permit, permits
from memci.prose.similar import STOP_WORDS, tokenise
from memci.prose.stems import detect_language

# Languages that share no word with those in Latin letters.
OTHER_SCRIPTS = frozenset(("japanese", "chinese", "korean", "russian"))

# Languages that deny with words of their own, not within a verb.
READABLE = frozenset(
    (
        "english",
        "german",
        "french",
        "spanish",
        "portuguese",
        "italian",
        "dutch",
        "norwegian",
        "swedish",
        "russian",
        "polish",
        "japanese",
        "chinese",
        "korean",
    )
)

# A translation has at most so many times the words.
_LONGER = 2

_CLAUSE_END = LazyPattern(r"[.!?…,;:][\"')\]”»]{0,3}(?=\s)|[。！？、，；：\n]|\s[-–—]\s")


def check_translated(statement: str, source: EvidenceText, within: str = "", *, explains: bool = False) -> str:
    """Compare over languages: something in common, and no denial that comes from nowhere or is left out."""
    anchored = any(list_anchors(within or statement, source))
    if not anchored and not is_into_english(statement, source):
        return "nothing that is the same in both languages connects it with the cited evidence: keep a name or number"
    texts = (*source.texts, *source.older)
    if len(tokenise(statement)) > _LONGER * sum(max(len(tokenise(text)), len(text) // 6) for text in texts):
        return "it is much longer than what it translates"
    if not source.languages <= READABLE:
        # How a language denies that is not known here is for a reader to tell.
        return ""
    if permits(statement) and not any(map(may_permit, source.texts)) and any(map(is_denied, source.texts)):
        return "it permits what the cited evidence does not permit"
    own = list_senses(statement)
    quoted = frozenset(sense for text in source.quoted or source.texts for sense in list_senses(text))
    told = quoted.union(*map(list_senses, (*texts, *source.before)))
    # Which clause is translated is not known, so only a denial from nowhere, or one that is nowhere left, is clear.
    lost = not explains and (quoted == {True} or (True in quoted and not anchored))
    if (True in own and told == {False}) or (own == {False} and lost and ONLY.isdisjoint(tokenise(statement))):
        answer = "no" if own == {False} else "yes"
        return f"the passage that it quotes says {answer}: say it in that way, or quote the words that say otherwise"
    return ""


def list_senses(text: str) -> frozenset[bool]:
    """Return whether a text has clauses that deny something, and clauses that do not."""
    parts = [part for part in split_clauses(text) if _is_said(part)]
    # "No," alone is an answer.
    return frozenset(
        has_denial(part, detect_language(text)) for part in parts if len(tokenise(part)) > 1 or len(parts) == 1
    )


def is_of_other_script(statement: str, source: EvidenceText) -> bool:
    """Tell whether a statement in Latin letters translates a script that shares no word with it."""
    return statement.isascii() and not source.languages.isdisjoint(OTHER_SCRIPTS)


def is_into_english(statement: str, source: EvidenceText) -> bool:
    """Tell whether a statement may be English for what was said in another language: short ones share no word."""
    quoted = {detect_language(text) for text in source.quoted} - {""}
    abroad = bool(source.languages) and ("english" not in source.languages or bool(quoted - {"english"}))
    return is_of_other_script(statement, source) or (abroad and statement.isascii())


def _is_said(part: str) -> bool:
    """Tell whether a part of the evidence has words, and is not only a list of dates."""
    return not all(equal_form(word) or not word.isalpha() for word in tokenise(part))


def split_clauses(text: str) -> list[str]:
    """Return the clauses of a text."""
    return [part for part in _CLAUSE_END.split(text) if part and part.strip()]


# All signals of a scope are compared with every fact that leaves.
@functools.lru_cache(maxsize=8_192)
def list_forms(text: str) -> frozenset[str]:
    """Return the forms of words that two languages have in common: names, numbers, calendars, cognates."""
    words = [word for word in tokenise(text) if word not in STOP_WORDS]
    forms = (*words, *map(cognate, words), *map(equal_form, words))
    return frozenset(filter(None, forms)) | find_unspaced_forms(text)


def list_anchors(statement: str, source: EvidenceText) -> Iterator[str]:
    """Yield what a statement and evidence in another language have in common."""
    told = source.exact.heads | source.words | source.stems
    yield from (form for form in list_forms(statement) if form in told and form not in FREE and len(form) > 1)
