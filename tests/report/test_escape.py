import html
import html.parser
import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memci.report.escape import (
    json_text,
    markdown,
    markdown_words,
    quiet_lines,
    shorten,
    visible,
    workflow_data,
    workflow_line,
    workflow_property,
)
from tests.report.results import HOSTILE, texts


@pytest.mark.parametrize("text", ["plain", "naïve 日本語 العربية", "C:\\x1b", "a  b", "⚠️ careful", "1 < 2 & 3"])
def test_visible_leaves_printable_text_alone(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", "\\x1b[31m"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x9b\x85\xad", "\\x9b\\x85\\xad"),
        ("\u202e\u2066\u200b\ufeff\u2028", "\\u202e\\u2066\\u200b\\ufeff\\u2028"),
        ("\U000e0041\udc80", "\\U000e0041\\udc80"),
        ("\u3164\u2800\u034f", "\\u3164\\u2800\\u034f"),
        ("a\ufe0f⚠\ufe0f\ufe0f", "a\\ufe0f⚠\ufe0f\\ufe0f"),
        ('"\ufe0e…\ufe0f‼\ufe0f', '"\\ufe0e…\\ufe0f‼\ufe0f'),
    ],
)
def test_visible_spells_out_what_cannot_be_seen(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(texts)
def test_visible_text_has_nothing_hidden_and_can_be_encoded(text: str) -> None:
    shown = visible(text)
    shown.encode()
    bad = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert not [character for character in shown if unicodedata.category(character) in bad]


def test_a_megabyte_is_escaped_in_one_pass() -> None:
    assert len(visible("\x1b\u202e" * 500_000)) == 500_000 * (4 + 6)


def test_shorten_says_how_much_is_missing() -> None:
    assert shorten("abc", 3) == "abc"
    assert shorten("x" * 1_503, 3) == "xxx [... 1,500 more characters]"


def test_a_rest_that_is_no_longer_than_the_note_about_it_is_shown() -> None:
    assert shorten("x" * 28, 3) == "x" * 28
    assert shorten("x" * 29, 3) == "xxx [... 26 more characters]"


@pytest.mark.parametrize(
    ("text", "data", "prop"),
    [
        ("50%", "50%25", "50%25"),
        ("%0A", "%250A", "%250A"),
        ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a:b,c", "a:b,c", "a%3Ab%2Cc"),
        ("\x1b\udc80", "\\x1b\\udc80", "\\x1b\\udc80"),
        ("x ##[error]y", "x ##\\[error]y", "x ##\\[error]y"),
    ],
)
def test_workflow_commands_are_escaped_as_the_runner_expects(text: str, data: str, prop: str) -> None:
    assert (workflow_data(text), workflow_property(text)) == (data, prop)


@given(texts)
def test_workflow_text_stays_on_its_line(text: str) -> None:
    for escaped in (workflow_data(text), workflow_line(text)):
        assert "##[" not in escaped
        assert not set(escaped) & set("\r\n\x85\u2028\u2029")
    assert not set(workflow_property(text)) & set("\r\n:,")


class _Reader(html.parser.HTMLParser):
    """Collects tags, and text by whether it stands inside of code."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.code = ""
        self.outside = ""
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not attrs
        self.tags.append(tag)
        self._depth += tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self._depth -= tag == "code"

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.code += data
        else:
            self.outside += data


def _read(source: str) -> _Reader:
    reader = _Reader()
    reader.feed(MarkdownIt("commonmark", {"html": True}).enable("table").render(source))
    reader.close()
    return reader


@given(
    st.one_of(
        st.sampled_from([text for text in HOSTILE if len(text) < 1_000]),
        st.text("@#[]()<>!`|*_~&;:/\\.-+= \nabGH123'\"", max_size=40),
    )
)
def test_markdown_shows_the_text_itself_and_nothing_comes_alive(text: str) -> None:
    inline = _read(f"seen: {markdown(text)} there")
    assert inline.tags == ["p", "code"]
    assert inline.code == visible(text)
    assert inline.outside.strip() == "seen:  there"
    block = _read(f"<table>\n<tr><td>{markdown(text)}</td></tr>\n</table>\n\nafter")
    assert block.tags == ["table", "tr", "td", "code", "p"]
    assert block.code == visible(text)
    cell = _read(f"| a | b |\n|---|---|\n| {markdown(text)} | end |\n")
    assert cell.tags == ["table", "thead", "tr", "th", "th", "tbody", "tr", "td", "code", "td"]
    assert cell.code.strip() == visible(text).strip()


def test_markdown_breaks_mail_addresses() -> None:
    assert markdown("a@b") == "<code>a&#x40;<!-- -->b</code>"


@given(texts)
def test_markdown_source_holds_no_mention_reference_or_address(text: str) -> None:
    source = markdown(text).removeprefix("<code>").removesuffix("</code>").replace("<!-- -->", "")
    assert not set(source) & set("@<>[]`|*_~:\\")
    assert "www." not in source.lower()
    # What is left of `&#x40;` cannot be taken for an issue number.
    assert source.replace("&#x", "").count("#") == 0


@given(st.recursive(texts, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)))
def test_json_is_ascii_and_reads_back(value: object) -> None:
    rendered = json_text({"value": value})
    assert rendered.isascii()
    assert rendered.endswith("}\n")
    json.dumps(json.loads(rendered), ensure_ascii=False).encode()


@pytest.mark.parametrize("text", ["a ::error::b", "a::b\n\n  c", "# [x]", "## [x]", ":: "[1:]])
def test_lines_that_no_runner_obeys_stay(text: str) -> None:
    assert quiet_lines(text) == text


def test_a_runner_obeys_no_line_wherever_the_command_stands() -> None:
    text = "::add-mask::x\n \t::error::y\nz ##[group]a ##[error]b\n"
    assert quiet_lines(text) == "\\::add-mask::x\n \t\\::error::y\nz ##\\[group]a ##\\[error]b\n"
    assert json.loads(json_text({"a": text})) == {"a": text}
    assert "##[" not in json_text({"a": text})


def test_json_keeps_text_and_spells_out_half_a_pair() -> None:
    assert json.loads(json_text(["é 😀 \u202e \\u0041", "\udc80\\"])) == ["é 😀 \u202e \\u0041", "\\udc80\\"]


@pytest.mark.parametrize(
    "text",
    [
        "Feedback (on it), isn't read-only: 80% of 12,5 at 10:00 on 2026-11-09!",
        "409のときは「私」に聞いてください。",
        "Où est-ce? 5s - and 3-year",
    ],
)
def test_plain_words_are_not_in_code_font(text: str) -> None:
    shown = markdown_words(text)
    assert "<code>" not in shown
    assert html.unescape(shown) == text


@pytest.mark.parametrize(
    "word",
    [
        "@team",
        "#1",
        "a#1",
        "!1",
        "GH-1",
        "ABC1",
        "0123abc",
        "のfeedbac1",
        ":tada:",
        "www.a.io",
        "a.md",
        "~x",
        "$1",
        "[x]",
        "http://a",
        "a_b",
        "::error",
        "/close",
        "a/b",
        "&x",
        "a@b.io",
        "<b>",
        "*x*",
        "{{x}}",
        "1234567",
    ],
)
def test_g06_every_other_word_is_in_code_font(word: str) -> None:
    outside = re.sub("<code>.*?</code>", "", markdown_words(f"see {word}, and {word}."))
    assert outside == "see , and ."


def test_code_spans_and_links_are_shown_as_code() -> None:
    shown = markdown_words("Use `a b`; see [A b](a.md), (in a/b) and f(x).")
    code = "Use <code>a b</code>; see <code>[A b](a.md)</code>, (in <code>a/b</code>) and <code>f(x)</code>."
    assert html.unescape(shown) == code


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("She does not read Finnish.”", "She does not read Finnish.”"),
        ("„Hallo.“", "„Hallo.“"),
        ("**How to apply:** run it", "How to apply: run it"),
        ("no!! it stays", "no!! it stays"),
    ],
)
def test_words_with_marks_of_quotations_and_labels_are_plain(text: str, shown: str) -> None:
    assert markdown_words(text) == shown
