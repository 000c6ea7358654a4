"""Lines and tables on a terminal: colours, and breaking at blanks by the cells that characters take."""

import io
import sys
import unicodedata
from collections.abc import Callable, Sequence

from memci.patterns import LazyPattern

BOLD, DIM, RED, GREEN, YELLOW, CYAN = "1", "2", "31", "32", "33", "36"
# On a narrower terminal the words go on, and it breaks them itself.
_MIN_WIDTH = 20
# Puts a text into a colour, or leaves it as it is.
Paint = Callable[[str, str], str]
_COLOURS = LazyPattern(r"\x1b\[[0-9;]*m")


def paint(text: str, code: str, *, colour: bool) -> str:
    """Return a text in one or several of the colours, `;` between them."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def hang(label: str, cells: int, text: str, width: int, least: int = _MIN_WIDTH) -> str:
    """Put a text behind a label of so many cells, its lines below each other; a width of 0 is without limit."""
    indent = cells + 2
    lines = wrap(text, max(width - indent, least)) if width else [text]
    return f"{label}  " + ("\n" + " " * indent).join(lines)


def lay_out(text: str, width: int) -> str:
    """Break the lines of a text: behind the label that a tab ends, or at any blank; indented ones stay whole."""
    lines = []
    for line in text.split("\n"):
        label, tab, rest = line.partition("\t")
        if tab:
            lines.append(hang(label, count_cells(label), rest, width).rstrip(" "))
        else:
            lines += [line] if line.startswith(" ") or not width else wrap(line, width)
    return "\n".join(lines) + "\n"


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


def render_table(rows: Sequence[Sequence[str]], width: int, title: str = "") -> str:
    """Return a table of painted texts, wrapped to a width; the last column takes what the others leave."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    lines = box.ROUNDED if "utf" in (sys.stdout.encoding or "").lower() else box.ASCII
    table = Table(box=lines, show_header=False, expand=False, border_style="dim")
    for column in range(max(map(len, rows), default=0)):
        is_last = column == len(rows[0]) - 1
        table.add_column(no_wrap=not is_last, overflow="fold")
    for row in rows:
        # Never a plain string, in which rich would look for markup.
        table.add_row(*map(Text.from_ansi, row))
    out = io.StringIO()
    console = Console(file=out, width=width or 100, force_terminal=True, color_system="standard", highlight=False)
    # Not the table's own title, which is wrapped at the width of the table.
    if title:
        console.print(Text.from_ansi(title))
    console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
