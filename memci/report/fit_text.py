"""Fits a text into the limit of a forge: lists get shorter before anything is left out."""

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Level(NamedTuple):
    """How much is shown: characters of a quotation and of a name, rows of each list, and details of a row."""

    quote: int
    name: int
    rows: int
    # The proofs of an entry, or the words beside what changed.
    details: int


def fit(render: Callable[[Level], str], levels: Sequence[Level], most: int) -> str:
    """Render with the first level that fits; the last one is for the counts alone and always fits."""
    texts = map(render, levels[:-1])
    return next((text for text in texts if len(text) <= most), None) or render(levels[-1])
