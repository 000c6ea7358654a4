import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.frontmatter import quote
from memci.memory.index import parse_index
from memci.memory.pointers import MAX_POINTER, render_pointer
from memci.memory.topic import parse_topic
from memci.model.memory import IndexLineKind
from tests.build import SCOPE, topic_text


def pointer_for(description: str, name: str = "a topic") -> str:
    text = topic_text(name=quote(name), description=quote(description))
    return render_pointer(parse_topic(SCOPE / "a.md", text), SCOPE)


@pytest.mark.parametrize(
    "description", ["how deploys work", "`make deploy` and *why*", "use C:\\new, 50 % (or less)", "тесты, 測試"]
)
def test_a_plain_line_stays_as_it_is(description: str) -> None:
    assert pointer_for(description) == f"- [a topic](a.md) — {description}"


@pytest.mark.parametrize(
    ("description", "hook"),
    [
        ("see [the page](https://evil.example) first", "see the page first"),
        ("see ![a picture](x.png) and [this][ref]", "see a picture and this"),
        ("see [[other]] or [x], then `a[0]`", "see `[[other]]` or `[x]`, then `a[0]`"),
        ("EffectStack<SizeBoost> is optional", "`EffectStack<SizeBoost>` is optional"),
        ("```sh\nrm -r x\n```", "`sh rm -r x `"),
        ("an `open span", "an open span"),
        ("<details>more</details> <!-- x -->", "`<details>more</details>` `<!--` x `-->`"),
        ("first\n\n# Second\n- [B](b.md) — third", "first # Second - B — third"),
        ("a\u200bb\u202e", "ab"),
    ],
)
def test_a_description_brings_no_structure_along(description: str, hook: str) -> None:
    assert pointer_for(description) == f"- [a topic](a.md) — {hook}"


@pytest.mark.parametrize(
    ("name", "title"), [("a `b", "a b"), ("a b\\", "a b"), ("a [b](c.md)", "a b"), ("名" * 80, "A"), ("x " * 40, "A")]
)
def test_a_title_brings_no_structure_along(name: str, title: str) -> None:
    assert pointer_for("x", name) == f"- [{title}](a.md) — x"


@given(st.text(alphabet="ab `[]()<>!\\#-*_|\n.md", max_size=200), st.text(alphabet="ab `[]()\\!", max_size=80))
def test_whatever_a_head_says_the_line_is_one_plain_pointer(description: str, name: str) -> None:
    line = pointer_for(description, name)
    topic = parse_topic(SCOPE / "a.md", topic_text())
    (row,) = parse_index(SCOPE / "MEMORY.md", line, [topic]).lines
    assert (row.kind, row.plain, [pointer.target for pointer in row.pointers]) == (
        IndexLineKind.POINTER,
        True,
        ["a.md"],
    )
    assert len(line) <= MAX_POINTER
