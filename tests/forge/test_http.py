"""The client against a server that misbehaves: it waits as asked, but not for ever, and tells nobody the token."""

import contextlib
import email.utils
import gc
import gzip
import hashlib
import io
import json
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from memci.deadline import Deadline
from memci.errors import ServiceError, UnsafeError
from memci.forge.http import Client, quote
from memci.forge.pull_requests import DeniedError, ExistsError, ForgeError, UncertainError

SECRET = "t" * 40
# Between two bytes; a tenth of the time that `hasty` has.
PAUSE = 0.05


@dataclass(frozen=True)
class Drip:
    """An answer of which the second part comes byte by byte; whole only after a multiple of the time of `hasty`."""

    at_once: bytes
    slowly: bytes


Reply = tuple[int, dict[str, str], bytes] | Drip | str


class _Server(ThreadingHTTPServer):
    replies: list[Reply]
    seen: list[tuple[str, str, dict[str, str]]]
    daemon_threads = True


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def log_message(self, *_: object) -> None:
        pass

    def _handle(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append((self.command, self.path, dict(self.headers.items())))
        reply = self.server.replies.pop(0) if self.server.replies else (200, {}, b"[]")
        if isinstance(reply, str):
            time.sleep(0.6 if reply == "slow" else 0)
            return
        if isinstance(reply, Drip):
            self._drip(reply)
            return
        status, headers, body = reply
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)

    def _drip(self, reply: "Drip") -> None:
        """Send the rest byte by byte; longer than the client has time, but never silent as long as that."""
        self.wfile.write(reply.at_once)
        with contextlib.suppress(ConnectionError):
            for at in range(len(reply.slowly)):
                time.sleep(PAUSE)
                self.wfile.write(reply.slowly[at : at + 1])

    do_GET = do_POST = do_PATCH = do_CONNECT = _handle  # noqa: N815 -- names of http.server


@pytest.fixture
def server() -> Iterator[_Server]:
    server = _Server(("127.0.0.1", 0), _Handler)
    server.replies, server.seen = [], []
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def waits() -> list[float]:
    return []


def make_client(server: _Server, waits: list[float], seconds: float) -> Client:
    address = f"http://127.0.0.1:{server.server_address[1]}/api"
    return Client(address, ("Authorization", f"Bearer {SECRET}"), seconds=seconds, sleep=waits.append)


@pytest.fixture
def client(server: _Server, waits: list[float]) -> Client:
    return make_client(server, waits, 30.0)


@pytest.fixture
def hasty(server: _Server, waits: list[float]) -> Client:
    """Return a client that has half a second for a request."""
    return make_client(server, waits, 0.5)


def reply(status: int, value: Any = None, **headers: str) -> Reply:
    names = {key.replace("_", "-"): text for key, text in headers.items()}
    return status, names, json.dumps({"message": "no"} if value is None else value).encode()


def test_what_is_asked_is_answered(client: Client, server: _Server, waits: list[float]) -> None:
    server.replies = [reply(200, {"a": 1})]
    assert client.get("/x", state="open", head="o:memci/dream") == {"a": 1}
    ((method, path, headers),) = server.seen
    assert (method, path) == ("GET", "/api/x?state=open&head=o%3Amemci%2Fdream")
    assert headers["Authorization"] == f"Bearer {SECRET}"
    assert waits == []


def test_an_empty_answer_is_none(client: Client, server: _Server) -> None:
    server.replies = [(204, {}, b"")]
    assert client.send("POST", "/x", {}) is None


@pytest.mark.parametrize("api", ["http://forge.example/api", "ftp://forge.example", "file:///etc", "", "forge.example"])
def test_the_token_is_sent_over_an_encrypted_line_only(api: str) -> None:
    with pytest.raises(UnsafeError):
        Client(api, ("Authorization", SECRET))


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (reply(401), ForgeError),
        (reply(403), DeniedError),
        (reply(404), DeniedError),
        (reply(409), ExistsError),
        (reply(422, {"message": "Validation Failed", "errors": [{"message": "x already exists for y"}]}), ExistsError),
        (reply(422), ForgeError),
        (reply(422, ["a list"]), ForgeError),
        (reply(302, Location="http://127.0.0.1:1/"), ForgeError),
        (reply(307, Location="/elsewhere"), ForgeError),
        (reply(308, Location="https://[::1/"), ForgeError),
    ],
)
def test_a_refusal_is_not_repeated(client: Client, server: _Server, answer: Reply, kind: type[Exception]) -> None:
    server.replies = [answer]
    with pytest.raises(kind) as caught:
        client.send("POST", "/x", {})
    assert type(caught.value) is kind
    assert len(server.seen) == 1


LATER = [
    (reply(429, Retry_After="7"), 7.0),
    (reply(403, Retry_After="60"), 60.0),
    (reply(503, Retry_After="2"), 2.0),
    (reply(429), 1.0),
    (reply(429, Retry_After="soon"), 1.0),
    (reply(429, Retry_After=email.utils.formatdate(0)), 1.0),
    (reply(403, X_RateLimit_Remaining="0", X_RateLimit_Reset="100"), 0.0),
]


@pytest.mark.parametrize(("answer", "wait"), LATER)
def test_a_limit_is_kept_to_even_by_what_may_not_be_done_twice(
    client: Client, server: _Server, waits: list[float], answer: Reply, wait: float
) -> None:
    server.replies = [answer, reply(201, {})]
    assert client.send("POST", "/x", {}, again=False) == {}
    assert waits == [wait]


def test_nobody_waits_for_an_hour_or_for_ever(client: Client, server: _Server, waits: list[float]) -> None:
    server.replies = [reply(429, Retry_After="3600")]
    with pytest.raises(ServiceError, match="refuses requests for now"):
        client.get("/x")
    assert waits == []
    server.replies = [reply(429, Retry_After="1")] * 10
    with pytest.raises(ServiceError):
        client.get("/x")
    assert waits == [1.0] * 3


@pytest.mark.parametrize("answer", [reply(500), reply(502), reply(503), reply(504), reply(408), "drop", "slow"])
def test_what_may_be_repeated_is_and_what_may_not_is_not(
    hasty: Client, server: _Server, waits: list[float], answer: Reply
) -> None:
    server.replies = [answer, answer]
    assert hasty.get("/x") == []
    assert waits == [1.0, 2.0]
    server.seen.clear()
    server.replies = [answer]
    with pytest.raises(UncertainError):
        hasty.send("POST", "/x", {}, again=False)
    assert len(server.seen) == 1


@pytest.mark.parametrize("body", [b"<html>", b"[" * 100_000, b"\xff"])
def test_an_answer_that_is_no_json_is_no_answer(client: Client, server: _Server, body: bytes) -> None:
    server.replies = [(200, {}, body)] * 4
    with pytest.raises(UncertainError):
        client.get("/x")


def test_pages_are_counted_here_and_links_are_not_followed(client: Client, server: _Server) -> None:
    server.replies = [reply(200, list(range(50)), Link='<http://127.0.0.1:1/next>; rel="next"'), reply(200, [50])]
    assert list(client.list("/x", int, "numbers", state="open")) == list(range(51))
    assert [path for _, path, _ in server.seen] == [f"/api/x?state=open&per_page=50&page={page}" for page in (1, 2)]


def test_endless_pages_end(client: Client, server: _Server) -> None:
    server.replies = [reply(200, [0] * 50)] * 60
    assert len(list(client.list("/x", int, "numbers"))) == 2_500


def test_a_list_that_is_none_is_an_error(client: Client, server: _Server) -> None:
    server.replies = [reply(200, {"message": "x"})]
    with pytest.raises(ServiceError, match="no list"):
        list(client.list("/x", int, "numbers"))


def test_no_error_holds_the_token(client: Client, server: _Server) -> None:
    server.replies = [reply(422, {"message": f"bad token {SECRET}\n::set-env"})]
    with pytest.raises(ForgeError) as caught:
        client.get("/x")
    assert SECRET not in caught.value.message + repr(caught.value.__cause__) + repr(caught.value.__context__)


def test_no_error_holds_the_token_of_a_status_line(client: Client, server: _Server) -> None:
    server.replies = [Drip(f"HTTP/1.1 401 no user for {SECRET}\r\nContent-Length: 0\r\n\r\n".encode(), b"")]
    with pytest.raises(ForgeError) as caught:
        client.get("/x")
    assert caught.value.message.endswith("401 no user for ***")


def test_an_answer_that_is_too_large_is_named_as_such(client: Client, server: _Server) -> None:
    server.replies = [(200, {}, b" " * (32 << 20) + b"[]")]
    with pytest.raises(UncertainError, match="more than 33,554,432 bytes"):
        client.send("POST", "/x", {}, again=False)


# Each takes three seconds to arrive whole, and `hasty` has half a second.
PADDING = b" " * 58
DRIPS = {
    "status line": Drip(b"", b"HTTP/1.1 200 " + b"O" * 50 + b"\r\nContent-Length: 2\r\n\r\n[]"),
    "header": Drip(b"HTTP/1.1 200 OK\r\n", b"X-Slow: " + b"x" * 50 + b"\r\nContent-Length: 2\r\n\r\n[]"),
    "body": Drip(b"HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n", PADDING + b"[]"),
    "body until it is closed": Drip(b"HTTP/1.0 200 OK\r\n\r\n", PADDING + b"[]"),
    "chunks": Drip(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n" * 12 + b"2\r\n[]\r\n0\r\n\r\n"
    ),
    "interim answers": Drip(
        b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 3 + b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"
    ),
}


@pytest.mark.parametrize("where", DRIPS)
def test_an_answer_that_drips_is_no_answer(hasty: Client, server: _Server, where: str) -> None:
    server.replies = [DRIPS[where]]
    with pytest.raises(UncertainError, match=r"no answer from 127\.0\.0\.1"):
        hasty.send("POST", "/x", {}, again=False)


def test_a_refusal_whose_reason_drips_is_still_one(hasty: Client, server: _Server) -> None:
    body = b'{"message": "' + b"x" * 60 + b'"}'
    server.replies = [Drip(b"HTTP/1.1 401 Nope\r\nContent-Length: %d\r\n\r\n" % len(body), body)]
    with pytest.raises(ForgeError, match="401 Nope"):
        hasty.get("/x")


def test_where_a_download_lies_must_not_drip_either(hasty: Client, server: _Server) -> None:
    location = f"Location: http://127.0.0.1:{server.server_address[1]}/x?{'y' * 60}\r\n\r\n".encode()
    server.replies = [Drip(b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n", location)] * 4
    with pytest.raises(UncertainError, match=r"no answer from 127\.0\.0\.1"):
        hasty.download("/zip", io.BytesIO(), 100)


@pytest.fixture
def dripping() -> Iterator[int]:
    """Return the port of something that accepts connections, and answers whatever it is sent byte by byte."""

    def answer() -> None:
        connection, _ = listening.accept()
        with connection, contextlib.suppress(OSError):
            secure = connection.recv(1 << 16).startswith(b"\x16")
            # The head of a long record for those who speak TLS, a status line for the others.
            head = b"\x16\x03\x03\x40\x00" if secure else b"HTTP/1.1 200 "
            for at in range(60):
                time.sleep(PAUSE)
                connection.send(head.ljust(60, b"x")[at : at + 1])

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield listening.getsockname()[1]
        thread.join()


def test_a_handshake_must_not_drip(dripping: int) -> None:
    client = Client(f"https://127.0.0.1:{dripping}", ("Authorization", SECRET), seconds=0.5)
    with pytest.raises(UncertainError, match="timed out"):
        client.send("POST", "/x", {}, again=False)
    # A socket that was left open warns, and warnings are errors.
    gc.collect()


def test_a_proxy_must_not_drip(dripping: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{dripping}")
    client = Client("https://forge.example", ("Authorization", SECRET), seconds=0.5)
    with pytest.raises(UncertainError, match="timed out"):
        client.send("POST", "/x", {}, again=False)


def test_a_name_lookup_must_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    found = threading.Event()

    def look_up(*_: object, **__: object) -> None:
        found.wait(20)
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    client = Client("https://forge.example", ("Authorization", SECRET), seconds=0.2)
    with pytest.raises(UncertainError, match=r"no answer from forge\.example: timed out"):
        client.send("POST", "/x", {}, again=False)
    found.set()


def test_what_the_system_says_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(UncertainError, match=r"^no answer from 127\.0\.0\.1:\d+: \[Errno \d+\] Connection refused$"):
        Client(f"http://127.0.0.1:{port}", ("Authorization", SECRET)).send("POST", "/x", {}, again=False)

    def look_up(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(
        UncertainError, match=r"^no answer from forge\.example: \[Errno -2\] Name or service not known$"
    ):
        Client("https://forge.example", ("Authorization", SECRET)).send("POST", "/x", {}, again=False)


@pytest.mark.parametrize("head", [b"Content-Length: 3", b"Transfer-Encoding: chunked"])
def test_an_answer_that_is_cut_off_is_no_answer(client: Client, server: _Server, head: bytes) -> None:
    server.replies = [Drip(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n" + b"2\r\n"[: 4 * (b"T" in head)] + b"[]", b"")]
    with pytest.raises(UncertainError, match=r"no answer from 127\.0\.0\.1"):
        client.send("POST", "/x", {}, again=False)


def test_compression_is_not_asked_for_and_not_undone(client: Client, server: _Server) -> None:
    server.replies = [(200, {"Content-Encoding": "gzip"}, gzip.compress(b"[" + b" " * (1 << 20) + b"]"))]
    with pytest.raises(UncertainError, match="no JSON"):
        client.send("POST", "/x", {}, again=False)
    assert server.seen[0][2]["Accept-Encoding"] == "identity"


def test_a_proxy_is_not_told_the_token(server: _Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", f"user:word@127.0.0.1:{server.server_address[1]}")
    monkeypatch.setenv("no_proxy", "other.example")
    server.replies = [reply(403)]
    with pytest.raises(
        UncertainError, match=r"^no answer from forge\.example: Tunnel connection failed: 403 Forbidden$"
    ):
        Client("https://forge.example", ("Authorization", SECRET)).send("POST", "/x", {}, again=False)
    ((method, path, headers),) = server.seen
    assert (method, path) == ("CONNECT", "forge.example:443")
    assert headers["Proxy-Authorization"].startswith("Basic ")
    assert SECRET not in str(headers)


def test_a_host_that_needs_no_proxy_is_asked_directly(
    client: Client, server: _Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "forge.example, 127.0.0.1")
    # Not a variable of urllib, so it never counted.
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1")
    assert client.get("/x") == []
    assert len(server.seen) == 1


def test_a_proxy_of_another_kind_is_an_error_of_the_service(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with pytest.raises(UncertainError, match="the proxy for http is of a kind that is not supported"):
        client.send("POST", "/x", {}, again=False)


@pytest.fixture
def secure(server: _Server, tmp_path: Path) -> tuple[Client, Path]:
    """Return a client for the server behind TLS, and the certificate that it signed itself."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    name = ["-subj", "/CN=forge", "-addext", "subjectAltName=IP:127.0.0.1"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(["openssl", "req", "-x509", *kind, *name, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    return Client(f"https://127.0.0.1:{server.server_address[1]}", ("Authorization", SECRET)), certificate


def test_a_certificate_counts_if_the_user_trusts_it(
    secure: tuple[Client, Path], server: _Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, certificate = secure
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert client.get("/x") == []
    assert len(server.seen) == 1


def test_a_certificate_that_nobody_trusts_is_refused(
    secure: tuple[Client, Path], server: _Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with pytest.raises(UncertainError, match="CERTIFICATE_VERIFY_FAILED"):
        secure[0].send("POST", "/x", {}, again=False)
    assert server.seen == []


def test_a_download_goes_where_the_api_points_without_the_token(client: Client, server: _Server) -> None:
    target = f"http://127.0.0.1:{server.server_address[1]}/elsewhere"
    server.replies = [(302, {"Location": target}, b""), (200, {}, b"zip")]
    into = io.BytesIO()
    assert client.download("/zip", into, 100) == hashlib.sha256(b"zip").hexdigest()
    assert into.getvalue() == b"zip"
    assert [("Authorization" in headers) for _, _, headers in server.seen] == [True, False]


def test_a_body_larger_than_the_buffers_arrives_whole(client: Client, server: _Server) -> None:
    server.replies = [reply(201, {})]
    assert client.send("POST", "/x", {"content": "y" * 3_000_000}) == {}
    assert server.seen[0][2]["Content-Length"] == "3000015"


class _Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> _Clock:
    return _Clock()


@pytest.fixture
def hurried(server: _Server, clock: _Clock) -> Client:
    """Return a client whose run has 100 seconds."""
    address = f"http://127.0.0.1:{server.server_address[1]}/api"
    deadline = Deadline(100.0, lambda: clock.now)
    return Client(address, ("Authorization", SECRET), seconds=30.0, deadline=deadline, sleep=clock.sleep)


def test_no_request_is_sent_after_the_end_of_the_run(hurried: Client, server: _Server, clock: _Clock) -> None:
    assert hurried.get("/x") == []
    clock.now = 100.0
    with pytest.raises(ServiceError, match="the time of the run is used up"):
        hurried.get("/x")
    assert len(server.seen) == 1


@pytest.mark.parametrize(("answer", "slept"), [(reply(429, Retry_After="50"), 50.0), (reply(500), 0.0)])
def test_nobody_waits_past_the_end_of_the_run(
    hurried: Client, server: _Server, clock: _Clock, answer: Reply, slept: float
) -> None:
    server.replies = [answer] * 4
    clock.now = 49.0 if slept else 99.5
    before = clock.now
    with pytest.raises(ServiceError):
        hurried.get("/x")
    assert clock.now == before + slept
    assert len(server.seen) == (2 if slept else 1)


def test_slashes_in_names_are_encoded() -> None:
    assert quote("memci/dream #1") == "memci%2Fdream%20%231"
