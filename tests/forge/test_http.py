"""The client against a server that misbehaves: it waits as asked, but not for ever, and tells nobody the token."""

import email.utils
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from memci.errors import ServiceError, UnsafeError
from memci.forge.http import Client, quote
from memci.forge.values import DeniedError, ExistsError, ForgeError, UncertainError

SECRET = "t" * 40
Reply = tuple[int, dict[str, str], bytes] | str


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
        status, headers, body = reply
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PATCH = _handle  # noqa: N815 -- names of http.server


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


@pytest.fixture
def client(server: _Server, waits: list[float]) -> Client:
    address = f"http://127.0.0.1:{server.server_address[1]}/api"
    return Client(address, ("Authorization", f"Bearer {SECRET}"), seconds=0.5, sleep=waits.append)


def reply(status: int, value: Any = None, **headers: str) -> Reply:
    names = {key.replace("_", "-"): text for key, text in headers.items()}
    return status, names, json.dumps({"message": "no"} if value is None else value).encode()


def test_what_is_asked_is_answered(client: Client, server: _Server, waits: list[float]) -> None:
    server.replies = [reply(200, {"a": 1})]
    assert client.get("/x", state="open", head="o:memci/dream").value == {"a": 1}
    ((method, path, headers),) = server.seen
    assert (method, path) == ("GET", "/api/x?state=open&head=o%3Amemci%2Fdream")
    assert headers["Authorization"] == f"Bearer {SECRET}"
    assert waits == []


def test_an_empty_answer_is_none(client: Client, server: _Server) -> None:
    server.replies = [(204, {}, b"")]
    assert client.send("POST", "/x", {}).value is None


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
    (reply(429, Retry_After=email.utils.formatdate(0)), 0.0),
    (reply(403, X_RateLimit_Remaining="0", X_RateLimit_Reset="100"), 0.0),
]


@pytest.mark.parametrize(("answer", "wait"), LATER)
def test_a_limit_is_kept_to_even_by_what_may_not_be_done_twice(
    client: Client, server: _Server, waits: list[float], answer: Reply, wait: float
) -> None:
    server.replies = [answer, reply(201, {})]
    assert client.send("POST", "/x", {}, again=False).status == 201
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
    client: Client, server: _Server, waits: list[float], answer: Reply
) -> None:
    server.replies = [answer, answer]
    assert client.get("/x").value == []
    assert waits == [1.0, 2.0]
    server.seen.clear()
    server.replies = [answer]
    with pytest.raises(UncertainError):
        client.send("POST", "/x", {}, again=False)
    assert len(server.seen) == 1


@pytest.mark.parametrize("body", [b"<html>", b"[" * 100_000, b"\xff"])
def test_an_answer_that_is_no_json_is_no_answer(client: Client, server: _Server, body: bytes) -> None:
    server.replies = [(200, {}, body)] * 4
    with pytest.raises(UncertainError):
        client.get("/x")


def test_pages_are_counted_here_and_links_are_not_followed(client: Client, server: _Server) -> None:
    server.replies = [reply(200, list(range(50)), Link='<http://127.0.0.1:1/next>; rel="next"'), reply(200, [50])]
    assert list(client.pages("/x", state="open")) == list(range(51))
    assert [path for _, path, _ in server.seen] == [f"/api/x?state=open&per_page=50&page={page}" for page in (1, 2)]


def test_endless_pages_end(client: Client, server: _Server) -> None:
    server.replies = [reply(200, [0] * 50)] * 60
    assert len(list(client.pages("/x"))) == 2_500


def test_a_list_that_is_none_is_an_error(client: Client, server: _Server) -> None:
    server.replies = [reply(200, {"message": "x"})]
    with pytest.raises(ServiceError, match="no list"):
        list(client.pages("/x"))


def test_no_error_holds_the_token(client: Client, server: _Server) -> None:
    server.replies = [reply(422, {"message": f"bad token {SECRET}\n::set-env"})]
    with pytest.raises(ForgeError) as caught:
        client.get("/x")
    assert SECRET not in caught.value.message + repr(caught.value.__cause__) + repr(caught.value.__context__)


def test_slashes_in_names_are_encoded() -> None:
    assert quote("memci/dream #1") == "memci%2Fdream%20%231"
