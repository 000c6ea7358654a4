"""The Messages API on loopback: streams, token counts, batches, a prompt cache, and every way to fail."""

import json
import re
import socket
import struct
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.fakes import anthropic_modes, anthropic_rules
from tests.fakes.anthropic_batches import Batches

_VERTEX = r"/projects/p1/locations/europe-west1/publishers/anthropic/models/(.+):streamRawPredict"
MAX_BODY = 32 * 1024 * 1024


@dataclass(frozen=True)
class Seen:
    """A request as it came over the wire."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def params(self) -> Any:
        return json.loads(self.body)


@dataclass
class FakeApi:
    """A server that answers like the service; `then` lines up what the next messages meet instead."""

    key: str
    # What the model says to a request.
    answer: Callable[[dict[str, Any]], object] = lambda _: {"ok": True}
    seen: list[Seen] = field(default_factory=list)
    # Requests that no documentation knows.
    surprises: list[str] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)
    # What every message meets when none is lined up.
    always: str = "ok"
    geo: str = "global"
    # Shorter prefixes are not cached.
    min_cached: int = 100
    cached: dict[str, int] = field(default_factory=dict)
    batches: Batches = field(default_factory=Batches)
    # Where the token exchange sends a federated identity, and what it gives for it.
    identities: dict[str, str] = field(default_factory=dict)
    stopping: threading.Event = field(default_factory=threading.Event)
    hung_up: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.api = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        if kind is None:
            assert self.surprises == []

    def then(self, *modes: str) -> None:
        self.modes.extend(modes)

    def posts(self, path: str = "/v1/messages") -> list[Seen]:
        return [seen for seen in self.seen if seen.method == "POST" and seen.path == path]

    def use(self, params: dict[str, Any], output: str, *, batch: bool = False) -> dict[str, Any]:
        """Return the usage of a message, and keep what it wrote to the cache."""
        total = anthropic_rules.count_tokens(params)
        prefixes = [prefix for prefix in anthropic_rules.find_prefixes(params) if prefix[1] >= self.min_cached]
        read = max((tokens for digest, tokens, _ in prefixes if digest in self.cached), default=0)
        top = max((tokens for _, tokens, _ in prefixes), default=0)
        hour = bool(prefixes) and prefixes[-1][2] == "1h"
        self.cached |= {digest: tokens for digest, tokens, _ in prefixes}
        written = max(top - read, 0)
        return {
            "input_tokens": total - read - written,
            "output_tokens": anthropic_rules.count_text(output) + 7,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": 0 if hour else written,
                "ephemeral_1h_input_tokens": written if hour else 0,
            },
            "output_tokens_details": {"thinking_tokens": 7},
            "server_tool_use": None,
            "service_tier": "batch" if batch else "standard",
            "inference_geo": self.geo,
            "speed": "standard",
        }

    def message(self, params: dict[str, Any], *, batch: bool = False) -> dict[str, Any]:
        """Return a whole message, as it should be."""
        text = json.dumps(self.answer(params))
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": params["model"],
            "container": None,
            "content": [{"type": "thinking", "thinking": "", "signature": "s"}, {"type": "text", "text": text}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "stop_details": None,
            "usage": self.use(params, text, batch=batch),
        }


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    api: FakeApi

    def handle_error(self, *_: object) -> None:
        """Leave clients alone that hang up; all else is a request this fake did not expect."""
        error = sys.exception()
        if not isinstance(error, OSError):
            self.api.surprises.append(repr(error))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        path, _, query = self.path.partition("?")
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.api.seen.append(Seen(self.command, path, headers, body))
        try:
            self._route(path, query, headers, body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _route(self, path: str, query: str, headers: dict[str, str], body: bytes) -> None:
        api = self.server.api
        match self.command, path:
            case "GET", "/github/token":
                self._github(query, headers)
            case "POST", "/v1/oauth/token":
                self._exchange(json.loads(body))
            case _ if refused := self._refuse(headers, body):
                self.error(*refused)
            case "POST", "/v1/messages":
                self._message(json.loads(body))
            case "POST", "/v1/messages/count_tokens":
                self._count(json.loads(body))
            case _ if path.startswith("/v1/messages/batches"):
                api.batches.serve(self, api, path.removeprefix("/v1/messages/batches"), body)
            case "POST", _ if model := re.fullmatch(_VERTEX, path):
                params = {**json.loads(body), "model": model[1]}
                assert params.pop("anthropic_version") == anthropic_rules.VERSION
                self._message(params)
            case _:
                api.surprises.append(f"{self.command} {self.path}")
                self.error(404, "not_found_error", "not found")

    def _refuse(self, headers: dict[str, str], body: bytes) -> anthropic_rules.Refusal | None:
        key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        if key not in {self.server.api.key, *self.server.api.identities.values()}:
            return 401, "authentication_error", f"invalid bearer token {key}"
        if "/projects/" not in self.path and headers.get("anthropic-version") != anthropic_rules.VERSION:
            return 400, "invalid_request_error", "anthropic-version: header is required"
        if self.command == "POST" and body and headers.get("content-type") != "application/json":
            return 400, "invalid_request_error", "content-type: must be application/json"
        if len(body) > MAX_BODY:
            return 413, "request_too_large", "request exceeds the maximum size"
        return None

    def _message(self, params: dict[str, Any]) -> None:
        api = self.server.api
        if refused := anthropic_rules.find_refusal(params):
            return self.error(*refused)
        mode = api.modes.pop(0) if api.modes else api.always
        anthropic_modes.MODES[mode](self, api, params)
        return None

    def _count(self, params: dict[str, Any]) -> None:
        if refused := anthropic_rules.find_refusal(params, counting=True):
            return self.error(*refused)
        return self.json({"input_tokens": anthropic_rules.count_tokens(params)})

    def _github(self, query: str, headers: dict[str, str]) -> None:
        assert headers["authorization"] == f"Bearer {self.server.api.key}"
        assert query == "api-version=2.0&audience=https%3A%2F%2Fapi.anthropic.com", query
        self.json({"value": next(iter(self.server.api.identities))})

    def _exchange(self, form: dict[str, str]) -> None:
        token = self.server.api.identities.get(form["assertion"])
        if token is None or form["federation_rule_id"] != "fdrl_1" or form["organization_id"] != "org-1":
            return self.json({"error": "invalid_grant", "error_description": form["assertion"]}, 401)
        return self.json({"access_token": token, "expires_in": 600, "token_type": "Bearer"})

    def error(self, status: int, kind: str, message: str, details: object = None, **headers: str) -> None:
        body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
        if details is not None:
            body["error"]["details"] = details  # type: ignore[index]  # a dict within a dict
        self.json(body, status, **headers)

    def json(self, value: object, status: int = 200, **headers: str) -> None:
        self.raw(json.dumps(value).encode(), "application/json", status, **headers)

    def raw(self, body: bytes, kind: str, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("request-id", "req_1")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.send_header("request-id", "req_1")
        self.end_headers()

    def chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def event(self, name: str, data: object) -> None:
        text = data if isinstance(data, str) else json.dumps(data)
        self.chunk(f"event: {name}\ndata: {text}\n\n".encode())

    def end_stream(self) -> None:
        self.chunk(b"")

    def reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()
