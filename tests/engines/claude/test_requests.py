"""What goes over the wire: stable prefixes, nothing the service refuses, and a cache that is watched."""

import json

import pytest

from memci.engines.claude.calls import Phase, Prompt, Reply, Usage
from memci.engines.claude.requests import build_request
from tests.engines.claude.run import CONSOLIDATE, GATHER, PROMPT, REPAIR, SCHEMA, FakeTime, keep, open_session
from tests.fakes.anthropic_api import FakeApi


def usage_of(reply: object) -> Usage:
    assert isinstance(reply, Reply), reply
    return reply.usage


def test_two_calls_of_one_phase_are_the_same_bytes_but_for_the_last_block(api: FakeApi) -> None:
    first, second = (Prompt(PROMPT.system, PROMPT.material, last) for last in ("Monday: é 🙂", "Tuesday"))
    with open_session(api) as session:
        for prompt in (first, second):
            session.ask(CONSOLIDATE, prompt, shorten=keep)
    bodies = [seen.body for seen in api.posts()]
    lasts = [prompt.last.encode() for prompt in (first, second)]
    assert [body.count(last) for body, last in zip(bodies, lasts, strict=True)] == [1, 1]
    (head, tail), (other_head, other_tail) = (body.split(last) for body, last in zip(bodies, lasts, strict=True))
    assert head == other_head
    assert tail == other_tail
    assert PROMPT.material.encode() in head


def test_a_repair_reads_what_the_consolidation_wrote(api: FakeApi) -> None:
    with open_session(api) as session:
        wrote = usage_of(session.ask(CONSOLIDATE, PROMPT, shorten=keep))
        read = usage_of(session.ask(REPAIR, Prompt(PROMPT.system, PROMPT.material, "Repair this."), shorten=keep))
        assert session.cost.warnings == ()
        assert [phase.name for phase in session.cost.phases] == ["consolidate", "repair"]
    assert wrote.cache_write == read.cache_read > 500
    assert read.cache_write == 0
    assert read.hit_rate > 0.9


def test_a_second_scope_reads_the_system_text_from_the_cache(api: FakeApi) -> None:
    with open_session(api) as session:
        session.ask(CONSOLIDATE, PROMPT, shorten=keep)
        read = usage_of(session.ask(CONSOLIDATE, Prompt(PROMPT.system, "Another scope.", "x"), shorten=keep))
    assert read.cache_read > 250


def test_a_request_holds_no_tools_no_sampling_and_no_thinking_settings(api: FakeApi) -> None:
    with open_session(api) as session:
        session.ask(CONSOLIDATE, PROMPT, shorten=keep)
    sent = api.posts()[0].params
    assert set(sent) == {"model", "max_tokens", "messages", "system", "output_config", "stream"}
    assert sent["output_config"]["effort"] == "medium"
    assert "maxItems" not in json.dumps(sent)
    assert "maxLength" not in json.dumps(sent)


def test_a_phase_may_leave_the_effort_to_the_model(api: FakeApi) -> None:
    with open_session(api) as session:
        assert isinstance(
            session.ask(Phase("gather", "claude-haiku-5-5", None, 100, SCHEMA), PROMPT, shorten=keep), Reply
        )
    assert "effort" not in api.posts()[0].params["output_config"]


@pytest.mark.parametrize(
    "prompt",
    [
        Prompt("", "", ""),
        Prompt("s", "", "x"),
        Prompt("", "m", ""),
        Prompt("lone \ud800", "nul \0", "bell \a \u2028 \U0010ffff"),
    ],
)
def test_any_text_can_be_sent(api: FakeApi, prompt: Prompt) -> None:
    with open_session(api) as session:
        assert isinstance(session.ask(GATHER, prompt, shorten=keep), Reply)


def test_the_case_of_an_enum_is_the_schemas(api: FakeApi) -> None:
    api.answer = lambda _: {"ok": True, "kind": "RETIRE"}
    with open_session(api) as session:
        reply = session.ask(GATHER, PROMPT, shorten=keep)
        assert isinstance(reply, Reply)
        assert reply.value["kind"] == "retire"


def test_a_batch_asks_for_the_longer_life_of_the_cache() -> None:
    params = build_request(GATHER, PROMPT, life="1h")
    assert json.dumps(params).count('"ttl": "1h"') == 2


BIG = Prompt("The rules. " * 2_000, "The scope. " * 2_000, "Monday")


def test_a_broken_cache_is_reported_once_it_costs_something(api: FakeApi) -> None:
    with open_session(api) as session:
        session.ask(CONSOLIDATE, BIG, shorten=keep)
        session.ask(CONSOLIDATE, BIG, shorten=keep)
        assert list(session.cost.warnings) == []
        api.cached.clear()
        session.ask(CONSOLIDATE, BIG, shorten=keep)
        warnings = list(session.cost.warnings)
    assert len(warnings) == 1
    assert warnings[0].startswith("consolidate: the prompt cache broke: 0 of ")


def test_an_entry_that_grew_old_did_not_break(api: FakeApi, time: FakeTime) -> None:
    with open_session(api, time) as session:
        session.ask(CONSOLIDATE, BIG, shorten=keep)
        api.cached.clear()
        time.now += 301
        session.ask(CONSOLIDATE, BIG, shorten=keep)
        assert session.cost.warnings == ()


def test_a_prefix_too_small_to_be_cached_did_not_break(api: FakeApi) -> None:
    api.min_cached = 1_000_000
    with open_session(api) as session:
        session.ask(CONSOLIDATE, BIG, shorten=keep)
        session.ask(CONSOLIDATE, BIG, shorten=keep)
        assert session.cost.warnings == ()
