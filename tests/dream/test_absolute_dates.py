import datetime as dt

import pytest

from memci.dream.orient import add_dates
from tests.build import BODY_LINE, SCOPE, topic_text
from tests.dream.scenes import changed_in, dream_over, find, read, with_index

PATH = SCOPE / "a.md"
DAY = dt.date(2026, 11, 4)


def date(line: str, day: dt.date | None = DAY) -> str | None:
    """Return the topic's line after its dates were made absolute."""
    files = with_index({"a.md": topic_text(line)})
    texts = {PATH: files["a.md"]}
    written = {(PATH, BODY_LINE): day} if day else {}
    dated = list(add_dates(find(read(files)), texts, written))
    after = changed_in(dream_over(files, extra=[finding for finding in dated if finding.fix]))
    return (after["a.md"] or "").split("\n")[BODY_LINE - 1] if after else None


@pytest.mark.parametrize(
    "line",
    [
        "Released on 2026-11-03.",
        # Already explained.
        "Released yesterday (2026-11-03).",
        "The job runs every Monday.",
        "Use `git log --since=yesterday` to see it.",
        # A timetable, and weeks that may be any.
        "The window starts on Tuesday and ends on Thursday.",
        "The report was added for Tuesdays through Thursday.",
        "We shipped the query for last week's tasks last week.",
        "The freeze starts next week.",
    ],
)
def test_a_line_without_a_certain_date_is_left_alone(line: str) -> None:
    assert date(line) is None


def test_a_line_whose_day_nobody_knows_is_left_to_people() -> None:
    assert date("The freeze started yesterday.", None) is None


def test_the_absolute_date_is_written_beside_the_words() -> None:
    assert date("The freeze started yesterday.") == "The freeze started yesterday (2026-11-03)."


@pytest.mark.parametrize("said", ["next Thursday", "on Thursday", "by Thursday"])
def test_a_single_weekday_is_a_day(said: str) -> None:
    assert date(f"The freeze ends {said}.") == f"The freeze ends {said} (2026-11-05)."


def test_the_day_is_the_one_on_which_the_line_was_written() -> None:
    assert date("The freeze ends tomorrow.", dt.date(2025, 12, 31)) == "The freeze ends tomorrow (2026-01-01)."


def test_line_ends_stay() -> None:
    assert date("The freeze ends tomorrow.\r") == "The freeze ends tomorrow (2026-11-05).\r"


def test_a_dated_line_needs_no_second_date() -> None:
    once = date("The freeze started yesterday.") or ""
    assert date(once) is None
