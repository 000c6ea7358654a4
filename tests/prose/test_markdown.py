import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.prose.markdown import list_comments, mask_code, parse_regions


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("plain text", "plain text"),
        ("a `code` b", "a `    ` b"),
        ("a ``co`de`` b", "a ``     `` b"),
        ("unclosed ` tick", "unclosed ` tick"),
        (r"escaped \` tick ` x", r"escaped \` tick ` x"),
        (r"escaped \`` x `y`", r"escaped \``   `y`"),
        ("a `code\nspan` b", "a `    \n    ` b"),
        ("a `not\n\na span` b", "a `not\n\na span` b"),
        ("```\ncode\n```\ntext", "```\n    \n```\ntext"),
        ("~~~py\n```\n~~~\ntext", "~~~py\n   \n~~~\ntext"),
        ("````\n```\nx\n````", "````\n   \n \n````"),
        ("- ```sh\n  rm\n  ```\ntext", "- ```sh\n    \n  ```\ntext"),
        ("```\nnever closed", "```\n            "),
        ("``` is inline `x`", "``` is inline ` `"),
        ("[t](a.md) x", "[t](    ) x"),
        ("see https://a.example/b c", "see                     c"),
        ("a <!-- b --> c", "a            c"),
        ("a <!-- b\n\nc --> d", "a       \n\n      d"),
        ("a `<!--` b `-->` c", "a `    ` b `   ` c"),
        ("a <!-- never closed\n\nx", "a                  \n\n "),
        ("text\n```\ncode\n```", "text\n```\n    \n```"),
    ],
)
def test_masks_code_and_nothing_else(text: str, masked: str) -> None:
    assert mask_code(text) == masked


def test_finds_comments_outside_code_only() -> None:
    text = "x <!-- a --> `<!-- b -->`\n\n```\n<!-- c -->\n```\n<!-- open"
    assert [text[start:end] for start, end in list_comments(text)] == ["<!-- a -->", "<!-- open"]


MARKS = st.lists(
    st.sampled_from(["`", "``", "```", "~~~", "\n", "\n\n", "<!--", "-->", "](", ")", "\\", "a", " ", "http://x"])
)


@given(st.one_of(st.text(), MARKS.map("".join)))
def test_masking_keeps_the_shape_of_any_text(text: str) -> None:
    masked = mask_code(text)
    assert len(masked) == len(text)
    assert [i for i, c in enumerate(masked) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
    regions = list(parse_regions(text))
    assert all(a.end <= b.start for a, b in itertools.pairwise(regions))


@pytest.mark.parametrize("unit", ["](", "`a``b", "<!--", "[x](", "```\n", "\\`", "`\n", "~~~\n\n", "- ```"])
def test_hostile_repetition_is_scanned_once(unit: str) -> None:
    text = unit * (65_536 // len(unit))
    assert len(mask_code(text)) == len(text)
