from memci.checks.rules.topic_oversized import MAX_TOPIC_BYTES, RULE
from tests.build import places, run_rule, topic_text

HEAD = len(topic_text("").encode())


def test_leaves_alone() -> None:
    files = {
        "a.md": topic_text("x" * (MAX_TOPIC_BYTES - HEAD)),
        "MEMORY.md": "x" * 20_000,
        "2026-11-01.md": "y" * 20_000,
    }
    assert run_rule(RULE, files) == []


def test_reports_bytes_not_characters() -> None:
    found = run_rule(RULE, {"a.md": topic_text("é" * (MAX_TOPIC_BYTES // 2)), "b.md": topic_text()})
    assert places(found) == [("a.md", 1)]
