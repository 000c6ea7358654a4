from memci.checks.rules.symlink_escape import RULE
from memci.model.memory import Unread, Unreadable
from tests.build import SCOPE, places, run_rule, topic_text


def test_leaves_alone() -> None:
    files: dict[str, str | Unread] = {
        "a.md": topic_text("ln -s /etc/passwd x"),
        "b.md": Unread(SCOPE / "b.md", Unreadable.SPECIAL),
    }
    assert run_rule(RULE, files) == []


def test_reports_where_the_link_leads() -> None:
    files: dict[str, str | Unread] = {
        "a.md": topic_text(),
        "l.md": Unread(SCOPE / "l.md", Unreadable.SYMLINK, "/etc/hosts"),
    }
    found = run_rule(RULE, files)
    assert places(found) == [("l.md", 1)]
    assert found[0].message == "a symbolic link to /etc/hosts; not read"
