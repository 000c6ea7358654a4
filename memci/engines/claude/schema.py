"""JSON schemas of replies: the part that the service accepts, and strict validation."""

import json
import re
from collections.abc import Mapping
from typing import Any

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
