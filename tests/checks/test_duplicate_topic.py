from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.checks.rules.duplicate_topic import RULE
from memci.memory.topic import parse_topic
from memci.model.memory import Scope, ScopeSnapshot, Trust
from tests.build import SCOPE, findings_in, material, scope_of, topic, topic_text

DATABASE = "Integration tests must use a real Postgres database, never mocks."


@pytest.mark.parametrize(
    "bodies",
    [
        ("", ""),
        ("TODO", "TODO"),
        ("# Only a heading", "# Only a heading"),
        (
            "The statement timeout of the Postgres client is 30 seconds because the export query is slow.",
            "The command timeout of the Redis client is 3 seconds because the login path depends on it.",
        ),
        ("Use uv, not pip", "Use pnpm, not npm"),
        ("Use uv, not pip, to install packages", "Use pip, not uv, to install packages"),
        ("The payments service is deployed from main by helm", "The billing service is deployed from main by helm"),
        ("The upload limit of the gateway is 10 MB", "The upload limit of the gateway is 20 MB"),
        (DATABASE, DATABASE.replace("must", "must not").replace(", never mocks", "")),
        ("# Stripe\nRetry failed calls after a minute.", "# GitHub\nRetry failed calls after a minute."),
        ("Never:\n- push to the main branch by hand", "Always:\n- push to the main branch by hand"),
        ("Run the checks\n```\nmake lint\n```", "Run the checks\n```\nmake test\n```"),
        ("See the README", "Deploys are made by Ana.\n\nSee the README.\n\nThe queue is drained at night."),
        ("| a | 1 |\n| b | 2 |", "| a | 1 |\n| b | 3 |"),
        ("[how](one.md) to deploy the gateway", "[how](two.md) to deploy the gateway"),
    ],
)
def test_leaves_alone(bodies: tuple[str, ...]) -> None:
    assert findings_in(RULE.check, *bodies) == []


def test_leaves_alone_the_same_topic_in_two_scopes() -> None:
    other = Scope("agent:writer", PurePosixPath(".claude/agent-memory/writer"), Trust.COMMITTED, Path("/nowhere"))
    twin = parse_topic(other.path / "topic.md", topic_text(DATABASE))
    assert list(RULE.check(material(scope_of(topic(DATABASE)), ScopeSnapshot(other, None, (twin,))))) == []


@pytest.mark.parametrize(
    ("bodies", "message"),
    [
        ((DATABASE, "\n- integration tests must use a real **Postgres** database, never mocks!"), "says the same as"),
        (("Use tabs", "use tabs."), "says the same as"),
        ((DATABASE, f"{DATABASE}\n\n**Why:** mocked tests stayed green."), "says nearly the same as"),
        ((DATABASE, f"{DATABASE}\n\nThe schema is loaded once."), "repeats all of"),
        ((f"{DATABASE}\n\nThe schema is loaded once.", DATABASE), "says only what is already said in"),
        ((DATABASE, DATABASE.replace("use", "run against")), "says nearly the same as"),
        (
            ("Drain the queue; wait for the workers to stop.", "Drain the queue. Wait for the workers to stop."),
            "says nearly the same as",
        ),
        (("集成测试使用真实数据库。", "集成测试使用真实数据库！"), "says the same as"),
    ],
)
def test_reports_the_later_file_and_names_the_other(bodies: tuple[str, str], message: str) -> None:
    found = list(RULE.check(material(scope_of(*(topic(body, f"t{at}.md") for at, body in enumerate(bodies))))))
    assert [(finding.path, finding.message) for finding in found] == [(SCOPE / "t1.md", f"{message} `t0.md`")]


def test_reports_the_line_of_the_first_statement() -> None:
    assert findings_in(RULE.check, DATABASE, f"\n# Tests\n\n{DATABASE}") == [("t1.md", 4)]


def test_three_alike_are_two_findings() -> None:
    assert findings_in(RULE.check, DATABASE, DATABASE, DATABASE) == [("t1.md", 1), ("t2.md", 1)]
    assert findings_in(RULE.check, DATABASE, DATABASE, f"{DATABASE}\n\nThe schema is loaded once.") == [
        ("t1.md", 1),
        ("t2.md", 1),
    ]


def test_a_topic_that_repeats_two_others_is_told_of_both() -> None:
    other = "Releases are cut by Marta on the first Tuesday."
    assert findings_in(RULE.check, DATABASE, other, f"{other}\n\n{DATABASE}") == [("t2.md", 1), ("t2.md", 1)]


@given(st.lists(st.text(st.sampled_from("ab .\n-#*`|:不1"), max_size=40), max_size=5))
def test_never_raises_and_never_reports_more_than_a_tree_has_edges(bodies: list[str]) -> None:
    assert len(findings_in(RULE.check, *bodies)) <= max(0, len(bodies) - 1)
