"""One request on httpx, with one deadline for all of it: name lookup, connecting, handshake, headers and body.

The timeouts of httpx limit silence only, and a server that sends one byte every few seconds is never silent.
"""

import contextlib
import json
import ssl
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from memci.errors import MemciError
from memci.forge.pull_requests import DeniedError, ExistsError, ForgeError, UncertainError
from memci.redaction.secrets import redact

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


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A request as it is sent; httpx adds the host and the length."""

    method: str
    url: str
    headers: Mapping[str, str]
    content: bytes | None = None


def exchange(outgoing: Outgoing, tls: ssl.SSLContext, seconds: float, take: Callable[[bytes], None]) -> RawAnswer:
    """Send a request and hand the body of a success to `take`; every failure of the line is an OSError.

    The seconds are for all of it, from the name lookup to the last byte.
    """
    import httpx2

    sending = _Sending(outgoing, tls, take)
    sending.start()
    sending.join(seconds)
    sending.leave()
    if sending.answer and sending.answer.refused:
        # It is a refusal also if its reason does not arrive.
        return sending.answer
    if sending.is_alive() or isinstance(sending.error, httpx2.TimeoutException | TimeoutError):
        raise TimeoutError("timed out")
    if isinstance(sending.error, MemciError):
        raise sending.error
    if sending.error or not sending.answer:
        prefix = "Tunnel connection failed: " if isinstance(sending.error, httpx2.ProxyError) else ""
        raise OSError(f"{prefix}{sending.error}" if str(sending.error) else type(sending.error).__name__)
    return sending.answer


class _Sending(threading.Thread):
    """One request in a thread that is left alone when the time is up: a name lookup cannot be stopped."""

    def __init__(self, outgoing: Outgoing, tls: ssl.SSLContext, take: Callable[[bytes], None]) -> None:
        super().__init__(daemon=True)
        # The head at first, and with the reason of a refusal at the end.
        self.answer: RawAnswer | None = None
        self.error: Exception | None = None
        self._outgoing = outgoing
        self._tls = tls
        self._take = take
        self._left = False
        # Held while a part is handed on, so that none comes after the end.
        self._handing = threading.Lock()

    def leave(self) -> None:
        """Hand on nothing from now on."""
        with self._handing:
            self._left = True

    def run(self) -> None:
        """Send the request, and keep the answer or the error."""
        import httpx2

        try:
            self._send()
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError, MemciError) as error:
            self.error = error

    def _send(self) -> None:
        import httpx2

        timeouts = {"timeout": httpx2.Timeout(_SILENCE).as_dict()}
        method, url = self._outgoing.method, self._outgoing.url
        request = httpx2.Request(
            method, url, headers=self._outgoing.headers, content=self._outgoing.content, extensions=timeouts
        )
        # httpx's client is not used: it reads redirects, cookies and the environment.
        transport = httpx2.HTTPTransport(verify=self._tls, trust_env=False, proxy=_proxy_for(url))
        with transport, contextlib.closing(transport.handle_request(request)) as response:
            answer = RawAnswer(response.status_code, response.reason_phrase, response.headers)
            self.answer = answer
            reason = bytearray()
            for chunk in response.iter_raw():
                with self._handing:
                    if self._left:
                        return
                    if not answer.refused:
                        self._take(chunk)
                    elif len(reason) < _MAX_REASON:
                        reason.extend(chunk)
            self.answer = replace(answer, body=bytes(reason))


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
