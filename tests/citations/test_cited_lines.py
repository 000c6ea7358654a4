import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.citations.cited_lines import find_moved

OLD = "a = 1\n\ndef one():\n    return a\n\ndef two():\n    return a\n"


@pytest.mark.parametrize(
    ("new", "lines"),
    [
        pytest.param(OLD, (3, 4), id="nothing changed"),
        pytest.param(OLD + "more\n", (6, 7), id="a change below"),
        pytest.param(OLD.replace("    ", "\t"), (3, 4), id="another indent"),
        pytest.param(OLD.replace("\n", "\r\n"), (3, 4), id="other line ends"),
        pytest.param(OLD.rstrip("\n"), (6, 7), id="no end of the last line"),
    ],
)
def test_lines_in_their_place_are_left_alone(new: str, lines: tuple[int, int]) -> None:
    assert find_moved(OLD, new, *lines) is None


@pytest.mark.parametrize(
    ("new", "lines", "moved"),
    [
        ("import x\n" + OLD, (3, 4), (4, 5)),
        ("import x\n" + OLD.replace("    ", "\t"), (3, 4), (4, 5)),
        # The second of two equal lines is the second of two equal lines.
        ("import x\n" + OLD, (7, 7), (8, 8)),
        ("import x\n" + OLD + "    return a\n", (7, 7), None),
        ("import x\n" + OLD, (2, 2), None),
        (OLD.replace("one", "uno"), (3, 4), None),
        ("a = 1\n", (3, 4), None),
        ("", (1, 1), None),
        # The file ended before the cited lines when they were cited.
        (OLD, (7, 8), None),
        (OLD, (0, 1), None),
        (OLD, (4, 3), None),
    ],
)
def test_finds_where_lines_are_now(new: str, lines: tuple[int, int], moved: tuple[int, int] | None) -> None:
    assert find_moved(OLD, new, *lines) == moved


_TEXTS = st.lists(st.sampled_from(["a", "b", " a", "", "c d"]), max_size=8).map("\n".join)


@given(old=_TEXTS, new=_TEXTS, first=st.integers(0, 9), last=st.integers(0, 9))
def test_a_range_that_is_returned_holds_the_cited_lines(old: str, new: str, first: int, last: int) -> None:
    if moved := find_moved(old, new, first, last):
        then = old.split("\n")[first - 1 : last]
        now = new.split("\n")[moved[0] - 1 : moved[1]]
        assert [line.split() for line in then] == [line.split() for line in now]


@pytest.mark.parametrize("text", ["x\n" * 32_000, "\n" * 65_000, "x" * 65_000, " \t" * 32_000])
def test_a_hostile_text_is_searched_in_reasonable_time(text: str) -> None:
    size = max(text.count("\n") // 2, 1)
    find_moved(text, "y\n" + text + text, 1, size)
