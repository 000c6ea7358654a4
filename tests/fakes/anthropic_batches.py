"""Message Batches: handed in, polled, read, cancelled, deleted; as strict as the service about the order of that."""

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.fakes import anthropic_rules

if TYPE_CHECKING:
    from tests.fakes.anthropic_api import FakeApi, _Handler


@dataclass
class Batch:
    name: str
    requests: list[dict[str, Any]]
    polls: int = 0
    cancelled: bool = False
    results: list[str] | None = None


@dataclass
class Batches:
    # How often a batch is asked for until it has ended.
    ends_after: int = 2
    # What happens to the request at a place: "errored", "overloaded", "expired", "maxtok", "broken".
    fates: dict[int, str] = field(default_factory=dict)
    # What handing in meets next: "500", "hour" (wait that long), "lost" (made, but nobody hears of it), "html".
    create_modes: list[str] = field(default_factory=list)
    # Whether asking for a batch is refused for an hour.
    busy: bool = False
    # How many requests are done when a batch is cancelled.
    done_at_cancel: int = 0
    results_at: str = ""
    created_at: str = "2026-11-16T12:00:00Z"
    all: dict[str, Batch] = field(default_factory=dict)
    deleted: list[str] = field(default_factory=list)

    def serve(self, handler: "_Handler", api: "FakeApi", path: str, body: bytes) -> None:
        if path == "" and handler.command == "POST":
            return self._create(handler, api, json.loads(body))
        if path == "" and handler.command == "GET":
            data = [self._show(batch, api) for batch in reversed(self.all.values())]
            return handler.json({"data": data, "has_more": False, "first_id": None, "last_id": None})
        name, _, verb = path.strip("/").partition("/")
        batch = self.all.get(name)
        if batch is None:
            return handler.error(404, "not_found_error", "no such batch")
        return self._act(handler, api, batch, verb)

    def _act(self, handler: "_Handler", api: "FakeApi", batch: Batch, verb: str) -> None:
        match handler.command, verb:
            case "GET", "" if self.busy:
                handler.error(429, "rate_limit_error", "no", retry_after="3600")
            case "GET", "":
                batch.polls += 1
                if batch.results is None and (batch.cancelled or batch.polls >= self.ends_after):
                    batch.results = self._finish(batch, api)
                handler.json(self._show(batch, api))
            case "GET", "results" if batch.results is not None:
                assert handler.headers["accept"] == "application/binary"
                handler.raw("\n".join(batch.results).encode() + b"\n", "application/x-jsonl")
            case "POST", "cancel" if batch.results is None:
                batch.cancelled = True
                handler.json(self._show(batch, api))
            case "DELETE", "" if batch.results is not None:
                del self.all[batch.name]
                self.deleted.append(batch.name)
                handler.json({"id": batch.name, "type": "message_batch_deleted"})
            case _:
                handler.error(400, "invalid_request_error", "not in this state")

    def _create(self, handler: "_Handler", api: "FakeApi", body: dict[str, Any]) -> None:
        names = [request.get("custom_id") for request in body["requests"]]
        if not names or len(set(names)) != len(names):
            return handler.error(400, "invalid_request_error", "custom_id: must be unique")
        if not all(isinstance(name, str) and re.fullmatch("[a-zA-Z0-9_-]{1,64}", name) for name in names):
            return handler.error(400, "invalid_request_error", "custom_id: wrong form")
        mode = self.create_modes.pop(0) if self.create_modes else "ok"
        if mode in {"500", "hour"}:
            later = {"retry_after": "3600"} if mode == "hour" else {}
            return handler.error(
                429 if later else 500, "rate_limit_error" if later else "api_error", "no", None, **later
            )
        if mode == "html":
            return handler.raw(b"<html>", "text/html")
        batch = Batch(f"msgbatch_{len(self.all) + len(self.deleted) + 1}", body["requests"])
        self.all[batch.name] = batch
        if mode == "lost":
            return handler.reset()
        return handler.json(self._show(batch, api))

    def _finish(self, batch: Batch, api: "FakeApi") -> list[str]:
        lines = [
            json.dumps({"custom_id": request["custom_id"], "result": self._result(batch, at, request["params"], api)})
            if self.fates.get(at) != "broken"
            else '{"custom_id": "x", '
            for at, request in enumerate(batch.requests)
        ]
        # Results come in any order.
        return lines[::-1]

    def _result(self, batch: Batch, at: int, params: dict[str, Any], api: "FakeApi") -> dict[str, Any]:
        if batch.cancelled and at >= self.done_at_cancel:
            return {"type": "canceled"}
        fate = self.fates.get(at, "ok")
        if "stream" in params or "speed" in params or anthropic_rules.find_refusal(params) or fate == "errored":
            return _errored("invalid_request_error")
        match fate:
            case "overloaded":
                return _errored("overloaded_error")
            case "expired":
                return {"type": "expired"}
            case "maxtok":
                return {
                    "type": "succeeded",
                    "message": {**api.message(params, batch=True), "stop_reason": "max_tokens"},
                }
        return {"type": "succeeded", "message": api.message(params, batch=True)}

    def _show(self, batch: Batch, api: "FakeApi") -> dict[str, Any]:
        ended = batch.results is not None
        running = "canceling" if batch.cancelled else "in_progress"
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        counts["succeeded" if ended else "processing"] = len(batch.requests)
        return {
            "id": batch.name,
            "type": "message_batch",
            "processing_status": "ended" if ended else running,
            "created_at": self.created_at,
            "expires_at": "2026-11-17T12:00:00Z",
            "ended_at": self.created_at if ended else None,
            "archived_at": None,
            "cancel_initiated_at": None,
            "results_url": f"{self.results_at or api.url}/v1/messages/batches/{batch.name}/results" if ended else None,
            "request_counts": counts,
        }


def _errored(kind: str) -> dict[str, Any]:
    error = {"type": "error", "error": {"type": kind, "message": "no"}, "request_id": "req_1"}
    return {"type": "errored", "error": error}
