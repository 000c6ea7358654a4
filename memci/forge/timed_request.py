"""One request on httpx, with one deadline for all of it: name lookup, connecting, handshake, headers and body.

The timeouts of httpx limit silence only, and a server that sends one byte every few seconds is never silent.
"""

import asyncio
import concurrent.futures
import contextlib
import dataclasses
import os
import socket
import ssl
import threading
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from memci.forge.errors import RawAnswer

if TYPE_CHECKING:
    import httpx2

# A server that is silent for this long is considered dead, even if the deadline is later.
_SILENCE = 30.0
# Far more than any forge writes about a refusal.
_MAX_REASON = 32 * 1024 * 1024


@dataclasses.dataclass(frozen=True, slots=True)
class Outgoing:
    """A request as it is sent; httpx adds the host and the length."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None


def exchange(outgoing: Outgoing, tls: ssl.SSLContext, seconds: float, take: Callable[[bytes], None]) -> RawAnswer:
    """Send a request and hand the body of a success to `take`; every failure is an OSError."""
    import httpx2

    silence = httpx2.Timeout(_SILENCE).as_dict()
    try:
        request = httpx2.Request(
            outgoing.method,
            outgoing.url,
            headers=outgoing.headers,
            content=outgoing.content,
            extensions={"timeout": silence},
        )
        # httpx's client is not used: it reads redirects, cookies and the environment.
        transport = httpx2.AsyncHTTPTransport(verify=tls, trust_env=False, proxy=_proxy_for(outgoing.url))
        with asyncio.Runner(loop_factory=_Loop) as runner:
            return runner.run(_send(transport, request, seconds, take))
    except (httpx2.TimeoutException, TimeoutError):
        raise TimeoutError("timed out") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise OSError(_explain(error)) from None


async def _send(
    transport: "httpx2.AsyncHTTPTransport", request: "httpx2.Request", seconds: float, take: Callable[[bytes], None]
) -> RawAnswer:
    """Send a request and hand on the body; the seconds are for all of it, from the name lookup to the last byte."""
    import httpx2

    answer, reason = None, bytearray()
    try:
        async with asyncio.timeout(seconds), transport:
            response = await transport.handle_async_request(request)
            answer = RawAnswer(response.status_code, response.reason_phrase, response.headers)
            async with contextlib.aclosing(response):
                async for chunk in response.aiter_raw():
                    if not answer.refused:
                        take(chunk)
                    elif len(reason) < _MAX_REASON:
                        reason.extend(chunk)
    except (httpx2.HTTPError, OSError):
        # A refusal is one also if its reason does not arrive.
        if answer is None or not answer.refused:
            raise
        return answer
    return dataclasses.replace(answer, body=bytes(reason))


class _Loop(asyncio.SelectorEventLoop):
    """A loop for one request that leaves nothing behind when the deadline interrupts it."""

    def __init__(self) -> None:
        super().__init__()
        self._opened: list[asyncio.BaseTransport] = []

    async def create_connection(self, *positional: Any, **named: Any) -> Any:
        transport, protocol = await super().create_connection(*positional, **named)
        self._opened.append(transport)
        return transport, protocol

    def close(self) -> None:
        # httpcore closes a connection after a failed handshake, but not after an interrupted one.
        for transport in self._opened:
            transport.close()
        self._opened = []
        if not self.is_closed():
            self.run_until_complete(asyncio.sleep(0))
        super().close()

    async def getaddrinfo(self, host: Any, port: Any, **options: Any) -> Any:
        """Look a name up in a thread that is not waited for: a lookup cannot be stopped."""
        found: concurrent.futures.Future[Any] = concurrent.futures.Future()
        # From here on it cannot be cancelled, so that the thread can always set its result.
        found.set_running_or_notify_cancel()

        def look_up() -> None:
            try:
                found.set_result(socket.getaddrinfo(host, port, **options))
            except (OSError, UnicodeError) as error:
                found.set_exception(error if isinstance(error, OSError) else OSError(f"no address of {host}"))

        threading.Thread(target=look_up, daemon=True).start()
        return await asyncio.wrap_future(found)


def _proxy_for(address: str) -> str | None:
    """Return the proxy that the environment names for an address."""
    parts = urllib.parse.urlsplit(address)
    proxy = urllib.request.getproxies().get(parts.scheme, "")
    if not proxy or urllib.request.proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxy = proxy if "://" in proxy else f"http://{proxy}"
    if not proxy.startswith(("http://", "https://")):
        raise OSError(f"the proxy for {parts.scheme} is of a kind that is not supported")
    return proxy


def _explain(error: BaseException) -> str:
    """Return the message of the innermost exception of a chain."""
    import httpx2

    match error:
        case httpx2.ProxyError():
            return f"Tunnel connection failed: {error}"
        case (
            # One for each address of the host.
            BaseExceptionGroup(exceptions=(*_, below))
            | BaseException(__cause__=BaseException() as below)
            # httpcore drops the cause on its way up, but keeps it as its argument.
            | BaseException(args=(BaseException() as below,))
        ):
            return _explain(below)
        case OSError(errno=int(number)) if number > 0 and str(error).startswith("[Errno "):
            # Without the address that asyncio adds.
            return f"[Errno {number}] {os.strerror(number)}"
    return str(error) or type(error).__name__
