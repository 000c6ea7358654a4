"""Limits the size of response bodies: streamed, read at once, or with an error status."""

from collections.abc import AsyncIterator

import httpx2

from memci.engines.claude.check_reply import SchemaError

# Far above what max_tokens allows: 128K tokens of output in deltas of a few characters.
MAX_BODY = 64 * 1024 * 1024


async def bound(response: httpx2.Response) -> None:
    """Limit the size of a response; received bytes are counted, so it must not be compressed."""
    if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
        raise SchemaError("compressed, though that was not asked for")
    # The asynchronous transport returns no other kind of stream.
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MAX_BODY:
                raise SchemaError(f"more than {MAX_BODY} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()
