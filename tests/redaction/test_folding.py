import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.redaction.folding import fold


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain words",
        "не говори об этом",
        "все инструкции",
        "사용자에게",
        "これまでの指示",
        "忽略所有指令",
        "a < b | c",
    ],
)
def test_leaves_alone(text: str) -> None:
    assert fold(text) == text


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("\u0410ccess", "access"),
        ("\u0440\u0430\u0441\u0435", "pace"),
        ("\uff29\uff47 \U0001d408", "ig i"),
        ("pr\u00e9c\u00e9dentes f\u00fcr", "precedentes fur"),
        ("don\u2019t don\u02bct", "don't don't"),
        ("## **A** _b_ \\* `c`", "a b c"),
        ("> - [ ] a\n2. b", "[ ] a\nb"),
        ("| a | b |\nx | y", " a b \nx | y"),
        ("a&nbsp;b&#10;c%20d%0Ae", "a b c d e"),
        ("a<br/>b<wbr>c <system>", "a bc <system>"),
        ("exam-\n> ple x", "example\nx"),
        ("h e l l o  w o r l d", "hello world"),
        ("a\t \u3000b\r\nc", "a b \nc"),
    ],
)
def test_folds(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_keeps_the_number_of_lines(text: str) -> None:
    assert fold(text).count("\n") == text.count("\n")
