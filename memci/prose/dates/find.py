"""Finds dates in prose: absolute ones, and those that depend on the day they were written; resolves the latter."""

import datetime as dt
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from memci.patterns import LazyPattern
from memci.prose.dates import words
from memci.prose.fold import lower_in_place, plain


@dataclass(frozen=True, slots=True)
class AbsoluteDate:
    """A date as written: where it starts in the text, and as line and column from 1."""

    start: int
    line: int
    column: int
    text: str
    date: dt.date


@dataclass(frozen=True, slots=True)
class RelativeDate:
    """A date that depends on the day it was written."""

    start: int
    line: int
    column: int
    text: str
    # The preposition in front, part of `text`: "by", "until the"; "" if there is none.
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Period:
    """A range of days, both included."""

    first: dt.date
    last: dt.date


_Groups = Mapping[str, str | None]
# Twice the longest seen.
_LONGEST_EXPRESSION = 80


def find_dates(text: str) -> tuple[AbsoluteDate, ...]:
    """Find the absolute dates in `text`; impossible ones, and those inside names and paths, are not dates."""
    place = _DatePlaces(text)
    found = []
    for match in words.ABSOLUTE.finditer(lower_in_place(text)):
        date = _date_of(match)
        if date:
            line, column = place.of(match.start())
            found.append(AbsoluteDate(match.start(), line, column, text[match.start() : match.end()], date))
    return tuple(found)


# `find_stated` often asks again for a text that was searched before.
@functools.lru_cache(maxsize=16)
def find_relative(text: str) -> tuple[RelativeDate, ...]:
    """Find the expressions that depend on the day they were written; `find_stated` picks those that state a date."""
    place = _DatePlaces(text)
    low = plain(text)
    matches = list(_WESTERN.finditer(low))
    if not text.isascii():
        matches = sorted([*matches, *_EASTERN.finditer(low)], key=re.Match.start)
    found = []
    for match in matches:
        start, end = match.span()
        if not _is_verb(text[start:end]):
            line, column = place.of(start)
            lead = match.groupdict().get("lead") or ""
            found.append(RelativeDate(start, line, column, text[start:end], text[start : start + len(lead)]))
    return tuple(found)


def resolve(expression: str, day: dt.date) -> dt.date | Period | None:
    """Return the day or days that `expression` means when written on `day`; None if that is unclear.

    "on Friday", "by Friday" and "this Friday" are the first Friday on or after the day, "next Friday" the first one
    strictly after it, "last Friday" the latest strictly before it, "since Friday" the latest on or before it.
    Weeks begin on Monday; the end of a week is its Friday, or its Sunday once Friday is over.
    """
    if len(expression) > _LONGEST_EXPRESSION:
        return None
    text = " ".join(plain(expression).split())
    lead = _LEAD.match(text)
    core = text[lead.end() :] if lead else text
    back = bool(lead and lead["lead"] and words.LEADS[lead["lead"]] < 0)
    # With its lead first: "vor zwei Tagen" is not before two days.
    for candidate in (text, core):
        for pattern, form in _forms():
            match = pattern.fullmatch(candidate)
            if match:
                try:
                    return _RESOLVERS[form]({**match.groupdict(), "back": "yes" if back else None}, day)
                except (OverflowError, ValueError):
                    return None
    return None


class _DatePlaces:
    """Turn rising offsets into lines and columns, reading the text once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = 1
        self._line_start = self._seen = 0

    def of(self, offset: int) -> tuple[int, int]:
        self._line += self._text.count("\n", self._seen, offset)
        newline = self._text.rfind("\n", self._seen, offset)
        self._line_start = newline + 1 if newline >= 0 else self._line_start
        self._seen = offset
        return self._line, offset - self._line_start + 1


def _is_verb(text: str) -> bool:
    *before, last = text.split()
    return bool(before) and last in words.VERBS_TOO


def _date_of(match: re.Match[str]) -> dt.date | None:
    form = (match.lastgroup or "")[1:]
    name = match["m" + form].rstrip(".")
    month = int(name) if name.isdigit() else words.MONTHS.get(name) or words.SHORT_MONTHS[name]
    try:
        return dt.date(int(match["y" + form]), month, int(match["d" + form]))
    except ValueError:
        return None


_LEAD = LazyPattern(lambda: rf"(?:(?P<lead>{words.either(words.LEADS)}) )?(?:(?:{words.either(words.ARTICLES)}) )?")


@functools.cache
def _forms() -> tuple[tuple[re.Pattern[str], words.DateForm], ...]:
    # They are matched against the expression alone, so look-aheads for what follows it are dropped.
    return tuple(
        (re.compile(re.sub(r"\(\?=[^)]*\)$", "", source)), form)
        for source, form in (*words.free_forms(), *words.bound_forms(), *words.east_forms())
    )


def _joined(forms: Iterable[tuple[str, words.DateForm]]) -> str:
    return "|".join(re.sub(r"\?P<\w+>", "?:", source) for source, _ in forms)


def _western() -> str:
    free, bound = _joined(words.free_forms()), _joined(words.bound_forms())
    lead = rf"(?P<lead>{words.either(words.LEADS)}){words.GAP}(?:(?:{words.either(words.ARTICLES)}){words.GAP})?"
    # Some forms need a lead; the others are written once, because compiling them takes longer than most searches.
    form = rf"(?:(?(lead)(?:{bound})|(?!))|{free})"
    return rf"(?=\w)(?<![\w./\\@#-])(?:{lead})?{form}(?![\w(\\/-]|\.\w)"


_WESTERN = LazyPattern(_western)
_EASTERN = LazyPattern(lambda: _joined(words.east_forms()))


def _day_word(groups: _Groups, day: dt.date) -> dt.date:
    word = groups["word"] or ""
    return day + dt.timedelta(words.DAYS.get(word, words.EAST_DAYS.get(word, 0)))


def _counted(groups: _Groups, day: dt.date) -> dt.date | None:
    text = groups["count"] or ""
    count = int(text) if text.isdigit() else words.NUMBERS.get(text) or words.EAST_NUMBERS.get(text, 0)
    if not count:
        return None
    if groups["sign"] in (*words.AGO, *words.AGO_BEFORE, "前"):
        count = -count
    counted = groups["counted"] or ""
    match words.COUNTED.get(counted) or words.EAST_UNITS[counted]:
        case "day":
            return day + dt.timedelta(count)
        case "week":
            return day + dt.timedelta(weeks=count)
        case "month":
            return _plus_months(day, count)
        case _:
            return _plus_months(day, 12 * count)


def _stepped(groups: _Groups, day: dt.date) -> dt.date | Period | None:
    step = _step(groups)
    if weekday := groups.get("weekday"):
        return _weekday(weekday, step, groups, day)
    if name := groups.get("month"):
        return _named_month(words.MONTHS[name], step or 0, day)
    short = words.SHORT_ENDS.get(groups.get("short") or "")
    unit = short or _unit(groups)
    period = Period(day, day) if unit == "day" else _period(unit, step or 0, day)
    if period is None or not (groups.get("end") or short):
        return period
    friday = period.first + dt.timedelta(4)
    return friday if unit == "week" and friday >= day else period.last


def _step(groups: _Groups) -> int | None:
    if year := groups.get("year"):
        return words.EAST_YEARS[year]
    tables = (words.STEPS, words.STEPS_BEHIND, words.EAST_STEPS)
    return next((table[step] for table in tables if (step := groups.get("step") or "") in table), None)


def _unit(groups: _Groups) -> str:
    if groups.get("day"):
        return "day"
    if groups.get("year"):
        return "year"
    unit = groups.get("unit") or ""
    return words.UNITS.get(unit) or words.EAST_PERIODS.get(unit, "quarter")


def _weekday(name: str, step: int | None, groups: _Groups, day: dt.date) -> dt.date:
    weekday = words.WEEKDAYS.get(name, words.EAST_WEEKDAYS.get(name, 0))
    if groups.get("unit"):
        # 下周五 names the week; it is not the first Friday to come.
        return _week(day, step or 0).first + dt.timedelta(weekday)
    ahead = (weekday - day.weekday()) % 7
    if step is None and groups["back"]:
        return day + dt.timedelta(ahead - 7 if ahead else 0)
    match step:
        case 1:
            return day + dt.timedelta(ahead or 7)
        case -1:
            return day + dt.timedelta(ahead - 7)
        case _:
            return day + dt.timedelta(ahead)


def _week(day: dt.date, step: int) -> Period:
    monday = day + dt.timedelta(7 * step - day.weekday())
    return Period(monday, monday + dt.timedelta(6))


def _named_month(month: int, step: int, day: dt.date) -> Period:
    year = day.year
    if step > 0 and month <= day.month:
        year += 1
    if step < 0 and month >= day.month:
        year -= 1
    return _months(dt.date(year, month, 1), 1)


def _period(unit: str, step: int, day: dt.date) -> Period | None:
    match unit:
        case "week":
            return _week(day, step)
        case "weekend":
            week = _week(day, step)
            return Period(week.last - dt.timedelta(1), week.last)
        case "month":
            return _months(_plus_months(day.replace(day=1), step), 1)
        case "quarter":
            first = day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
            return _months(_plus_months(first, 3 * step), 3)
        case "year":
            return _months(dt.date(day.year + step, 1, 1), 12)
        case _:
            return None


def _months(first: dt.date, count: int) -> Period:
    last = _plus_months(first, count - 1)
    return Period(first, last.replace(day=_days_in(last)))


def _plus_months(day: dt.date, count: int) -> dt.date:
    years, month = divmod(day.month - 1 + count, 12)
    first = dt.date(day.year + years, month + 1, 1)
    return first.replace(day=min(day.day, _days_in(first)))


def _days_in(day: dt.date) -> int:
    # Nothing follows December 9999, so December is not counted.
    if day.month == 12:
        return 31
    return (day.replace(month=day.month + 1, day=1) - day.replace(day=1)).days


_RESOLVERS: Mapping[words.DateForm, Callable[[_Groups, dt.date], dt.date | Period | None]] = {
    words.DateForm.WORD: _day_word,
    words.DateForm.COUNT: _counted,
    words.DateForm.STEP: _stepped,
}
