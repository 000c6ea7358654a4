"""All requests to the service, through the SDK; each has a wall-clock limit and returns a value."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from memci.engines.claude.calls import Fault
from memci.engines.claude.check_reply import clean_word
from memci.engines.claude.clients import Client, error_types, open_client
from memci.engines.claude.credentials import Credentials
from memci.engines.claude.errors import classify_error
from memci.engines.claude.events import assemble, read_events
from memci.engines.claude.requests import Params
from memci.engines.claude.schema import SchemaError, parse_json

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Received:
    """A message as received, not checked yet."""

    message: dict[str, object]
    request_id: str


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

    def send(self, params: Params, seconds: float) -> Received | Fault:
        """Make a streamed call, so that no proxy times out during a long reply."""

        async def call(client: Client) -> Received | Fault:
            stream = await client.messages.create(**params, stream=True)
            response = stream.response
            try:
                return await _read_stream(response)
            finally:
                await response.aclose()

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

    def create_batch(self, requests: list[Mapping[str, object]], seconds: float) -> object | Fault:
        """Submit a batch."""
        return self._ask_batches("create", seconds, requests=requests)

    def read_batch(self, name: str, seconds: float) -> object | Fault:
        """Return the status of a batch."""
        return self._ask_batches("retrieve", seconds, message_batch_id=name)

    def list_batches(self, seconds: float) -> object | Fault:
        """Return the newest batches."""
        return self._ask_batches("list", seconds, limit=100)

    def cancel_batch(self, name: str, seconds: float) -> object | Fault:
        """Stop a batch; what is finished can still be read."""
        return self._ask_batches("cancel", seconds, message_batch_id=name)

    def delete_batch(self, name: str, seconds: float) -> object | Fault:
        """Delete a batch and its results from the service."""
        return self._ask_batches("delete", seconds, message_batch_id=name)

    def _ask_batches(self, verb: str, seconds: float, **arguments: object) -> object | Fault:
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


async def _read_stream(response: "httpx2.Response") -> Received | Fault:
    kind = response.headers.get("content-type", "")
    if not kind.startswith("text/event-stream"):
        name = clean_word(kind.partition(";")[0])
        # A proxy page, or another API.
        return Fault(f"the service replied with {name}, not with a stream of events", tries=2, charged=True)
    outcome = await assemble(read_events(response))
    if isinstance(outcome, Fault):
        return outcome
    return Received(outcome, clean_word(response.headers.get("request-id")))


def _read_json(reply: Any) -> object:
    response: httpx2.Response = reply.http_response
    return parse_json(response.content.decode("utf-8", "replace"))


def _parse_line(line: bytes) -> object | None:
    try:
        return parse_json(line.decode("utf-8"))
    except (SchemaError, UnicodeDecodeError):
        # An unreadable result counts as missing; the request is made again.
        return None
