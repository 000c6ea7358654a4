import pytest

from memci.checks.rules.index_over_lines import RULE
from memci.model.finding import Severity
from tests.build import fixed, places, run_rule, topic_text


def pointers(count: int) -> str:
    return "".join(f"- [T{number}](t{number:03}.md) — hook {number}\n" for number in range(count))


def topics(count: int, kind: str = "project") -> dict[str, str]:
    return {f"t{number:03}.md": topic_text(kind=kind) for number in range(count)}


def test_leaves_159_lines_alone() -> None:
    assert run_rule(RULE, {**topics(159), "MEMORY.md": pointers(159)}) == []


@pytest.mark.parametrize("index", [pointers(160), pointers(200), pointers(200).removesuffix("\n")])
def test_warns_where_the_client_begins_to_ask_for_a_smaller_index(index: str) -> None:
    (found,) = run_rule(RULE, {**topics(200), "MEMORY.md": index})
    assert (found.severity, found.line, found.fix) == (Severity.WARNING, 160, None)
    assert found.message.endswith(" lines; from 160 on the client asks for a smaller index, after 200 it cuts")


def test_reports_the_first_line_that_is_lost_and_what_goes_with_it() -> None:
    found = run_rule(RULE, {**topics(205), "MEMORY.md": pointers(205)})
    assert places(found) == [("MEMORY.md", 201)]
    assert found[0].message == "205 lines; the client loads 200 and would not show t200.md, t201.md, t202.md and 2 more"


def test_the_fix_takes_blank_lines_first() -> None:
    index = pointers(190).replace("- [T100]", "\n" * 20 + "- [T100]")
    changed = fixed(RULE, {**topics(190), "MEMORY.md": index})
    assert set(changed) == {"MEMORY.md"}
    assert changed["MEMORY.md"].count("\n") == 200
    assert changed["MEMORY.md"].count("- [T") == 190


def test_the_fix_drops_project_before_feedback_and_keeps_the_hooks_in_the_topics() -> None:
    files = {**topics(210), "t003.md": topic_text(kind="feedback"), "MEMORY.md": pointers(210)}
    changed = fixed(RULE, files)
    kept = changed["MEMORY.md"].splitlines()
    assert len(kept) == 200
    assert kept[0].startswith("- [T3](t003.md)")
    assert kept[-1].startswith("- [T209](t209.md)")
    dropped = set(changed) - {"MEMORY.md"}
    assert len(dropped) == 10
    assert all(f"hook {int(name[1:4])}" in changed[name] for name in dropped)


def test_the_fix_names_what_left() -> None:
    (finding,) = run_rule(RULE, {**topics(202), "MEMORY.md": pointers(202)})
    assert finding.fix is not None
    assert finding.fix.summary.startswith("fit the index; left out of the index: t000.md, t001.md")


def test_content_is_never_dropped_to_fit() -> None:
    assert fixed(RULE, {"MEMORY.md": "a fact\n" * 300}) == {}
