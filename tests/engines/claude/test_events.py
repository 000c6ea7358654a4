"""Streams of events: however they are cut into chunks, and whatever is in them."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterable
from typing import Any

import anthropic
import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.engines.claude.calls import Fault
from memci.engines.claude.errors import classify_error
from memci.engines.claude.transport import _read_stream
from tests.fakes.anthropic_modes import make_events

MESSAGE: dict[str, Any] = {
    "type": "message",
    "model": "m",
    "content": [{"type": "thinking", "thinking": "", "signature": "s"}, {"type": "text", "text": '{"é": "🙂\\n"}'}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "stop_details": None,
    "usage": {"input_tokens": 3, "output_tokens": 9},
}
STREAM = "".join(
    f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n" for name, data in make_events(MESSAGE)
).encode()


async def _chunks(parts: Iterable[bytes]) -> AsyncIterator[bytes]:
    for part in parts:
        yield part


def put_together(parts: Iterable[bytes], kind: str = "text/event-stream") -> object:
    """Return what the door makes of a response with this body."""
    response = httpx2.Response(200, headers={"Content-Type": kind}, content=_chunks(parts))
    transport = httpx2.MockTransport(lambda _: response)

    async def call() -> object:
        http = httpx2.AsyncClient(transport=transport)
        async with (
            anthropic.AsyncAnthropic(api_key="k", max_retries=0, http_client=http) as client,
            client.messages.stream(model="m", max_tokens=9, messages=[]) as stream,
        ):
            return await _read_stream(stream)

    try:
        return asyncio.run(call())
    except anthropic.APIStatusError as error:
        return classify_error(error)


@given(st.lists(st.integers(0, len(STREAM)), max_size=20))
def test_where_a_stream_is_cut_does_not_matter(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(STREAM)]
    message = put_together(STREAM[start:end] for start, end in itertools.pairwise(edges))
    assert isinstance(message, dict)
    text = message["content"][1]
    assert (text["type"], text["text"]) == ("text", '{"é": "🙂\\n"}')
    rest = MESSAGE.keys() - {"content"}
    assert {key: message[key] for key in rest} == {key: MESSAGE[key] for key in rest}


@given(st.integers(0, len(STREAM) - 2))
def test_a_stream_that_breaks_off_is_never_a_message(end: int) -> None:
    assert isinstance(put_together([STREAM[:end]]), Fault)


@pytest.mark.parametrize("kind", ["text/event-stream", "text/event-stream; charset=latin-1"])
def test_bytes_that_are_no_text_are_refused(kind: str) -> None:
    found = put_together([STREAM.replace("🙂".encode(), b"\xff")], kind)
    assert found == Fault("the stream is not as documented", tries=2, charged=True)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["message", "usage", "index", "delta", "type", "text", "content_block", "content"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
NAMES = st.sampled_from(
    ["message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop", "error", "x"]
)


@given(st.lists(st.tuples(NAMES, JSON), max_size=6))
def test_whatever_events_hold_they_are_a_message_or_a_fault(made: list[tuple[str, object]]) -> None:
    typed = ((name, {**data, "type": name} if isinstance(data, dict) else data) for name, data in made)
    stream = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in typed).encode()
    assert isinstance(put_together([stream]), dict | Fault)
