"""One request on httpx, with one deadline for all of it: name lookup, connecting, handshake, headers and body.

The timeouts of httpx limit silence only, and a server that sends one byte every few seconds is never silent.
"""

import asyncio
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memci.forge.protocol import DeniedError, ExistsError, ForgeError, UncertainError
from memci.redaction.secrets import redact

if TYPE_CHECKING:
    import httpx2

_MAX_SAID = 200


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """The head of an answer; names of headers are compared without regard to case."""

    status: int
    phrase: str
    headers: Mapping[str, str]
    # Of a refusal only.
    body: bytes = b""

    @property
    def refused(self) -> bool:
        """Whether it is anything but a success; a redirect is not followed, so it is a refusal, too."""
        return not 200 <= self.status < 300


class LaterError(Exception):
    """A forge asks to wait before another try."""

    def __init__(self, wait: float, said: str) -> None:
        super().__init__(said)
        self.wait = wait
        self.said = said


def read_refusal(answer: RawAnswer, what: str, token: str) -> Exception:
    """Return the error for a refusal; its text names the request and never contains the token."""
    # The status line is untrusted, too.
    said = (parse_message(answer.body) or answer.phrase or "no reason").replace(token, "***")
    said = redact(said)[:_MAX_SAID]
    status, message = answer.status, f"{what}: {answer.status} {said}"
    wait = parse_wait(status, answer.headers)
    if status == 422 and "ould not resolve to a node" in said:
        # Right after a pull request was made GitHub may not know it yet: peter-evans/create-pull-request#4321.
        wait = 1.0
    if wait is not None:
        return LaterError(wait, f"{status} {said}")
    if status == 409 or (status == 422 and "already exists" in said):
        return ExistsError(message, status=status)
    if status in {403, 404}:
        return DeniedError(message, status=status, hint="the token may lack a permission")
    if status >= 500 or status == 408:
        return UncertainError(message)
    hints = {
        401: "the token is wrong or has expired",
        301: "the repository may have been renamed: correct the address of the remote",
    }
    return ForgeError(message, status=status, hint=hints.get(301 if status < 400 else status, ""))


def parse_wait(status: int, headers: Mapping[str, str]) -> float | None:
    """Return how long a forge asks to wait; None if it does not."""
    after = headers.get("Retry-After")
    spent = headers.get("X-RateLimit-Remaining") == "0"
    # GitHub uses 403 for rate limits, too, and a 503 may have a Retry-After.
    if status != 429 and not (status == 403 and (after or spent)) and not (status == 503 and after):
        return None
    if after and after.strip().isdecimal():
        return float(after)
    reset = headers.get("X-RateLimit-Reset", "")
    return max(0.0, float(reset) - time.time()) if spent and reset.isdecimal() else 1.0


def parse_message(data: bytes) -> str:
    """Return the message of an error; GitHub adds a list, GitLab may send a list or an object alone."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(content, dict):
        return ""
    more = content.get("errors")
    details = (
        [item.get("message", "") if isinstance(item, dict) else item for item in more] if isinstance(more, list) else []
    )
    said = content.get("message") or content.get("error") or ""
    return "; ".join(str(part) for part in (said, *details) if part)


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
