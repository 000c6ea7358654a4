"""Nights after one another in which the service does anything in any order: what is bad leaves no trace."""

import itertools
import os
import tempfile
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from memci.engines.claude.budget import resolve_price
from memci.engines.claude.calls import Bill, Usage
from memci.report.dream_result import DreamResult
from tests.engines.claude.run import FakeTime
from tests.engines.model.scene import NEW as NEW_FILE
from tests.engines.model.scene import (
    PUSH,
    SCOPE,
    TABS,
    Scene,
    answer_with,
    by_message,
    dream_in_no_time,
    list_messages,
    make_reply,
    make_scene,
    name_phase,
    read_told,
)
from tests.fakes.anthropic_api import FakeApi
from tests.fakes.anthropic_modes import MODES

NIGHTS = int(os.environ.get("MEMCI_NIGHTS", max(2, settings().max_examples // 8)))
# What a good reply makes of PUSH, under a name of its own.
NEW = f"{SCOPE}/{NEW_FILE}"
# These wait for the real clock, or are fit to be used, or only large.
_LEFT_OUT = {"hang", "slowdrip", "slowdrip-head", "200-no-usage", "200-negative-usage", "200-message-json", "200-5-mb"}
modes = st.lists(st.one_of(st.just("ok"), st.sampled_from(sorted(MODES.keys() - _LEFT_OUT))), max_size=8)
limits = st.one_of(st.just(Decimal(100)), st.decimals("0.001", "0.5", places=3))
# The tokens that answers of wrong types claim to have used.
_SMALL = Decimal("0.0001")


def propose(_: str, told: dict[str, Any]) -> object:
    found = any("push" in message["said"] for message in list_messages(told))
    return by_message("push")("consolidate", told) if found else make_reply()


class Nights(RuleBasedStateMachine):
    """A repository that people talk about and that memci dreams over, with a service that cannot be relied on."""

    api: FakeApi
    capsys: pytest.CaptureFixture[str]
    directory: Path

    @initialize()
    def begin(self) -> None:
        self.scene: Scene = make_scene(Path(tempfile.mkdtemp(dir=self.directory)), self.api, self.capsys)
        self.is_answered = False
        self.charged = Decimal(0)

    @rule(
        said=st.sampled_from([PUSH, TABS, "please fix the flaky importer test"]),
        lined_up=modes,
        always=st.sampled_from(["ok", "529", "200-html", "401"]),
        limit=limits,
        write=st.booleans(),
    )
    def dream(self, said: str, lined_up: Sequence[str], always: str, limit: Decimal, write: bool) -> None:  # noqa: FBT001 -- drawn
        self.scene.say(said)
        local = dream_in_no_time(self.scene, local=True)
        before = self.scene.read()
        self.api.modes[:], self.api.always = lined_up, always
        self.api.seen.clear()
        self.charged = Decimal(0)
        time = FakeTime()
        result = dream_in_no_time(self.scene, time, limit=limit, write=write)
        met = zip(self.api.posts(), itertools.chain(lined_up, itertools.repeat(always)), strict=False)
        answered = {name_phase(read_told(post.params)) for post, mode in met if mode == "ok"}
        self.is_answered |= "consolidate" in answered
        self.check_plans(result, local)
        self.check_bounds(result, time, limit)
        after = {path.name: text for plan in result.plans for path, text in plan.after.items() if path.suffix == ".md"}
        assert self.scene.read() == (after if write else before)

    def check_plans(self, result: DreamResult, local: DreamResult) -> None:
        """Find what the model proposed only if it ever said so whole, and nothing of the local result lost."""
        proposed = {str(path) for plan in result.plans for path in plan.after}
        if not self.is_answered:
            assert result.plans == local.plans
            assert NEW not in proposed
        assert len(proposed) >= len({str(path) for plan in local.plans for path in plan.before})
        assert result.degraded == bool(result.failures)
        assert self.api.key not in repr(result)

    def check_bounds(self, result: DreamResult, time: FakeTime, limit: Decimal) -> None:
        # One scope: consolidate, verify and repair, of at most four tries and three waits of a minute each.
        assert len(self.api.posts()) <= 3 * 4
        assert sum(time.slept) <= 3 * 3 * 60
        cost, tolerance = result.cost, _SMALL * len(self.api.posts())
        assert cost.usd + cost.unseen_usd <= limit
        assert cost.usd - tolerance <= self.charged <= cost.usd + cost.unseen_usd


def listen(machine: type[Nights], monkeypatch: pytest.MonkeyPatch, running: list[Nights]) -> None:
    """Add up what the fake charges."""
    use = machine.api.use

    def charge(params: dict[str, Any], output: str, *, batch: bool = False) -> dict[str, Any]:
        used = use(params, output, batch=batch)
        names = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        running[-1].charged += resolve_price(params["model"]).charge(Bill(Usage(*(used[name] for name in names))))
        return used

    monkeypatch.setattr(machine.api, "use", charge)


def test_whatever_the_service_does_night_after_night(
    tmp_path: Path, api: FakeApi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    running: list[Nights] = []

    class Here(Nights):
        def __init__(self) -> None:
            super().__init__()
            running.append(self)

    Here.api, Here.capsys, Here.directory = api, capsys, tmp_path
    api.answer = answer_with(consolidate=propose)
    listen(Here, monkeypatch, running)
    run_state_machine_as_test(Here, settings=settings(max_examples=NIGHTS, stateful_step_count=5, deadline=None))
    assert any(machine.is_answered for machine in running)
