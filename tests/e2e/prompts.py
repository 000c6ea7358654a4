"""A Messages API on loopback that keeps the prompts it is sent and notes whatever else it is asked for."""

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "no-real-key"


@dataclass
class Recorder:
    """What a client has sent."""

    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    # Anything but a well-formed message; a request to another host comes here as to its proxy.
    surprises: list[str] = field(default_factory=list)
    # Calls of tools that the model makes before it says that it is done: name and input.
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    @property
    def prompt(self) -> str:
        """The system prompt of the only conversation."""
        [body] = [body for body in self.bodies if body.get("tools")]
        return "\n\n".join(block["text"] for block in body["system"])


@contextlib.contextmanager
def record_prompts(*calls: tuple[str, dict[str, Any]]) -> Iterator[Recorder]:
    """Serve until the block ends; it fails if anything was asked for that is no message."""
    recorder = Recorder(calls=[*calls])
    with ThreadingHTTPServer(("127.0.0.1", 0), type("_Handler", (_Handler,), {"recorder": recorder})) as server:
        server.daemon_threads = True
        recorder.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield recorder
        finally:
            server.shutdown()
            thread.join()
    assert not recorder.surprises, recorder.surprises


class _Handler(BaseHTTPRequestHandler):
    recorder: Recorder

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        # The client asks for `/` to see whether anybody is there.
        if self.path != "/":
            self._refuse("no such place")
        else:
            self._reply(b"", "text/plain")

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path.partition("?")[0] != "/v1/messages":
            self._refuse("no such place")
        elif self.headers.get("x-api-key") != KEY or "authorization" in self.headers:
            self._refuse("credentials of somebody else")
        else:
            body = json.loads(content)
            self.recorder.bodies.append(body)
            call = self.recorder.calls.pop(0) if self.recorder.calls and body.get("tools") else None
            self._reply(_call(body["model"], *call) if call else _say_done(body["model"]), "text/event-stream")

    def do_GET(self) -> None:
        self._refuse("no such place")

    def do_CONNECT(self) -> None:
        self._refuse("another host")

    def _refuse(self, why: str) -> None:
        self.recorder.surprises.append(f"{self.command} {self.path}: {why}")
        self._reply(b"", "text/plain", status=404)

    def _reply(self, content: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _say_done(model: str) -> bytes:
    """Return the stream of an answer of one word."""
    return _stream(model, {"type": "text", "text": ""}, {"type": "text_delta", "text": "Done."}, "end_turn")


def _call(model: str, name: str, values: dict[str, Any]) -> bytes:
    """Return the stream of an answer that calls a tool."""
    block = {"type": "tool_use", "id": "toolu_1", "name": name, "input": {}}
    return _stream(model, block, {"type": "input_json_delta", "partial_json": json.dumps(values)}, "tool_use")


def _stream(model: str, block: dict[str, Any], delta: dict[str, Any], reason: str) -> bytes:
    usage = {"input_tokens": 1, "output_tokens": 1}
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": [], "usage": usage}
    events: tuple[dict[str, object], ...] = (
        {"type": "message_start", "message": start | {"stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    )
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()
