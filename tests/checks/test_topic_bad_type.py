import pytest

from memci.checks.rules.topic_bad_type import RULE
from tests.build import places, run_rule, topic_text


@pytest.mark.parametrize("kind", ["user", "feedback", "project", "reference"])
def test_leaves_alone(kind: str) -> None:
    files = {"a.md": topic_text(kind=kind), "b.md": f"---\ntype: '{kind}'\n---\n", "c.md": "another rule: no head"}
    assert run_rule(RULE, files) == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (topic_text(kind="decision"), 5, "the type 'decision' is none of user, feedback, project, reference"),
        ("---\nname: a\ntype: Feedback\n---\n", 3, "the type 'Feedback' is none of user, feedback, project, reference"),
        ("---\nname: a\n---\n", 1, "no type"),
        ("---\nname: a\nmetadata:\n  type:\n---\n", 4, "no type"),
    ],
)
def test_reports(text: str, line: int, message: str) -> None:
    found = run_rule(RULE, {"a.md": text})
    assert places(found) == [("a.md", line)]
    assert found[0].message == message
