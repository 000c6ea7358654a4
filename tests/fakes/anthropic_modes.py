"""What can happen to a message: each mode is one thing that the service, or something in between, may do."""

import gzip
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.fakes.anthropic_api import FakeApi, _Handler

Mode = Callable[["_Handler", "FakeApi", dict[str, Any]], None]
HTML = b"<html><body>Sign in to the corporate network</body></html>"


def stream(handler: "_Handler", message: dict[str, Any], *, until: str = "message_stop") -> None:
    """Send a message as events, as far as `until`."""
    handler.begin_stream()
    for name, data in make_events(message):
        if name == until == "message_delta":
            break
        handler.event(name, data)
        if name == until:
            break
    handler.end_stream()


def make_events(message: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the events of a message."""
    usage = message["usage"]
    start = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    events: list[tuple[str, dict[str, Any]]] = [("message_start", {"message": start}), ("ping", {})]
    for index, block in enumerate(message["content"]):
        empty = {**block, **{name: "" for name in ("text", "thinking", "signature") if name in block}}
        events.append(("content_block_start", {"index": index, "content_block": empty}))
        text = block.get("text", "")
        size = max(7, len(text) // 100)
        events += [
            ("content_block_delta", {"index": index, "delta": {"type": "text_delta", "text": text[at : at + size]}})
            for at in range(0, len(text), size)
        ]
        if "signature" in block:
            delta = {"type": "signature_delta", "signature": block["signature"]}
            events.append(("content_block_delta", {"index": index, "delta": delta}))
        events.append(("content_block_stop", {"index": index}))
    delta = {name: message[name] for name in ("stop_reason", "stop_sequence", "stop_details")}
    events.append(("message_delta", {"delta": delta, "usage": {"output_tokens": usage["output_tokens"]}}))
    events.append(("message_stop", {}))
    return [(name, {"type": name, **data}) for name, data in events]


def _changed(**changes: object) -> Mode:
    def mode(handler: "_Handler", api: "FakeApi", params: dict[str, Any]) -> None:
        stream(handler, {**api.message(params), **changes})

    return mode


def _said(*texts: str) -> Mode:
    return _changed(content=[{"type": "text", "text": text} for text in texts])


def _failed(status: int, kind: str, message: str = "no", details: object = None, **headers: str) -> Mode:
    return lambda handler, _api, _params: handler.error(status, kind, message, details, **headers)


def _raw(body: bytes, kind: str, status: int = 200) -> Mode:
    return lambda handler, _api, _params: handler.raw(body, kind, status)


def _events(*events: tuple[str, object]) -> Mode:
    def mode(handler: "_Handler", _api: "FakeApi", _params: dict[str, Any]) -> None:
        handler.begin_stream()
        for name, data in events:
            handler.event(name, data)
        handler.end_stream()

    return mode


def _start(handler: "_Handler", api: "FakeApi", params: dict[str, Any], **changes: object) -> None:
    handler.begin_stream()
    message = {**api.message(params), "content": [], "stop_reason": None, **changes}
    handler.event("message_start", {"type": "message_start", "message": message})


def _error_event(handler: "_Handler", api: "FakeApi", params: dict[str, Any]) -> None:
    _start(handler, api, params)
    handler.event("error", {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
    handler.end_stream()


def _no_content(handler: "_Handler", api: "FakeApi", params: dict[str, Any]) -> None:
    _start(handler, api, params, content=None)
    handler.event("message_delta", {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}})
    handler.event("message_stop", {"type": "message_stop"})
    handler.end_stream()


def _cut_body(handler: "_Handler", api: "FakeApi", params: dict[str, Any]) -> None:
    _start(handler, api, params)
    # No last chunk: the body ends before it is complete.
    handler.wfile.write(b"40\r\nevent: content_")
    handler.close_connection = True


def _drip(handler: "_Handler", api: "FakeApi", params: dict[str, Any]) -> None:
    _start(handler, api, params)
    try:
        while not api.stopping.wait(0.01):
            # Within one event, so that only who watches the clock notices.
            handler.chunk(b"x")
    except OSError:
        api.hung_up.set()
        raise


def _drip_head(handler: "_Handler", api: "FakeApi", _params: dict[str, Any]) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nx-slow: ")
    try:
        while not api.stopping.wait(0.01):
            handler.wfile.write(b"x")
            handler.wfile.flush()
    except OSError:
        api.hung_up.set()
        raise


def _hang(handler: "_Handler", api: "FakeApi", _params: dict[str, Any]) -> None:
    api.stopping.wait()
    handler.close_connection = True


def _redirect(handler: "_Handler", _api: "FakeApi", _params: dict[str, Any]) -> None:
    handler.raw(b"", "text/plain", 307, location="http://127.0.0.2:9/v1/messages")


_USAGE = {"input_tokens": 1, "output_tokens": 1}
_WRONG = {"type": "message", "content": "text", "stop_reason": ["end_turn"], "usage": _USAGE}

MODES: dict[str, Mode] = {
    "ok": lambda handler, api, params: stream(handler, api.message(params)),
    "429": _failed(429, "rate_limit_error"),
    "429-wait-1": _failed(429, "rate_limit_error", retry_after="1"),
    "429-wait-3600": _failed(429, "rate_limit_error", retry_after="3600"),
    "429-wait-ms": _failed(429, "rate_limit_error", retry_after_ms="1500"),
    "429-wait-date": _failed(429, "rate_limit_error", retry_after="Wed, 21 Oct 2026 07:28:00 GMT"),
    "429-spend": _failed(429, "rate_limit_error", details={"error_code": "enforced_spend_limit_reached"}),
    "529": _failed(529, "overloaded_error"),
    "529-final": _failed(529, "overloaded_error", x_should_retry="false"),
    "500": _failed(500, "api_error"),
    "500-html": _raw(HTML, "text/html", 500),
    "503": _failed(503, "api_error"),
    "504": _failed(504, "timeout_error"),
    "408": _failed(408, "timeout_error"),
    "409": _failed(409, "conflict_error"),
    "400": _failed(400, "invalid_request_error", "messages: \x1b[31mwrong\n::error::x"),
    "400-long": _failed(400, "invalid_request_error", "prompt is too long: 1000123 tokens > 1000000 maximum"),
    "400-retry": _failed(400, "invalid_request_error", x_should_retry="true"),
    "401": lambda handler, api, _: handler.error(401, "authentication_error", f"invalid key {api.key}"),
    "402": _failed(402, "billing_error"),
    "403": lambda handler, api, _: handler.error(403, "permission_error", f"not for {api.key}"),
    "404": _failed(404, "not_found_error", "model: claude-x"),
    "413": _failed(413, "request_too_large"),
    "422": lambda handler, api, _: handler.error(422, "invalid_request_error", f"key {api.key} is odd"),
    "200-html": _raw(HTML, "text/html"),
    "200-gzip": lambda handler, _api, _params: handler.raw(
        gzip.compress(HTML), "text/event-stream", content_encoding="gzip"
    ),
    "200-badjson": _raw(b'{"type": "mess', "application/json"),
    "200-empty": _raw(b"", "application/json"),
    "200-array": _raw(b"[]", "application/json"),
    "200-message-json": lambda handler, api, params: handler.json(api.message(params)),
    "200-nocontent-json": _raw(json.dumps({"type": "message", "content": None}).encode(), "application/json"),
    "200-wrongtypes-json": _raw(json.dumps(_WRONG).encode(), "application/json"),
    "200-errorbody": _failed(200, "api_error"),
    "200-html-as-events": _raw(HTML, "text/event-stream"),
    "200-empty-events": _raw(b"", "text/event-stream"),
    "200-badjson-event": _events(("message_start", '{"type": "mess')),
    "200-array-event": _events(("message_start", "[]"), ("message_stop", "[]")),
    "200-text-first": _events(("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": "{}"}})),
    "200-nocontent": _no_content,
    "200-wrongtypes": _events(
        ("message_start", {"message": {**_WRONG, "usage": _USAGE}}),
        ("message_delta", {"delta": {"stop_reason": ["end_turn"]}, "usage": {"output_tokens": 1}}),
        ("message_stop", {}),
    ),
    "200-wrong-message": _events(("message_start", {"message": "hello"}), ("message_stop", {})),
    "200-no-usage": _changed(usage={"input_tokens": "many", "output_tokens": 3}),
    "200-negative-usage": _changed(usage={"input_tokens": -5, "output_tokens": 3}),
    "200-error-event": _error_event,
    "200-cut-events": lambda handler, api, params: stream(handler, api.message(params), until="content_block_stop"),
    "200-no-stop-reason": _changed(stop_reason=None),
    "200-trunc": _cut_body,
    "200-maxtok": _changed(stop_reason="max_tokens", content=[{"type": "text", "text": '{"ok": tr'}]),
    "200-maxtok-whole": _changed(stop_reason="max_tokens"),
    "200-refusal": _changed(stop_reason="refusal", stop_details={"type": "refusal", "category": "cyber"}, content=[]),
    "200-refusal-odd": _changed(stop_reason="refusal", stop_details={"type": "refusal", "category": "a\n::b"}),
    "200-context": _changed(stop_reason="model_context_window_exceeded"),
    "200-pause": _changed(stop_reason="pause_turn"),
    "200-unknown-stop": _changed(stop_reason="tired\n::warning::"),
    "200-tool-use": _changed(
        content=[
            {"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "id"}},
            {"type": "text", "text": '{"ok": true}'},
        ]
    ),
    "200-two-texts": _said('{"ok": true}', '{"ok": true}'),
    "200-no-text": _changed(content=[]),
    "200-prose": _said("Sure! Here you are: {}"),
    "200-schema": _said('{"ok": "yes"}'),
    "200-extra-key": _said('{"ok": true, "shell": "id"}'),
    "200-twice": _said('{"ok": false, "ok": true}'),
    "200-nan": _said('{"ok": true, "n": NaN}'),
    "200-deep": _said("[" * 100_000),
    "200-surrogate": _said('{"ok": true, "files": ["\\ud800"]}'),
    "200-5-mb": _said(json.dumps({"ok": True, "files": ["x" * 5_000_000]})),
    "200-long-file": _said(json.dumps({"ok": True, "files": ["x" * 20_000]})),
    "200-500-files": _said(json.dumps({"ok": True, "files": ["x"] * 500})),
    "hang": _hang,
    "slowdrip": _drip,
    "slowdrip-head": _drip_head,
    "rst": lambda handler, _api, _params: handler.reset(),
    "redirect": _redirect,
}  # fmt: skip
