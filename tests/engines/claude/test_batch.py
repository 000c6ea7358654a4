"""Batches: half the price, found again after an interrupt, never waited for without end, deleted when read."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from memci.engines.claude.budget import resolve_price
from memci.engines.claude.calls import Bill, Failure, Phase, Prompt, Reply
from memci.engines.claude.session import ModelSession
from tests.engines.claude.run import CONSOLIDATE, GATHER, PROMPT, FakeTime, keep, open_session, texts
from tests.fakes.anthropic_api import FakeApi

CALLS = [(GATHER, Prompt(PROMPT.system, "Session 0.", "Go."))]
Calls = list[tuple[Phase, Prompt]]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "new" / "batches.json"


def run(session: ModelSession, state: Path, calls: Calls = CALLS, **more: object) -> list[Reply | Failure]:
    return [
        session.ask_batch(phase, prompt, state=state, shorten=keep, **more)  # type: ignore[arg-type]  # passed through
        for phase, prompt in calls
    ]


class ImpatientTime(FakeTime):
    """A person who does not wait."""

    def sleep(self, seconds: float) -> None:
        raise KeyboardInterrupt(seconds)


class DiedError(Exception):
    """Stands for whatever ends a run early."""


def run_and_die(api: FakeApi, state: Path, calls: Calls = CALLS) -> None:
    """Run a batch in a session that ends before it can tidy up."""

    def die() -> None:
        with open_session(api) as session:
            run(session, state, calls)
            raise DiedError

    with pytest.raises(DiedError):
        die()


def values(outcomes: list[Reply | Failure]) -> list[object]:
    return [outcome.value["files"] if isinstance(outcome, Reply) else outcome for outcome in outcomes]


@pytest.fixture(autouse=True)
def _echo(api: FakeApi) -> None:
    api.answer = lambda params: {"ok": True, "files": [texts(params)[0]]}


EVIL = json.dumps({"format": 2, "batches": [{"name": "../x", "request": "r", "since": 0}]})
ALL = [["Session 0."]]


def test_a_result_comes_back_at_half_the_price(api: FakeApi, time: FakeTime, state: Path) -> None:
    with open_session(api, time) as session:
        assert values(run(session, state)) == ALL
        (gather,) = session.cost.phases
        assert gather.calls == 1
        price = resolve_price(GATHER.model)
        assert gather.usd == price.charge(Bill(gather.usage, batch=True))
        assert gather.usage.hour_write == gather.usage.cache_write > 0
        assert session.cost.carried_usd == 0
        assert api.batches.deleted == []
    assert api.batches.deleted == ["msgbatch_1"]
    assert json.loads(state.read_text())["batches"] == []
    assert api.posts() == []
    assert time.slept == [30.0]


def test_a_run_interrupted_while_waiting_is_resumed_and_pays_once(api: FakeApi, time: FakeTime, state: Path) -> None:
    api.batches.ends_after = 4

    with pytest.raises(KeyboardInterrupt), open_session(api, ImpatientTime()) as session:
        run(session, state)
    assert api.batches.deleted == []
    with open_session(api, time, usd="0") as session:
        assert values(run(session, state)) == ALL
        assert session.cost.usd == session.cost.carried_usd > 0
    assert len(api.posts("/v1/messages/batches")) == 1
    assert api.posts() == []
    assert api.batches.deleted == ["msgbatch_1"]


def test_a_batch_that_may_have_been_made_is_booked_and_not_made_again(api: FakeApi, state: Path) -> None:
    api.batches.create_modes = ["lost"]
    with open_session(api) as session:
        assert values(run(session, state)) == ALL
        assert session.cost.unseen_usd > 0
    assert len(api.posts("/v1/messages/batches")) == 1
    assert len(api.posts()) == 1


@pytest.mark.parametrize("fate", ["errored", "overloaded", "expired", "broken"])
def test_what_the_batch_did_not_do_is_asked_plainly(api: FakeApi, state: Path, fate: str) -> None:
    api.batches.fates = {0: fate}
    with open_session(api) as session:
        assert values(run(session, state)) == ALL
    assert [texts(seen.params)[0] for seen in api.posts()] == ["Session 0."]


def test_a_result_that_cannot_be_read_may_have_been_charged(api: FakeApi, state: Path) -> None:
    costs = []
    for api.batches.fates in ({}, {0: "expired"}, {0: "broken"}):
        api.cached.clear()
        with open_session(api) as session:
            run(session, state)
            costs.append(session.cost.unseen_usd)
    assert costs[:2] == [0, 0]
    assert costs[2] > 0


def test_a_reply_of_a_batch_that_did_not_fit_is_asked_again_with_more_room(api: FakeApi, state: Path) -> None:
    api.batches.fates = {0: "maxtok"}
    with open_session(api) as session:
        assert values(run(session, state)) == ALL
        assert session.cost.phases[0].calls == 2
    assert [seen.params["max_tokens"] for seen in api.posts()] == [2_000]


def test_at_its_limit_a_batch_is_cancelled_and_the_rest_asked_plainly(
    api: FakeApi, time: FakeTime, state: Path
) -> None:
    api.batches.ends_after = 1_000
    with open_session(api, time, seconds=1e6) as session:
        assert values(run(session, state, seconds=3_600)) == ALL
        assert session.cost.unseen_usd == 0
    assert 3_000 < sum(time.slept) <= 3_600
    assert max(time.slept) == 300
    assert len(api.posts()) == 1
    assert api.batches.deleted == ["msgbatch_1"]


def test_the_deadline_of_the_run_bounds_a_batch_too(api: FakeApi, time: FakeTime, state: Path) -> None:
    api.batches.ends_after = 1_000
    with open_session(api, time, seconds=200) as session:
        run(session, state)
    assert time.now <= 1_200


def test_only_what_can_be_paid_is_handed_in(api: FakeApi, state: Path) -> None:
    calls = [(GATHER, Prompt(PROMPT.system, f"Session {at}.", "Go.")) for at in range(3)]
    with open_session(api, usd="0.00039") as session:
        outcomes = run(session, state, calls)
        assert [isinstance(outcome, Reply) for outcome in outcomes] == [True, True, False]
        assert isinstance(outcomes[2], Failure)
        assert outcomes[2].reason == "budget"
        assert session.cost.usd <= Decimal("0.00039")


def test_a_batch_that_is_gone_is_forgotten(api: FakeApi, state: Path) -> None:
    run_and_die(api, state)
    api.batches.all.clear()
    with open_session(api) as session:
        assert values(run(session, state)) == ALL
        assert not session.stopped
    assert len(api.posts()) == 1


def test_a_batch_of_another_phase_is_kept_until_its_turn(api: FakeApi, state: Path) -> None:
    run_and_die(api, state, [(CONSOLIDATE, PROMPT)])
    with open_session(api) as session:
        assert values(run(session, state)) == ALL
        assert len(api.batches.deleted) == 0
        assert isinstance(run(session, state, [(CONSOLIDATE, PROMPT)])[0], Reply)
    assert sorted(api.batches.deleted) == ["msgbatch_1", "msgbatch_2"]
    assert len(api.posts("/v1/messages/batches")) == 2
    assert json.loads(state.read_text())["batches"] == []


def test_a_batch_that_nobody_asks_for_is_deleted_after_a_day(api: FakeApi, time: FakeTime, state: Path) -> None:
    run_and_die(api, state)
    with open_session(api, time) as session:
        run(session, state, [(GATHER, PROMPT)])
    assert api.batches.deleted == ["msgbatch_2"]
    time.now += 86_500
    with open_session(api, time) as session:
        run(session, state, [(GATHER, PROMPT)])
    assert sorted(api.batches.deleted) == ["msgbatch_1", "msgbatch_2", "msgbatch_3"]


@pytest.mark.parametrize("mode", ["500", "html"])
def test_a_batch_that_cannot_be_handed_in_becomes_plain_calls(api: FakeApi, state: Path, mode: str) -> None:
    api.batches.create_modes = [mode] * 9
    with open_session(api) as session:
        assert values(run(session, state)) == ALL
    assert len(api.posts()) == 1
    assert json.loads(state.read_text())["batches"] == []


def test_a_service_that_asks_for_an_hour_gets_neither_a_batch_nor_plain_calls(
    api: FakeApi, time: FakeTime, state: Path
) -> None:
    api.batches.create_modes = ["hour"]
    with open_session(api, time) as session:
        outcomes = run(session, state) + run(session, state)
        assert {outcome.reason for outcome in outcomes if isinstance(outcome, Failure)} == {"deadline"}
        assert "asks to wait 3600 s" in session.stopped
    assert (len(outcomes), len(api.seen), time.slept) == (2, 1, [])


def test_a_batch_that_may_not_be_asked_for_is_left_to_the_next_run(api: FakeApi, time: FakeTime, state: Path) -> None:
    api.batches.busy = True
    with open_session(api, time) as session:
        outcomes = run(session, state)
        assert [outcome.reason for outcome in outcomes if isinstance(outcome, Failure)] == ["deadline"]
    # It was made and asked for once; nothing was cancelled, deleted, or asked plainly.
    assert (len(api.seen), time.slept, api.batches.deleted) == (2, [], [])
    api.batches.busy = False
    with open_session(api, time) as session:
        assert values(run(session, state)) == ALL
    assert len(api.posts("/v1/messages/batches")) == 1


def test_after_the_end_of_the_run_no_batch_is_made(api: FakeApi, time: FakeTime, state: Path) -> None:
    # Too little money for the safe bound: otherwise tokens would be counted first.
    with open_session(api, time, seconds=10, usd="0.000001") as session:
        time.now += 10
        assert run(session, state) == [Failure("deadline", "the time of the run is used up")]
    assert api.seen == []


def test_a_batch_leaves_time_for_what_it_did_not_do(api: FakeApi, time: FakeTime, state: Path) -> None:
    api.batches.ends_after = 1_000
    with open_session(api, time, seconds=1_800) as session:
        assert values(run(session, state)) == ALL
    assert 900 < sum(time.slept) <= 1_350
    assert len(api.posts()) == 1


def test_results_are_read_at_home_wherever_the_service_says_they_are(api: FakeApi, state: Path) -> None:
    with FakeApi("other") as other:
        api.batches.results_at = other.url
        with open_session(api) as session:
            assert values(run(session, state)) == ALL
        assert other.seen == []
    assert api.posts() == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', '{"format": 2, "batches": [7, {"name": 3}]}', EVIL])
def test_a_broken_state_file_remembers_nothing(api: FakeApi, state: Path, text: str) -> None:
    state.parent.mkdir()
    state.write_text(text)
    with open_session(api) as session:
        assert values(run(session, state)) == ALL


def test_after_the_engine_stopped_no_batch_is_made(api: FakeApi, state: Path) -> None:
    api.always = "401"
    with open_session(api) as session:
        session.ask(CONSOLIDATE, PROMPT, shorten=keep)
        outcomes = run(session, state)
        assert {outcome.reason for outcome in outcomes if isinstance(outcome, Failure)} == {"breaker"}
    assert api.posts("/v1/messages/batches") == []
