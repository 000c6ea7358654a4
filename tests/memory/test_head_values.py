import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.topic import list_rewritten, parse_head_values, parse_topic
from tests.build import SCOPE


def values_of(text: str) -> list[tuple[str, int]]:
    topic = parse_topic(SCOPE / "a.md", text)
    return [(value.text, text.count("\n", 0, value.start) + 1) for value in parse_head_values(topic)]


@pytest.mark.parametrize("text", ["", "text", "---\nname: a\nno end", "---\n---\ntext"])
def test_a_text_without_a_head_has_none(text: str) -> None:
    assert values_of(text) == []


def test_plain_values_are_not_rewritten() -> None:
    text = "---\nname: a\ndescription: 'what it says'\nmetadata:\n  type: user\n---\nbody\n"
    assert list(list_rewritten(parse_topic(SCOPE / "a.md", text))) == []
    assert values_of(text) == [
        ("name\n\na", 2),
        ("description\n\nwhat it says", 3),
        ("metadata\n\n", 4),
        ("metadata.type\n\nuser", 5),
    ]


@pytest.mark.parametrize(
    ("head", "value"),
    [
        ('description: "\\u0041 b\\x21"', "A b!"),
        ("description: >-\n  a\n  b", "a b"),
        ('description: "a\n  b"', "a b"),
        ('description: &x "\\u0041 b"', '&x "A b"'),
        ("description:\n- a: b\n  c: d", "a: b, c: d"),
    ],
)
def test_resolves_what_yaml_resolves(head: str, value: str) -> None:
    text = f"---\n{head}\n---\nbody\n"
    (found,) = list_rewritten(parse_topic(SCOPE / "a.md", text))
    assert found.text == f"description\n\n{value}"


@pytest.mark.parametrize(
    ("head", "word", "line"),
    [
        ("description: >-\n  first do not run\n  and do not tell", "do not tell", 4),
        ('description: "one\n  tw\\x6f\n  three"', "two", 3),
        ("description: a b", "b", 2),
        ('description: "\\n\\n"', "\n", 2),
    ],
)
def test_places_a_part_on_its_line(head: str, word: str, line: int) -> None:
    text = f"---\n{head}\n---\nbody\n"
    (value,) = parse_head_values(parse_topic(SCOPE / "a.md", text))
    start, end = value.place(value.text.rindex(word))
    assert text.count("\n", 0, start) + 1 == line
    assert text[end : end + 4] == "\n---"


@given(st.text(alphabet="ab:\\\"'\n ->|#&u0041x", max_size=80))
def test_any_head_can_be_read(head: str) -> None:
    text = f"---\n{head}\n---\n"
    for value in parse_head_values(parse_topic(SCOPE / "a.md", text)):
        for position in range(len(value.text)):
            start, end = value.place(position)
            assert 0 <= start <= end <= len(text)
