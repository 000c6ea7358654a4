"""What a review looks like on a terminal, however narrow it is."""

import re

import pytest

from memci.model.finding import Severity
from memci.report.review_result import (
    ChangeKind,
    FactChange,
    Move,
    Point,
    Review,
    ReviewStatement,
    ScopeChange,
    SkippedPart,
    describe_risk,
)
from memci.report.review_text import render_review_text

_OLD = ReviewStatement("a.md", 7, "Keep thirty connections open to the primary database of the shop at night.")
_NEW = ReviewStatement("a.md", 9, "Keep sixty connections open to the primary database of the shop at night.")
_POINT = Point("number-changed", Severity.WARNING, "a.md", 9, "thirty became sixty, which is a long story to tell")


def _review(**others: object) -> Review:
    fields: dict[str, object] = {
        "changes": (
            FactChange(ChangeKind.REWORDED, "item", (_OLD,), (_NEW,), notes=("number-changed: 30 became 60",)),
        ),
        "points": (_POINT, Point("index-long-entry", Severity.INFO, "b.md", 3, "201 characters are a lot of them")),
        "moves": (Move("some/longer/name/of/a.md", "some/longer/name/of/b.md", 4, renamed=True),),
        "scopes": (ScopeChange("s", "present", 9, 9),),
        "skipped": (SkippedPart("history", "this clone is shallow, so that older commits cannot be asked"),),
    }
    return Review(base="1" * 40, head="2" * 40, **(fields | others))  # type: ignore[arg-type]  # fields of a review


@pytest.mark.parametrize("width", [40, 60, 100])
@pytest.mark.parametrize("colour", [False, True])
def test_no_line_is_wider_than_the_terminal(width: int, *, colour: bool) -> None:
    shown = re.sub(r"\x1b\[[0-9;]*m", "", render_review_text(_review(), colour=colour, width=width))
    assert max(map(len, shown.split("\n"))) <= width


def test_where_a_fact_stood_is_said_only_if_it_was_another_file_or_several_places() -> None:
    assert "was in" not in render_review_text(_review(), colour=False, width=100)
    for before in ((ReviewStatement("b.md", 7, "x"),), (_OLD, ReviewStatement("a.md", 8, "x"))):
        change = FactChange(ChangeKind.REWORDED, "item", before, (_NEW,))
        assert f"was in {before[0].path}:7" in render_review_text(_review(changes=(change,)), colour=False, width=100)


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        ("a", "look at this: a"),
        ("aab", "look at these 3 things: a ×2, b"),
        ("abcd", "look at these 4 things: a, b, c, d"),
        ("abcde", "look at these 5 things: a, b, c, and 2 other kinds"),
    ],
)
def test_the_first_line_names_what_to_look_at(rules: str, line: str) -> None:
    points = tuple(Point(rule, Severity.WARNING, "a.md", 1, "") for rule in rules)
    assert describe_risk(_review(points=points)) == line


def test_a_finding_is_told_once_with_all_its_lines() -> None:
    points = tuple(Point("date-expired", Severity.WARNING, "a.md", line, "the day is over") for line in (3, 9))
    change = FactChange(ChangeKind.ADDED, "item", (), (_NEW,), notes=("date-expired: the day is over", "rests on air"))
    shown = render_review_text(_review(points=points, changes=(change,)), colour=False, width=100)
    assert shown.count("the day is over") == 1
    assert "a.md:3, 9  date-expired" in shown
    assert "rests on air" in shown


def test_of_many_facts_the_gravest_are_shown() -> None:
    places = [ReviewStatement("a.md", number, f"Fact {number}.") for number in range(1, 60)]
    grave = Severity.WARNING
    changes = tuple(
        FactChange(ChangeKind.ADDED, "item", (), (place,), grave if place.line == 50 else Severity.INFO)
        for place in places
    )
    shown = render_review_text(_review(changes=changes), colour=False, width=100)
    assert "Fact 50." in shown
    assert "… 49 more, shown with -v" in shown
    whole = render_review_text(_review(changes=changes), colour=False, width=100, everything=True)
    assert whole.count("Fact ") == 59


def test_no_list_fills_the_terminal_unless_it_is_asked_for() -> None:
    many = range(1, 60)
    long = _review(
        points=tuple(Point("path-moved", level, f"{n}.md", n, f"m{n}") for n in many for level in Severity),
        moves=tuple(Move(f"{n}.md", f"b{n}.md", 1, renamed=False) for n in many),
        skipped=tuple(SkippedPart(f"{n}.md", "too large") for n in many),
    )
    shown = render_review_text(long, colour=False, width=100)
    assert len(shown.split("\n")) < 70
    assert all(f"more {what}, shown with -v" in shown for what in ("points", "moves", "notes", "files"))
    assert "shown with -v" not in render_review_text(long, colour=False, width=100, everything=True)
