from memci.checks.rules.memory_vanished import RULE
from tests.build import places, run_rule, topic_text

BEFORE = {"a.md": topic_text("Never push to main.\n\n**Why:** it broke twice."), "b.md": topic_text("Other.")}


def test_leaves_alone_what_was_moved_renamed_merged_or_never_there() -> None:
    moved = {"c.md": topic_text("- never push to main\n- **Why:** it broke twice."), "b.md": BEFORE["b.md"]}
    assert run_rule(RULE, BEFORE) == []
    assert run_rule(RULE, {"b.md": BEFORE["b.md"]}) == []
    assert run_rule(RULE, BEFORE, BEFORE) == []
    assert run_rule(RULE, {**BEFORE, "new.md": topic_text()}, BEFORE) == []
    assert run_rule(RULE, moved, BEFORE) == []
    assert run_rule(RULE, {"b.md": BEFORE["b.md"]}, {**BEFORE, "a.md": topic_text("")}) == []


def test_reports_a_deleted_topic_whose_words_are_nowhere_else() -> None:
    found = run_rule(RULE, {"b.md": topic_text("Never push to main.")}, BEFORE)
    assert places(found) == [("a.md", 1)]
    assert found[0].message == "deleted, and 1 of its 2 lines are nowhere else"


def test_reports_a_deleted_index() -> None:
    assert places(run_rule(RULE, BEFORE, {**BEFORE, "MEMORY.md": "A fact.\n"})) == [("MEMORY.md", 1)]
