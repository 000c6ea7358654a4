"""Names, descriptions and hooks, which say little, and sentences that no model confirmed, which may say little else."""

import re

from memci.guards.evidence_support import Support, judge_statement
from memci.guards.evidence_text import EvidenceText, has_word, list_missing, quote_words
from memci.guards.free_words import FREE
from memci.guards.same_sense import compare_sense
from memci.patterns import LazyPattern
from memci.prose.polarity_words import is_binding, is_denied
from memci.prose.similar import STOP_WORDS, profile, tokenise
from memci.prose.stems import detect_language

# How many plain words of a sentence may be missing if no model confirmed it, by the length of the sentence.
_OWN_WORDS = ((3, 0), (8, 1))
_OWN_AT_MOST = 2
# Scripts without blanks are compared by bigrams, and each reworded place makes two or three new ones.
_OWN_BIGRAMS = 0.4
# A name of so many words says something.
_TELLING = 4
_HEADING_WORDS = 6
# A rewording keeps more than this share of the words.
_UNSAID = 1 / 2
# A clause of so many words states something.
_STATES = 3
_HOOK_CLAUSE = LazyPattern(r"[,;:(–—]\s*|\s(?:and|because|und|weil|et|y|e|i|og)\s")
# How many more connecting words than supported words a sentence may have.
_FREE_WORDS = 2


def check_unflagged(sentence: str, source: EvidenceText, support: Support) -> str:
    """Return why a sentence that no model confirmed has too many words of its own; "" if it has not."""
    if support.doubt:
        return support.doubt
    own = support.unsettled
    content = profile(sentence).content
    count = sum(word not in FREE for word in content)
    # The first word is the subject or the action in most languages.
    first = next(iter(tokenise(sentence)), "")
    if len(own) > _count_own(count, sum(word[0] >= "\u0e00" for word in own)) or (
        first in own and not any(has_word(part, source) for part in first.split("-") if part != first)
    ):
        return f"the cited evidence does not say {quote_words(own)}"
    free = sum(word in FREE and word not in source.words for word in content)
    if free > count - len(own) + _FREE_WORDS:
        return "most of its words say nothing that its evidence says"
    return ""


def _count_own(count: int, bigrams: int) -> int:
    if bigrams * 2 > count:
        return int(_OWN_BIGRAMS * count)
    return next((own for least, own in _OWN_WORDS if count < least), _OWN_AT_MOST)


def find_unsaid(text: str, source: EvidenceText) -> str:
    """Return what a hook that leaves states and `source` does not; "" if there is nothing.

    A few words, such as "0.5 degrees, at night", only label the topic, which says what is right.
    """
    for clause in _HOOK_CLAUSE.split(text):
        language = detect_language(clause)
        missing = [(word, found) for word, found in list_missing(clause, source, language) if word.isalpha()]
        lacking = [word for word, found in missing if not found]
        if len(lacking) > _UNSAID * len(missing) and (len(missing) >= _STATES or is_binding(clause)):
            return f"its topic does not say {quote_words(lacking)}"
    return ""


def check_heading(text: str, source: EvidenceText) -> str:
    """Return why a new heading of an index says more than what is below it; "" if it only names a group."""
    if len(text.split()) > _HEADING_WORDS or is_binding(text) or text.endswith((":", "：")):
        return "a heading only names a group of topics, in a few words"
    return judge_statement(text, source, label=True).refusal


def check_name(text: str, source: EvidenceText) -> str:
    """Return why a name, a file name or a title does not belong to its topic; "" if it does."""
    # "VK-009" becomes "vk 009".
    numbers = filter(str.isdigit, text.split())
    parts = {number for number in numbers if re.search(rf"[a-z]-{number}(?!\w)", source.exact.folded)}
    named = " ".join(part for part in text.split() if part not in parts)
    support = judge_statement(named, source, label=True)
    words = tokenise(named)
    known = any(word in source.words or has_word(word, source) for word in words if word not in STOP_WORDS)
    # One word, such as "rollout", only labels.
    if not known and len(words) > 1 and support.unsettled and not support.translated:
        return support.refusal or f"its topic does not say {quote_words(support.unsettled)}"
    # The words of a name are too few to tell what a "never" in it denies.
    telling = len(words) >= _TELLING and text.isascii() and not support.translated and not is_denied(text)
    return support.refusal or (compare_sense(text, source, detect_language(text)).refusal if telling else "")
