from memci.checks.rules.topic_oversized import MAX_TOPIC_BYTES, RULE
from memci.memory.client_limit import MAX_TOPIC_LINES, MAX_TOPIC_SHOWN
from memci.model.finding import Severity
from tests.build import places, run_rule, topic_text

HEAD = len(topic_text("").encode())


def test_leaves_alone_what_recall_shows_whole() -> None:
    files = {
        "a.md": topic_text("x" * (MAX_TOPIC_SHOWN - HEAD)),
        "b.md": topic_text("x\n" * (MAX_TOPIC_LINES - 7)),
        "MEMORY.md": "x" * 20_000,
        "2026-11-01.md": "y" * 20_000,
    }
    assert run_rule(RULE, files) == []


def test_what_recall_cuts_is_a_note() -> None:
    files = {"a.md": topic_text("x" * MAX_TOPIC_SHOWN), "b.md": topic_text("x\n" * MAX_TOPIC_LINES)}
    found = run_rule(RULE, files)
    assert [finding.message.partition("; ")[2] for finding in found] == [
        "recall shows the first 4,096",
        "recall shows the first 200",
    ]
    assert {finding.severity for finding in found} == {Severity.INFO}


def test_a_far_too_long_topic_is_a_warning_by_bytes_not_characters() -> None:
    found = run_rule(RULE, {"a.md": topic_text("é" * (MAX_TOPIC_BYTES // 2)), "b.md": topic_text()})
    assert places(found) == [("a.md", 1)]
    assert found[0].severity is Severity.WARNING
