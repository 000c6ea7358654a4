"""Forges that answer with something else than they document: an error of the service, never a bug of memci."""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from memci.errors import ServiceError
from memci.forge.detect import Address, Forge, make_forge
from memci.forge.pull_requests import Draft, PullState

ODD = [[{}], [None], [3], ["x"], {"number": "x"}, [{"head": {"ref": 3, "repo": None}}], None, "text", 7]


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def _handle(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            data = json.dumps(answers[0]).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = do_PUT = _handle  # noqa: N815 -- names of http.server

    answers: list[object] = [None]
    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.answers = answers  # type: ignore[attr-defined]  # for the tests to change
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("kind", ["github", "gitea", "gitlab"])
def test_odd_answers_are_errors_of_the_service(server: HTTPServer, kind: str) -> None:
    address = Address(f"http://127.0.0.1:{server.server_address[1]}", "acme/shop")
    forge: Forge = make_forge(kind, address, {"MEMCI_TOKEN": "t"}, sleep=lambda _: None)
    draft = Draft("t", "b", "main", "memci/dream")
    for answer in ODD:
        server.answers[0] = answer  # type: ignore[attr-defined]  # see the fixture
        with pytest.raises(ServiceError):
            forge.create_pull(draft)
        with contextlib.suppress(ServiceError):
            assert forge.list_pulls("memci/dream", PullState.OPEN) == []
