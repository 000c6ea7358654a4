"""Checks that a message is a complete reply that matches its schema, and classifies failures."""

import json
import re
from collections.abc import Mapping
from typing import Any

from memci.engines.claude.calls import Bill, Failure, Fault, Outcome, Phase, Reply, Usage

# Limits that the service does not accept in a schema; they are checked locally.
_OURS = frozenset({"maxLength", "maxItems"})
_STRUCTURE = frozenset({"type", "enum", "properties", "required", "additionalProperties", "items"})
# Larger than any reply within max_tokens.
MAX_TEXT = 4 * 1024 * 1024


class SchemaError(ValueError):
    """A value that violates its schema; names the place and the rule, never the value."""


def strip_schema(schema: Mapping[str, object]) -> dict[str, object]:
    """Return a schema without the limits that the service does not accept."""
    stripped: dict[str, object] = {}
    for key, value in schema.items():
        match key, value:
            case _ if key in _OURS:
                continue
            case "properties", dict():
                stripped[key] = {name: strip_schema(part) for name, part in value.items()}
            case "items", dict():
                stripped[key] = strip_schema(value)
            case _:
                stripped[key] = value
    return stripped


def parse_json(text: str) -> object:
    """Parse JSON strictly: no repeated keys, no NaN, no lone surrogates, bounded size and depth."""
    if len(text) > MAX_TEXT:
        raise SchemaError(f"more than {MAX_TEXT} characters")
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except SchemaError:
        raise
    except RecursionError:
        raise SchemaError("nested too deeply") from None
    except ValueError:
        # The decoder's message quotes the text.
        raise SchemaError("not valid JSON") from None
    return value


def check(value: object, schema: Mapping[str, Any], place: str = "reply") -> object:
    """Return the value with enums spelled as in the schema, or raise SchemaError."""
    if unknown := schema.keys() - _OURS - _STRUCTURE:
        raise AssertionError(f"schema keywords nobody checks: {sorted(unknown)}")
    # In Python, bool is a subclass of int.
    if type(value) is not _TYPES[schema["type"]]:
        raise SchemaError(f"{place} is not of type {schema['type']}")
    match value:
        case dict():
            return _check_object(value, schema, place)
        case list():
            _check_size(len(value), schema.get("maxItems"), place)
            return [check(item, schema["items"], f"{place}[{at}]") for at, item in enumerate(value)]
        case str():
            _check_size(len(value), schema.get("maxLength"), place)
            if re.search("[\ud800-\udfff]", value):
                raise SchemaError(f"{place} is not Unicode text")
            return _check_enum(value, schema["enum"], place) if "enum" in schema else value
    return value


_TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}


def _check_enum(value: str, allowed: list[str], place: str) -> str:
    for option in allowed:
        # The service does not guarantee the letter case of enums.
        if value.casefold() == option.casefold():
            return option
    raise SchemaError(f"{place} is not one of its {len(allowed)} values")


def _check_object(value: dict[str, object], schema: Mapping[str, Any], place: str) -> dict[str, object]:
    known: dict[str, Mapping[str, Any]] = schema["properties"]
    if extra := len(value.keys() - known.keys()):
        raise SchemaError(f"{place} has {extra} unknown keys")
    for name in schema["required"]:
        if name not in value:
            raise SchemaError(f"{place} lacks {name}")
    return {name: check(part, known[name], f"{place}.{name}") for name, part in value.items()}


def _check_size(size: int, most: int | None, place: str) -> None:
    if most is not None and size > most:
        raise SchemaError(f"{place} is longer than {most}")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        # A repeated key is ambiguous.
        raise SchemaError("a key is given twice")
    return value


def _refuse(_: str) -> object:
    raise SchemaError("not a finite number")


# Content blocks of thinking, which are not part of the reply.
_THINKING = frozenset({"thinking", "redacted_thinking"})


def judge(message: object, phase: Phase) -> tuple[Outcome, Bill | None]:
    """Check a whole message, streamed or from a batch; without a bill the message does not report its cost."""
    if not isinstance(message, dict) or message.get("type") != "message":
        return Fault("the reply is not a message", tries=2, charged=True), None
    bill = _read_bill(message.get("usage"))
    if bill is None:
        return Fault("the reply does not say what it used", tries=2, charged=True), None
    value = _judge_stop(message) or _read_value(message.get("content"), phase)
    if isinstance(value, dict):
        return Reply(value, bill.usage, clean_word(message.get("model"))), bill
    return value, bill


def _read_value(content: object, phase: Phase) -> dict[str, object] | Failure | Fault:
    if not isinstance(content, list) or not all(isinstance(block, dict) for block in content):
        return Fault("the content of the reply is not a list of blocks", tries=2)
    kinds = [block.get("type") for block in content]
    if foreign := sum(kind != "text" and kind not in _THINKING for kind in kinds):
        return Failure("api", f"the reply holds {foreign} blocks that are no text, though no tools were given")
    texts = [block.get("text") for block in content if block["type"] == "text"]
    if len(texts) != 1 or not isinstance(texts[0], str):
        return Fault(f"the reply has {len(texts)} text blocks, not one", tries=2)
    try:
        value = check(parse_json(texts[0]), phase.schema)
    except SchemaError as error:
        return Fault(f"the reply breaks its schema: {error}", tries=2)
    return value if isinstance(value, dict) else Fault("the reply is not an object", tries=2)


def _judge_stop(message: dict[str, object]) -> Failure | Fault | None:
    match message.get("stop_reason"):
        case "end_turn":
            return None
        case "max_tokens":
            return Failure("max_tokens", "the reply did not fit")
        case "model_context_window_exceeded":
            return Failure("context", "prompt and reply did not fit the model's window")
        case "refusal":
            details = message.get("stop_details")
            category = details.get("category") if isinstance(details, dict) else None
            return Failure("refusal", clean_word(category) if category else "no category given")
        case str(other):
            return Failure("api", f"the reply stopped for an unexpected reason ({clean_word(other)})")
        case _:
            return Fault("the reply does not say why it stopped", tries=2)


def _read_bill(usage: object) -> Bill | None:
    if not isinstance(usage, dict):
        return None
    counts = [usage.get(name) for name in ("input_tokens", "output_tokens")]
    # Absent or null without caching.
    counts += [usage.get(f"cache_{name}_input_tokens") or 0 for name in ("creation", "read")]
    by_life = usage.get("cache_creation")
    counts.append((by_life.get("ephemeral_1h_input_tokens") or 0) if isinstance(by_life, dict) else 0)
    numbers = [count for count in counts if isinstance(count, int) and not isinstance(count, bool) and count >= 0]
    if len(numbers) != len(counts):
        return None
    # Part of what was written, so never more than that.
    numbers[4] = min(numbers[4], numbers[2])
    return Bill(Usage(*numbers), usage.get("service_tier") == "batch", usage.get("inference_geo") == "us")


def clean_word(value: object) -> str:
    """Return an identifier from the service, if it is a plain string."""
    return re.sub(r"[^A-Za-z0-9_.:@/-]", "?", value)[:64] if isinstance(value, str) else "?"
