from memci.checks.rules.bad_encoding import RULE
from memci.git.file_tree import decode
from memci.model.memory import Unread
from tests.build import SCOPE, places, run_rule, topic_text


def test_leaves_alone() -> None:
    assert run_rule(RULE, {"a.md": topic_text("Grüße, 日本語, \ufffd replaced by somebody else")}) == []


def test_reports_the_line_of_the_first_wrong_byte() -> None:
    text = decode(SCOPE / "x.md", topic_text("fine\nGrüße").encode("latin-1"))
    assert isinstance(text, Unread)
    found = run_rule(RULE, {"x.md": text})
    assert places(found) == [("x.md", 8)]
    assert found[0].message == "not UTF-8 (invalid start byte); not read"
