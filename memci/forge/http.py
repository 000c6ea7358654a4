"""JSON over HTTP, bounded in time, tries and size; a token goes to one host and never to where an answer points."""

import functools
import hashlib
import json
import ssl
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any, TypeVar

from memci import HOMEPAGE, __version__
from memci.deadline import NEVER, Deadline
from memci.errors import ServiceError, UnsafeError
from memci.forge.answers import convert
from memci.forge.pull_requests import UncertainError
from memci.forge.timed_request import LaterError, Outgoing, RawAnswer, exchange, read_refusal
from memci.redaction.secrets import redact

# For one request: a forge that is slow, or a few MB over a slow line.
_SECONDS = 60.0
_TRIES = 4
# GitHub asks for a minute after its secondary limit; longer waits are not accepted.
_MAX_WAIT = 60.0
_MAX_BYTES = 32 * 1024 * 1024
# 50 pages of 50: no branch has more pull requests, no pull request more comments.
_MAX_PAGES = 50
_PAGE = 50
_MAX_SAID = 200
_LOOPBACK = frozenset(("127.0.0.1", "::1", "localhost"))
# The largest artifact that is fetched, over a slow line.
_DOWNLOAD_SECONDS = 300.0
# One request per connection. What arrives is what is counted: nothing is compressed.
_HEADERS = {
    "User-Agent": f"memci/{__version__} ({HOMEPAGE})",
    "Accept-Encoding": "identity",
    "Connection": "close",
}
_T = TypeVar("_T")


class Client:
    """Speaks to one API; every request carries the token in one header."""

    def __init__(
        self,
        api: str,
        header: tuple[str, str],
        *,
        limit: str = "per_page",
        seconds: float = _SECONDS,
        deadline: Deadline = NEVER,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take the address of the API, the header with the token, the query key for the length of a page, and times."""
        parts = urllib.parse.urlsplit(api)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise UnsafeError(f"a token is not sent to {api}", hint="the address must begin with https://")
        self._api = api.rstrip("/")
        self._header = header
        self._limit = limit
        self._seconds = seconds
        self._deadline = deadline
        self._sleep = sleep

    def get(self, path: str, **query: str | int) -> Any:
        """Read something."""
        return self.send("GET", path, query=query)

    def read(self, path: str, kind: type[_T], what: str, *keys: str, **query: str | int) -> _T:
        """Read a value of a documented kind, below these keys; `what` names it in errors."""
        return convert(self.get(path, **query), kind, what, *keys)

    def list(
        self, path: str, kind: type[_T], what: str, *keys: str, within: str = "", **query: str | int
    ) -> Iterator[_T]:
        """Yield the items of a list, page by page: pages are counted, and links in an answer are not followed.

        `within` names the list if it is a field of an object.
        """
        for page in range(1, _MAX_PAGES + 1):
            found = self.get(path, **query, **{self._limit: _PAGE}, page=page)
            found = found.get(within) if within and isinstance(found, dict) else found
            if not isinstance(found, list):
                raise ServiceError(f"{self._host} answered {path} with something that is no list")
            for item in found:
                yield convert(item, kind, what, *keys)
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
    ) -> Any:
        """Send a request; only with `again` may it be sent twice when it is unclear whether the first one arrived."""
        address = f"{self._api}{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")
        return self._repeat(lambda: self._ask(method, address, body), again=again)

    def download(self, path: str, into: IO[bytes], limit: int) -> str:
        """Write into a file what the API points to, and return its SHA-256; the token stays with the API."""

        def fetch() -> str:
            into.seek(0)
            into.truncate()
            # The address is signed and short-lived: another try needs another one.
            return self._fetch(self._resolve_download(path), into, limit)

        return self._repeat(fetch, again=True)

    def _repeat(self, task: Callable[[], _T], *, again: bool) -> _T:
        for attempt in range(1, _TRIES + 1):
            try:
                return task()
            except LaterError as error:
                if error.wait > min(_MAX_WAIT, self._deadline.left()) or attempt == _TRIES:
                    hint = f"it asks to wait {error.wait:.0f} s"
                    raise ServiceError(f"{self._host} refuses requests for now ({error.said})", hint=hint) from error
                self._sleep(error.wait)
            except UncertainError:
                wait = 2.0 ** (attempt - 1)
                if not again or attempt == _TRIES or wait > self._deadline.left():
                    raise
                self._sleep(wait)
        raise AssertionError("the last try returns or raises")

    @property
    def _host(self) -> str:
        return urllib.parse.urlsplit(self._api).netloc.rpartition("@")[2]

    @functools.cached_property
    def _tls(self) -> ssl.SSLContext:
        # Python's own, as git and curl do: the system's certificates, or SSL_CERT_FILE and SSL_CERT_DIR.
        return ssl.create_default_context()

    def _ask(self, method: str, address: str, body: Mapping[str, object] | None) -> Any:
        data = bytearray()

        def take(chunk: bytes) -> None:
            data.extend(chunk)
            if len(data) > _MAX_BYTES:
                raise UncertainError(f"{self._host} sent more than {_MAX_BYTES:,} bytes")

        answer = self._exchange(method, address, take, body)
        if answer.refused:
            raise self._refuse(answer, f"{method} {urllib.parse.urlsplit(address).path}")
        return self._parse(bytes(data))

    def _exchange(
        self, method: str, address: str, take: Callable[[bytes], None], body: Mapping[str, object] | None = None
    ) -> RawAnswer:
        """Send a request with the token to the API."""
        headers = {**_HEADERS, "Accept": "application/json", self._header[0]: self._header[1]}
        if body is not None:
            headers["Content-Type"] = "application/json"
        content = None if body is None else json.dumps(body).encode()
        return self._run(self._host, Outgoing(method, address, headers, content), self._seconds, take)

    def _run(self, host: str, outgoing: Outgoing, seconds: float, take: Callable[[bytes], None]) -> RawAnswer:
        """Send a request for at most so many seconds, and not beyond the end of the run."""
        left = self._deadline.left()
        if left <= 0:
            hint = "run it again: what is done already is found and kept"
            raise ServiceError(f"the time of the run is used up; {self._host} is not asked", hint=hint)
        try:
            return exchange(outgoing, self._tls, min(seconds, left), take)
        except OSError as error:
            # These messages have neither the address nor headers, but may have a proxy's.
            raise UncertainError(f"no answer from {host}: {redact(str(error))[:_MAX_SAID]}") from None

    def _resolve_download(self, path: str) -> str:
        """Ask the API for a download address; it contains a signature and must not be shown."""

        def refuse(_: bytes = b"") -> None:
            raise UncertainError(f"{self._host} does not say where {path} lies")

        answer = self._exchange("GET", f"{self._api}{path}", refuse)
        if not answer.refused:
            refuse()
        if answer.status != 302:
            raise self._refuse(answer, f"GET {path}")
        target = answer.headers.get("Location", "")
        if not _is_fetchable(target, local=urllib.parse.urlsplit(self._api).hostname in _LOOPBACK):
            raise UnsafeError(f"{self._host} says that {path} lies at an address that is not fetched from")
        return target

    def _fetch(self, target: str, into: IO[bytes], limit: int) -> str:
        """Download an address into a file, without the token and without following redirects."""
        host = urllib.parse.urlsplit(target).hostname or ""
        digest, left = hashlib.sha256(), limit

        def take(chunk: bytes) -> None:
            nonlocal left
            left -= len(chunk)
            if left < 0:
                raise UnsafeError(f"more than {limit} bytes from {host}")
            digest.update(chunk)
            into.write(chunk)

        answer = self._run(host, Outgoing("GET", target, _HEADERS), _DOWNLOAD_SECONDS, take)
        if answer.refused:
            raise UncertainError(f"{host}: {answer.status}")
        return digest.hexdigest()

    def _parse(self, data: bytes) -> Any:
        if not data:
            return None
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise UncertainError(f"{self._host} sent something that is no JSON") from None

    def _refuse(self, answer: RawAnswer, what: str) -> Exception:
        return read_refusal(answer, f"{self._host}: {what}", self._header[1].rpartition(" ")[2])


def _is_fetchable(target: str, *, local: bool) -> bool:
    """Whether something may be fetched from an address that an answer points to."""
    try:
        parts = urllib.parse.urlsplit(target)
        # An invalid port raises.
        named = bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        return False
    safe = parts.scheme == "https" or (local and parts.scheme == "http" and parts.hostname in _LOOPBACK)
    return named and safe and target.isascii() and target.isprintable()


def quote(text: str) -> str:
    """Return text as one part of a path: slashes, too, are encoded."""
    return urllib.parse.quote(text, safe="")
