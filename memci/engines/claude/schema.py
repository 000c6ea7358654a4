"""The JSON schemas of replies: what may be sent of them, and whether a value keeps to one."""

import json
import math
import re
from collections.abc import Callable, Mapping

# Limits the service refuses in a schema; they are checked on this side alone.
_OURS = frozenset(
    {"minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "exclusiveMinimum", "exclusiveMaximum"}
)
_NOTES = frozenset({"title", "description"})
_STRUCTURE = frozenset(
    {"type", "enum", "const", "properties", "required", "additionalProperties", "items", "anyOf", "pattern"}
)
# A reply is text that a model wrote within max_tokens; more than this is something else.
MAX_TEXT = 4 * 1024 * 1024


class SchemaError(ValueError):
    """A value that breaks its schema; names the place and the rule, never the value."""


def strip_schema(schema: Mapping[str, object]) -> dict[str, object]:
    """Return a schema without the limits that the service would refuse."""
    stripped: dict[str, object] = {}
    for key, value in schema.items():
        match key, value:
            case _ if key in _OURS:
                continue
            case "properties", dict():
                stripped[key] = {name: strip_schema(part) for name, part in value.items()}
            case "items", dict():
                stripped[key] = strip_schema(value)
            case "anyOf", list():
                stripped[key] = [strip_schema(part) for part in value]
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


def check(value: object, schema: Mapping[str, object], place: str = "reply") -> object:
    """Return the value with enums spelled as in the schema, or raise SchemaError."""
    if unknown := schema.keys() - _OURS - _NOTES - _STRUCTURE:
        raise AssertionError(f"schema keywords nobody checks: {sorted(unknown)}")
    if isinstance(options := schema.get("anyOf"), list):
        return _check_any(value, options, place)
    _check_type(value, schema, place)
    if "enum" in schema or "const" in schema:
        enum = schema.get("enum")
        value = _check_enum(value, enum if isinstance(enum, list) else [schema.get("const")], place)
    match value:
        case dict():
            value = _check_object(value, schema, place)
        case list():
            value = _check_array(value, schema, place)
        case str():
            _check_text(value, schema, place)
        case int() | float():
            _check_number(value, schema, place)
    return value


def _check_array(value: list[object], schema: Mapping[str, object], place: str) -> list[object]:
    _check_size(len(value), schema, "Items", place)
    items = schema.get("items")
    if not isinstance(items, dict):
        return value
    return [check(item, items, f"{place}[{at}]") for at, item in enumerate(value)]


def _check_any(value: object, options: list[Mapping[str, object]], place: str) -> object:
    for option in options:
        try:
            return check(value, option, place)
        except SchemaError:
            continue
    raise SchemaError(f"{place} fits none of its {len(options)} forms")


_TYPES: dict[str, Callable[[object], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value),
}


def _check_type(value: object, schema: Mapping[str, object], place: str) -> None:
    wanted = schema.get("type", [])
    names = [wanted] if isinstance(wanted, str) else wanted
    if isinstance(names, list) and names and not any(_TYPES[name](value) for name in names):
        raise SchemaError(f"{place} is not of type {' or '.join(names)}")


def _check_enum(value: object, allowed: list[object], place: str) -> object:
    for option in allowed:
        # The service does not promise the letter case of enums.
        if value == option or (
            isinstance(value, str) and isinstance(option, str) and value.casefold() == option.casefold()
        ):
            return option
    raise SchemaError(f"{place} is not one of its {len(allowed)} values")


def _check_object(value: dict[str, object], schema: Mapping[str, object], place: str) -> dict[str, object]:
    properties = schema.get("properties")
    required = schema.get("required")
    known: dict[str, Mapping[str, object]] = properties if isinstance(properties, dict) else {}
    if extra := len(value.keys() - known.keys()):
        raise SchemaError(f"{place} has {extra} unknown keys")
    for name in required if isinstance(required, list) else []:
        if name not in value:
            raise SchemaError(f"{place} lacks {name}")
    return {name: check(part, known[name], f"{place}.{name}") for name, part in value.items()}


def _check_text(value: str, schema: Mapping[str, object], place: str) -> None:
    _check_size(len(value), schema, "Length", place)
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and not re.search(pattern, value):
        raise SchemaError(f"{place} does not have the form it must have")
    if re.search("[\ud800-\udfff]", value):
        raise SchemaError(f"{place} is not Unicode text")


def _check_size(size: int, schema: Mapping[str, object], of: str, place: str) -> None:
    least, most = schema.get(f"min{of}"), schema.get(f"max{of}")
    if isinstance(least, int) and size < least:
        raise SchemaError(f"{place} is shorter than {least}")
    if isinstance(most, int) and size > most:
        raise SchemaError(f"{place} is longer than {most}")


def _check_number(value: float, schema: Mapping[str, object], place: str) -> None:
    limits: tuple[tuple[str, Callable[[float], bool]], ...] = (
        ("minimum", lambda limit: value >= limit),
        ("maximum", lambda limit: value <= limit),
        ("exclusiveMinimum", lambda limit: value > limit),
        ("exclusiveMaximum", lambda limit: value < limit),
    )
    for keyword, holds in limits:
        limit = schema.get(keyword)
        if isinstance(limit, int | float) and not holds(limit):
            raise SchemaError(f"{place} breaks its {keyword} of {limit}")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        # Which of two values counts is the reader's guess; no schema asks for that.
        raise SchemaError("a key is given twice")
    return value


def _refuse(_: str) -> object:
    raise SchemaError("not a finite number")
