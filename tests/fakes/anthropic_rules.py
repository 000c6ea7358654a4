"""What the Messages API refuses, and how it counts; written from its documentation, stricter where that is unclear."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

VERSION = "2026-10-21"
CONTEXT = {
    "claude-haiku-5-5": 1_000_000,
    "claude-sonnet-5-5": 1_000_000,
    "claude-opus-5-5": 1_000_000,
    "claude-fable-5-2": 1_000_000,
    # A small one of this fake's own, to have prompts that are too long.
    "claude-tiny-1": 4_000,
}
MAX_OUTPUT = 128_000
_ALWAYS_THINKING = {"claude-opus-5-5", "claude-fable-5-2"}
_KNOWN = {
    "model", "max_tokens", "messages", "system", "output_config", "stream", "thinking", "tools", "tool_choice",
    "metadata", "stop_sequences", "service_tier", "cache_control", "inference_geo", "speed",
}  # fmt: skip
_SAMPLING = {"temperature", "top_p", "top_k"}
_SCHEMA_KEYS = {
    "type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "allOf", "description",
    "title", "pattern", "format", "minItems", "$ref", "$defs", "default",
}  # fmt: skip

Refusal = tuple[int, str, str]


def find_refusal(params: Any, *, counting: bool = False) -> Refusal | None:
    """Return the status, type and message with which a request is refused."""
    try:
        _check(params, counting=counting)
    except _RefusedError as refused:
        return refused.status, refused.kind, str(refused)
    return None


class _RefusedError(Exception):
    def __init__(self, message: str, status: int = 400, kind: str = "invalid_request_error") -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind


def _check(params: Any, *, counting: bool) -> None:
    if not isinstance(params, dict):
        raise _RefusedError("body: expected an object")
    for name in params:
        if name in _SAMPLING:
            raise _RefusedError(f"{name}: sampling parameters are not supported")
        if name not in _KNOWN:
            raise _RefusedError(f"{name}: extra inputs are not permitted")
    if not isinstance(params.get("model"), str):
        raise _RefusedError("model: field required")
    if params["model"] not in CONTEXT:
        raise _RefusedError(f"model: {params['model']}", 404, "not_found_error")
    if not counting:
        _check_room(params)
    _check_tools(params)
    _check_thinking(params)
    _check_messages(params.get("messages"))
    _check_blocks(params)
    _check_output(params.get("output_config", {}))
    tokens = count_tokens(params)
    if not counting and tokens > CONTEXT[params["model"]]:
        raise _RefusedError(f"prompt is too long: {tokens} tokens > {CONTEXT[params['model']]} maximum")


def _check_room(params: dict[str, Any]) -> None:
    room = params.get("max_tokens")
    if not isinstance(room, int) or isinstance(room, bool) or not 1 <= room <= MAX_OUTPUT:
        raise _RefusedError("max_tokens: not in range")


def _check_tools(params: dict[str, Any]) -> None:
    if params.get("tool_choice", {}).get("type") in {"any", "tool"}:
        raise _RefusedError("tool_choice: forced tool use is not supported by this model")


def _check_thinking(params: dict[str, Any]) -> None:
    thinking = params.get("thinking")
    if thinking is None:
        return
    kind = thinking.get("type")
    if kind not in {"adaptive", "enabled", "disabled", "between_tools"}:
        raise _RefusedError("thinking.type: unknown")
    if kind == "disabled" and params["model"] in _ALWAYS_THINKING:
        raise _RefusedError("thinking: cannot be disabled for this model")
    if kind == "enabled" and not 1024 <= thinking.get("budget_tokens", 0) < params.get("max_tokens", 0):
        raise _RefusedError("thinking.budget_tokens: not in range")


def _check_messages(messages: Any) -> None:
    if not isinstance(messages, list) or not messages:
        raise _RefusedError("messages: at least one message is required")
    if messages[0].get("role") != "user":
        raise _RefusedError("messages: first message must use the user role")
    if messages[-1].get("role") == "assistant":
        raise _RefusedError("messages: prefilling assistant messages is not supported")
    if any(
        message.get("role") not in {"user", "assistant"} or set(message) != {"role", "content"} for message in messages
    ):
        raise _RefusedError("messages: wrong shape")


def _check_blocks(params: dict[str, Any]) -> None:
    lives = []
    for block in iterate_blocks(params):
        if set(block) - {"type", "text", "cache_control"} or block.get("type") != "text":
            raise _RefusedError("content: only text blocks are known here")
        if not block.get("text"):
            raise _RefusedError("text content blocks must be non-empty")
        if (cache := block.get("cache_control")) is not None:
            if cache.get("type") != "ephemeral" or cache.get("ttl", "5m") not in {"5m", "1h"}:
                raise _RefusedError("cache_control: wrong")
            lives.append(cache.get("ttl", "5m"))
    if len(lives) > 4:
        raise _RefusedError("a maximum of 4 blocks with cache_control may be provided")
    if lives != sorted(lives):
        raise _RefusedError("cache_control: a 1h breakpoint must not come after a 5m breakpoint")


def _check_output(config: dict[str, Any]) -> None:
    if set(config) - {"effort", "format"}:
        raise _RefusedError("output_config: extra inputs are not permitted")
    if config.get("effort", "low") not in {"low", "medium", "high", "xhigh", "max"}:
        raise _RefusedError("output_config.effort: unknown")
    if (form := config.get("format")) is not None:
        if set(form) != {"type", "schema"} or form["type"] != "json_schema":
            raise _RefusedError("output_config.format: wrong shape")
        _check_schema(form["schema"])
        parts = list(_iterate_schemas(form["schema"]))
        if sum(len(set(part.get("properties", {})) - set(part.get("required", []))) for part in parts) > 24:
            raise _RefusedError("output_config.format.schema: too many optional parameters")
        if sum("anyOf" in part or isinstance(part.get("type"), list) for part in parts) > 16:
            raise _RefusedError("output_config.format.schema: too many parameters with union types")


def _iterate_schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    children = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    if "items" in schema:
        children.append(schema["items"])
    for child in children:
        yield from _iterate_schemas(child)


def _check_schema(schema: dict[str, Any]) -> None:
    for part in _iterate_schemas(schema):
        if extra := set(part) - _SCHEMA_KEYS:
            raise _RefusedError(f"output_config.format.schema: {min(extra)} is not supported")
        if part.get("type") == "object" and part.get("additionalProperties") is not False:
            raise _RefusedError("output_config.format.schema: additionalProperties must be false")
        if part.get("minItems", 0) not in {0, 1}:
            raise _RefusedError("output_config.format.schema: minItems must be 0 or 1")
        if re.search(r"\(\?|\\b", part.get("pattern", "")):
            raise _RefusedError("output_config.format.schema: pattern is not supported")


def iterate_blocks(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the text blocks of a request in the order the model reads them."""
    for content in (params.get("system", []), *(message["content"] for message in params["messages"])):
        yield from [{"type": "text", "text": content}] if isinstance(content, str) else content


def count_text(text: str) -> int:
    """Return the tokens of a text in this fake's tokenizer."""
    return -(-len(text.encode()) // 4)


def count_tokens(params: dict[str, Any]) -> int:
    """Return the input tokens of a request: its texts, its schema, and a little around them."""
    return 10 + _count_head(params) + sum(count_text(block["text"]) for block in iterate_blocks(params))


def _count_head(params: dict[str, Any]) -> int:
    return count_text(json.dumps(params.get("output_config", {})))


def find_prefixes(params: dict[str, Any]) -> list[tuple[str, int, str]]:
    """Return digest, tokens and life of the prefix up to each breakpoint."""
    digest = hashlib.sha256(json.dumps([params["model"], params.get("output_config"), params.get("thinking")]).encode())
    tokens, found = 10 + _count_head(params), []
    for block in iterate_blocks(params):
        digest.update(json.dumps(block["text"]).encode())
        tokens += count_text(block["text"])
        if (cache := block.get("cache_control")) is not None:
            found.append((digest.hexdigest(), tokens, cache.get("ttl", "5m")))
    return found
