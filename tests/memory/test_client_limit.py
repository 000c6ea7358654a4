import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.client_limit import MAX_UNITS, count_units, cut


def lines(count: int, text: str = "x") -> str:
    return "\n".join(f"{text}{number}" for number in range(count))


@pytest.mark.parametrize("text", ["", "one line", lines(200), "x" * 25_000, "\ufeff\n\n  a  \u2028\u00a0\n"])
def test_what_fits_is_loaded_whole_but_trimmed(text: str) -> None:
    loaded = cut(text)
    assert loaded.text == text.strip("\n \u2028\u00a0\ufeff")
    assert (loaded.reason, loaded.lost_from) == ("", 0)


def test_too_many_lines_are_cut_behind_the_last_that_fits() -> None:
    loaded = cut(lines(230) + "\n")
    assert loaded.text == lines(200)
    assert (loaded.reason, loaded.lost_from) == ("230 lines (limit: 200)", 201)


def test_blank_lines_before_the_text_do_not_count_but_keep_their_numbers() -> None:
    assert cut("\n\n\n" + lines(201)).lost_from == 204


def test_too_many_units_are_cut_at_a_line_end() -> None:
    loaded = cut(lines(100, "y" * 300))
    assert loaded.text == lines(82, "y" * 300)
    assert loaded.reason == "29.6KB (limit: 24.4KB) — index entries are too long"
    assert loaded.lost_from == 83


def test_the_line_end_may_be_the_first_unit_over_the_limit() -> None:
    assert cut("a" * MAX_UNITS + "\nrest").text == "a" * MAX_UNITS
    assert cut("a" * (MAX_UNITS + 1) + "\nrest").text == "a" * MAX_UNITS


def test_characters_outside_the_first_plane_count_twice() -> None:
    assert count_units("a😀") == 3
    assert cut("😀" * 12_500).reason == ""
    assert cut("😀" * 12_501).text == "😀" * 12_500


def test_both_limits_at_once_are_named_together() -> None:
    assert cut(lines(250, "z" * 200)).reason == "250 lines and 49.7KB"


def reference(text: str) -> str:
    """Follow the rule literally, on a string whose characters are UTF-16 code units."""
    data = text.encode("utf-16-le", "surrogatepass")
    units = "".join(chr(int.from_bytes(data[place : place + 2], "little")) for place in range(0, len(data), 2))
    rows = units.split("\n")
    if len(rows) <= 200 and len(units) <= 25_000:
        return units
    kept = "\n".join(rows[:200])
    if len(kept) <= 25_000:
        return kept
    end = kept.rfind("\n", 0, 25_001)
    return kept[:end] if end > 0 else kept[:25_000]


@given(
    count=st.integers(1, 260),
    length=st.integers(0, 400),
    character=st.sampled_from(["x", "é", "日", "😀"]),
    longest=st.integers(0, 30_000),
)
def test_the_cut_equals_the_documented_rule(count: int, length: int, character: str, longest: int) -> None:
    text = "\n".join(["y" * longest + "z", *(f"{character * (length - number % 7)}." for number in range(count))])
    loaded = cut(text)
    expected = reference(text)
    data = loaded.text.encode("utf-16-le", "surrogatepass")
    assert len(data) // 2 == len(expected)
    assert loaded.text[:200] == text[:200][: len(loaded.text)]
    assert bool(loaded.reason) == bool(loaded.lost_from) == (loaded.text != text)


@given(st.text())
def test_any_short_text_is_loaded_whole(text: str) -> None:
    assert cut(text).text in text
    assert cut(text).reason == ""
