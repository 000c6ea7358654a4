import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.model.finding import Finding, Fix, Severity
from memci.report.check_result import CheckResult
from memci.report.check_text import render_text
from memci.report.terminal_lines import wrap
from tests.report.results import HOSTILE, INDEX, finding, result, results


def test_findings_are_below_their_rules_and_a_few_need_no_summary() -> None:
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
        result(finding("date-relative", line=7), first, finding(path="b.md")), colour=False, width=80
    )
    assert rendered == (
        "error index-dangling\n"
        f"  {INDEX}:120:3\n"
        "    pointer to gone.md, which does not exist\n"
        "    help: create the file\n"
        "    --fix: remove the line\n"
        "  b.md:1:1\n"
        "    leads nowhere\n"
        "\n"
        "warning date-relative\n"
        f"  {INDEX}:7:1\n"
        "    leads nowhere\n"
        "\n"
        "2 errors, 1 warning in 2 files; 1 fixable with --fix; checked 1 scope, 2 topics\n"
    )


def test_the_most_valuable_comes_first_among_equals() -> None:
    run = result(*(finding("index-dangling", line=line) for line in range(1, 9)), finding("secret", path="z.md"))
    assert list(run.by_rule) == ["secret", "index-dangling"]


def test_notes_of_a_rule_do_not_hide_its_warnings() -> None:
    notes = [replace(finding("date-relative", line=n), severity=Severity.INFO) for n in range(1, 9)]
    warnings = [replace(finding("date-relative", line=n), severity=Severity.WARNING) for n in range(90, 93)]
    rendered = render_text(result(*notes, *warnings), colour=False, width=80)
    assert [line.split()[:3] for line in rendered.splitlines()[:1]] == [["3", "warning", "date-relative"]]
    assert "8  info     date-relative" in rendered
    assert all(f"{INDEX}:{n}:1" in rendered for n in range(90, 93))
    assert "(info)" not in rendered


def test_a_help_that_all_findings_share_is_said_once() -> None:
    one, two = (Finding("date-relative", Severity.WARNING, finding().path, f"m{n}", n, 1, "do it") for n in (1, 2))
    assert render_text(result(one, two), colour=False, width=80).count("help: do it") == 1


def test_many_notes_are_counted_and_shown_when_asked_for() -> None:
    notes = [finding("topic-dangling-link", message=f"note {n}", line=n) for n in range(1, 81)]
    run = result(*notes, *(finding(message=f"wrong {n}", line=n) for n in range(1, 9)))
    rendered = render_text(run, colour=False, width=80)
    assert len(rendered.splitlines()) <= 24
    assert rendered.startswith(" 8  error    index-dangling")
    assert "80  info     topic-dangling-link" in rendered
    assert "… 3 more findings, shown with -v" in rendered
    assert "… 80 notes, shown with -v or --select RULE" in rendered
    assert render_text(run, colour=False, width=80, everything=True).count("note ") == 80


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


def test_long_messages_hang_below_their_place() -> None:
    rendered = render_text(result(finding(message="word " * 20 + "end")), colour=False, width=50)
    lines = rendered.split("\n")[2:-3]
    assert {line[:5] for line in lines} == {"    w"}
    assert lines[-1].endswith("end")
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


def test_what_all_findings_of_a_rule_say_is_said_once() -> None:
    fix = Fix("write b.py", ())
    rows = [replace(finding(path=name), suggestion="write b.py", fix=fix) for name in ("a.md", "b.md")]
    shown = render_text(result(*rows), colour=False, width=90)
    assert shown.startswith(
        "error index-dangling  leads nowhere; help: write b.py (--fix does it)\n  a.md:1:1\n  b.md:1:1\n\n"
    )
