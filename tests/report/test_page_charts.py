import datetime as dt

import pytest

from memci.report.page.charts import LEFT, RIGHT, WIDTH, Series, draw_bar, draw_budget, draw_columns, draw_lines

DAY = dt.date(2026, 11, 1)


def test_nothing_is_drawn_of_nothing() -> None:
    chart = draw_bar("Types", [("a", 0, "c1"), ("b", 0, "c2")], ("type", "topics"))
    assert (chart.says, [box.width for box in chart.boxes]) == ("nothing", [0, 0])
    assert draw_columns("Ages", {"week": 0}, {"week": "c2"}, ("age", "topics")).boxes[0].height == 0


def test_the_parts_of_a_bar_fill_it() -> None:
    chart = draw_bar("Types", [("a", 1, "c1"), ("b", 3, "c2")], ("type", "topics"))
    assert [(box.x, box.width) for box in chart.boxes] == [(0, WIDTH / 4), (WIDTH / 4, 3 * WIDTH / 4)]
    assert chart.rows == (("a", 1), ("b", 3))
    assert chart.says == "1 a, 3 b"


@pytest.mark.parametrize(("used", "width"), [(0, 0), (100, WIDTH / 2), (200, WIDTH), (900, WIDTH)])
def test_a_budget_is_never_longer_than_its_limit(used: int, width: float) -> None:
    chart = draw_budget("Index", [("line", used, 200, "good")])
    assert chart.boxes[0].width == width
    assert chart.rows == (("lines", used, 200),)


def test_a_line_has_a_dot_for_each_day_and_holds_until_the_next() -> None:
    days = [DAY, DAY + dt.timedelta(days=10)]
    chart = draw_lines("Claims", days, [Series("false", "bad", (1, 4))], steps=True)
    (line,) = chart.lines
    assert [x for x, _ in line.dots] == [LEFT, RIGHT]
    assert list(line.corners) == [(LEFT, 75.5), (RIGHT, 75.5), (RIGHT, 8.0)]
    assert chart.rows == (("2026-11-01", 1), ("2026-11-11", 4))
    assert chart.says == "from 2026-11-01 to 2026-11-11: false from 1 to 4"


def test_a_single_day_stands_at_the_right() -> None:
    chart = draw_lines("Topics", [DAY], [Series("topics", "c3", (2,))])
    assert list(chart.lines[0].dots) == [(RIGHT, 8.0)]
    assert chart.says == "on 2026-11-01: topics from 2 to 2"


@pytest.mark.parametrize(
    ("most", "top"), [(0, "1"), (1, "1"), (3, "4"), (7, "8"), (9, "10"), (200, "200"), (900, "1k"), (6_000_000, "8M")]
)
def test_the_axis_ends_at_a_round_number(most: int, top: str) -> None:
    assert draw_columns("x", {"a": most}, {"a": "c1"}, ("a", "b")).ticks[-1][0] == top
