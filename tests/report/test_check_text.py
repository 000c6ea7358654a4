import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.model.finding import Finding, Fix, Severity
from memci.report.check_result import CheckResult
from memci.report.check_text import render_text
from memci.report.terminal_lines import wrap
from tests.report.results import HOSTILE, INDEX, finding, result, results


def test_findings_stand_below_their_file_in_columns() -> None:
    first = Finding(
        "index-dangling",
        Severity.ERROR,
        finding().path,
        "pointer to gone.md, which does not exist",
        line=120,
        column=3,
        suggestion="create the file",
        fix=Fix("remove the line", ()),
    )
    rendered = render_text(
        result(first, finding("date-relative", line=7), finding(path="b.md")), colour=False, width=80
    )
    assert rendered == (
        f"{INDEX}\n"
        "    7:1  warning  leads nowhere  date-relative\n"
        "  120:3  error    pointer to gone.md, which does not exist  index-dangling\n"
        "                  help: create the file\n"
        "                  fixable with --fix: remove the line\n"
        "\n"
        "b.md\n"
        "  1:1  error    leads nowhere  index-dangling\n"
        "\n"
        "2 errors, 1 warning in 2 files; 1 fixable with --fix; checked 1 scope, 2 topics\n"
    )


@pytest.mark.parametrize(
    ("run", "line"),
    [
        (result(), "no problems found; checked 1 scope, 2 topics\n"),
        (result(scopes=0, topics=0), "nothing to check: no memory was found; checked 0 scopes, 0 topics\n"),
    ],
)
def test_a_clean_run_is_one_line(run: CheckResult, line: str) -> None:
    assert render_text(run, colour=False, width=80) == line


def test_what_was_fixed_and_what_was_not_checked_is_named() -> None:
    rendered = render_text(result(skipped=(("a\nb.md", "not UTF-8"),), fixed=(finding(),)), colour=False, width=100)
    assert rendered == (
        f"fixed  {INDEX}:1  leads nowhere  index-dangling\n\n"
        "not checked  a\\nb.md: not UTF-8\n\n"
        "1 problem fixed, none left; 1 not checked; checked 1 scope, 2 topics\n"
    )


def test_long_messages_hang_below_their_start() -> None:
    rendered = render_text(result(finding(message="word " * 20 + "end")), colour=False, width=50)
    lines = rendered.split("\n")[1:-3]
    assert lines[0] == "  1:1  error    word word word word word word word"
    assert {line[:16] for line in lines[1:]} == {" " * 16}
    assert lines[-1].endswith("  index-dangling")
    assert max(map(len, lines)) <= 50


def test_a_very_long_message_is_cut_and_says_so() -> None:
    rendered = render_text(result(finding(message="x" * 10_000)), colour=False, width=80)
    assert "[... 9,000 more characters]" in " ".join(rendered.split())


def test_wide_characters_count_twice() -> None:
    assert wrap("日本 日本 日本", 10) == ["日本 日本", "日本"]


def test_no_line_begins_with_one_of_several_blanks() -> None:
    assert wrap("a.md:7  what is wrong", 8) == ["a.md:7", "what is", "wrong"]


@given(st.text(" ab日", max_size=80), st.integers(1, 30))
def test_wrapping_loses_no_word(text: str, width: int) -> None:
    assert " ".join(wrap(text, width)).split() == text.split()


def test_colour_only_when_asked_and_only_added() -> None:
    run = result(finding(), finding("date-relative"), finding("topic-dangling-link"), fixed=(finding(),))
    plain = render_text(run, colour=False, width=80)
    coloured = render_text(run, colour=True, width=80)
    assert "\x1b" not in plain
    assert "\x1b[31merror" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


@given(results, st.integers(1, 200))
def test_untrusted_text_reaches_no_terminal(run: CheckResult, width: int) -> None:
    rendered = render_text(run, colour=False, width=width)
    rendered.encode()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]", rendered)


def test_three_thousand_findings() -> None:
    run = result(*(finding(message=HOSTILE[number % len(HOSTILE)], line=number + 1) for number in range(3_000)))
    assert "3,000 errors in 1 file" in render_text(run, colour=True, width=80)
