import pytest

from memci.guards.rules.hidden_text import GUARD
from memci.model.plan import OperationKind
from tests.build import topic_text
from tests.guards.scene import FILES, change, check, make_context


@pytest.mark.parametrize(
    "body",
    [
        "Zoë 👩\u200d💻 prefers small pull requests.",
        "Use `<name>` as placeholder, and a < b.",
        "क्\u200dष is her name.",
        "The arrow -> shows the way.",
        "See [the docs](docs/a.md) and `data: x`.",
        "Generics: List<String> and Map<K, V>.",
        'The row is `<li style="color:red">` in `row()`.',
    ],
)
def test_visible_text_passes(body: str) -> None:
    assert check(GUARD, change(OperationKind.CREATE, "a.md", {"a.md": topic_text(body)}), make_context()) is None


def test_what_was_hidden_before_does_not_stop_an_edit() -> None:
    files = {**FILES, "a.md": topic_text("Old.\u200b\n<!-- old -->")}
    operation = change(OperationKind.UPDATE, "a.md", {"a.md": files["a.md"] + "New.\n"})
    assert check(GUARD, operation, make_context(files=files)) is None


@pytest.mark.parametrize(
    "body",
    [
        "Text.\u200b",
        "Text.\U000e0061",
        "Text.\u202e",
        "Text.\ud800",
        "Text. <!-- more -->",
        "Text. <!--",
        "--> Text.",
        "![x](y.png)",
        "[//]: # (text)",
        '<p style = "x">Text.</p>',
        "<IMG src=x>",
        "[x](JavaScript:y)",
    ],
)
def test_text_that_people_do_not_see_is_refused(body: str) -> None:
    assert check(GUARD, change(OperationKind.CREATE, "a.md", {"a.md": topic_text(body)}), make_context())


@pytest.mark.parametrize("description", ['"a\\u200b"', '"a <\\x21-- b -->"'])
def test_what_a_head_hides_in_escapes_is_refused(description: str) -> None:
    text = topic_text("A.", description=description)
    assert check(GUARD, change(OperationKind.CREATE, "a.md", {"a.md": text}), make_context())


def test_what_a_head_hid_before_does_not_stop_an_edit() -> None:
    files = {**FILES, "a.md": topic_text("A.", description='"a\\u200b"')}
    operation = change(OperationKind.UPDATE, "a.md", {"a.md": files["a.md"] + "New.\n"})
    assert check(GUARD, operation, make_context(files=files)) is None


def test_a_reason_with_invisible_characters_is_refused() -> None:
    operation = change(OperationKind.CREATE, "a.md", {"a.md": topic_text("A.")}, reason="so\u2060so")
    assert check(GUARD, operation, make_context())
