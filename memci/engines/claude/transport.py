"""All requests to the service, through the SDK; each has a wall-clock limit and returns a value."""

import asyncio
import warnings
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from memci.engines.claude.calls import Fault
from memci.engines.claude.check_reply import SchemaError, clean_word, parse_json
from memci.engines.claude.clients import Client, error_types, open_client
from memci.engines.claude.credentials import Credentials
from memci.engines.claude.errors import MAX_TRIES, classify_error
from memci.engines.claude.requests import Params

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncMessageStream

T = TypeVar("T")
# Seconds in which the service closes a stream whose message is complete.
_CLOSING = 2.0
BatchVerb = Literal["create", "retrieve", "cancel", "delete"]


class Wire:
    """A connection that is opened by the first call: loading the SDK takes a second."""

    def __init__(self, credentials: Credentials) -> None:
        self.credentials = credentials
        self._open: tuple[asyncio.Runner, Client] | None = None

    def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            runner, client = self._open
            self._open = None
            try:
                runner.run(client.close())
            finally:
                runner.close()

    def send(self, params: Params, seconds: float) -> dict[str, object] | Fault:
        """Make a streamed call, so that no proxy times out during a long reply; the message is not checked yet."""

        async def call(client: Client) -> dict[str, object] | Fault:
            async with client.messages.stream(**params) as stream:
                return await _read_stream(stream)

        return self._run(call, seconds)

    def count(self, params: Params, seconds: float) -> int | Fault:
        """Count the input tokens of a call; free of charge."""
        counted = {name: value for name, value in params.items() if name != "max_tokens"}

        async def call(client: Client) -> object:
            return _read_json(await client.messages.with_raw_response.count_tokens(**counted))

        match self._run(call, seconds):
            case {"input_tokens": int(tokens)}:
                return tokens
            case Fault() as fault:
                return fault
        return Fault("the token count is not a number")

    def ask_batches(self, verb: BatchVerb, seconds: float, **arguments: object) -> object | Fault:
        """Call a method of the SDK that is about batches."""

        async def call(client: Client) -> object:
            return _read_json(await getattr(client.messages.batches.with_raw_response, verb)(**arguments))

        return self._run(call, seconds)

    def read_results(self, name: str, seconds: float) -> list[object] | Fault:
        """Return the results of a batch, one per readable line."""

        async def call(client: Client) -> list[object]:
            import httpx2

            # Not the URL in the response: behind a gateway it is another host, which must not get the credential.
            path, headers = f"/v1/messages/batches/{name}/results", {"Accept": "application/binary"}
            response = await client.get(path, cast_to=httpx2.Response, options={"headers": headers})
            return [entry for line in response.content.split(b"\n") if (entry := _parse_line(line)) is not None]

        return self._run(call, seconds)

    def _run(self, call: Callable[[Client], Awaitable[T]], seconds: float) -> T | Fault:
        async def bounded() -> T:
            async with asyncio.timeout(seconds):
                return await call(client)

        try:
            runner, client = self._connect()
            return runner.run(bounded())
        except error_types(self.credentials) as error:
            return classify_error(error, self.credentials.secrets)

    def _connect(self) -> tuple[asyncio.Runner, Client]:
        if self._open is None:
            self._open = (asyncio.Runner(), open_client(self.credentials))
        return self._open


async def _read_stream(stream: "AsyncMessageStream[Any]") -> dict[str, object] | Fault:
    """Return the message of a stream that was sent to its end; the SDK would also return a part of one."""
    kind = stream.response.headers.get("content-type", "")
    if not kind.startswith("text/event-stream"):
        name = clean_word(kind.partition(";")[0])
        # A proxy page, or another API.
        return Fault(f"the service replied with {name}, not with a stream of events", tries=2, charged=True)
    empty, message = True, None
    try:
        # Pydantic warns of values of another type; `judge` looks at each that matters.
        with warnings.catch_warnings(action="ignore", category=UserWarning):
            async with asyncio.timeout(None) as limit:
                # To the end: generators that are left open are finished later, in a loop that is not theirs.
                async for event in stream:
                    empty = False
                    if event.type == "message_stop":
                        message = stream.current_message_snapshot.to_dict()
                        limit.reschedule(asyncio.get_running_loop().time() + _CLOSING)
    except TimeoutError:
        if message is None:
            raise
    except SchemaError:
        raise
    except (AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        # The SDK trusts that all events are as documented. Its message may quote them.
        return Fault("the stream is not as documented", tries=2, charged=True)
    if message is not None:
        return message
    if empty:
        return Fault("the reply is empty, not a stream of events", tries=2, charged=True)
    return Fault("the stream was cut off", tries=MAX_TRIES, charged=True)


def _read_json(reply: Any) -> object:
    response: httpx2.Response = reply.http_response
    return parse_json(response.content.decode("utf-8", "replace"))


def _parse_line(line: bytes) -> object | None:
    try:
        return parse_json(line.decode("utf-8"))
    except (SchemaError, UnicodeDecodeError):
        # An unreadable result counts as missing; the request is made again.
        return None
