"""JSON over HTTP, bounded in time, tries and size; a token goes to one host and never to where an answer points."""

import contextlib
import email.message
import email.utils
import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from memci import HOMEPAGE, __version__
from memci.errors import ServiceError, UnsafeError
from memci.forge.values import DeniedError, ExistsError, ForgeError, UncertainError
from memci.text.secrets import redact

# Ours: long enough for a forge that is slow, short enough for a job.
_SECONDS = 30.0
_TRIES = 4
# GitHub asks for a minute after its secondary limit; whoever asks for more is not waited for.
_MAX_WAIT = 60.0
_MAX_BYTES = 32 * 1024 * 1024
# 50 pages of 100: no branch has more pull requests, no pull request more comments.
_MAX_PAGES = 50
_PAGE = 50
_MAX_SAID = 200
_LOOPBACK = frozenset(("127.0.0.1", "::1", "localhost"))


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a status below 300 and a JSON value."""

    status: int
    value: Any


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object, **__: object) -> None:
        return None


class Client:
    """Speaks to one API; every request carries the token in one header."""

    def __init__(
        self,
        api: str,
        header: tuple[str, str],
        *,
        seconds: float = _SECONDS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        parts = urllib.parse.urlsplit(api)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise UnsafeError(f"a token is not sent to {api}", hint="the address must begin with https://")
        self._api = api.rstrip("/")
        self._header = header
        self._seconds = seconds
        self._sleep = sleep
        self._opener = urllib.request.build_opener(_NoRedirects)

    def get(self, path: str, **query: str | int) -> Answer:
        """Read something."""
        return self.send("GET", path, query=query)

    def pages(self, path: str, limit: str = "per_page", **query: str | int) -> Iterator[Any]:
        """Yield the items of a list, page by page; the number of the page is ours, not an address that was sent."""
        for page in range(1, _MAX_PAGES + 1):
            found = self.get(path, **query, **{limit: _PAGE}, page=page).value
            if not isinstance(found, list):
                raise ServiceError(f"{self._host} answered {path} with something that is no list")
            yield from found
            if len(found) < _PAGE:
                return

    def send(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        query: Mapping[str, str | int] | None = None,
        again: bool = True,
    ) -> Answer:
        """Send a request; only with `again` may it be sent twice when nobody knows whether the first one arrived."""
        address = f"{self._api}{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        for attempt in range(1, _TRIES + 1):
            try:
                return self._ask(method, address, body)
            except _LaterError as error:
                if error.wait > _MAX_WAIT or attempt == _TRIES:
                    hint = f"it asks to wait {error.wait:.0f} s"
                    raise ServiceError(f"{self._host} refuses requests for now ({error.said})", hint=hint) from error
                self._sleep(error.wait)
            except UncertainError:
                if not again or attempt == _TRIES:
                    raise
                self._sleep(2.0 ** (attempt - 1))
        raise AssertionError("the last try returns or raises")

    @property
    def _host(self) -> str:
        return urllib.parse.urlsplit(self._api).netloc.rpartition("@")[2]

    def _ask(self, method: str, address: str, body: Mapping[str, object] | None) -> Answer:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": "application/json", "User-Agent": f"memci/{__version__} ({HOMEPAGE})"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(address, data, headers, method=method)  # noqa: S310 -- see __init__
        # Not carried to a proxy's CONNECT, nor to another address.
        request.add_unredirected_header(*self._header)
        try:
            with self._opener.open(request, timeout=self._seconds) as answer:
                return Answer(answer.status, self._parse(answer.read(_MAX_BYTES + 1)))
        except urllib.error.HTTPError as error:
            with error:
                raise self._refuse(error, f"{method} {urllib.parse.urlsplit(address).path}") from None
        except (OSError, http.client.HTTPException) as error:
            # Neither the address nor the headers are in what these say, but a proxy's may be.
            what = redact(str(getattr(error, "reason", "")) or str(error) or type(error).__name__)[:_MAX_SAID]
            raise UncertainError(f"no answer from {self._host}: {what}") from None

    def _parse(self, data: bytes) -> Any:
        if not data:
            return None
        try:
            if len(data) <= _MAX_BYTES:
                return json.loads(data)
        except (ValueError, RecursionError):
            pass
        raise UncertainError(f"{self._host} sent something that is no JSON") from None

    def _refuse(self, error: urllib.error.HTTPError, what: str) -> Exception:
        try:
            said = _find_message(error.read(_MAX_BYTES))
        except (OSError, http.client.HTTPException):
            said = ""
        said = (
            redact(said.replace(self._header[1].rpartition(" ")[2], "***"))[:_MAX_SAID] or error.reason or "no reason"
        )
        status, message = error.code, f"{self._host}: {what}: {error.code} {said}"
        wait = _find_wait(status, error.headers)
        if status == 422 and "ould not resolve to a node" in said:
            # Right after a pull request was made GitHub may not know it yet: peter-evans/create-pull-request#4321.
            wait = 1.0
        if wait is not None:
            return _LaterError(wait, f"{status} {said}")
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


class _LaterError(Exception):
    def __init__(self, wait: float, said: str) -> None:
        super().__init__(said)
        self.wait = wait
        self.said = said


def _find_wait(status: int, headers: email.message.Message) -> float | None:
    """Return for how long a forge wants to be left alone; None if this is not what it said."""
    after = headers.get("Retry-After")
    spent = headers.get("X-RateLimit-Remaining") == "0"
    # GitHub says 403 for its limits, too, and a 503 may name its end.
    if status != 429 and not (status == 403 and (after or spent)) and not (status == 503 and after):
        return None
    if after and after.strip().isdecimal():
        return float(after)
    if after:
        moment = email.utils.parsedate_tz(after)
        return max(0.0, email.utils.mktime_tz(moment) - time.time()) if moment else 1.0
    reset = headers.get("X-RateLimit-Reset", "")
    return max(0.0, float(reset) - time.time()) if spent and reset.isdecimal() else 1.0


def _find_message(data: bytes) -> str:
    """Return what a forge says in its error; GitHub adds a list, GitLab may send a list or an object alone."""
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


def quote(text: str) -> str:
    """Return text as one part of a path: slashes, too, are encoded."""
    return urllib.parse.quote(text, safe="")


@contextlib.contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn an answer of another shape than documented into an error of the service."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise UncertainError(f"the forge answered the request for {what} with something else") from error
