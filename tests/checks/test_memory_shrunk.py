from memci.checks.rules.memory_shrunk import RULE
from tests.build import places, run_rule, topic_text

LINES = ["One fact.", "Two facts.", "Three facts.", "Four facts."]
BEFORE = {"a.md": topic_text("\n".join(LINES))}


def test_leaves_alone() -> None:
    assert run_rule(RULE, BEFORE) == []
    assert run_rule(RULE, {"a.md": topic_text("\n\n".join(f"- {line}" for line in reversed(LINES)))}, BEFORE) == []
    assert run_rule(RULE, {"a.md": topic_text("\n".join(LINES[:3]))}, BEFORE) == []
    assert run_rule(RULE, {"a.md": topic_text("x"), "b.md": topic_text("\n".join(LINES))}, BEFORE) == []
    assert run_rule(RULE, {"a.md": topic_text("x")}, {"a.md": topic_text("short\nfile\nhere")}) == []
    assert run_rule(RULE, {}, BEFORE) == []


def test_reports_when_half_of_the_lines_are_gone() -> None:
    found = run_rule(RULE, {"a.md": topic_text("\n".join(LINES[:2]))}, BEFORE)
    assert places(found) == [("a.md", 1)]
    assert found[0].message == "2 of 4 lines are gone and nowhere else"
