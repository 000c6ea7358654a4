"""The texts of evidence: what a person said with the days that were meant, what a rule or the repository answered."""

import datetime as dt
from collections.abc import Iterator, Sequence

from memci.model.finding import Finding
from memci.model.session import Signal
from memci.patterns import LazyPattern
from memci.prose.dates.find import Period, find_dates, find_relative, resolve
from memci.prose.dates.words import SHORT_MONTHS
from memci.prose.equal_words import equal_form, find_unspaced_forms, list_meanings
from memci.prose.similar import tokenise
from memci.prose.stems import detect_language

# A day and a month without a year, in either order.
_DAY_MONTH = LazyPattern(r"(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s{1,2}(?:of\s|de\s)?([^\W\d_]{3,12})")
# 21.12. and 6.1. in much of Europe.
_NUMERIC_DAY = LazyPattern(r"(?<![\d.])(\d{1,2})\. ?(\d{1,2})\.(?!\d)")
_MONTH_DAY = LazyPattern(r"([^\W\d_]{3,12})\s(\d{1,2})(?:st|nd|rd|th)?\b(?!\d)")
_DAY = LazyPattern(r"(?<![\w.,:/-])(\d{1,2})(?:st|nd|rd|th|er|\.|º|日|일|号)?(?![\w:/%])")
_UNTIL_MONTH = LazyPattern(
    r"(?i)\b((?:until|till|through|bis|jusqu'en|hasta|até|fino a|til|tot|do) )([^\W\d_]{3,12})\b(?! \d)"
)
# Days or weeks from the day of a message.
_FAR = 60
_HALF = 6
# A date that is this long over is the one of the next year.
_OVER = dt.timedelta(days=180)


def read_signal(signal: Signal) -> tuple[str, ...]:
    """Return the texts of a signal, and the dates that it mentions."""
    said = (signal.text, signal.rule, signal.why, signal.how, *(mention.text for mention in signal.repeated))
    return tuple(dict.fromkeys(text for text in (*said, *_list_days(signal)) if text))


def read_memory(text: str) -> Iterator[str]:
    """Yield a line of the memory, the months of its dates, and the days that it means if it begins with its own."""
    yield text
    yield from (f"{found.date:%B %Y}" for found in find_dates(text))
    if day := _leading_day(text):
        yield from _resolve_relative(text, day)


def spell_limits(text: str) -> str:
    """Return a line that begins with its own date with "until the end of the month" as a date."""
    if day := _leading_day(text):
        for relative in find_relative(text):
            meant = resolve(relative.text, day)
            last = meant.last if isinstance(meant, Period) else meant
            text = text.replace(relative.text, f"{relative.text.split()[0]} {last}") if last else text
        text = _UNTIL_MONTH.sub(lambda found: found[1] + (_end_of_month(found[2], day) or found[2]), text)
    return text


def _end_of_month(name: str, day: dt.date) -> str:
    """Return the last day of a month without a year, after `day`; "" if it is no month."""
    kind, _, number = equal_form(name, loose=True).partition(":")
    month = int(number) if kind == "month" else SHORT_MONTHS.get(name.casefold(), 0)
    if not month:
        return ""
    year = day.year + (month < day.month)
    return (dt.date(year + month // 12, month % 12 + 1, 1) - dt.timedelta(1)).isoformat()


def is_past_note(text: str, today: dt.date) -> bool:
    """Tell whether a line that begins with its own date is about a later day, and all days it names are over."""
    day = _leading_day(text)
    meant = list(_list_yearless(text, day)) if day else []
    return day is not None and bool(meant) and all(day < date < today for date in meant)


def _leading_day(text: str) -> dt.date | None:
    first = text.lstrip("-*+> ")[:10]
    dates = find_dates(first)
    return dates[0].date if dates and dates[0].text == first else None


def _list_days(signal: Signal) -> Iterator[str]:
    times = [signal.timestamp, *(mention.timestamp for mention in signal.repeated)]
    for time in times:
        if time:
            # The month and the year of a message are known, too, and "last month" and "next month".
            near = (time.replace(day=1) - dt.timedelta(1), time.replace(day=28) + dt.timedelta(5))
            yield f"{time:%Y-%m-%d} {time:%B %Y} {time.year + 1} {time.year - 1} {near[0]:%B %Y} {near[1]:%B %Y}"
            # "Last winter", "the last day of the month", "since the 2nd".
            years = (time.year - 1, time.year)
            yield " ".join(f"{year}/{year + 1} {year}/{(year + 1) % 100:02}" for year in years)
            firsts = [day.replace(day=1) for day in (near[0].date(), time.date(), near[1].date())]
            yield " ".join((first - dt.timedelta(1)).isoformat() for first in firsts[1:])
            yield _end_of_month(f"{firsts[2]:%B}", firsts[2])
            numbers = {int(found[1]) for found in _DAY.finditer(signal.text) if 1 <= int(found[1]) <= 31}
            days = (first + dt.timedelta(number - 1) for first in firsts for number in sorted(numbers))
            yield " ".join(day.isoformat() for day in days)
    if signal.repeated:
        yield str(signal.strength)
    yield from (date.date.isoformat() for date in find_dates(signal.text))
    if signal.timestamp:
        day = signal.timestamp.date()
        yield from _resolve_relative(signal.text, day)
        yield from (date.isoformat() for date in _list_yearless(signal.text, day))


def read_proof(texts: Sequence[str]) -> Iterator[str]:
    """Yield what a proof says, and the days without a year in it, which are near the day of its commit."""
    yield from texts
    days = [found.date for text in texts for found in find_dates(text)]
    yield from (date.isoformat() for text in texts if days for date in _list_yearless(text, days[0]))


def _resolve_relative(text: str, day: dt.date) -> Iterator[str]:
    for relative in find_relative(text):
        meant = resolve(relative.text, day)
        if isinstance(meant, Period):
            yield f"{meant.first.isoformat()} {meant.last.isoformat()}"
        elif meant:
            yield meant.isoformat()
    # A weekday, in whatever language and with whatever words around it, is one of the next two weeks or of the last.
    language = detect_language(text)
    abroad = language != "english"
    forms = find_unspaced_forms(text) | {equal_form(word) for word in tokenise(text)}
    forms |= {form for word in tokenise(text) if abroad for form in list_meanings(word, filter(None, (language,)))}
    pairs = [form.partition(":")[::2] for form in sorted(forms)]
    weekdays = [(int(number) - day.weekday()) % 7 - 7 for kind, number in pairs if kind == "weekday"]
    days = [day + dt.timedelta(first + 7 * week) for first in weekdays for week in range(4)]
    yield from (date.isoformat() for date in days)
    counts = [int(number) for kind, number in pairs if kind == "number" and number.isdigit() and len(number) <= 2]
    # "In fourteen days", "three weeks from Monday", in whatever words.
    spans = [unit * count for count in counts if 0 < count <= _FAR for unit in (1, 7)]
    yield from ((start + dt.timedelta(span)).isoformat() for start in (day, *days) for span in spans)
    yield from ((day - dt.timedelta(span)).isoformat() for span in spans)
    for month in (int(number) for kind, number in pairs if kind == "month"):
        # "Until the last of March": its first and its last day, in the past half year or the next one.
        start = dt.date(day.year + (month < day.month - _HALF) - (month > day.month + _HALF), month, 1)
        yield f"{start.isoformat()} {_end_of_month(f'{start:%B}', start)}"


def _list_yearless(text: str, day: dt.date) -> Iterator[dt.date]:
    pairs = [(found[1], found[2]) for found in _DAY_MONTH.finditer(text)]
    pairs += [(found[2], found[1]) for found in _MONTH_DAY.finditer(text)]
    pairs += [(found[1], found[2]) for found in _NUMERIC_DAY.finditer(text)]
    for number, name in pairs:
        kind, _, found = equal_form(name, loose=True).partition(":")
        month = int(found) if kind == "month" else SHORT_MONTHS.get(name.casefold(), 0)
        month = int(name) if name.isdigit() and int(name) <= 12 else month
        try:
            date = dt.date(day.year, month, int(number)) if month else None
            if date:
                yield date.replace(year=day.year + 1) if day - date > _OVER else date
        except ValueError:
            continue


def read_finding(finding: Finding) -> Iterator[str]:
    """Yield the texts of a finding without the subject of a commit, which strangers write."""
    yield finding.message.partition(" (")[0]
    yield finding.suggestion
    yield from (edit.new for edit in (finding.fix.edits if finding.fix else ()))
