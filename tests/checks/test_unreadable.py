import pytest

from memci.checks.rules.bad_encoding import RULE as BAD_ENCODING
from memci.checks.rules.symlink_escape import RULE as SYMLINK_ESCAPE
from memci.checks.rules.unreadable import RULE
from memci.model.memory import Unread, Unreadable
from tests.build import SCOPE, places, run_rule, topic_text

OTHER_RULES = {Unreadable.SYMLINK, Unreadable.NOT_UTF8, Unreadable.ABSENT}


def test_leaves_alone_what_was_read_and_what_has_a_rule_of_its_own() -> None:
    files = {"a.md": topic_text(), "b.json": "{}"}
    broken = {f"{reason.name}.md": Unread(SCOPE / f"{reason.name}.md", reason, "line 1: x") for reason in OTHER_RULES}
    assert run_rule(RULE, {**files, **broken}) == []


@pytest.mark.parametrize("reason", sorted(set(Unreadable) - OTHER_RULES))
def test_reports_everything_else(reason: Unreadable) -> None:
    found = run_rule(RULE, {"a.md": topic_text(), "x.md": Unread(SCOPE / "x.md", reason, "why")})
    assert places(found) == [("x.md", 1)]
    assert found[0].message == f"{reason} (why); not read"
    assert found[0].suggestion


def test_every_reason_is_reported_by_exactly_one_rule() -> None:
    for reason in set(Unreadable) - {Unreadable.ABSENT}:
        files = {"x.md": Unread(SCOPE / "x.md", reason, "line 3: invalid")}
        assert sum(len(run_rule(rule, files)) for rule in (RULE, BAD_ENCODING, SYMLINK_ESCAPE)) == 1
