from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.memory.index import parse_index
from memci.memory.topic import parse_topic
from memci.model.memory import Index, IndexLineKind, PointerForm

SCOPE = PurePosixPath(".claude/memory")
TOPICS = [
    parse_topic(SCOPE / "a.md", "---\nname: Alpha Topic\n---\n"),
    parse_topic(SCOPE / "b.md", "---\nname: beta\n---\n"),
    parse_topic(SCOPE / "sub" / "c.md", ""),
]


def read(text: str) -> Index:
    return parse_index(SCOPE / "MEMORY.md", text, TOPICS, [SCOPE / "data.json"])


def kinds(text: str) -> list[str]:
    return [line.kind.value for line in read(text).lines]


@pytest.mark.parametrize(
    ("line", "title", "target", "hook"),
    [
        ("- [A](a.md) — what it says", "A", "a.md", "what it says"),
        ("- [A](a.md) -- what it says", "A", "a.md", "what it says"),
        ("- [A](a.md) - what it says", "A", "a.md", "what it says"),
        ("- [A](a.md) – what it says", "A", "a.md", "what it says"),
        ("- [A](a.md) · what it says", "A", "a.md", "what it says"),
        ("- [A](a.md): what it says", "A", "a.md", "what it says"),
        ("- [A](a.md) / what it says", "A", "a.md", "what it says"),
        ("- [A](a.md)", "A", "a.md", ""),
        ("* [A](<a.md>) — x", "A", "a.md", "x"),
        ("1. [A](a.md) — x", "A", "a.md", "x"),
        ("[A](a.md) — x", "A", "a.md", "x"),
        ("- **[A](a.md)** — x", "A", "a.md", "x"),
        ("| [A](a.md) | what it says |", "A", "a.md", "what it says"),
        ("## [A](a.md)", "A", "a.md", ""),
        ("- [A](a.md) — see `x` and [web](https://x.example)", "A", "a.md", "see `x` and"),
        ("- [`a.md`](a.md) — x", "`a.md`", "a.md", "x"),
        ("- [A](.claude/memory/a.md) — root-relative", "A", ".claude/memory/a.md", "root-relative"),
        ("- [A](./a.md#part) — x", "A", "./a.md#part", "x"),
        ("See [A](a.md) for details", "A", "a.md", "for details"),
        ("- [A](a.md) — x\r", "A", "a.md", "x"),
    ],
)
def test_reads_the_forms_that_people_write(line: str, title: str, target: str, hook: str) -> None:
    (pointer,) = read(line).pointers
    assert (pointer.title, pointer.target, pointer.path) == (title, target, SCOPE / "a.md")
    assert pointer.hook == hook
    assert pointer.form is PointerForm.LINK


def test_reads_several_pointers_on_one_line() -> None:
    one, two = read("- [A](a.md) — first · [B](b.md) — second").pointers
    assert (one.hook, two.hook) == ("first", "second")
    assert (one.column, two.column) == (3, 23)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("- `a.md` — a name in code", "a.md"),
        ("- **`sub/c.md`** — in a folder", "sub/c.md"),
        ("- [[beta]] — by name", "b.md"),
        ("- [[Alpha-Topic]] — by name, folded", "a.md"),
    ],
)
def test_names_count_as_pointers_if_the_scope_has_the_file(line: str, path: str) -> None:
    (pointer,) = read(line).pointers
    assert pointer.path == SCOPE / path


@pytest.mark.parametrize(
    "line",
    [
        "- `docs/HISTORY.md` — a file of the repository",
        "- [[nothing-yet]] — allowed",
        "- see https://x.example/a.md",
        "- [web](https://x.example/a.md) — an address",
        "- ![image](a.md)",
        "- `[A](a.md)` — an example in code",
        "- [part](#part)",
        "Call [the parser](src/parse.py) first.",
        "- [A](a.md",
    ],
)
def test_other_lines_are_content(line: str) -> None:
    assert read(line).pointers == ()
    assert kinds(line) == ["prose"]


@pytest.mark.parametrize(
    "target", ["../a.md", "/etc/passwd", "javascript:x.md", "%2e%2e/%2e%2e/.env", "..／a.md", "C:\\x.md", "~/a.md"]
)
def test_a_target_outside_the_scope_has_no_path(target: str) -> None:
    (pointer,) = read(f"- [A]({target}) — x").pointers
    assert pointer.path is None


def test_furniture_is_neither_content_nor_pointer() -> None:
    text = "---\nname: index\n---\n# Title\n\n<!-- note -->\n| topic | what |\n|---|---|\n| [A](a.md) | x |\n\n***\n"
    expected = ["furniture"] * 3 + [
        "heading",
        "blank",
        "furniture",
        "furniture",
        "furniture",
        "pointer",
        "blank",
        "furniture",
    ]
    assert kinds(text) == expected


def test_fenced_lines_are_content_even_if_they_look_like_pointers() -> None:
    assert kinds("```\n- [A](a.md)\n```\n- [A](a.md)\n") == ["prose", "prose", "prose", "pointer"]


def test_only_one_pointer_in_a_list_item_of_its_own_is_plain() -> None:
    text = "- [A](a.md) — x\n- see [A](a.md)\n| [A](a.md) |\n- [A](a.md) [B](b.md)\n  - [A](a.md)\n"
    assert [line.plain for line in read(text).lines] == [True, False, False, False, True]


PIECES = [
    "- ",
    "[A](a.md)",
    " — ",
    "hook",
    "\n",
    "\r\n",
    "```",
    "<!--",
    "-->",
    "|",
    "---",
    "[[b]]",
    "`a.md`",
    "](",
    "[",
    "# ",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_lines_render_back_to_the_same_text(text: str) -> None:
    index = read(text)
    assert "".join(line.whole for line in index.lines) == text
    assert all((line.kind is IndexLineKind.POINTER) == bool(line.pointers) for line in index.lines)


@pytest.mark.parametrize(
    "line", ["- [" + "](" * 20_000, "[[" * 30_000, "`" * 60_000, "- [a](a.md)" * 5_000, "|" * 60_000]
)
def test_hostile_lines_are_read_in_one_pass(line: str) -> None:
    assert len(read(line).lines) == 1
