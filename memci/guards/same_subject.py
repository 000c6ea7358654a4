"""Whether two statements are about the same thing."""

import functools

from memci.guards.free_words import FREE
from memci.prose.polarity import sense_key
from memci.prose.similar import profile
from memci.prose.stems import detect_language


@functools.lru_cache(maxsize=8_192)
def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    language = detect_language(text)
    return frozenset(sense_key(word, language) for word in profile(text).content if word not in FREE)


def is_same_subject(new: str, old: str) -> bool:
    """Tell whether a statement has two words that carry meaning of an old one, or a third of them."""
    words = content_stems(old)
    shared = len(words & content_stems(new))
    return shared >= 2 or (shared > 0 and 3 * shared >= len(words))
