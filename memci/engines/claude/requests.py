"""The request of a call: the same phase and material give the same bytes up to the last block."""

import hashlib
import json
import re
from typing import Any, Literal

from memci.engines.claude.calls import Phase, Prompt
from memci.engines.claude.check_reply import strip_schema

# The keyword arguments of the SDK.
Params = dict[str, Any]


def build_request(
    phase: Phase, prompt: Prompt, *, max_tokens: int | None = None, life: Literal["5m", "1h"] = "5m"
) -> Params:
    """Return the parameters of a call; the first cache breakpoint is for all scopes, the second for repairs."""
    cache: dict[str, object] = {"type": "ephemeral"} if life == "5m" else {"type": "ephemeral", "ttl": life}
    config: dict[str, object] = {"format": {"type": "json_schema", "schema": strip_schema(phase.schema)}}
    if phase.effort is not None:
        config["effort"] = phase.effort
    # The service rejects empty text blocks.
    blocks = [_block(prompt.material, cache)] if prompt.material else []
    blocks.append(_block(prompt.last or "Go on.", None))
    params: Params = {
        "model": phase.model,
        "max_tokens": phase.max_tokens if max_tokens is None else max_tokens,
        "messages": [{"role": "user", "content": blocks}],
        "output_config": config,
    }
    if prompt.system:
        params["system"] = [_block(prompt.system, cache)]
    return params


def measure(params: Params) -> int:
    """Return the bytes of a request: no text has more tokens than bytes."""
    return len(json.dumps(params, ensure_ascii=False).encode("utf-8"))


def prefix_digest(params: Params) -> str:
    """Return a digest of everything the cache is keyed on."""
    messages = params["messages"]
    key = {
        **{name: params.get(name) for name in ("model", "output_config", "system")},
        "first": messages[0]["content"][:-1],
    }
    return _digest(key)


def make_custom_id(phase: Phase, params: Params) -> str:
    """Name a request of a batch by its content, so that a rerun recognises it."""
    # The service allows 64 of [a-zA-Z0-9_-].
    return f"{re.sub('[^a-zA-Z0-9_-]', '_', phase.name)[:20]}-{_digest(params)[:40]}"


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _block(text: str, cache: dict[str, object] | None) -> dict[str, object]:
    # A lone surrogate cannot be sent at all.
    block: dict[str, object] = {"type": "text", "text": text.encode("utf-8", "replace").decode("utf-8")}
    return block if cache is None else {**block, "cache_control": cache}
