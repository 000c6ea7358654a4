"""Prices, the ledger to the token, and a limit that is never passed."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memci.engines.claude.budget import CostLedger, _read_prices, resolve_price
from memci.engines.claude.calls import Bill, Failure, Phase, Prompt, Reply, Usage
from memci.errors import ConfigError
from tests.engines.claude.run import CONSOLIDATE, GATHER, PROMPT, REPAIR, SCHEMA, keep, open_session
from tests.fakes import anthropic_rules
from tests.fakes.anthropic_api import FakeApi

SONNET = "claude-sonnet-5-5"
HAIKU = "claude-haiku-5-5"


@pytest.mark.parametrize(
    ("model", "bill", "dollars"),
    [
        (SONNET, Bill(Usage()), "0"),
        (SONNET, Bill(Usage(input=60_000, output=8_000)), "0.2"),
        (SONNET, Bill(Usage(input=60_000, output=8_000), batch=True), "0.1"),
        ("claude-opus-5-5", Bill(Usage(input=60_000, output=8_000)), "0.4"),
        (HAIKU, Bill(Usage(input=20_000, output=1_000)), "0.0025"),
        (SONNET, Bill(Usage(1, 1, 1_000, 100)), "0.002532"),
        (SONNET, Bill(Usage(0, 0, 1_000, 0, 400)), "0.0031"),
        (SONNET, Bill(Usage(input=1_000_000), regional=True), "2.2"),
        (SONNET, Bill(Usage(input=1_000_000), batch=True, regional=True), "1.1"),
        (HAIKU, Bill(Usage(input=100_000)), "0.01"),
        (HAIKU, Bill(Usage(input=100_001)), "0.0500005"),
        (HAIKU, Bill(Usage(input=1, cache_read=100_000)), "0.0050005"),
    ],
)
def test_a_call_costs_what_the_price_list_says(model: str, bill: Bill, dollars: str) -> None:
    assert resolve_price(model).charge(bill) == Decimal(dollars)


def test_the_price_table_is_whole_and_dated() -> None:
    assert dt.date.fromisoformat(_read_prices()[0]) > dt.date(2026, 11, 1)
    for price in _read_prices()[1].values():
        assert [tier.up_to for tier in price.tiers][-1] is None
        for tier in price.tiers:
            # The published multipliers; cache reads are cheaper for some.
            assert tier.write == tier.input * Decimal("1.25")
            assert tier.hour_write == tier.input * 2
            assert 0 < tier.read <= tier.input * Decimal("0.1")
            assert tier.output == tier.input * 5


def test_a_model_without_a_price_needs_one(api: FakeApi) -> None:
    phase = Phase("gather", "claude-tiny-1", None, 100, SCHEMA)
    with open_session(api) as session, pytest.raises(ConfigError, match=r"claude-tiny-1.*price table of 20") as caught:
        session.ask(phase, PROMPT, shorten=keep)
    assert caught.value.hint
    assert api.seen == []


def test_the_ledger_is_exact_to_the_token(api: FakeApi) -> None:
    with open_session(api, usd="1") as session:
        for phase, last in ((GATHER, "a"), (GATHER, "b"), (CONSOLIDATE, "c"), (REPAIR, "d")):
            assert isinstance(session.ask(phase, Prompt(PROMPT.system, PROMPT.material, last), shorten=keep), Reply)
        cost = session.cost
    sent = [anthropic_rules.count_tokens(seen.params) for seen in api.posts()]
    by_name = {phase.name: phase for phase in cost.phases}
    assert by_name["gather"].usage.total_input == sum(sent[:2])
    assert by_name["consolidate"].usage.total_input == sent[2]
    assert by_name["repair"].usage.total_input == sent[3]
    assert by_name["gather"].calls == 2
    assert by_name["repair"].usage.cache_read == by_name["consolidate"].usage.cache_write > 0
    assert cost.usage.output == 4 * 10
    assert cost.usd == sum(
        resolve_price(phase.model).charge(Bill(by_name[phase.name].usage)) for phase in (GATHER, CONSOLIDATE, REPAIR)
    )


def test_inference_kept_in_one_country_is_booked_with_its_surcharge(api: FakeApi) -> None:
    costs = []
    for api.geo in ("global", "us"):
        api.cached.clear()
        with open_session(api) as session:
            session.ask(GATHER, PROMPT, shorten=keep)
            costs.append(session.cost.usd)
    assert costs[1] == costs[0] * Decimal("1.1")


def test_a_call_that_could_pass_the_limit_is_not_made(api: FakeApi) -> None:
    with open_session(api, usd="0.02") as session:
        failure = session.ask(CONSOLIDATE, PROMPT, shorten=keep)
        assert isinstance(failure, Failure)
        assert failure.reason == "budget"
    assert api.posts() == []
    # Counting is free, and was done before saying no.
    assert len(api.posts("/v1/messages/count_tokens")) == 1


def test_tokens_are_counted_only_if_the_safe_bound_does_not_fit(api: FakeApi) -> None:
    with open_session(api, usd="0.10") as session:
        session.ask(CONSOLIDATE, PROMPT, shorten=keep)
    assert api.posts("/v1/messages/count_tokens") == []
    with open_session(api, usd="0.028") as session:
        assert isinstance(session.ask(CONSOLIDATE, PROMPT, shorten=keep), Reply)
    assert len(api.posts("/v1/messages/count_tokens")) == 1


def test_tries_that_may_have_been_charged_use_up_the_limit(api: FakeApi) -> None:
    api.always = "200-cut-events"
    with open_session(api, usd="0.08") as session:
        failure = session.ask(CONSOLIDATE, PROMPT, shorten=keep)
        assert isinstance(failure, Failure)
        assert failure.reason == "budget"
        assert Decimal("0.05") < session.cost.unseen_usd <= Decimal("0.08")
    assert len(api.posts()) < 4


def test_a_prompt_over_the_window_is_shortened_without_being_sent(api: FakeApi) -> None:
    long = Prompt("", "x" * 4_100_000, "y")
    with open_session(api) as session:
        reply = session.ask(GATHER, long, shorten=lambda prompt: Prompt("", prompt.material[:1_000], "y"))
        assert isinstance(reply, Reply)
    assert len(api.posts()) == 1


def test_the_estimate_is_an_upper_figure_that_asks_nobody(api: FakeApi) -> None:
    with open_session(api) as session:
        estimate = sum(session.estimate(phase, PROMPT) for phase in (GATHER, CONSOLIDATE))
        assert api.seen == []
        for phase in (GATHER, CONSOLIDATE):
            session.ask(phase, PROMPT, shorten=keep)
        assert 0 < session.cost.usd < estimate < 1


MODES = [
    "ok",
    "ok",
    "200-maxtok",
    "200-cut-events",
    "200-refusal",
    "200-schema",
    "200-no-usage",
    "rst",
    "529",
    "200-html",
]


@given(
    modes=st.lists(st.sampled_from(MODES), max_size=12),
    limit=st.decimals("0.0001", "0.2", places=4),
    geo=st.sampled_from(["us", "global"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_limit_is_never_passed(api: FakeApi, modes: list[str], limit: Decimal, geo: str) -> None:
    api.modes[:], api.geo = modes, geo
    api.cached.clear()
    with open_session(api, usd=str(limit), seconds=1e6) as session:
        for phase in (GATHER, CONSOLIDATE, REPAIR, CONSOLIDATE, CONSOLIDATE):
            session.ask(phase, PROMPT, shorten=keep)
            assert session.cost.usd + session.cost.unseen_usd <= limit


tokens = st.integers(0, 300_000)


@given(
    usage=st.builds(Usage, tokens, tokens, tokens, tokens),
    batch=st.booleans(),
    regional=st.booleans(),
    model=st.sampled_from(sorted(_read_prices()[1])),
)
def test_a_reserve_covers_every_bill_of_its_size(usage: Usage, *, batch: bool, regional: bool, model: str) -> None:
    price = resolve_price(model)
    kept = replace(usage, hour_write=usage.cache_write if batch else 0)
    reserved = price.reserve(usage.total_input, usage.output, batch=batch)
    assert price.charge(Bill(kept, batch, regional)) <= reserved


def test_money_an_earlier_run_allowed_is_not_asked_for_again() -> None:
    ledger, price = CostLedger(Decimal(1)), resolve_price(SONNET)
    ledger.book("gather", price, Bill(Usage(input=5_000_000)), carried=True)
    assert ledger.usd == 10
    assert ledger.allows(Decimal(1))
    assert not ledger.allows(Decimal("1.01"))
