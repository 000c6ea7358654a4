"""Relative dates in a person's words made absolute: the words stay, the date stands behind them."""

import datetime as dt

from memci.text.date_context import plain
from memci.text.date_words import TODAY
from memci.text.dates import Period, find_relative, resolve
from memci.text.relative_dates import find_stated


def date_words(text: str, day: dt.date | None, *, event: bool) -> str:
    """Return the text with the days that its relative dates mean, counted from `day`; unclear ones stay as they are.

    `event` says that the text is about something that happens: then every relative date in it is one.
    """
    if day is None:
        return text
    stated = {found.start for found in find_stated(text)}
    parts: list[str] = []
    position = 0
    for found in find_relative(text):
        end = found.start + len(found.text)
        sure = event and plain(found.text) not in TODAY
        if found.start < position or not (found.start in stated or sure) or text[end : end + 2].strip().startswith("("):
            continue
        meant = resolve(found.text, day)
        if meant is None:
            continue
        parts += (text[position:end], f" ({_render(meant)})")
        position = end
    return "".join((*parts, text[position:]))


def _render(meant: dt.date | Period) -> str:
    if isinstance(meant, Period):
        return meant.first.isoformat() if meant.first == meant.last else f"{meant.first} to {meant.last}"
    return meant.isoformat()
