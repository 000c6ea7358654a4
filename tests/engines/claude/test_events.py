"""Streams of events: however they are cut into chunks, and whatever is in them."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterable
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memci.engines.claude.calls import Fault
from memci.engines.claude.events import assemble, read_events
from memci.engines.claude.schema import SchemaError
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


def respond(parts: Iterable[bytes], kind: str = "text/event-stream") -> httpx2.Response:
    request = httpx2.Request("POST", "http://127.0.0.1/")
    return httpx2.Response(200, headers={"Content-Type": kind}, content=_chunks(parts), request=request)


def read(response: httpx2.Response) -> list[tuple[str, str]]:
    async def collect() -> list[tuple[str, str]]:
        return [(event.event, event.data) async for event in read_events(response)]

    return asyncio.run(collect())


def put_together(parts: Iterable[bytes]) -> object:
    return asyncio.run(assemble(read_events(respond(parts))))


@pytest.mark.parametrize(
    ("stream", "found"),
    [
        (b"", []),
        (b"event: a\ndata: 1\n\n", [("a", "1")]),
        (b"event: a\r\ndata: 1\r\n\r\n", [("a", "1")]),
        (b"event:a\ndata:1\ndata: 2\n\n", [("a", "1\n2")]),
        (b": comment\n\ndata: nameless\n\nid: 3\n\n", []),
        (b"event: a\ndata: 1\n", []),
    ],
)
def test_events_are_read_as_the_standard_says(stream: bytes, found: list[tuple[str, str]]) -> None:
    assert read(respond([stream])) == found


@given(st.lists(st.integers(0, len(STREAM)), max_size=20))
def test_where_a_stream_is_cut_does_not_matter(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(STREAM)]
    message = put_together(STREAM[start:end] for start, end in itertools.pairwise(edges))
    # Signatures of thinking are not kept: nothing is sent back.
    content = [{"type": "thinking", "thinking": "", "signature": ""}, MESSAGE["content"][1]]
    assert message == MESSAGE | {"content": content}


@given(st.integers(0, len(STREAM) - 2))
def test_a_stream_that_breaks_off_is_never_a_message(end: int) -> None:
    assert isinstance(put_together([STREAM[:end]]), Fault)


@pytest.mark.parametrize("kind", ["text/event-stream", "text/event-stream; charset=latin-1"])
def test_bytes_that_are_no_text_are_refused(kind: str) -> None:
    with pytest.raises(SchemaError, match="UTF-8"):
        read(respond([b"event: a\ndata: \xff\n\n"], kind))


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
    stream = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in made).encode()
    assert isinstance(put_together([stream]), dict | Fault)
