import datetime as dt

import pytest

from memci.report.page.charts import LEFT, RIGHT, draw_bar, draw_lines

DAY = dt.date(2026, 11, 1)


def test_nothing_is_told_of_nothing() -> None:
    assert draw_bar("Types", [("a", 0, "c1"), ("b", 0, "c2")], ("type", "topics")).says == "nothing"


def test_the_parts_of_a_bar_are_told() -> None:
    chart = draw_bar("Types", [("a", 1, "c1"), ("b", 3, "c2")], ("type", "topics"))
    assert (chart.rows, chart.tones, chart.says) == ((("a", 1), ("b", 3)), ("c1", "c2"), "1 a, 3 b")


def test_a_line_has_a_dot_for_each_day() -> None:
    chart = draw_lines("Claims", [DAY, DAY + dt.timedelta(days=10)], [("false", "bad", (1, 4))])
    assert list(chart.lines[0].dots) == [(LEFT, 75.5), (RIGHT, 8.0)]
    assert chart.rows == (("2026-11-01", 1), ("2026-11-11", 4))
    assert chart.says == "from 2026-11-01 to 2026-11-11: false from 1 to 4"


def test_a_single_day_stands_at_the_right() -> None:
    chart = draw_lines("Topics", [DAY], [("topics", "c3", (2,))])
    assert list(chart.lines[0].dots) == [(RIGHT, 8.0)]
    assert chart.says == "on 2026-11-01: topics from 2 to 2"


@pytest.mark.parametrize(
    ("most", "top"), [(0, "1"), (1, "1"), (3, "4"), (7, "8"), (9, "10"), (200, "200"), (900, "1k"), (6_000_000, "8M")]
)
def test_the_axis_ends_at_a_round_number(most: int, top: str) -> None:
    assert draw_lines("x", [DAY], [("a", "c1", (most,))]).ticks[-1][0] == top
