from collections.abc import Mapping

import pytest

from memci.dream.route import route
from memci.model.memory import ScopeSnapshot
from memci.model.session import Signal
from tests.dream.scenes import feedback, named_scope, say

RULE = "Never mock the database in integration tests"
REVIEWER, TESTER = ".claude/agent-memory/reviewer", ".claude/agent-memory/test-runner"


def scopes(project: Mapping[str, str] | None = None, reviewer: Mapping[str, str] | None = None) -> list[ScopeSnapshot]:
    return [
        named_scope("agent:reviewer", REVIEWER, reviewer),
        named_scope("agent:test-runner", TESTER),
        named_scope("project", ".claude/memory", project),
    ]


def home(routed: tuple[dict[str, list[Signal]], list[Signal]]) -> str:
    """Return the one scope that a signal went to; "" if it has none."""
    by_scope, homeless = routed
    homes = [scope for scope, found in by_scope.items() if found]
    assert len(homes) + len(homeless) == 1
    return homes[0] if homes else ""


def test_a_single_scope_gets_everything() -> None:
    only = named_scope("agent:reviewer", REVIEWER)
    assert home(route([say(RULE, agent="somebody")], [only])) == "agent:reviewer"


@pytest.mark.parametrize(
    "signal",
    [
        say(RULE),
        # Of an agent that has no memory here.
        say(RULE, agent="planner"),
        # Speaks about reviewers, not to one.
        say("Every reviewer gets two days"),
        say("Our reviewers: Ana and Ben"),
        # Speaks to both.
        say("@reviewer and @test-runner: never push to main"),
    ],
)
def test_what_concerns_no_single_agent_goes_to_the_project(signal: Signal) -> None:
    assert home(route([signal], scopes())) == "project"


@pytest.mark.parametrize(
    ("signal", "expected"),
    [
        (say(RULE, agent="reviewer"), "agent:reviewer"),
        (say("@reviewer never mock the database"), "agent:reviewer"),
        (say("reviewer: never mock the database"), "agent:reviewer"),
        (say("the test runner agent should never mock the database"), "agent:test-runner"),
        (say("Test-runner, never mock the database"), "agent:test-runner"),
        # The session it was said in counts more than the name in it.
        (say("@reviewer never mock the database", agent="test-runner"), "agent:test-runner"),
    ],
)
def test_what_an_agent_was_told_goes_to_its_scope(signal: Signal, expected: str) -> None:
    assert home(route([signal], scopes())) == expected


def test_what_one_scope_already_covers_goes_there() -> None:
    known = {"a.md": feedback(f"{RULE}.", "a")}
    assert home(route([say(RULE)], scopes(reviewer=known))) == "agent:reviewer"


def test_what_two_scopes_cover_goes_to_the_project() -> None:
    known = {"a.md": feedback(f"{RULE}.", "a")}
    assert home(route([say(RULE)], scopes(known, known))) == "project"


def test_a_daily_log_belongs_to_the_scope_it_lies_in() -> None:
    signal = say(RULE, session=f"log:{REVIEWER}/logs/2026/11/2026-11-12.md", uuid="L3")
    assert home(route([signal], scopes())) == "agent:reviewer"
    beside = say(RULE, session=f"log:{REVIEWER}-two/logs/2026-11-12.md", uuid="L3")
    assert home(route([beside], scopes())) == "project"


def test_of_nested_scopes_the_inner_one_has_the_log() -> None:
    nested = [named_scope("project", "memory"), named_scope("sub", "memory/sub")]
    assert home(route([say(RULE, session="log:memory/sub/2026-11-12.md")], nested)) == "sub"


def test_the_settings_decide_where_nothing_else_does() -> None:
    agents = scopes()[:2]
    assert home(route([say(RULE)], agents, "agent:test-runner")) == "agent:test-runner"
    assert home(route([say(RULE, agent="reviewer")], agents, "agent:test-runner")) == "agent:reviewer"


@pytest.mark.parametrize("default", [None, "agent:gone"])
def test_without_any_reason_a_person_decides(default: str | None) -> None:
    assert home(route([say(RULE)], scopes()[:2], default)) == ""


def test_the_order_of_scopes_does_not_matter() -> None:
    signals = [say(RULE), say("@reviewer squash", uuid="u2"), say("Use tabs", agent="test-runner", uuid="u3")]
    known = scopes(reviewer={"a.md": feedback(f"{RULE}.", "a")})
    assert route(signals, known)[0] == route(signals, known[::-1])[0]


def test_an_agent_whose_name_is_a_pattern_is_no_pattern() -> None:
    odd = [named_scope("agent:.*", ".claude/agent-memory/.*"), named_scope("project", ".claude/memory")]
    assert home(route([say("@anybody squash")], odd)) == "project"
