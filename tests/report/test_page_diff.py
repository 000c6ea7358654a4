"""Differences: what is equal is left out and counted, and what is shown is what stands in the texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.report.text_diff import DiffRow, compare_texts

lines = st.lists(st.sampled_from(["a", "b", "one two three", "one two four", "", "x y z", "q"]), max_size=14)


def shown(rows: tuple[DiffRow, ...]) -> list[tuple[str, str, str]]:
    """Return each row with its changed words in brackets."""
    mark = [
        [
            "".join(f"[{piece.text}]" if piece.changed else piece.text for piece in side)
            for side in (row.left, row.right)
        ]
        for row in rows
    ]
    return [(row.kind, *both) for row, both in zip(rows, mark, strict=True)]  # type: ignore[misc]  # always two


@pytest.mark.parametrize("text", ["", "a\n", "a\nb\n", "no end", "\n\n", "x" * 5_000])
def test_equal_texts_have_no_difference(text: str) -> None:
    assert compare_texts(text, text) == ()


@pytest.mark.parametrize(
    ("old", "new", "rows"),
    [
        ("a one b\n", "a two b\n", [("change", "a [one ]b", "a [two ]b")]),
        ("say one two now\n", "say five six now\n", [("change", "say [one two ]now", "say [five six ]now")]),
        (
            "`old/path.py`, always\n",
            "`new/path.py`, always\n",
            [("change", "`[old]/path.py`, always", "`[new]/path.py`, always")],
        ),
        ("alpha beta\n", "gamma delta\n", [("gone", "alpha beta", ""), ("new", "", "gamma delta")]),
        ("", "a\n", [("new", "", "a")]),
        ("a\n", "", [("gone", "a", "")]),
        (
            "keep\nb c d\n",
            "keep\nfirst\nb c e\n",
            [("same", "keep", "keep"), ("new", "", "first"), ("change", "b c [d]", "b c [e]")],
        ),
    ],
)
def test_what_differs_is_shown_by_words(old: str, new: str, rows: list[tuple[str, str, str]]) -> None:
    assert shown(compare_texts(old, new)) == rows


def test_a_lost_line_end_is_a_difference() -> None:
    (row,) = compare_texts("a word\n", "a word")
    assert "".join(piece.text for piece in row.right) == "a word [no line end]"


def test_what_is_far_from_a_change_is_counted() -> None:
    old = [f"line {number}" for number in range(40)]
    new = [*old[:20], "another", *old[21:]]
    rows = compare_texts("\n".join(old) + "\n", "\n".join(new) + "\n")
    assert [row.kind for row in rows] == ["skip", *["same"] * 3, "gone", "new", *["same"] * 3, "skip"]
    assert (rows[0].old, rows[-1].old) == (17, 16)


def test_a_long_difference_is_cut_and_says_so() -> None:
    rows = compare_texts("", "".join(f"{number}\n" for number in range(5_000)))
    assert len(rows) == 401
    assert rows[-1] == DiffRow("skip", 4_600, 1)


@given(lines, lines)
def test_every_line_is_shown_or_counted(old: list[str], new: list[str]) -> None:
    rows = compare_texts("".join(f"{line}\n" for line in old), "".join(f"{line}\n" for line in new))
    for row in rows:
        if row.kind != "skip":
            assert not row.old or "".join(piece.text for piece in row.left) == old[row.old - 1]
            assert not row.new or "".join(piece.text for piece in row.right) == new[row.new - 1]
    if rows:
        skipped = sum(row.old for row in rows if row.kind == "skip")
        assert sum(bool(row.old) for row in rows if row.kind != "skip") + skipped == len(old)
        assert sum(bool(row.new) for row in rows if row.kind != "skip") + skipped == len(new)
    assert bool(rows) == (old != new)


def test_hostile_texts_take_no_longer_than_they_are_long() -> None:
    for old, new in (
        ("ab\n" * 20_000, "ba\n" * 20_000),
        ("a\nb\n" * 10_000, "b\na\n" * 10_000),
        ("a " * 32_000 + "\n", "b " * 32_000 + "\n"),
        ("a b " * 16_000 + "\n", "b a " * 16_000 + "\n"),
    ):
        assert compare_texts(old, new)
