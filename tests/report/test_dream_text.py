"""What a dream says on a terminal."""

from dataclasses import replace

from memci.model.plan import Fate, Ledger, LedgerEntry, NeedsPerson
from memci.report.dream_text import render_dream
from tests.build import SCOPE
from tests.report.pages import make_plan, make_result


def test_of_many_retired_lines_the_first_are_shown_and_the_rest_is_counted() -> None:
    entries = tuple(LedgerEntry(SCOPE / "a.md", n, f"line {n}", Fate.RETIRED) for n in range(1, 1_301))
    shown = render_dream(make_result(replace(make_plan("x"), ledger=Ledger(entries))), colour=False)
    assert "  retired  a.md:12: “line 12”\n  retired  1,288 more lines; --format json lists all\n" in shown
    assert "of 1,300 old lines 1,300 retired" in shown


def test_a_question_about_many_files_does_not_fill_the_terminal() -> None:
    names = ", ".join(f"topic-{n}.md" for n in range(500))
    plan = replace(make_plan("x"), needs_person=(NeedsPerson(f"the index has no room for {names}", None, ()),))
    (line,) = [row for row in render_dream(make_result(plan), colour=False).split("\n") if row.startswith("  ask")]
    assert line.startswith("  ask      the index has no room for topic-0.md, topic-1.md")
    assert len(line) < 1_100


def test_colours_change_no_word() -> None:
    result = make_result(make_plan("plain"))
    coloured = render_dream(result, colour=True, width=60)
    assert "\x1b[33mask\x1b" in coloured.replace("  ask    ", "ask")
    for code in ("\x1b[0m", "\x1b[1m", "\x1b[31m", "\x1b[33m"):
        coloured = coloured.replace(code, "")
    assert coloured == render_dream(result, colour=False, width=60)
