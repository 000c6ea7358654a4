from memci.report.page.charts import draw_bar


def test_nothing_is_told_of_nothing() -> None:
    assert draw_bar("Types", [("a", 0, "c1"), ("b", 0, "c2")], ("type", "topics")).says == "nothing"


def test_the_parts_of_a_bar_are_told() -> None:
    chart = draw_bar("Types", [("a", 1, "c1"), ("b", 3, "c2")], ("type", "topics"))
    assert (chart.rows, chart.tones, chart.says) == ((("a", 1), ("b", 3)), ("c1", "c2"), "1 a, 3 b")
