import pytest

from memci.checks.rules.topic_bad_yaml import RULE
from tests.build import fixed, places, run_rule, topic_text

BAD = "---\nname: a\ndescription: tests: always run them\n# kept\ntype: feedback\n---\nbody: with: colons\n"


@pytest.mark.parametrize(
    "text", [topic_text(), "no head", "---\nunclosed: x: y\n", "---\nname: 'x: y'\n---\nb: c: d\n"]
)
def test_leaves_alone(text: str) -> None:
    assert run_rule(RULE, {"a.md": text}) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [(BAD, 3), ("---\nname: a\ntype: user\ntype: reference\n---\n", 4), ("---\nname: &x [*x]\n---\n", 2)],
)
def test_reports_the_line_that_yaml_rejects(text: str, line: int) -> None:
    assert places(run_rule(RULE, {"a.md": text, "b.md": topic_text()})) == [("a.md", line)]


def test_the_fix_quotes_the_value_and_touches_nothing_else() -> None:
    expected = BAD.replace("tests: always run them", '"tests: always run them"')
    assert fixed(RULE, {"a.md": BAD, "b.md": topic_text()}) == {"a.md": expected}
    assert fixed(RULE, {"a.md": BAD.replace("\n", "\r\n")}) == {"a.md": expected.replace("\n", "\r\n")}


def test_the_fix_guesses_nothing() -> None:
    assert fixed(RULE, {"a.md": "---\nname: a\nname: b\n---\n"}) == {}
    assert fixed(RULE, {"a.md": BAD.replace("# kept", "pinned: true")}) == {}
