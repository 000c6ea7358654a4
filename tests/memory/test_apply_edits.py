from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.apply_edits import EditError, apply_edits, lines_of, split_lines
from memci.model.finding import Edit

PATH = PurePosixPath("a.md")


def _apply(text: str, *edits: tuple[int, str, str]) -> str:
    made = [Edit(PATH, line, old, new) for line, old, new in edits]
    return apply_edits({PATH: text}, made)[PATH]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a\n"]),
        ("a\n\nb", ["a\n", "\n", "b"]),
        ("\n", ["\n"]),
        ("a\r\nb\rc\n", ["a\r\n", "b\rc\n"]),
        ("a\x0bb\x0cc\x1cd\x85e\u2028f", ["a\x0bb\x0cc\x1cd\x85e\u2028f"]),
    ],
)
def test_only_a_line_feed_ends_a_line(text: str, lines: list[str]) -> None:
    assert split_lines(text) == lines


@given(st.text(alphabet="ab\n\r\u2028", max_size=30))
def test_lines_joined_are_the_text(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert all(line.endswith("\n") for line in lines[:-1])
    assert all(lines)


def test_knows_the_lines_of_an_edit() -> None:
    assert list(lines_of(Edit(PATH, 3, "a\nb\n", "x\n"))) == [3, 4]
    assert list(lines_of(Edit(PATH, 3, "", "x\n"))) == []


@pytest.mark.parametrize(
    ("text", "edits", "expected"),
    [
        ("a\nb\nc\n", [(2, "b\n", "x\n")], "a\nx\nc\n"),
        ("a\nb\nc\n", [(2, "b\nc\n", "x\n")], "a\nx\n"),
        ("a\nb\nc\n", [(2, "b\n", "")], "a\nc\n"),
        ("a\nb\n", [(1, "a\nb\n", "")], ""),
        ("a\nb\n", [(1, "", "x\n")], "x\na\nb\n"),
        ("a\nb\n", [(3, "", "x\n")], "a\nb\nx\n"),
        ("", [(1, "", "x\n")], "x\n"),
        # Insertions at one line keep their order, and stand before what replaces the line.
        ("a\n", [(1, "", "x\n"), (1, "", "y\n")], "x\ny\na\n"),
        ("a\n", [(1, "a\n", "b\n"), (1, "", "x\n"), (1, "", "y\n")], "x\ny\nb\n"),
        ("a\n", [(1, "", "x\n"), (1, "a\n", ""), (1, "", "y\n")], "x\ny\n"),
        ("a\n", [(2, "", "x\n"), (2, "", "y\n")], "a\nx\ny\n"),
        # Line numbers are those of the old text, in whatever order the edits come.
        ("a\nb\nc\n", [(1, "a\n", "1\n2\n3\n"), (3, "c\n", "x\n"), (2, "b\n", "")], "1\n2\n3\nx\n"),
        ("a\nb\nc\n", [(2, "b\nc\n", ""), (1, "a\n", "x\n")], "x\n"),
        # Without a final line feed.
        ("a\nb", [(2, "b", "x")], "a\nx"),
        ("a\nb", [(1, "a\n", "x\n")], "x\nb"),
        ("a\nb", [(3, "", "x\n")], "a\nb\nx\n"),
        ("a\nb", [(3, "", "x\n"), (3, "", "y")], "a\nb\nx\ny"),
        ("a\nb", [(2, "b", "c"), (3, "", "x\n")], "a\nc\nx\n"),
        ("a\nb", [(2, "b", ""), (3, "", "x\n")], "a\nx\n"),
        ("a", [(1, "a", ""), (2, "", "x\n")], "x\n"),
        ("a\nb", [(3, "", "")], "a\nb"),
        # Other ends of lines are part of the line.
        ("a\r\nb\r\n", [(1, "a\r\n", "x\r\n")], "x\r\nb\r\n"),
        ("a\u2028b\nc\n", [(2, "c\n", "x\n")], "a\u2028b\nx\n"),
    ],
)
def test_applies_edits(text: str, edits: list[tuple[int, str, str]], expected: str) -> None:
    assert _apply(text, *edits) == expected


@pytest.mark.parametrize(
    ("text", "edits"),
    [
        ("a\nb\n", [(1, "b\n", "x\n")]),
        ("a\nb\n", [(1, "a", "x")]),
        ("a\nb", [(2, "b\n", "x\n")]),
        ("a\nb", [(2, "b\n", "x\n"), (3, "", "y\n")]),
        ("a\n", [(2, "b\n", "x\n")]),
        ("a\n", [(3, "", "x\n")]),
        ("a\n", [(0, "", "x\n")]),
        ("a\n", [(-1, "", "x\n")]),
        ("a\n", [(0, "a\n", "x\n")]),
        ("", [(1, "a\n", "x\n")]),
        ("", [(2, "", "x\n")]),
        ("a\r\n", [(1, "a\n", "x\n")]),
        # Edits that meet: whoever comes second finds another text.
        ("a\nb\n", [(1, "a\nb\n", "x\n"), (2, "b\n", "y\n")]),
        ("a\nb\n", [(1, "a\nb\n", "x\n"), (2, "", "y\n")]),
        ("a\n", [(1, "a\n", "x\n"), (1, "a\n", "y\n")]),
    ],
)
def test_an_edit_that_does_not_fit_is_refused(text: str, edits: list[tuple[int, str, str]]) -> None:
    with pytest.raises(EditError, match=r"a\.md:-?\d+ is not what the edit expects"):
        _apply(text, *edits)


def test_several_files_are_edited_apart_and_untouched_ones_left_out() -> None:
    other, new = PurePosixPath("b.md"), PurePosixPath("c.md")
    edits = [Edit(PATH, 1, "a\n", "x\n"), Edit(new, 1, "", "new\n"), Edit(PATH, 2, "", "y\n")]
    assert apply_edits({PATH: "a\n", other: "b\n"}, edits) == {PATH: "x\ny\n", new: "new\n"}
    assert apply_edits({PATH: "a\n"}, []) == {}


@st.composite
def _edited(draw: st.DrawFn) -> tuple[str, list[Edit], str]:
    """Draw a text, edits that do not meet, in any order, and what a simple model makes of them."""
    line = st.text(alphabet="ab\r ", max_size=3)
    lines = [f"{text}\n" for text in draw(st.lists(line, max_size=6))]
    lines[-1:] = [draw(st.sampled_from([text, "a", "\r"])) for text in lines[-1:]]
    fresh = st.lists(line.map("{}\n".format), max_size=2).map("".join)
    edits: list[Edit] = []
    expected = ""
    place = 0
    while place <= len(lines):
        inserted = draw(st.lists(fresh.filter(bool), max_size=2))
        edits += [Edit(PATH, place + 1, "", text) for text in inserted]
        if inserted and expected and not expected.endswith("\n"):
            expected += "\n"
        expected += "".join(inserted)
        count = draw(st.integers(0, 2))
        old = "".join(lines[place : place + count])
        if old:
            new = draw(fresh)
            edits.append(Edit(PATH, place + 1, old, new))
            expected += new
        else:
            expected += "".join(lines[place : place + 1])
        place += max(count, 1)
    # Insertions at one line are told apart by their order only.
    order = draw(st.permutations(range(len(edits))))
    where = {edit.line for edit in edits if not edit.old}
    shuffled = [edits[number] for number in order]
    for line_number in where:
        kept = iter([edit for edit in edits if edit.line == line_number and not edit.old])
        shuffled = [next(kept) if edit.line == line_number and not edit.old else edit for edit in shuffled]
    return "".join(lines), shuffled, expected


@given(_edited())
def test_edits_do_what_a_simple_model_does(case: tuple[str, list[Edit], str]) -> None:
    text, edits, expected = case
    assert apply_edits({PATH: text}, edits).get(PATH, text) == expected
