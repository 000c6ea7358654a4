import pytest

from memci.checks.rules.conflict_marker import RULE
from tests.build import findings_in


@pytest.mark.parametrize(
    "body",
    [
        "Title\n=======\n\ntext",
        "<<<<<<< is what git writes first",
        ">>>>>>> quoted mail\n=======\n<<<<<<< other order",
        "    <<<<<<< HEAD\n    =======\n    >>>>>>> indented example",
        "<<<<<<<< eight\n========\n>>>>>>>> eight",
    ],
)
def test_leaves_alone(body: str) -> None:
    assert findings_in(RULE.check, body) == []


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("<<<<<<< HEAD\nA\n=======\nB\n>>>>>>> x", 1),
        ("fine\n\n<<<<<<< HEAD\r\nA\r\n=======\r\nB\r\n>>>>>>> x\r", 3),
        ("<<<<<<< HEAD\nA\n||||||| base\nO\n=======\nB\n>>>>>>> x", 1),
    ],
)
def test_reports_the_line_of_the_opening_marker(body: str, line: int) -> None:
    assert findings_in(RULE.check, body) == [("t0.md", line)]
