"""Text as the cue tables expect it: lower case, spelled right, with code, addresses and quotations blanked out."""

import functools
import re
import string

from memci.patterns import LazyPattern
from memci.prose.fold import plain

# Longer ones are no quotations of a sentence but stray marks.
_MAX_QUOTE = 400
# Cue words that people mistype, and abbreviations that they use for them.
_KEYS = (
    "never", "always", "please", "remember", "forget", "dont", "should", "because", "everything", "anything", "instead",
    "commit", "important", "decided", "prefer", "avoid", "without", "before", "convention", "freeze", "deadline",
    "dashboard", "developer", "engineer",
)  # fmt: skip
_SHORT = {
    "u": "you", "ur": "your", "r": "are", "dnt": "dont", "dosnt": "doesnt", "shoud": "should", "evry": "every",
    "everytime": "every time", "nvr": "never", "alwys": "always", "pelase": "please", "plese": "please",
    "becuase": "because", "becasue": "because", "bcause": "because", "ppl": "people", "thx": "thanks", "w": "with",
    "w/o": "without", "wo": "without", "teh": "the", "hte": "the", "adn": "and", "nad": "and", "fo": "for",
    "form now on": "from now on", "nevermind": "never mind",
    "wanna": "want to", "gonna": "going to", "gotta": "have to",
    "tho": "though", "cant": "cant", "wont": "wont", "pleas": "please", "rember": "remember", "remeber": "remember",
}  # fmt: skip
# Words of their own that a slip of the finger could also make.
_REAL = frozenset(("ever", "prefers", "befor", "commits", "comit", "dot", "don", "should", "ways", "forge"))


@functools.cache
def _misspelled() -> dict[str, str]:
    """Map what a dropped, doubled or swapped letter makes of the cue words to the words."""
    found: dict[str, str] = {}
    for word in _KEYS:
        for place in range(1, len(word)):
            dropped = word[:place] + word[place + 1 :]
            doubled = word[:place] + word[place] + word[place:]
            swapped = word[: place - 1] + word[place] + word[place - 1] + word[place + 1 :]
            for slip in (dropped, doubled, swapped):
                if len(slip) > 3 and slip not in _KEYS and slip not in _REAL:
                    found.setdefault(slip, word)
    return {**found, **_SHORT}


# Code, addresses and quotations; a name in quotation marks is no quotation of a sentence.
_NAMES = LazyPattern(
    r"(?P<code>`[^`\n]{1,300}`)"
    r"|(?P<url>\bhttps?://[^\s<>()\"'`]{1,2000}|\bwww\.[^\s<>()\"'`]{1,500})"
    rf"|(?P<quote>\"[^\"\n]{{1,{_MAX_QUOTE}}}\"|“[^”\n]{{1,{_MAX_QUOTE}}}”|„[^“”\n]{{1,{_MAX_QUOTE}}}[“”]"
    rf"|«[^»\n]{{1,{_MAX_QUOTE}}}»|「[^」\n]{{1,{_MAX_QUOTE}}}」|『[^』\n]{{1,{_MAX_QUOTE}}}』"
    rf"|(?<!\w)'(?=\w)[^'\n]{{1,{_MAX_QUOTE}}}'(?!\w)|(?<!\w)‘[^’\n]{{1,{_MAX_QUOTE}}}’(?!\w))"
    r"|(?P<call>\b[A-Za-z_][\w.]{0,60}\(\))"
)


def fold(text: str) -> str:
    """Return a sentence in the form that the cue tables match."""
    # Every step first asks whether there is anything to do for it: it is several times faster than doing it.
    named = _NAMES.sub(_replace_name, text) if any(mark in text for mark in _MARKERS) else text
    if "_" in named or "*" in named:
        named = _STRESSED.sub(r"\1", named)
    low = plain(named) if not any(mark in named for mark in _MARKS) else "".join(map(_lower, _MARK.split(named)))
    if not low.isascii():
        low = low.translate(_PLAIN)
    if "'" in low:
        low = _APOSTROPHE.sub("", low)
    if not _misspelled().keys().isdisjoint(split_words(low)):
        low = re.sub(r"(?<!\w)[A-Za-z/']+(?!\w)", _spell, low)
    if "prior to" in low or "ahead of" in low:
        low = re.sub(r"\b(?:prior to|ahead of)\b", "before", low)
    return " ".join(low.split())


_MARKS = ("CODE", "URL", "QUOTE", "CALL")
# What `_NAMES` matches has one of these.
_MARKERS = ("`", '"', "'", "“", "„", "«", "「", "『", "‘", "()", "http", "www.")
_PLAIN = str.maketrans("，；：！（）", ",;:!()")


_MARK = LazyPattern("|".join(_MARKS).join("()"))
# A word that is stressed: "I _think_ so".
_STRESSED = LazyPattern(r"(?<![\w*])[_*]([^\W\d_]+)[_*](?![\w*])")
_APOSTROPHE = LazyPattern(r"(?<=\w)'(?=\w)")


# A sentence is asked for its words when it is folded and when its language and its cues are looked for.
@functools.lru_cache(maxsize=256)
def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text, and the marks between them."""
    return tuple((_ASCII_WORD if text.isascii() else _WORD).findall(text))


_WORD = LazyPattern(r"\w+|[^\w\s]")
# The same, where asking for the kind of each character is not needed.
_ASCII_WORD = LazyPattern(r"\w+|[^\w\s]", re.ASCII)


def _lower(part: str) -> str:
    return part if part in _MARKS else plain(part)


def _replace_name(found: re.Match[str]) -> str:
    return f" {(found.lastgroup or '').upper()} "


def _spell(found: re.Match[str]) -> str:
    word = found[0]
    return word if word in _MARKS else _misspelled().get(word.strip("'"), word)


def is_wordless(text: str) -> bool:
    """Tell whether there is nothing to read in a text."""
    return not text.strip(string.punctuation + string.whitespace + string.digits)
