"""Units of a body: joined again they are the same bytes, and new ones look like those around them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.units import BodyUnit, join_units, place_unit, split_units

ROWS = st.sampled_from(
    [
        "", " ", "Plain words.", "wrapped and", "  goes on here.", "- one", "* two", "1. three", "  - nested", "# Head",
        "## Other", "> quoted", "| a | b |", "|---|---|", "```", "```python", "~~~", "x = 1", "**Why:** slow.",
        "**How to apply:** twice", "- **Why:** no", "\t", "日本語。", "a:", "***", "---", "\u2028", "\x0b", "a\x0cb",
    ]
)  # fmt: skip


@given(st.lists(st.tuples(ROWS, st.sampled_from(["\n", "\r\n", "\r", ""]))))
def test_splitting_and_joining_loses_nothing(rows: list[tuple[str, str]]) -> None:
    body = "".join(row + end for row, end in rows)
    units, tail = split_units(body)
    assert join_units(units, tail) == body
    assert all(unit.text.strip() and not unit.gap.strip() and not unit.end.strip() for unit in units)


def test_lines_of_one_paragraph_stay_together() -> None:
    body = "Plain words.\nMore of them.\n"
    units, tail = split_units(body)
    assert join_units(units, tail) == body
    assert join_units([units[1], units[0]], tail) == "More of them.\n\nPlain words.\n"


@given(st.text())
def test_any_text_comes_back(body: str) -> None:
    assert join_units(*split_units(body)) == body


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("One.\nTwo.\n", ["One.", "Two."]),
        ("One goes\non here.\n\nTwo.\n", ["One goes\non here.", "Two."]),
        ("- a\n- b\n  goes on\n", ["- a", "- b\n  goes on"]),
        ("# H\nText\n", ["# H", "Text"]),
        ("| a |\n|---|\n| b |\nText\n", ["| a |\n|---|\n| b |", "Text"]),
        ("```\na\n\nb\n```\nText\n", ["```\na\n\nb\n```", "Text"]),
        ("Rule.\n\n**Why:** slow.\n", ["Rule.", "**Why:** slow."]),
        ("```\nnever closed\n\n- a\n", ["```\nnever closed\n\n- a"]),
    ],
)
def test_units_are_what_a_person_would_call_a_statement(body: str, expected: list[str]) -> None:
    assert [unit.text for unit in split_units(body)[0]] == expected


@pytest.mark.parametrize(
    ("text", "mark", "label", "words"),
    [
        ("Plain words.", "", "", "Plain words."),
        ("- one\n  and more", "- ", "", "one and more"),
        ("12. one", "12. ", "", "one"),
        ("**Why:** it is\nslow.", "", "**Why:**", "it is slow."),
        ("- **Why**: slow", "- ", "**Why**:", "slow"),
    ],
)
def test_marks_and_labels_are_no_words(text: str, mark: str, label: str, words: str) -> None:
    unit = BodyUnit(text)
    assert (unit.mark, unit.label, unit.words) == (mark, label, words)


def test_a_new_unit_looks_like_what_it_replaces_or_what_is_beside_it() -> None:
    item = BodyUnit("- old", "", "\n")
    assert place_unit("new", "", item).text == "- new"
    assert place_unit("new", "", None, item).text == "- new"
    assert place_unit("new", "", None, BodyUnit("3. old")).text == "- new"
    assert place_unit("new", "", None, BodyUnit("Old.")).gap == "\n"
    assert place_unit("new", "**Why:**", BodyUnit("**Why**: old")).text == "**Why**: new"
    assert place_unit("new", "**Why:**", None, item).text == "**Why:** new"
    assert place_unit("new", "", BodyUnit("Old.", "\r\n", "\r\n")).gap == "\r\n"


def test_a_paragraph_is_not_glued_to_what_is_above_it() -> None:
    units = [BodyUnit("Rule."), BodyUnit("**Why:** reason."), BodyUnit("Another rule."), BodyUnit("- item")]
    assert join_units(units, "") == "Rule.\n**Why:** reason.\n\nAnother rule.\n- item\n"
