"""Two texts as one, word by word: what stayed, what went, what came."""

import difflib
import enum
import itertools
from collections.abc import Iterator, Sequence

# Longer texts are compared from both ends only; the middle is shown as one replacement.
_MAX_WORDS = 600


class DiffPart(enum.StrEnum):
    """What happened to a run of words."""

    SAME = "same"
    GONE = "gone"
    COME = "come"


def diff_words(old: str, new: str) -> list[tuple[DiffPart, str]]:
    """Return the words of both texts in runs, in an order that reads well."""
    before, after = old.split(), new.split()
    head = _count_same(before, after)
    tail = _count_same(before[head:][::-1], after[head:][::-1])
    middle = before[head : len(before) - tail], after[head : len(after) - tail]
    parts = [
        (DiffPart.SAME, before[:head]),
        *_diff(*middle),
        (DiffPart.SAME, before[len(before) - tail :] if tail else []),
    ]
    return [(part, " ".join(words)) for part, words in parts if words]


def _count_same(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _diff(old: list[str], new: list[str]) -> Iterator[tuple[DiffPart, list[str]]]:
    if len(old) + len(new) > _MAX_WORDS:
        yield from ((DiffPart.GONE, old), (DiffPart.COME, new))
        return
    for tag, start, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield DiffPart.SAME, old[start:end]
        else:
            yield from ((DiffPart.GONE, old[start:end]), (DiffPart.COME, new[first:last]))


def shorten_same(parts: Sequence[tuple[DiffPart, str]], words: int) -> list[tuple[DiffPart, str]]:
    """Keep only so many words beside what changed."""
    short: list[tuple[DiffPart, str]] = []
    for place, (part, text) in enumerate(parts):
        said = text.split()
        if part is not DiffPart.SAME or len(said) <= 2 * words + 1:
            short.append((part, text))
            continue
        head = said[:words] if place else []
        tail = said[-words:] if place + 1 < len(parts) else []
        short.append((part, " ".join(itertools.chain(head, ["…"], tail))))
    return short
