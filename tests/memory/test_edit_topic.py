import pytest

from memci.memory.edit_topic import append_paragraph, insert_below, replace_field, replace_statement
from memci.memory.topic import parse_topic, split_statements
from memci.prose.statements import Statement
from tests.build import SCOPE

TEXT = "Use tabs in Go.\n\n- Ask Ana first.\n- Never push to main\n\nA sentence that goes\non. And another one.\n"


def find(text: str, words: str) -> Statement:
    return next(found for found in split_statements(text) if words in found.text)


def test_a_statement_that_is_not_there_any_more_is_not_replaced() -> None:
    statement = find(TEXT, "Ask Ana")
    assert replace_statement(TEXT.replace("Ask Ana", "Ask Ben"), statement, "x") is None
    assert replace_statement("", statement, "x") is None


def test_a_quotation_over_several_lines_is_not_replaced() -> None:
    text = "> one line and\n> the next one.\n"
    assert replace_statement(text, find(text, "one line"), "x") is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Use tabs", TEXT.replace("Use tabs in Go.", "NEW")),
        ("Ask Ana", TEXT.replace("Ask Ana first.", "NEW")),
        ("goes on", TEXT.replace("A sentence that goes\non.", "NEW")),
        ("another", TEXT.replace("And another one.", "NEW")),
    ],
)
def test_only_the_statement_is_exchanged(words: str, expected: str) -> None:
    assert replace_statement(TEXT, find(TEXT, words), "NEW") == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Ask Ana", TEXT.replace("- Ask Ana first.\n", "")),
        ("another", TEXT.replace(" And another one.", " ")),
        # One blank line stays between what is left.
        ("Use tabs", TEXT.replace("Use tabs in Go.\n", "")),
    ],
)
def test_a_statement_is_taken_out_with_its_mark(words: str, expected: str) -> None:
    assert replace_statement(TEXT, find(TEXT, words), "") == expected


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_paragraph_leaves_with_the_blank_line_above_it(end: str) -> None:
    text = f"One.{end}{end}**Why:** so.{end}{end}Two.{end}{end}**Why:** thus.{end}"
    first = replace_statement(text, find(text, "so."), "")
    assert first == f"One.{end}{end}Two.{end}{end}**Why:** thus.{end}"
    assert replace_statement(text, find(text, "thus."), "") == text.removesuffix(f"{end}**Why:** thus.{end}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Text.\n", "Text.\n\nMore.\n\nAnd more.\n"),
        ("Text.", "Text.\n\nMore.\n\nAnd more.\n"),
        ("Text.\n\n\n", "Text.\n\nMore.\n\nAnd more.\n"),
        ("Text.\r\n", "Text.\r\n\r\nMore.\r\n\r\nAnd more.\r\n"),
    ],
)
def test_a_paragraph_is_added_with_the_line_ends_of_the_file(text: str, expected: str) -> None:
    assert append_paragraph(text, "More.\n\nAnd more.\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One goes\non.\n\nTwo.\n", "One goes\non.\n\nWhy.\n\nTwo.\n"),
        ("- One goes\n  on.\n- Two.\n", "- One goes\n  on.\n\n  Why.\n\n- Two.\n"),
        ("One.", "One.\n\nWhy.\n"),
        ("One.\r\n\r\nTwo.\r\n", "One.\r\n\r\nWhy.\r\n\r\nTwo.\r\n"),
        ("- A\n  - One.\n  - Two.\n", "- A\n  - One.\n\n    Why.\n\n  - Two.\n"),
    ],
)
def test_a_paragraph_is_put_below_its_statement(text: str, expected: str) -> None:
    assert insert_below(text, find(text, "One"), "Why.") == expected


@pytest.mark.parametrize(
    "head",
    [
        "name: a\n",
        "description: >\n  folded\n  text\n",
        "description:\n  folded text\n",
        "description: begins here\n  and goes on\n",
        "description: &anchor text\n",
    ],
)
def test_a_value_that_is_not_on_one_line_is_left_alone(head: str) -> None:
    topic = parse_topic(SCOPE / "a.md", f"---\n{head}---\nText.\n")
    assert replace_field(topic, "description", "new") is None


def test_a_topic_without_a_head_is_left_alone() -> None:
    assert replace_field(parse_topic(SCOPE / "a.md", "Text.\n"), "description", "new") is None


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_value_is_replaced_and_quoted_where_it_has_to_be(end: str) -> None:
    text = f"---{end}name: a{end}description: 'old'  # mine{end}type: user{end}---{end}Text.{end}"
    topic = parse_topic(SCOPE / "a.md", text)
    assert replace_field(topic, "description", "new: one") == text.replace("'old'  # mine", '"new: one"')
    assert replace_field(topic, "description", "new one") == text.replace("'old'  # mine", "new one")
