import pytest

from memci.checks.rules.topic_no_frontmatter import RULE
from memci.model.finding import Severity
from tests.build import places, run_rule, topic_text


@pytest.mark.parametrize(
    "text",
    [
        topic_text(),
        "---\n---\n",
        "---\nbroken: yaml: here\n---\n",
        topic_text().replace("\n", "\r\n"),
        "\ufeff---\na: b\n---\n",
    ],
)
def test_leaves_alone(text: str) -> None:
    assert run_rule(RULE, {"a.md": text, "MEMORY.md": "no head needed\n", "2026-11-01.md": "nor in a log"}) == []


@pytest.mark.parametrize(
    ("text", "message", "severity"),
    [
        ("# Title\n\ntext\n", "no frontmatter", Severity.WARNING),
        ("---\nname: a\n\ntext\n", "the frontmatter is not closed with ---", Severity.ERROR),
        ("", "the file is empty", Severity.ERROR),
        (" \n\t\n", "the file is empty", Severity.ERROR),
    ],
)
def test_reports(text: str, message: str, severity: Severity) -> None:
    found = run_rule(RULE, {"a.md": text, "b.md": topic_text()})
    assert places(found) == [("a.md", 1)]
    assert (found[0].message, found[0].severity) == (message, severity)


def test_a_head_that_recall_cannot_read_is_found() -> None:
    late = topic_text().replace("metadata:", "".join(f"key{number}: x\n" for number in range(30)) + "metadata:")
    commented = f"<!-- Ana wrote this -->\n\n{topic_text()}"
    files = {"a.md": "\n" + topic_text(), "b.md": late, "c.md": "\ufeff" + topic_text(), "d.md": commented}
    assert [(finding.path.name, finding.message) for finding in run_rule(RULE, files)] == [
        ("a.md", "the frontmatter does not begin on the first line, so no client reads it"),
        ("b.md", "the frontmatter ends on line 36; recall reads 30 lines"),
        ("d.md", "the frontmatter does not begin on the first line, so no client reads it"),
    ]
