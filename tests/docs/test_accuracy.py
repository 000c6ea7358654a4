"""Whether docs/accuracy.md is current is asked with all generated pages."""

import re

import pytest

from benchmarks.accuracy import MEASURES, ROOT, read_rounds
from tools.docs.accuracy import measure_interval

ROUNDS = read_rounds()
SETS = [(kind, name) for kind in MEASURES for name in ROUNDS[kind]]


@pytest.mark.parametrize(("kind", "name"), SETS, ids=[name for _, name in SETS])
def test_no_figure_is_below_its_floor(kind: str, name: str) -> None:
    found, floors = MEASURES[kind](name), ROUNDS[kind][name]["floors"]
    assert floors
    assert {key: found[key] for key, floor in floors.items() if found[key] < floor} == {}


def test_the_recorded_draws_are_those_of_the_benchmarks() -> None:
    text = (ROOT / "benchmarks/README.md").read_text("utf-8")
    told = {
        int(n): (int(judged), int(right))
        for n, judged, right in re.findall(r"\n\| (\d+),.*\| (\d+) \| (\d+) \| [01]\.", text)
    }
    assert {draw["number"]: (draw["judged"], draw["right"]) for draw in ROUNDS["draws"]}.items() <= told.items()


def test_the_recorded_judgements_are_those_of_the_benchmarks() -> None:
    text = (ROOT / "benchmarks/README.md").read_text("utf-8")
    for one in ROUNDS["merges"]:
        told = text.partition(f"\n| **{one['project']}** plain")[2]
        plain, memci = told.split("\n")[:2]
        for row, figures in ((plain, one["plain"]), (memci, one["memci"])):
            assert row.endswith(f"| {figures['trust']}, {figures['usefulness']} |"), one["project"]
            assert row.split("|")[-5].strip() == str(figures["invented"]), one["project"]


def test_an_interval_is_as_wide_as_the_numbers_are_small() -> None:
    assert [f"{end:.3f}" for end in measure_interval(186, 202)] == ["0.875", "0.951"]
    assert [f"{end:.2f}" for end in measure_interval(9, 9)] == ["0.70", "1.00"]
