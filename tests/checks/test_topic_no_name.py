import pytest

from memci.checks.rules.topic_no_name import RULE
from tests.build import places, run_rule, topic_text


@pytest.mark.parametrize("text", [topic_text(), "no head: another rule", "---\nname: a: b\n---\n"])
def test_leaves_alone(text: str) -> None:
    assert run_rule(RULE, {"a.md": text}) == []


@pytest.mark.parametrize(("text", "line"), [("---\ntype: user\n---\n", 1), (topic_text(name=""), 2)])
def test_reports_and_suggests_a_name(text: str, line: int) -> None:
    found = run_rule(RULE, {"User_Zone.md": text})
    assert places(found) == [("User_Zone.md", line)]
    assert found[0].suggestion == "add name: user-zone"
