"""Derives the strings without which the phrases of the cue tables cannot match.

Run as `python -m tests.signals.needs` after a change of the tables. A phrase that the file does not know is tried on
every sentence, so that an old file only costs time.
"""

import importlib
import json
from collections.abc import Iterable
from typing import Any

from memci.signals.cues import list_phrases
from memci.signals.phrases import NEEDS, digest_phrase

Strings = frozenset[str]
# A part that can match more strings than this is cut in two: one of each is then needed.
_MAX_STRINGS = 16
# Three sets rule out nearly all that four do.
_MAX_SETS = 3
_EMPTY: Strings = frozenset(("",))
# Words that stand in so many sentences that they tell little.
_COMMON = frozenset(
    ("the", "an", "to", "is", "are", "of", "in", "and", "for", "it", "on", "with", "we", "i", "you", "not", "this",
     "that", "be", "do", "from", "by", "or", "at", "if", "so")
)  # fmt: skip


def find_needs(pattern: str) -> list[Strings]:
    """Return sets of strings; every match of the pattern in a text with single blanks holds one of each set."""
    # The parser has no public name; nothing else knows all of the syntax.
    _, needs = _read_sequence(importlib.import_module("re._parser").parse(pattern))
    shortest = {_keep_shortest(needed) for needed in needs if not any(map(_is_everywhere, needed))}
    return sorted(shortest, key=_weigh)[:_MAX_SETS]


def _is_everywhere(text: str) -> bool:
    """Tell blanks and single letters, which are in every sentence."""
    return not text.strip() or (len(text) < 2 and text.isascii() and text.isalpha())


def _keep_shortest(needed: Strings) -> Strings:
    """Leave out what holds another one: where it stands, the other does."""
    return frozenset(text for text in needed if not any(other in text for other in needed - {text}))


def _weigh(needed: Strings) -> tuple[float, list[str]]:
    """Return roughly how often one of the strings stands in a sentence, and what makes the order certain."""
    # A blank tells where a word ends, which is worth as much as another letter.
    sizes = ((text, len(text) + text.count(" ")) for text in sorted(needed))
    often = (0.5 if text.strip() in _COMMON or len(text.strip()) < 2 else 3.0**-size for text, size in sizes)
    return sum(often), sorted(needed)


def _read_sequence(parsed: Iterable[tuple[Any, Any]]) -> tuple[Strings | None, list[Strings]]:
    """Return all strings that a sequence can match if they are few, and what it needs."""
    run, whole = _EMPTY, True
    needs: list[Strings] = []
    for kind, value in parsed:
        exact, more = _read(str(kind), value)
        if exact is not None and len(exact) * len(run) <= _MAX_STRINGS:
            run = frozenset(first + second for first in run for second in exact)
            continue
        needs += (*more, run)
        run, whole = exact or _EMPTY, False
    return (run if whole else None), [needed for needed in (*needs, run) if "" not in needed]


def _read(kind: str, value: Any) -> tuple[Strings | None, list[Strings]]:
    """Read one part of a parsed pattern; of a kind that is not known, nothing follows."""
    match kind:
        case "LITERAL":
            found: tuple[Strings | None, list[Strings]] = (frozenset((chr(value),)), [])
        case "AT" | "ASSERT" | "ASSERT_NOT":
            found = (_EMPTY, [])
        case "SUBPATTERN":
            found = _read_sequence(value[3])
        case "BRANCH":
            found = _read_branches([_read_sequence(branch) for branch in value[1]])
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            found = _read_repeat(*value)
        case "IN" if [str(name) for _, name in value] == ["CATEGORY_SPACE"]:
            found = (frozenset(" "), [])
        case "IN" if all(str(name) == "LITERAL" for name, _ in value):
            found = (frozenset(chr(letter) for _, letter in value), [])
        case _:
            found = (None, [])
    return found


def _read_repeat(least: int, most: int, inner: Iterable[tuple[Any, Any]]) -> tuple[Strings | None, list[Strings]]:
    exact, needs = _read_sequence(inner)
    if not least:
        return (exact | _EMPTY if most == 1 and exact is not None else None), []
    return (exact if most == 1 else None), needs


def _read_branches(branches: list[tuple[Strings | None, list[Strings]]]) -> tuple[Strings | None, list[Strings]]:
    strings = [exact for exact, _ in branches if exact is not None]
    together: Strings = frozenset().union(*strings)
    exact = together if len(strings) == len(branches) and len(together) <= _MAX_STRINGS else None
    if not all(needs for _, needs in branches):
        return exact, []
    return exact, [frozenset().union(*(min(needs, key=_weigh) for _, needs in branches))]


def derive() -> str:
    """Return what the file has to hold."""
    needs = {digest_phrase(phrase): [sorted(needed) for needed in find_needs(phrase)] for phrase in list_phrases()}
    rows = (f"{json.dumps(key)}: {json.dumps(needs[key], ensure_ascii=False)}" for key in sorted(needs))
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    NEEDS.write_text(derive(), encoding="utf-8")
