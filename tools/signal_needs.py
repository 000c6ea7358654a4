"""Derives the strings that a sentence must contain for a phrase of the cue tables to match.

Run `python -m tools.signal_needs` after a change of the tables. A phrase that is missing in the file is tried on every
sentence, so an outdated file only costs time.
"""

import importlib
import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from memci.signals.cues import list_phrases
from memci.signals.phrases import NEEDS, digest_phrase

Strings = frozenset[str]
# A sequence that can match more strings than this is split; a match then contains one string of each half.
_MAX_STRINGS = 16
# The maximum number of alternatives in one set.
_MAX_CHOICE = 256
# Three sets exclude nearly as many sentences as four.
_MAX_SETS = 3
_EMPTY: Strings = frozenset(("",))
# Words that are in too many sentences to exclude any.
_COMMON = frozenset(
    ("the", "an", "to", "is", "are", "of", "in", "and", "for", "it", "on", "with", "we", "i", "you", "not", "this",
     "that", "be", "do", "from", "by", "or", "at", "if", "so")
)  # fmt: skip


class Part(NamedTuple):
    """What is known about a part of a pattern."""

    # All strings that it can match, or None if there are too many.
    exact: Strings | None
    # Every match contains at least one string of each set.
    needs: list[Strings]
    # Whether a space follows it in a spaced-out text: always, or at least if a space precedes it.
    ends: bool
    keeps: bool


def derive_needs(pattern: str) -> list[Strings]:
    """Return sets of strings; a folded, spaced-out text that the pattern matches contains one string of each set."""
    # The parser is private, but nothing else knows the whole syntax.
    part = _read_sequence(importlib.import_module("re._parser").parse(pattern))
    spaced = (frozenset(map(_space_out, needed)) for needed in part.needs)
    shortest = {_keep_shortest(needed) for needed in spaced if not any(map(_is_everywhere, needed))}
    telling = (needed for needed in shortest if not any(_implies(other, needed) for other in shortest - {needed}))
    return sorted(telling, key=_weigh)[:_MAX_SETS]


def _implies(one: Strings, other: Strings) -> bool:
    """Tell whether every text with a string of one set also has one of the other."""
    return all(any(text in longer for text in other) for longer in one)


def _space_out(part: str) -> str:
    """Put spaces around punctuation in a part of a text, which may begin or end inside a word."""
    return re.sub(r"\s+", " ", re.sub(r"[^\w\s]", r" \g<0> ", part))


def _is_everywhere(text: str) -> bool:
    """Tell whether a string is only spaces or a single letter, which every sentence has."""
    return not text.strip() or (len(text) < 2 and text.isascii() and text.isalpha())


def _keep_shortest(needed: Strings) -> Strings:
    """Leave out strings that contain another one of the set."""
    return frozenset(text for text in needed if not any(other in text for other in needed - {text}))


def _weigh(needed: Strings) -> tuple[float, list[str]]:
    """Return a rough estimate of how many sentences contain one of the strings, and a tie-breaker."""
    # A space marks the end of a word, which is worth as much as another letter.
    sizes = ((text, len(text) + text.count(" ")) for text in sorted(needed))
    often = (0.5 if text.strip() in _COMMON or len(text.strip()) < 2 else 3.0**-size for text, size in sizes)
    return sum(often), sorted(needed)


def _read_sequence(parsed: Iterable[tuple[Any, Any]]) -> Part:
    run, whole = _EMPTY, True
    ends, keeps = False, True
    needs: list[Strings] = []
    for kind, value in parsed:
        part = _read(str(kind), value)
        before, ends, keeps = ends, part.ends or (ends and part.keeps), keeps and part.keeps
        if part.exact is not None and len(part.exact) * len(run) <= max(_MAX_STRINGS, len(part.exact), len(run)):
            run = frozenset(first + second for first in run for second in part.exact)
            continue
        needs += (*part.needs, run)
        run = frozenset(" " * before + text for text in part.exact) if part.exact else frozenset((" " * ends,))
        whole = False
    told = [needed for needed in (*needs, run) if all(text.strip() for text in needed)]
    return Part(run if whole else None, told, ends, keeps)


def _read(kind: str, value: Any) -> Part:
    """Read one part of a parsed pattern; nothing is concluded from an unknown kind."""
    match kind:
        case "LITERAL":
            part = _read_letters(chr(value))
        case "AT" if str(value) != "AT_NON_BOUNDARY":
            # The start or end of a word or of the text.
            part = _read_letters(" ")
        case "ASSERT" | "ASSERT_NOT":
            part = Part(_EMPTY, [], ends=False, keeps=True)
        case "SUBPATTERN":
            part = _read_sequence(value[3])
        case "BRANCH":
            part = _read_branches([_read_sequence(branch) for branch in value[1]])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            part = _read_repeat(*value)
        case "IN" if [str(name) for _, name in value] == ["CATEGORY_SPACE"]:
            part = _read_letters(" ")
        case "IN" if all(str(name) == "LITERAL" for name, _ in value):
            part = _read_letters("".join(chr(letter) for _, letter in value))
        case _:
            part = Part(None, [], ends=False, keeps=False)
    return part


def _read_letters(letters: str) -> Part:
    """Read a set of letters; punctuation is always followed by a space."""
    ends = not any(re.match(r"\w", letter) for letter in letters)
    return Part(frozenset(letters), [], ends, keeps=ends)


def _read_repeat(least: int, most: int, inner: Iterable[tuple[Any, Any]]) -> Part:
    part = _read_sequence(inner)
    exact = part.exact if most == 1 else None
    if least:
        return part._replace(exact=exact)
    return Part(None if exact is None else exact | _EMPTY, [], ends=False, keeps=part.ends or part.keeps)


def _read_branches(branches: list[Part]) -> Part:
    strings = [part.exact for part in branches if part.exact is not None]
    together: Strings = frozenset().union(*strings)
    exact = together if len(strings) == len(branches) and len(together) <= _MAX_CHOICE else None
    told = all(part.needs for part in branches)
    needs = [frozenset().union(*(min(part.needs, key=_weigh) for part in branches))] if told else []
    ends = all(part.ends for part in branches)
    return Part(exact, needs, ends, keeps=all(part.ends or part.keeps for part in branches))


def derive() -> str:
    """Render the content of the file."""
    needs = {digest_phrase(phrase): [sorted(needed) for needed in derive_needs(phrase)] for phrase in list_phrases()}
    rows = (f"{json.dumps(key)}: {json.dumps(needs[key], ensure_ascii=False)}" for key in sorted(needs))
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    NEEDS.write_text(derive(), encoding="utf-8")
