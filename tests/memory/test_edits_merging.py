from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.apply_edits import apply_edits, merge_edits
from memci.model.finding import Edit

PATH = PurePosixPath("m/a.md")
LINE = "See `a/one.py`, `a/two.py` and `a/three.py`.\n"


def edit(old: str, new: str, line: int = 1, text: str = LINE) -> Edit:
    return Edit(PATH, line, text, text.replace(old, new))


@pytest.mark.parametrize(
    "edits",
    [
        [],
        [edit("a/one", "b/one")],
        [edit("a/one", "b/one", 1), edit("a/one", "b/one", 2)],
        [Edit(PATH, 3, "", "one\n"), Edit(PATH, 3, "", "two\n")],
        [Edit(PATH, 1, "x\n", "y\n"), Edit(PurePosixPath("m/b.md"), 1, "x\n", "z\n")],
    ],
)
def test_edits_of_different_lines_stay_as_they_are(edits: list[Edit]) -> None:
    assert merge_edits(edits) == edits


def test_edits_of_different_parts_of_a_line_become_one() -> None:
    edits = [edit("a/two", "b/2"), edit("a/one", "lib/one"), edit("a/three", "c/three")]
    expected = "See `lib/one.py`, `b/2.py` and `c/three.py`.\n"
    assert merge_edits(edits) == merge_edits(edits[::-1]) == [Edit(PATH, 1, LINE, expected)]


def test_the_same_edit_twice_is_one_edit() -> None:
    assert merge_edits([edit("a/one", "b/one")] * 2) == [edit("a/one", "b/one")]


def test_of_two_edits_of_the_same_part_one_is_made() -> None:
    (merged,) = merge_edits([edit("a/one", "b/one"), edit("a/one", "c/one")])
    assert merged.new in {edit("a/one", "b/one").new, edit("a/one", "c/one").new}


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.permutations("abcdefgh"))
def test_any_set_of_single_changes_is_made_in_any_order(changed: list[str], order: list[str]) -> None:
    text = " ".join("abcdefgh") + "\n"
    edits = [edit(letter, letter.upper() * 2, text=text) for letter in order if letter in changed]
    expected = "".join(letter.upper() * 2 if letter in changed else letter for letter in text)
    assert apply_edits({PATH: text}, merge_edits(edits)).get(PATH, text) == expected
