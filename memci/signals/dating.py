"""Replaces the relative dates in a person's words by the days that they mean."""

import datetime as dt
import re
from collections.abc import Iterator

from memci.patterns import LazyPattern
from memci.prose.dates.find import Period, find_relative, resolve
from memci.prose.dates.relative import find_stated
from memci.prose.dates.words import MONTHS, SHORT_MONTHS, TODAY
from memci.prose.fold import plain
from memci.prose.stems import detect_language


def date_words(text: str, day: dt.date | None, *, event: bool) -> str:
    """Return the text with days in place of its relative dates, counted from `day`; unclear ones stay as they are.

    `event` says that the text is about something that happens: then every relative date in it is one.
    """
    if day is None or not text:
        return text
    meant = {**dict(_find_month_days(text, day, event=event)), **dict(_find_relative(text, day, event=event))}
    parts: list[str] = []
    position = 0
    for (start, end, lead), date in sorted(meant.items()):
        if start >= position and not text[end : end + 2].strip().startswith("("):
            # "in two weeks" is a day, too.
            before = _ON.get(lead.strip().lower(), lead.strip())
            parts += (text[position:start], _render(date, before, english=detect_language(text) in {"english", ""}))
            position = end
    return "".join((*parts, text[position:]))


# Start, end, and the preposition in front.
_Span = tuple[int, int, str]
_ON = {"in": "on", "within": "by", "dans": "le", "innerhalb von": "bis"}


def _find_relative(text: str, day: dt.date, *, event: bool) -> Iterator[tuple[_Span, dt.date | Period]]:
    stated = {found.start for found in find_stated(text)}
    for found in find_relative(text):
        sure = event and plain(found.text) not in TODAY
        end = found.start + len(found.text)
        if re.match(r" (?:evening|morning|night|afternoon)s\b", text[end : end + 12]):
            # "on Sunday evenings" comes back every week.
            continue
        if _HABIT.search(plain(text)) and re.search(r"day$|tag$", plain(found.text)) and "next" not in found.text:
            # So does the day of what happens, or no longer happens, again and again.
            continue
        if (found.start in stated or sure) and (meant := resolve(found.text, day)):
            yield (found.start, end, found.lead), meant


_HABIT = LazyPattern(r"\b(?:any ?more|no longer|every|each|weekly|always|usually|immer|jeden|jede woche|nicht mehr)\b")


def _month_day() -> str:
    """Match a day of a month without a year behind it."""
    names = "|".join(sorted({*MONTHS, *SHORT_MONTHS}, key=lambda name: (-len(name), name)))
    return (
        rf"(?P<before>\b(?:until|till|by|before|from|through|to|on|bis|bis zum|ab|ab dem|vor|am|zum|jusquau"
        rf"|jusqu'au|avant le|le"
        rf"|dès le|hasta el|el|até"
        rf"|antes de) (?:the )?)?(?:(?<![\w.])(?P<month>{names})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
        rf"|(?<![\w.])(?P<first>\d{{1,2}})(?:st|nd|rd|th|\.|er)? (?:of |de )?(?P<second>{names}))(?![\w-])"
        r"(?!,? ?(?:de )?\d{2,4})|(?<!\d)(?P<east>\d{1,2})[月월] ?(?P<on>\d{1,2})[日号일]"
    )


_MONTH_DAY = LazyPattern(_month_day)


def _find_month_days(text: str, day: dt.date, *, event: bool) -> Iterator[tuple[_Span, dt.date]]:
    """Yield the next day of that name for what is yet to come."""
    low = plain(text)
    if _PAST.search(low):
        return
    for found in _MONTH_DAY.finditer(low):
        ahead = found["before"] or event
        name = found["month"] or found["second"]
        month = MONTHS.get(name) or SHORT_MONTHS.get(name) if name else int(found["east"])
        number = int(found["day"] or found["first"] or found["on"])
        if ahead and month and (meant := _next(month, number, day)):
            yield (*found.span(), text[found.start() : found.start() + len(found["before"] or "")]), meant


_PAST = LazyPattern(
    r"\b(?:since|last|was|were|had|ago|happened|seit|letzte\w*|depuis|desde|passad\w+|pasad\w+)\b|上次|去年"
    r"|先月|지난"
)


def _next(month: int, number: int, day: dt.date) -> dt.date | None:
    for year in (day.year, day.year + 1):
        try:
            meant = dt.date(year, month, number)
        except ValueError:
            return None
        if meant >= day:
            return meant
    return None


def _render(meant: dt.date | Period, before: str, *, english: bool) -> str:
    """Return a day, or the year, month or week that is meant, behind the preposition of the person."""
    if isinstance(meant, dt.date) or meant.first == meant.last:
        return f"{before} {meant if isinstance(meant, dt.date) else meant.first}".strip()
    first, last = meant.first, meant.last
    if before.lower() in _DEADLINE:
        return f"{before} {last}"
    if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31):
        name = f"{first.year}"
    elif first.day == 1 and (first.year, first.month) == (last.year, last.month):
        name = f"{first:%B %Y}" if english else f"{first:%Y-%m}"
    elif english and (last - first).days == 6:
        name = f"the week of {first}"
    else:
        return f"{before} {first} to {last}".strip()
    return f"{before or ('in' if english else '')} {name}".strip()


_DEADLINE = frozenset(("by", "until", "till", "before", "bis", "vor", "avant", "hasta", "até"))
