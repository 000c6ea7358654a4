"""Which differences are form, and which are part of what is said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.review.fact_tokens import split_tokens


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Never push.", "never push"),
        ("**Never** push", "_Never_ push!"),
        ("Say “yes” – don’t wait", 'Say "yes" - don\'t wait'),
        ("call `runAll()` first", "call runAll() first"),
        ("| staging | 5432 |", "staging: 5432"),
        ("see [the guide](docs/a.md)", "see the guide (docs/a.md)"),
        ("at <https://example.org/a>", "at https://example.org/a"),
        ("less than < 3 s", "less than <3 s"),
        (r"the \_private\_ name", "the _private_ name"),
        ("NEVER do it", "Never do it"),
        ("数据库：主库。", "数据库 主库"),
    ],
)
def test_form_makes_no_difference(one: str, other: str) -> None:
    assert split_tokens(one) == split_tokens(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("keep 30", "keep 3.0"),
        ("keep 30", "keep -30"),
        ("a < 3", "a > 3"),
        ("use -B", "use -b"),
        ("set DB_URL", "set db_url"),
        ("in Readme.md", "in readme.md"),
        ("all of `*.py`", "all of `.py`"),
        ("below src/**", "below src/"),
        ("call `__init__`", "call `init`"),
        ("the .env file", "the env file"),
        ("use tabs", "use tabs?"),
        ("~~use tabs~~", "use tabs"),
        ("m²", "m2"),
        ("不要推送", "要推送"),
        ("smoke tests", "smoke\u200b tests"),
        ("[a](b.md)", "[a](c.md)"),
    ],
)
def test_what_is_said_does(one: str, other: str) -> None:
    assert split_tokens(one) != split_tokens(other)


@given(st.text(max_size=60))
def test_line_ends_and_blanks_make_no_difference(text: str) -> None:
    assert split_tokens(" ".join(text.split())) == split_tokens("\r\n".join(text.split()))
