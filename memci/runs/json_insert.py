"""Adds a value to a JSON text and leaves every other character of it alone."""

import json
from collections.abc import Iterator, Sequence

from memci.patterns import LazyPattern

_BLANKS = LazyPattern(r"[ \t\r\n]*")
_INDENT = LazyPattern(r"\n([ \t]{1,16})\"")


def insert_value(text: str, path: Sequence[str], value: object) -> str:
    """Append `value` to the array at `path`, making the objects and the array that are missing on the way.

    Raise ValueError if the path leads through anything but objects to an array, or a key occurs twice.
    """
    found = _INDENT.search(text)
    indent = found[1] if found else "  "
    at = _skip(text, 0)
    for depth, key in enumerate(path):
        members = dict(_parse_members(text, at))
        if key not in members:
            rest: object = [value]
            for inner in reversed(path[depth + 1 :]):
                rest = {inner: rest}
            return _append(text, at, f"{json.dumps(key)}: ", rest, (indent, depth))
        at = members[key]
    if text[at : at + 1] != "[":
        raise ValueError(f"{'.'.join(path)} is no array")
    return _append(text, at, "", value, (indent, len(path)))


def _parse_members(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the keys of an object and where their values begin."""
    if text[at : at + 1] != "{":
        raise ValueError("not an object")
    decoder = json.JSONDecoder()
    seen: set[str] = set()
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        key, at = decoder.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        if key in seen:
            raise ValueError(f"{key} stands there twice")
        seen.add(key)
        yield key, at
        at = _skip(text, decoder.raw_decode(text, at)[1])
        at = _skip(text, at + 1) if text[at : at + 1] == "," else at


def _append(text: str, at: int, key: str, value: object, style: tuple[str, int]) -> str:
    """Append a value to the object or array that begins at `at`."""
    indent, depth = style
    content, end = json.JSONDecoder().raw_decode(text, at)
    last = end - 1
    while text[last - 1] in " \t\r\n":
        last -= 1
    newline = "\r\n" if "\r\n" in text else "\n"
    margin = newline + indent * (depth + 1)
    shown = key + json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", margin)
    return f"{text[:last]}{',' if content else ''}{margin}{shown}{newline}{indent * depth}{text[end - 1 :]}"


def _skip(text: str, at: int) -> int:
    match = _BLANKS.match(text, at)
    return match.end() if match else at
