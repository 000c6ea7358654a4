"""Lines on a terminal: colours, and breaking at blanks by the cells that characters take."""

import unicodedata

from memci.patterns import LazyPattern

BOLD, DIM, RED, GREEN, YELLOW, CYAN = "1", "2", "31", "32", "33", "36"
# On a narrower terminal the words go on, and it breaks them itself.
_MIN_WIDTH = 20
_COLOURS = LazyPattern(r"\x1b\[[0-9;]*m")


def paint(text: str, code: str, *, colour: bool) -> str:
    """Return a text in one or several of the colours, `;` between them."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def hang(label: str, cells: int, text: str, width: int, least: int = _MIN_WIDTH) -> str:
    """Put a text behind a label of so many cells, its lines below each other; a width of 0 is without limit."""
    indent = cells + 2
    lines = wrap(text, max(width - indent, least)) if width else [text]
    return f"{label}  " + ("\n" + " " * indent).join(lines)


def wrap(text: str, width: int) -> list[str]:
    """Break `text` at blanks into lines of at most `width` terminal cells; a longer word stays whole, for copying."""
    lines: list[str] = []
    words: list[str] = []
    used = 0
    for word in text.split(" "):
        cells = count_cells(word)
        if words and used + 1 + cells > width:
            lines.append(" ".join(words).rstrip())
            words, used = [], 0
        if word or words or not lines:
            # Of several blanks none begins a line.
            used += cells + bool(words)
            words.append(word)
    return [*lines, " ".join(words)]


def count_cells(text: str) -> int:
    """Return how many cells a text takes; colours take none."""
    text = _COLOURS.sub("", text)
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )
