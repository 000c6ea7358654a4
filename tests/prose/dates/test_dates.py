import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.prose.dates import words
from memci.prose.dates.find import (
    AbsoluteDate,
    Period,
    RelativeDate,
    find_dates,
    find_relative,
    resolve,
)
from memci.prose.sentences import sentence_around

# A Tuesday.
DAY = dt.date(2026, 11, 10)
MARCH_5 = dt.date(2026, 3, 5)

# Far enough from both ends of the calendar that every expression has an answer.
DAYS = st.dates(dt.date(1900, 1, 1), dt.date(2900, 1, 1))


def _find_all(text: str) -> list[AbsoluteDate | RelativeDate]:
    return [*find_dates(text), *find_relative(text)]


@pytest.mark.parametrize(
    "text",
    [
        "2026-13-45",
        "2026-02-29",
        "2026-3-5",
        "docs/2026-03-05-plan.md",
        "notes-2026-03-05",
        "2026-03-05.md",
        "logs/2026/03/05",
        "version 1.05.03.2026",
        "32 March 2026",
        "March 2026",
        "may 5 tests 2026",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert find_dates(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-05",
        "2026-03-05T10:00:00Z",
        "2026-03-05T10:00:00.123+01:00",
        "2026/3/5",
        "5 March 2026",
        "5th of March 2026",
        "March 5, 2026",
        "March 5th, 2026",
        "Mar 5 2026",
        "Mar. 5, 2026",
        "2026年3月5日",
        "2026 年 3 月 5 日",
        "5. März 2026",
        "5 mars 2026",
        "5 de marzo de 2026",
        "05.03.2026",
    ],
)
@pytest.mark.parametrize("frame", ["{}", "on {}.", "({})", "**{}**", "到{}前", "line\n  {}"])
def test_a_date_is_found_in_every_form_and_frame(text: str, frame: str) -> None:
    (found,) = find_dates(frame.format(text))
    assert (found.text, found.date) == (text, MARCH_5)


def test_a_date_may_break_over_two_lines() -> None:
    (found,) = find_dates("until March\n  5, 2026")
    assert (found.line, found.column, found.date) == (1, 7, MARCH_5)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("today", "2026-11-10"),
        ("as of today", "2026-11-10"),
        ("Tomorrow", "2026-11-11"),
        ("yesterday", "2026-11-09"),
        ("the day after tomorrow", "2026-11-12"),
        ("by Friday", "2026-11-13"),
        ("on Tuesday", "2026-11-10"),
        ("this Tuesday", "2026-11-10"),
        ("next Tuesday", "2026-11-17"),
        ("next Thursday", "2026-11-12"),
        ("last Tuesday", "2026-11-03"),
        ("since Tuesday", "2026-11-10"),
        ("since Wednesday", "2026-11-04"),
        ("in two weeks", "2026-11-24"),
        ("in  3\n days", "2026-11-13"),
        ("in 3 months", "2027-02-10"),
        ("2 days ago", "2026-11-08"),
        ("a week from now", "2026-11-17"),
        ("by the end of the month", "2026-11-30"),
        ("end of next month", "2026-12-31"),
        ("by EOW", "2026-11-13"),
        ("end of the week", "2026-11-13"),
        ("end of quarter", "2026-12-31"),
        ("by EOD", "2026-11-10"),
        ("bis Freitag", "2026-11-13"),
        ("nächsten Freitag", "2026-11-13"),
        ("übermorgen", "2026-11-12"),
        ("vor zwei Tagen", "2026-11-08"),
        ("in 3 Wochen", "2026-12-01"),
        ("Ende nächster Woche", "2026-11-20"),
        ("lundi dernier", "2026-11-09"),
        ("d'ici vendredi", "2026-11-13"),
        ("jusqu’à vendredi", "2026-11-13"),
        ("il y a 3 jours", "2026-11-07"),
        ("d'ici la fin du mois", "2026-11-30"),
        ("antes del viernes", "2026-11-13"),
        ("pasado mañana", "2026-11-12"),
        ("hace dos semanas", "2026-10-27"),
        ("明天", "2026-11-11"),
        ("下周五", "2026-11-20"),
        ("本周五", "2026-11-13"),
        ("周五", "2026-11-13"),
        ("两周前", "2026-10-27"),
        ("3天后", "2026-11-13"),
        ("月底", "2026-11-30"),
        ("今年年底", "2026-12-31"),
        ("来週の金曜日", "2026-11-20"),
        ("明後日", "2026-11-12"),
        ("今月末", "2026-11-30"),
        ("3日後", "2026-11-13"),
    ],
)
def test_resolves_to_a_day(expression: str, expected: str) -> None:
    assert resolve(expression, DAY) == dt.date.fromisoformat(expected)


@pytest.mark.parametrize(
    ("expression", "first", "last"),
    [
        ("last week", "2026-11-02", "2026-11-08"),
        ("this week", "2026-11-09", "2026-11-15"),
        ("next weekend", "2026-11-21", "2026-11-22"),
        ("next month", "2026-12-01", "2026-12-31"),
        ("last quarter", "2026-07-01", "2026-09-30"),
        ("next year", "2027-01-01", "2027-12-31"),
        ("next March", "2027-03-01", "2027-03-31"),
        ("last March", "2026-03-01", "2026-03-31"),
        ("last November", "2025-11-01", "2025-11-30"),
        ("letzte Woche", "2026-11-02", "2026-11-08"),
        ("la semaine prochaine", "2026-11-16", "2026-11-22"),
        ("l'an dernier", "2025-01-01", "2025-12-31"),
        ("el mes que viene", "2026-12-01", "2026-12-31"),
        ("上个季度", "2026-07-01", "2026-09-30"),
        ("下个月", "2026-12-01", "2026-12-31"),
        ("先週", "2026-11-02", "2026-11-08"),
        ("来年", "2027-01-01", "2027-12-31"),
    ],
)
def test_resolves_to_a_period(expression: str, first: str, last: str) -> None:
    assert resolve(expression, DAY) == Period(dt.date.fromisoformat(first), dt.date.fromisoformat(last))


@pytest.mark.parametrize("expression", ["next sprint", "in a few weeks", "几天后", "soon", "", "next line", "x" * 1000])
def test_does_not_guess(expression: str) -> None:
    assert resolve(expression, DAY) is None


@pytest.mark.parametrize(("expression", "day"), [("tomorrow", dt.date.max), ("in 9 months", dt.date.max)])
def test_there_is_no_day_after_the_last(expression: str, day: dt.date) -> None:
    assert resolve(expression, day) is None


@pytest.mark.parametrize(
    "text",
    [
        "the last line, the next page, the next step",
        "today() and is-today and today_date and reports/today.py",
        "Next.js 15",
        "the last 30 runs",
        "this may break and we march on",
        "the last week of data",
        "is this an error",
        "on Mondays",
        "以下周期 基本周期 每周五前 提前天数 毎週月曜日に",
    ],
)
def test_words_that_are_no_relative_dates(text: str) -> None:
    assert [found.text for found in find_relative(text)] == []


def test_positions_and_leads() -> None:
    found = find_relative("İ ship\n  by Friday, until the end of\n  next month; 下周五 and next May")
    assert [(item.line, item.column, item.text, item.lead) for item in found] == [
        (2, 3, "by Friday", "by"),
        (2, 14, "until the end of\n  next month", "until"),
        (3, 15, "下周五", ""),
        (3, 23, "next May", ""),
    ]


@given(DAYS, st.sampled_from(sorted(words.WEEKDAYS)))
def test_weekdays_are_near_and_right(day: dt.date, name: str) -> None:
    for expression, low, high in ((f"next {name}", 1, 7), (f"by {name}", 0, 6), (f"last {name}", -7, -1)):
        found = resolve(expression, day)
        assert isinstance(found, dt.date)
        assert low <= (found - day).days <= high
        assert found.weekday() == words.WEEKDAYS[name]
    back = resolve(f"since {name}", day)
    assert isinstance(back, dt.date)
    assert -6 <= (back - day).days <= 0


@given(DAYS, st.sampled_from(["week", "month", "quarter", "year"]))
def test_periods_follow_each_other(day: dt.date, unit: str) -> None:
    before, now, after = (resolve(f"{step} {unit}", day) for step in ("last", "this", "next"))
    assert isinstance(before, Period)
    assert isinstance(now, Period)
    assert isinstance(after, Period)
    assert now.first <= day <= now.last
    assert before.last + dt.timedelta(1) == now.first
    assert now.last + dt.timedelta(1) == after.first


@given(DAYS, st.integers(1, 999), st.sampled_from(["days", "weeks"]))
def test_counts_forward_and_back_are_opposites(day: dt.date, count: int, unit: str) -> None:
    ahead, ago = resolve(f"in {count} {unit}", day), resolve(f"{count} {unit} ago", day)
    assert isinstance(ahead, dt.date)
    assert isinstance(ago, dt.date)
    assert ahead - day == day - ago == dt.timedelta(**{unit: count})


@given(DAYS, st.dates())
def test_what_is_found_resolves_and_stands_where_it_says(day: dt.date, other: dt.date) -> None:
    text = f"a\nb {day.isoformat()} until next Friday, since {other.isoformat()}\nc tomorrow"
    lines = text.split("\n")
    for found in _find_all(text):
        assert text.startswith(found.text, found.start)
        assert lines[found.line - 1].startswith(found.text, found.column - 1)
    assert [date.date for date in find_dates(text)] == [day, other]
    assert all(resolve(found.text, day) for found in find_relative(text))


PIECES = st.sampled_from(
    [
        *(*words.STEPS, *words.UNITS, *words.LEADS, *words.DAYS, *words.EAST_STEPS, *words.EAST_UNITS, *words.NUMBERS),
        *("周", "五", "前", "ago", "7", "2026-02-30", "9999-12-31", " ", "\n", "\0", "İ", "’", "end of", "\ud800"),
    ]
)


@given(st.lists(PIECES, max_size=12).map(" ".join) | st.lists(PIECES, max_size=12).map("".join) | st.text(), st.dates())
def test_no_text_makes_it_fail(text: str, day: dt.date) -> None:
    for found in _find_all(text):
        assert text.startswith(found.text, found.start)
        assert text.count("\n", 0, found.start) == found.line - 1
        assert sentence_around(text, found.start, found.start + len(found.text))[0] in text
    resolve(text, day)


@pytest.mark.parametrize(
    "piece",
    ["the ", "1 ", "next ", "by the end of ", "in a ", "this\n   ", "2026-", "下下个", "今天", "\n", "March 5, "],
)
def test_hostile_texts_come_to_an_end(piece: str) -> None:
    text = piece * (65536 // len(piece))
    assert not find_dates(text)
    assert {found.text for found in find_relative(text)} <= {"今天"}


def test_a_sentence_ends_at_full_stops_items_and_blank_lines() -> None:
    for text in ("a. b X c. d", "- a\n- b X c\n- d", "a\n\nb X c\n\nd", "# a\n\nb X c; d", "a。b X c。d"):
        before, behind = sentence_around(text, text.index("X"), text.index("X") + 1)
        assert (before.strip(), behind.strip()) == ("b", "c")
