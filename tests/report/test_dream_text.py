"""What a dream says on a terminal."""

from dataclasses import replace

import pytest

from memci.model.plan import Fate, Ledger, LedgerEntry, LeftOut, NeedsPerson
from memci.report.dream_text import render_dream
from tests.build import SCOPE
from tests.report.pages import make_plan, make_result
from tests.report.results import HOSTILE


def test_the_counts_come_first() -> None:
    entries = tuple(LedgerEntry(SCOPE / "a.md", n, f"line {n}", Fate.RETIRED) for n in range(1, 1_301))
    shown = render_dream(make_result(replace(make_plan("x"), ledger=Ledger(entries))), colour=False)
    assert shown.startswith("total     1 learned, 2 questions, 1 refused; index 0 of 200 lines\n")
    assert "; 1,300 old lines: 1,300 retired" in shown


def test_a_change_is_one_line_with_what_was_there_and_the_words_below() -> None:
    shown = render_dream(make_result(make_plan("x", operations=2)), colour=False, everything=True)
    said = "\n             “x” — a person, 2026-11-16, session sx\n"
    assert f"\n  learned    x-0.md: The new line. x The last, and one more.{said}" in shown
    assert "\n  corrected  x-1.md: The new line. The last, and one more.\n" in shown
    assert f"\n             was: The old line. The last.{said}" in shown


def test_refused_operations_are_counted_and_each_reason_is_told_once() -> None:
    plan = make_plan("x")
    (one,) = plan.refused
    alike = replace(plan, refused=(one, one, *(replace(one, why=f"reason {n}") for n in range(9))))
    shown = render_dream(make_result(alike), colour=False, everything=True)
    assert "  refused    11 proposals\n             create x-0.md: x (supported), 2 times\n" in shown
    assert "reason 3" in shown
    assert "reason 4" not in shown
    assert "             and others; --format json lists all\n" in shown


def test_a_question_about_many_files_does_not_fill_the_terminal() -> None:
    names = ", ".join(f"topic-{n}.md" for n in range(500))
    plan = replace(make_plan("x"), needs_person=(NeedsPerson(f"the index has no room for {names}", None, ()),))
    shown = render_dream(make_result(plan), colour=False, everything=True)
    (line,) = [row for row in shown.split("\n") if row.startswith("  ask")]
    assert line.startswith("  ask        the index has no room for topic-0.md, topic-1.md")
    assert len(line) < 1_100


def test_colours_change_no_word() -> None:
    result = make_result(make_plan("plain"))
    coloured = render_dream(result, colour=True, width=60)
    assert "\x1b[33mask\x1b" in coloured.replace("  ask      ", "ask")
    for code in ("\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[33m"):
        coloured = coloured.replace(code, "")
    assert coloured == render_dream(result, colour=False, width=60)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_reaches_the_terminal_as_a_control(text: str) -> None:
    shown = render_dream(make_result(make_plan(text, operations=3)), colour=False, everything=True)
    assert all(character.isprintable() for line in shown.split("\n") for character in line)


def test_a_summary_fits_on_a_screen() -> None:
    plan = make_plan("x " * 300, operations=60)
    shown = render_dream(make_result(plan), colour=False, width=100).split("\n")
    assert len(shown) < 45
    assert max(map(len, shown[1:])) <= 100
    assert any("more learned, shown with -v" in line or "more corrected, shown with -v" in line for line in shown)


def test_the_groups_of_a_pull_request_span_the_scopes() -> None:
    one, two = make_plan("x", operations=2), make_plan("y", operations=2)
    other = replace(two, scope=replace(two.scope, path=two.scope.path))
    kinds = [
        line.split()[0]
        for line in render_dream(make_result(one, other), colour=False).split("\n")
        if line.startswith(("  learned", "  corrected"))
    ]
    assert kinds == ["learned", "learned", "corrected", "corrected"]


def test_lines_are_cut_between_words() -> None:
    plan = make_plan("extraordinary " * 30, operations=2)
    rows = render_dream(make_result(plan), colour=False, width=97).split("\n")
    cut = [row for row in rows if row.endswith("…")]
    assert cut
    assert all(row.removesuffix("…").endswith(("extraordinary", "line.", "more.")) for row in cut)


def test_what_was_left_out_on_purpose_is_counted_and_listed_on_request() -> None:
    left = (LeftOut("use tabs", "in a guide", "2026-11-12"), LeftOut("ha ha", "a joke", ""))
    result = make_result(replace(make_plan("x"), left_out=left))
    assert "\nleft out  2 messages, on purpose: 1 in a guide, 1 a joke (-v)\n" in render_dream(result, colour=False)
    shown = render_dream(result, colour=False, everything=True)
    assert "          “use tabs” (2026-11-12: in a guide)\n          “ha ha” (undated: a joke)\n" in shown


def test_a_broken_transcript_is_named_with_its_line() -> None:
    result = replace(make_result(make_plan("x")), broken=(("a.jsonl", "broken records: 2, the first in line 7"),))
    assert "\nbroken    a.jsonl: broken records: 2, the first in line 7\n" in render_dream(result, colour=False)
    assert result.degraded == make_result(make_plan("x")).degraded
