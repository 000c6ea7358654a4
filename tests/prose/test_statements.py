import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.topic import split_statements
from memci.prose.statements import (
    Statement,
    StatementKind,
    is_negated,
    is_reason,
    list_fenced_lines,
    make_key,
    split_body,
)


def _texts(body: str) -> list[tuple[int, str]]:
    return [(found.line, found.text) for found in split_body(body)]


@pytest.mark.parametrize(
    "body",
    [
        "",
        "# Heading only",
        "Heading\n=======",
        "**Bold heading**",
        "```sh\nmake. Run it.\n```",
        "  ```\n  code. More.\n  ```",
        "~~~\n```\ncode\n~~~",
        "<!-- a comment. Two sentences. -->",
        "---\n\n***",
        "|---|:-:|",
    ],
)
def test_no_statement_stands_in(body: str) -> None:
    assert _texts(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "Use e.g. Ruff",
        "Ask M. Weber",
        "Set `a. B` first",
        "see foo.py for it",
        "Version 1.2 is old",
        "It takes approx. 3 s",
        "one. two goes on in lower case",
    ],
)
def test_one_sentence_stays_one(body: str) -> None:
    assert _texts(body) == [(1, body)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("One. Two!\nThree? Four", [(1, "One."), (1, "Two!"), (2, "Three?"), (2, "Four")]),
        ("A long\nsentence. B", [(1, "A long sentence."), (2, "B")]),
        ('He said "no." Then left.', [(1, 'He said "no."'), (1, "Then left.")]),
        ("一。二！三？四", [(1, "一。"), (1, "二！"), (1, "三？"), (1, "四")]),
        ("「はい。」次", [(1, "「はい。」"), (1, "次")]),
        ("- one\n- two\n  goes on\n- [ ] three", [(1, "one"), (2, "two goes on"), (4, "three")]),
        ("1. one\n2) two", [(1, "one"), (2, "two")]),
        ("> a\n> b\n\n> c", [(1, "a b"), (4, "c")]),
        ("| a | b. C |\n|---|---|\n| 1 | 2 |", [(1, "| a | b. C |"), (3, "| 1 | 2 |")]),
        ("text <!-- memci: ignore x y --> more", [(1, "text more")]),
        ("a\n```\nx\n```\nb", [(1, "a"), (5, "b")]),
    ],
)
def test_splits(body: str, expected: list[tuple[int, str]]) -> None:
    assert _texts(body) == expected


def test_lines_count_from_the_start_of_the_file() -> None:
    assert [found.line for found in split_statements("---\nname: x\n---\n\nOne.\nTwo.")] == [5, 6]
    assert [found.line for found in split_body("One.\nTwo.", 5)] == [5, 6]


def test_a_statement_knows_what_stands_above_it() -> None:
    body = "# A\n## B\ntext\n\nLead:\n- item\n  - inner\n\nafter\n## C\n**D**\n\nlast"
    assert [(found.text, found.section) for found in split_body(body)] == [
        ("text", ("A", "B")),
        ("Lead:", ("A", "B")),
        ("item", ("A", "B", "Lead:")),
        ("inner", ("A", "B", "Lead:", "item")),
        ("after", ("A", "B")),
        ("last", ("A", "C", "D")),
    ]


def test_a_label_holds_for_its_whole_paragraph() -> None:
    found = split_body("Rule.\n\n**Why:** it broke. Twice.\n\n**How to apply**: run it.\n\n## Why\nOld.")
    assert [(one.label, is_reason(one)) for one in found] == [
        ("", False),
        ("Why", True),
        ("Why", True),
        ("How to apply", True),
        ("", True),
    ]


def test_a_lead_in_can_deny_what_follows() -> None:
    assert [is_negated(found) for found in split_body("Never:\n- commit to main\n\nAlways:\n- commit to x")] == [
        False,
        True,
        False,
        False,
    ]


def test_equal_keys_mean_that_only_the_form_differs() -> None:
    def key(body: str) -> tuple[str, ...]:
        return make_key(body, split_body(body))

    assert key("- Use **tabs**.\n- Wrap lines") == key("Use tabs!\n\nWrap lines.")
    assert key("# Go\nUse tabs") != key("# Make\nUse tabs")
    assert key("Run\n```\nmake A\n```") != key("Run\n```\nmake a\n```")
    assert key("a\n\nb") != key("b\n\na")


def test_finds_fenced_lines() -> None:
    assert list_fenced_lines("x\n```\n  make a\n\nmake b\n```\ny") == {"make a", "make b"}


MARKDOWN = st.text(st.sampled_from("ab. !\n-#*`~|>:[]_=1)。\t\r\0\ud800"), max_size=80)


@given(MARKDOWN)
def test_statements_come_in_order_and_stand_on_their_lines(body: str) -> None:
    lines = body.split("\n")
    found = split_body(body)
    assert [one.line for one in found] == sorted(one.line for one in found)
    assert all(one.text.split()[0] in lines[one.line - 1] for one in found)


@pytest.mark.parametrize(
    "unit", ["!", "a. ", "- a\n", "* ", "(.", "|", "#", ">", "`", "```\n", "a:\n", "<!--", "。", "*_"]
)
def test_hostile_text_is_read_in_one_pass(unit: str) -> None:
    text = unit * (65_536 // len(unit))
    assert all(1 <= found.line <= text.count("\n") + 1 for found in split_body(text))


def test_a_table_row_is_a_row() -> None:
    assert split_body("| a |") == (Statement("| a |", 1, StatementKind.ROW),)
