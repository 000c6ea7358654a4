"""No credential in a log, an error, a rendering or a file, whatever the service says."""

import logging
import traceback
from pathlib import Path

import httpx2
import pytest

from memci.engines.claude.calls import Failure, Fault
from memci.engines.claude.session import CallLimits, ModelSession
from tests.engines.claude.run import CONSOLIDATE, GATHER, PROMPT, FakeTime, find, keep, open_session
from tests.fakes.anthropic_api import FakeApi

MODES = [
    "ok",
    "401",
    "403",
    "422",
    "400",
    "500-html",
    "529",
    "redirect",
    "200-html",
    "200-error-event",
    "rst",
    "200-schema",
]


@pytest.mark.parametrize("mode", MODES)
def test_the_key_is_nowhere_but_on_the_wire(
    api: FakeApi, mode: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("anthropic", "httpx2", "httpcore2", "asyncio"):
        caplog.set_level(logging.DEBUG, logger=name)
    api.always = mode
    state = tmp_path / "state.json"
    with open_session(api) as session:
        outcome = session.ask(CONSOLIDATE, PROMPT, shorten=keep)
        batch = [session.ask_batch(GATHER, PROMPT, state=state, shorten=keep)]
        shown = [outcome, batch, session, session.cost, session.stopped, vars(session), vars(session._wire)]
    out, err = capfd.readouterr()
    everything = "\n".join(
        [*map(repr, shown), str(outcome), caplog.text, out, err, state.read_text() if state.exists() else ""]
    )
    assert api.key not in everything
    assert all(api.key in seen.headers["authorization"] for seen in api.seen)
    if mode == "422":
        assert isinstance(outcome, Failure)
        assert "key *** is odd" in outcome.detail


def test_the_key_goes_to_no_other_place(api: FakeApi) -> None:
    with FakeApi("other") as other, open_session(api) as session:
        fault = session._wire._run(lambda client: client.get(f"{other.url}/v1/x", cast_to=httpx2.Response), 10)
        assert isinstance(fault, Fault)
        assert "elsewhere" in fault.detail
        assert fault.stops
        assert other.seen == []


def test_the_key_is_in_no_traceback(api: FakeApi) -> None:
    with ModelSession(find(api), CallLimits(10, None), clock=FakeTime().clock) as session:
        session._wire.close()
        try:
            session.ask(GATHER, PROMPT, shorten=lambda _: 1 / 0)  # type: ignore[arg-type, return-value]  # meant to fail
            session.ask_batch(GATHER, PROMPT, state=Path("/proc/none/state"), shorten=keep)
        except Exception as error:  # noqa: BLE001 -- whatever it is
            text = "".join(traceback.format_exception(error))
            assert api.key not in text
        else:
            pytest.fail("a state file in /proc cannot be written")
