import pytest

from memci.checks.rules.topic_no_description import RULE
from tests.build import places, run_rule, topic_text


@pytest.mark.parametrize("text", [topic_text(), "no head: another rule", "---\ndescription: a: b\n---\n"])
def test_leaves_alone(text: str) -> None:
    assert run_rule(RULE, {"a.md": text}) == []


@pytest.mark.parametrize(("text", "line"), [("---\nname: a\n---\n", 1), (topic_text(description='""'), 3)])
def test_reports(text: str, line: int) -> None:
    assert places(run_rule(RULE, {"a.md": text, "b.md": topic_text()})) == [("a.md", line)]
