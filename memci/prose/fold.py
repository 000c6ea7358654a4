"""One form for letters: lower case and straight apostrophes without moving a character, and scripts without blanks."""

from memci.patterns import LazyPattern

# Kana, Han and Hangul: signs that are written without blanks, or that each count as a word.
_UNSPACED = LazyPattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def word_set(text: str) -> frozenset[str]:
    """Return the words of a table that is written as text."""
    return frozenset(text.split())


def lower_in_place(text: str) -> str:
    """Return the text in lower case with every character at its offset."""
    # İ is the only character whose lower case is longer.
    return text.replace("İ", "i").lower()


def plain(text: str) -> str:
    """Return the text in lower case and with straight apostrophes, every character at its offset."""
    return lower_in_place(text).replace("’", "'")


def count_unspaced(text: str) -> int:
    """Count the signs of scripts without blanks."""
    return len(_UNSPACED.findall(text))
