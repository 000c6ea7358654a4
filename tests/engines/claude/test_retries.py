"""How long is waited, until when, and when the whole run gives up."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memci.engines.claude.calls import Failure, Fault, Prompt, Reply
from memci.engines.claude.errors import MAX_TRIES, MAX_WAIT, Patience
from tests.engines.claude.run import CONSOLIDATE, GATHER, PROMPT, FakeTime, keep, open_session
from tests.fakes.anthropic_api import FakeApi
from tests.fakes.anthropic_modes import MODES


def test_a_call_that_succeeds_waits_for_nothing(api: FakeApi, time: FakeTime) -> None:
    with open_session(api, time) as session:
        assert isinstance(session.ask(GATHER, PROMPT, shorten=keep), Reply)
    assert time.slept == []


@pytest.mark.parametrize(
    ("mode", "waits"),
    [
        ("529", [2.0, 4.0, 8.0]),
        ("429-wait-1", [2.0, 4.0, 8.0]),
        ("429-wait-ms", [2.0, 4.0, 8.0]),
        ("429-wait-date", [2.0, 4.0, 8.0]),
    ],
)
def test_a02_waits_double(api: FakeApi, time: FakeTime, mode: str, waits: list[float]) -> None:
    api.always = mode
    with open_session(api, time, draw=lambda: 1.0) as session:
        session.ask(GATHER, PROMPT, shorten=keep)
    assert time.slept == waits


def test_waits_are_drawn_from_the_whole_range_but_not_below_what_was_asked_for(api: FakeApi, time: FakeTime) -> None:
    api.then("529", "429-wait-1")
    with open_session(api, time, draw=lambda: 0.0) as session:
        assert isinstance(session.ask(GATHER, PROMPT, shorten=keep), Reply)
    assert time.slept == [0.0, 1.0]


def test_a_service_that_asks_for_an_hour_is_asked_once_in_a_run(api: FakeApi, time: FakeTime) -> None:
    api.always = "429-wait-3600"
    with open_session(api, time, seconds=7_200) as session:
        first = session.ask(GATHER, PROMPT, shorten=keep)
        assert isinstance(first, Failure)
        assert first.reason == "deadline"
        asked = "the service asks to wait 3600 s and the run waits 60 s at most (429 rate_limit_error)"
        assert first.detail == asked == session.stopped
        api.always = "ok"
        assert session.ask(CONSOLIDATE, PROMPT, shorten=keep) == first
    assert (len(api.posts()), time.slept) == (1, [])


def test_a_wait_that_the_last_try_is_asked_for_counts_too(api: FakeApi, time: FakeTime) -> None:
    api.then("529", "529", "529", "429-wait-3600")
    with open_session(api, time) as session:
        session.ask(GATHER, PROMPT, shorten=keep)
        session.ask(GATHER, PROMPT, shorten=keep)
    assert len(api.posts()) == 4


def test_a_wait_longer_than_the_run_has_left_ends_it_at_once(api: FakeApi, time: FakeTime) -> None:
    api.always = "429-wait-1"
    with open_session(api, time, seconds=0.9) as session:
        failure = session.ask(GATHER, PROMPT, shorten=keep)
        assert isinstance(failure, Failure)
        assert failure.reason == "deadline"
        assert "asks to wait 1 s" in failure.detail
    assert (len(api.posts()), time.slept) == (1, [])


def test_no_wait_of_ours_goes_past_the_end_of_the_run(api: FakeApi, time: FakeTime) -> None:
    api.always = "529"
    with open_session(api, time, seconds=5, draw=lambda: 1.0) as session:
        failure = session.ask(GATHER, PROMPT, shorten=keep)
        assert isinstance(failure, Failure)
        assert failure.reason == "deadline"
        assert "529" in failure.detail
    assert time.slept == [2.0]


def test_after_the_end_of_the_run_nothing_is_sent(api: FakeApi, time: FakeTime) -> None:
    with open_session(api, time, seconds=10) as session:
        time.now += 10
        failure = session.ask(GATHER, PROMPT, shorten=keep)
        assert failure == Failure("deadline", "the time of the run is used up")
    assert api.seen == []


@pytest.mark.parametrize("mode", ["slowdrip", "slowdrip-head", "hang"])
def test_a17_the_wall_clock_stops_a_reply_that_never_ends(api: FakeApi, time: FakeTime, mode: str) -> None:
    api.always = mode
    # A second of real time, as the call is given what is left of the run; the fake would go on for ever.
    with open_session(api, time, seconds=1.0, draw=lambda: 1.0) as session:
        failure = session.ask(GATHER, PROMPT, shorten=keep)
        assert isinstance(failure, Failure)
        assert failure.reason == "deadline"
        assert "no complete reply in time" in failure.detail
    # On a busy machine the second may be over before the request is out.
    if mode != "hang" and api.posts():
        assert api.hung_up.wait()


def test_a03_three_failures_in_a_row_stop_the_engine(api: FakeApi) -> None:
    api.always = "529"
    with open_session(api, seconds=100_000) as session:
        for _ in range(2):
            session.ask(GATHER, PROMPT, shorten=keep)
            assert not session.stopped
        session.ask(CONSOLIDATE, PROMPT, shorten=keep)
        sent = len(api.posts())
        failure = session.ask(GATHER, PROMPT, shorten=keep)
        assert isinstance(failure, Failure)
        assert failure.reason == "breaker"
        assert "529" in failure.detail
    assert len(api.posts()) == sent == 12


def test_a_success_in_between_starts_the_count_again(api: FakeApi) -> None:
    with open_session(api) as session:
        for _ in range(3):
            api.then("200-refusal", "200-refusal")
            outcomes = [session.ask(GATHER, PROMPT, shorten=keep) for _ in range(3)]
            assert [isinstance(outcome, Reply) for outcome in outcomes] == [False, False, True]
        assert not session.stopped


def test_refused_credentials_stop_the_engine_at_once(api: FakeApi) -> None:
    api.always = "401"
    with open_session(api) as session:
        session.ask(GATHER, PROMPT, shorten=keep)
        failure = session.ask(GATHER, PROMPT, shorten=keep)
        assert isinstance(failure, Failure)
        assert failure.reason == "breaker"
    assert len(api.posts()) == 1


def test_a_spent_budget_is_not_a_failure_of_the_service(api: FakeApi) -> None:
    with open_session(api, usd="0.0000001") as session:
        for _ in range(5):
            failure = session.ask(GATHER, PROMPT, shorten=keep)
            assert isinstance(failure, Failure)
            assert failure.reason == "budget"
    assert api.posts() == []


def test_a_prompt_that_is_too_long_is_shortened_at_most_three_times(api: FakeApi) -> None:
    api.always = "400-long"
    asked: list[Prompt] = []

    def shorten(prompt: Prompt) -> Prompt:
        asked.append(prompt)
        return Prompt(prompt.system, prompt.material, prompt.last[:-1])

    with open_session(api) as session:
        failure = session.ask(GATHER, PROMPT, shorten=shorten)
        assert isinstance(failure, Failure)
        assert failure.reason == "context"
    assert len(asked) == 3
    assert len(api.posts()) == 4


def test_the_shortened_prompt_is_the_one_that_is_sent(api: FakeApi) -> None:
    api.then("413", "200-context")
    with open_session(api) as session:
        shorten = lambda prompt: Prompt(prompt.system, prompt.material, prompt.last + "!")  # noqa: E731 -- it is one
        assert isinstance(session.ask(GATHER, PROMPT, shorten=shorten), Reply)
    lasts = [seen.params["messages"][0]["content"][-1]["text"] for seen in api.posts()]
    assert lasts == [PROMPT.last, PROMPT.last + "!", PROMPT.last + "!!"]


def test_a13_a_reply_that_did_not_fit_gets_twice_the_room_once(api: FakeApi) -> None:
    api.then("200-maxtok")
    with open_session(api) as session:
        assert isinstance(session.ask(GATHER, PROMPT, shorten=keep), Reply)
    assert [seen.params["max_tokens"] for seen in api.posts()] == [1_000, 2_000]


@given(
    faults=st.lists(
        st.one_of(
            st.none(),
            st.builds(
                Fault,
                st.just("no"),
                tries=st.integers(1, 9),
                wait=st.floats(0, 1e9),
            ),
        ),
        min_size=1,
        max_size=30,
    ),
    seconds=st.floats(0.1, 500),
    took=st.floats(0, 400),
    seed=st.integers(0, 99),
)
def test_tries_waits_and_time_are_bounded_whatever_happens(
    faults: list[Fault | None], seconds: float, took: float, seed: int
) -> None:
    time, calls = FakeTime(), list[float]()

    def call(most: float) -> str | Fault:
        calls.append(most)
        time.now += min(took, most)
        return faults[(len(calls) - 1) % len(faults)] or "done"

    patience = Patience(time.now + seconds, time.clock, random.Random(seed).random)
    patience.persist(call)
    assert len(calls) <= MAX_TRIES
    assert all(wait <= MAX_WAIT for wait in time.slept)
    assert time.now <= 1_000.0 + seconds + 1e-6


ENDLESS = {"hang", "slowdrip", "slowdrip-head"}
SLOW_TO_MAKE = {"200-5-mb", "200-deep"}


@given(
    modes=st.lists(st.sampled_from(sorted(set(MODES) - ENDLESS - SLOW_TO_MAKE)), max_size=12), seed=st.integers(0, 9)
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_the_service_does_in_a_row_only_a_whole_reply_is_one(
    api: FakeApi, modes: list[str], seed: int
) -> None:
    api.modes[:] = modes
    api.seen.clear()
    time = FakeTime()
    with open_session(api, time, seconds=600, draw=random.Random(seed).random) as session:
        for at in range(4):
            sent = len(api.posts())
            outcome = session.ask(GATHER, Prompt("s", f"m{at}", "l"), shorten=keep)
            # Once more with twice the room, if the reply did not fit.
            assert len(api.posts()) - sent <= 2 * MAX_TRIES
            if isinstance(outcome, Reply):
                assert outcome.value == {"ok": True}
    assert time.now <= 1_600
