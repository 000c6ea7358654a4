"""HTTP with one deadline for the whole request: connecting, handshake, headers and body.

The timeout of a socket limits silence only, and a server that sends one byte every few seconds is never silent.
"""

import functools
import http.client
import io
import socket
import urllib.request
from typing import Any

from memci.deadline import Deadline, start_deadline

# A server that says nothing for this long is not coming back, however much time the request has.
_SILENCE = 30.0
# A body is sent in pieces of this size, so that the deadline is looked at in between.
_PIECE = 1 << 16


def make_opener() -> urllib.request.OpenerDirector:
    """Return what opens addresses of the web and follows no redirect; `timeout` is that of the whole request."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        _PlainHandler(),
        _SecureHandler(),
        urllib.request.UnknownHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


class _PlainHandler(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_PlainConnection, req)


class _SecureHandler(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_SecureConnection, req)


class _PlainConnection(http.client.HTTPConnection):
    def __init__(self, host: str, *, timeout: float = _SILENCE, **more: Any) -> None:
        super().__init__(host, timeout=timeout, **more)
        self._deadline = start_deadline(timeout)
        # Factories in place of a class and a function; http.client only calls them. A proxy's answer is read by the
        # first one, too.
        self.response_class = functools.partial(_Response, deadline=self._deadline)  # type: ignore[assignment]  # above
        self._create_connection = functools.partial(_connect, self._deadline)

    def send(self, data: Any) -> None:
        if self.sock is None:
            self.connect()
        for start in range(0, len(data), _PIECE):
            self.sock.settimeout(_find_timeout(self._deadline))
            super().send(data[start : start + _PIECE])


class _SecureConnection(_PlainConnection, http.client.HTTPSConnection):
    pass


class _Response(http.client.HTTPResponse):
    def __init__(self, sock: socket.socket, *positional: Any, deadline: Deadline, **named: Any) -> None:
        super().__init__(sock, *positional, **named)
        self.fp = io.BufferedReader(_Reader(self.fp.detach(), sock, deadline))


class _Reader(io.RawIOBase):
    """Reads from a socket, each time with what is left of the time."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, deadline: Deadline) -> None:
        self._raw = raw
        self._sock = sock
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._sock.settimeout(_find_timeout(self._deadline))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _connect(deadline: Deadline, address: tuple[str, int], *_: object) -> socket.socket:
    """Connect to the first of a host's addresses that answers; all of them share the time."""
    problem = OSError(f"no address of {address[0]}")
    for found in socket.getaddrinfo(*address, 0, socket.SOCK_STREAM):
        host, port, *_scope = found[4]
        try:
            sock = socket.create_connection((str(host), port), _find_timeout(deadline))
        except OSError as error:
            problem = error
        else:
            # A handshake may follow.
            sock.settimeout(_find_timeout(deadline))
            return sock
    raise problem


def _find_timeout(deadline: Deadline) -> float:
    left = deadline.left()
    if left <= 0:
        raise TimeoutError("the time for the request is used up")
    return min(left, _SILENCE)
