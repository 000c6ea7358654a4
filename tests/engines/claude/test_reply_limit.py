"""However a reply is read, what is read of it has an end."""

from collections.abc import Callable

import pytest

from memci.engines.claude import reply_limit
from memci.engines.claude.calls import Fault
from memci.engines.claude.requests import build_request
from memci.engines.claude.transport import Wire
from tests.engines.claude.run import GATHER, PROMPT, find
from tests.fakes.anthropic_api import FakeApi

PARAMS = build_request(GATHER, PROMPT)
READ: dict[str, Callable[[Wire], object]] = {
    "a stream": lambda wire: wire.send(PARAMS, 10),
    "a count": lambda wire: wire.count(PARAMS, 10),
    "a batch": lambda wire: wire.ask_batches("retrieve", 10, message_batch_id="msgbatch_1"),
}


@pytest.mark.parametrize("how", READ)
def test_a_reply_without_end_is_refused(api: FakeApi, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    wire = Wire(find(api))
    try:
        request = {"custom_id": "a", "params": PARAMS}
        assert not isinstance(wire.ask_batches("create", 10, requests=[request]), Fault)
        assert not isinstance(READ[how](wire), Fault)
        monkeypatch.setattr(reply_limit, "MAX_BODY", 10)
        assert READ[how](wire) == Fault("the reply is broken: more than 10 bytes", tries=2, charged=True)
    finally:
        wire.close()


def test_an_error_without_end_is_refused(api: FakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    api.always = "400"
    monkeypatch.setattr(reply_limit, "MAX_BODY", 10)
    wire = Wire(find(api))
    try:
        assert READ["a stream"](wire) == Fault("the reply is broken: more than 10 bytes", tries=2, charged=True)
    finally:
        wire.close()


def test_nothing_compressed_is_asked_for(api: FakeApi) -> None:
    wire = Wire(find(api))
    try:
        READ["a count"](wire)
    finally:
        wire.close()
    assert api.seen[0].headers["accept-encoding"] == "identity"
