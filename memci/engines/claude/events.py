"""Assembles server-sent events into one message; no field is trusted to have its documented type."""

import codecs
from collections.abc import AsyncIterable, AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memci.engines.claude.calls import Fault
from memci.engines.claude.schema import SchemaError, parse_json

if TYPE_CHECKING:
    import httpx2

# A transient failure of the service or the connection; see `retry`.
_AGAIN = 4
_EVENTS = {"Content-Type": "text/event-stream; charset=utf-8"}


async def read_events(response: "httpx2.Response") -> AsyncIterator["httpx2.ServerSentEvent"]:
    """Split a response into events; a truncated event is dropped."""
    import httpx2

    whole = response.aiter_bytes()
    decode = codecs.getincrementaldecoder("utf-8")().decode

    async def check() -> AsyncIterator[bytes]:
        async for chunk in whole:
            try:
                decode(chunk)
            except UnicodeDecodeError:
                raise SchemaError("not UTF-8") from None
            yield chunk

    # httpx would replace invalid UTF-8, and would trust a header that names another charset.
    checked = httpx2.Response(200, headers=_EVENTS, content=check(), request=response.request)
    # The size of the whole response is limited already.
    async for event in httpx2.EventSource(checked, max_event_size=None):
        # The default name of an event; the service names all of its events.
        if event.event != "message":
            yield event


@dataclass(slots=True)
class _Assembly:
    message: dict[str, object] = field(default_factory=dict)
    blocks: list[dict[str, object]] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    usage: dict[str, object] = field(default_factory=dict)

    def finish(self) -> dict[str, object]:
        content: list[object] = []
        for block, texts in zip(self.blocks, self.texts, strict=True):
            content.append({**block, "text": "".join(texts)} if block.get("type") == "text" else block)
        # Keep an invalid `content`: the whole message is checked later.
        if self.message.get("content") == []:
            return {**self.message, "content": content, "usage": self.usage}
        return {**self.message, "usage": self.usage}


async def assemble(events: AsyncIterable["httpx2.ServerSentEvent"]) -> dict[str, object] | Fault:
    """Return the message of a stream, or why there is none."""
    assembly, empty = _Assembly(), True
    async for event in events:
        empty = False
        if event.event == "ping" or not event.data:
            continue
        if (fault := _take(assembly, event)) is not None:
            return fault
        if event.event == "message_stop":
            return assembly.finish()
    if empty:
        return Fault("the reply is empty, not a stream of events", tries=2, charged=True)
    return Fault("the stream was cut off", tries=_AGAIN, charged=True)


def _take(assembly: _Assembly, event: "httpx2.ServerSentEvent") -> Fault | None:
    try:
        data = parse_json(event.data)
    except SchemaError as error:
        return Fault(f"an event of the stream is broken: {error}", tries=2, charged=True)
    if event.event == "error":
        return _read_error(data)
    add = _PARTS.get(event.event)
    # The versioning policy of the API allows new events at any time.
    if add is not None and not add(assembly, data):
        return Fault(f"the stream is not as documented: {event.event} is wrong", tries=2, charged=True)
    return None


def _begin(assembly: _Assembly, data: object) -> bool:
    match data:
        case {"message": dict(message)} if not assembly.message and isinstance(message.get("usage"), dict):
            assembly.message, assembly.usage = message, dict(message["usage"])
            return True
    return False


def _begin_block(assembly: _Assembly, data: object) -> bool:
    match data:
        case {"index": int(index), "content_block": dict(block)} if assembly.message and index == len(assembly.blocks):
            text = block.get("text", "")
            assembly.blocks.append(block)
            assembly.texts.append([text] if isinstance(text, str) else [])
            return True
    return False


def _add_delta(assembly: _Assembly, data: object) -> bool:
    match data:
        case {"index": int(index), "delta": {"type": "text_delta", "text": str(text)}}:
            if 0 <= index < len(assembly.texts):
                assembly.texts[index].append(text)
                return True
        case {"delta": {"type": str(kind)}}:
            # Thinking and signatures are not part of the reply.
            return kind != "text_delta"
    return False


def _end(assembly: _Assembly, data: object) -> bool:
    match data:
        case {"delta": dict(delta)} if assembly.message:
            assembly.message |= delta
            usage = data.get("usage") if isinstance(data, dict) else None
            # These counts are cumulative; null means unchanged.
            if isinstance(usage, dict):
                assembly.usage |= {key: value for key, value in usage.items() if value is not None}
            return True
    return False


_PARTS: dict[str, Callable[[_Assembly, object], bool]] = {
    "message_start": _begin,
    "content_block_start": _begin_block,
    "content_block_delta": _add_delta,
    "message_delta": _end,
    "message_stop": lambda assembly, _: bool(assembly.message),
}


def _read_error(data: object) -> Fault:
    match data:
        case {"error": {"type": "invalid_request_error" | "authentication_error" | "permission_error" as kind}}:
            return Fault(f"{kind} within the stream", charged=True)
        case {"error": {"type": str(kind)}} if kind.isidentifier() and kind.isascii() and len(kind) < 64:
            return Fault(f"{kind} within the stream", tries=_AGAIN, charged=True)
    return Fault("an error within the stream", tries=_AGAIN, charged=True)
