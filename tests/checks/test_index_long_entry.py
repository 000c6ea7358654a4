from memci.checks.rules.index_long_entry import RULE
from memci.model.finding import Severity
from tests.build import fixed, places, run_rule, topic_text

HOOK = "deploys run from the release branch; never on a Friday because nobody watches them, " + " ".join(
    ["not even in the week before a launch;"] * 3
)


def test_leaves_alone() -> None:
    short = "- [A](a.md) — " + "x" * 136
    assert len(short) == 150
    index = f"{short}\n- [A](a.md) {'x' * 80} · [B](b.md) {'y' * 80}\n{'prose ' * 60}\n"
    assert run_rule(RULE, {"a.md": topic_text(), "b.md": topic_text(), "MEMORY.md": index}) == []


def test_reports_the_line_as_information() -> None:
    index = f"- [A](a.md) — x\n- [A](a.md) — {'x' * 150}\n- [A](a.md) — {'日' * 250}\n"
    found = run_rule(RULE, {"a.md": topic_text(), "MEMORY.md": index})
    assert places(found) == [("MEMORY.md", 2), ("MEMORY.md", 3)]
    assert {finding.severity for finding in found} == {Severity.INFO}
    assert found[0].message == "164 characters; a pointer should have at most 150"


def test_the_fix_cuts_at_a_clause_and_moves_the_whole_hook_into_the_topic() -> None:
    files = {"a.md": topic_text(), "MEMORY.md": f"- [A](a.md) — {HOOK}\r\n"}
    changed = fixed(RULE, files)
    (line,) = changed["MEMORY.md"].splitlines()
    kept = "deploys run from the release branch; never on a Friday because nobody watches them, not even in the week"
    assert line == f"- [A](a.md) — {kept} before a launch"
    assert changed["MEMORY.md"].endswith("\r\n")
    assert changed["a.md"] == f"{topic_text()}\n{HOOK}\n"


def test_the_fix_adds_nothing_that_the_topic_already_says() -> None:
    files = {"a.md": topic_text(f"Note: {HOOK}."), "MEMORY.md": f"- [A](a.md) — {HOOK}\n"}
    assert set(fixed(RULE, files)) == {"MEMORY.md"}


def test_a_cut_leaves_no_half_code_span_or_bold_mark() -> None:
    hook = "use `alpha`, then **beta gamma delta` " + "epsilon " * 20
    (line,) = fixed(RULE, {"a.md": topic_text(), "MEMORY.md": f"- [A](a.md) — {hook}\n"})["MEMORY.md"].splitlines()
    assert line.count("`") % 2 == 0
    assert line.count("**") % 2 == 0


def test_nothing_is_fixed_without_a_topic_to_keep_the_detail() -> None:
    assert fixed(RULE, {"MEMORY.md": f"- [A](gone.md) — {HOOK}\n"}) == {}
    assert fixed(RULE, {"a.md": topic_text(), "MEMORY.md": f"see [A](a.md) — {HOOK}\n"}) == {}
