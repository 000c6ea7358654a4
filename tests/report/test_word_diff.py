"""Words before and after: nothing is left out, and what did not change is told once."""

from hypothesis import given
from hypothesis import strategies as st

from memci.report.text_diff import DiffPart, diff_words, shorten_same

_WORDS = st.lists(st.sampled_from(["keep", "30", "60", "connections", "open", "never"]), max_size=12).map(" ".join)


def test_one_word_that_changed_stands_between_those_that_did_not() -> None:
    found = diff_words("keep 30 connections open", "keep 60 connections open")
    assert found == [
        (DiffPart.SAME, "keep"),
        (DiffPart.GONE, "30"),
        (DiffPart.COME, "60"),
        (DiffPart.SAME, "connections open"),
    ]


def test_long_texts_are_told_as_one_exchange_between_equal_ends() -> None:
    middle = " ".join(f"w{number}" for number in range(2_000))
    found = diff_words(f"a {middle} z", f"a {middle[::-1]} z")
    assert [part for part, _ in found] == [DiffPart.SAME, DiffPart.GONE, DiffPart.COME, DiffPart.SAME]


def test_only_words_beside_a_change_are_kept() -> None:
    same = " ".join("abcdefghij")
    parts = [(DiffPart.SAME, same), (DiffPart.GONE, "x"), (DiffPart.SAME, same)]
    assert shorten_same(parts, 2) == [(DiffPart.SAME, "… i j"), (DiffPart.GONE, "x"), (DiffPart.SAME, "a b …")]


@given(_WORDS, _WORDS)
def test_both_texts_can_be_read_off(old: str, new: str) -> None:
    parts = diff_words(old, new)
    assert " ".join(text for part, text in parts if part is not DiffPart.COME) == old
    assert " ".join(text for part, text in parts if part is not DiffPart.GONE) == new
