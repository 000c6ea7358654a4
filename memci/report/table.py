"""Tables on a terminal; rich is loaded only when there is one."""

import io
import sys
from collections.abc import Sequence
from typing import NamedTuple


class Cell(NamedTuple):
    """Text of a table, escaped already, and the part of it that has a style of rich; "" styles all of it."""

    text: str
    style: str = ""
    part: str = ""


def render_table(rows: Sequence[Sequence[Cell]], width: int, title: Cell | None = None) -> str:
    """Return a table with colours, wrapped to a width; the last column takes what the others leave."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    def text(cell: Cell) -> Text:
        # Never a plain string, in which rich would look for markup.
        made = Text(cell.text, overflow="fold")
        start = cell.text.find(cell.part) if cell.part else 0
        if cell.style and start >= 0:
            made.stylize(cell.style, start, start + len(cell.part or cell.text))
        return made

    lines = box.ROUNDED if "utf" in (sys.stdout.encoding or "").lower() else box.ASCII
    table = Table(box=lines, show_header=False, expand=False, border_style="dim")
    for column in range(max(map(len, rows), default=0)):
        is_last = column == len(rows[0]) - 1
        table.add_column(no_wrap=not is_last, overflow="fold")
    for row in rows:
        table.add_row(*map(text, row))
    out = io.StringIO()
    console = Console(file=out, width=width or 100, force_terminal=True, color_system="standard", highlight=False)
    # Not the table's own title, which is wrapped at the width of the table.
    if title:
        console.print(text(title))
    console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
