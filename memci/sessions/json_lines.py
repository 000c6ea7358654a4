"""Splits a stream of bytes into lines and records. Only line feeds end lines; JSON strings may contain others."""

import io
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

_BLANKS = " \t\r\n"
# The bracket that opens the array is skipped as a separator, too; a nested array would not be a record anyway.
_BETWEEN = _BLANKS + ",[\ufeff"
_CHUNK = 1 << 20
# The execution file of a job has some megabytes; an array is read whole.
_MAX_ARRAY = 256 << 20

if TYPE_CHECKING:
    # Only type checkers know this class with a parameter.
    File = io.BufferedReader[Any]
else:
    File = io.BufferedReader


class Stream(Protocol):
    """A source of lines: a file, a member of a bundle, a blob."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes."""
        ...

    def readline(self, size: int, /) -> bytes:
        """Return up to `size` bytes, at most one line."""
        ...

    def peek(self, size: int, /) -> bytes:
        """Return about `size` bytes without consuming them."""
        ...


class BrokenRecordError(ValueError):
    """A line, or an element of an array, that is not JSON."""


def _build_object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    # The last of two equal keys would win, and could change the role that an earlier reader saw.
    if len(result) != len(pairs):
        raise BrokenRecordError("a key stands there twice")
    return result


# Raw control characters in strings are no reason to lose a record.
_LENIENT = json.JSONDecoder(strict=False)
_EXACT = json.JSONDecoder(object_pairs_hook=_build_object, strict=False)


def decode_line(line: bytes, decoder: json.JSONDecoder = _LENIENT) -> list[object]:
    """Return the values on a line: concurrent writers may leave two on one."""
    text = line.decode("utf-8", "replace").removeprefix("\ufeff").strip(_BLANKS)
    values = []
    at = 0
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            values.append(value)
            while at < len(text) and text[at] in _BLANKS:
                at += 1
    except (ValueError, RecursionError) as error:
        raise BrokenRecordError(str(error)) from error
    return values


def decode_lines(lines: Iterable[bytes | int]) -> Iterator[object]:
    """Yield the values on lines; of a line that is too long, broken or with a duplicate key, only the error."""
    for line in lines:
        try:
            yield from [BrokenRecordError("too long")] if isinstance(line, int) else decode_line(line, _EXACT)
        except BrokenRecordError as error:
            yield error


def decode_exactly(line: bytes) -> tuple[list[object], bool]:
    """Return the values on a line, and whether no object has a duplicate key."""
    try:
        return decode_line(line, _EXACT), True
    except BrokenRecordError:
        return decode_line(line), False


def decode_quietly(line: bytes) -> list[dict[str, object]]:
    """Return the records on a line that is counted elsewhere; a broken line has none."""
    try:
        return [value for value in decode_line(line) if isinstance(value, dict)]
    except BrokenRecordError:
        return []


def read_lines(stream: Stream, size: int, limit: int) -> Iterator[bytes | int]:
    """Yield the lines within the first `size` bytes; of one longer than `limit`, only its size."""
    left = size
    readline = stream.readline
    while left > 0 and (line := readline(limit)):
        left -= len(line)
        if left < 0:
            line = line[:left]
        if len(line) < limit or line.endswith(b"\n"):
            yield line
            continue
        rest = skip_line(stream, left)
        left -= rest
        yield len(line) + rest


def skip_line(stream: Stream, left: int) -> int:
    """Skip to the end of the line, at most `left` bytes, and return the distance."""
    total = 0
    line = b"-"
    while total < left and line and not line.endswith(b"\n"):
        line = stream.readline(min(_CHUNK, left - total))
        total += len(line)
    return total


def read_array(stream: Stream, size: int) -> Iterator[object]:
    """Yield the elements of one JSON array; a broken one as its error."""
    data = bytearray()
    # A stream may return less than it is asked for.
    while (left := min(size, _MAX_ARRAY + 1) - len(data)) > 0 and (piece := stream.read(left)):
        data += piece
    if len(data) > _MAX_ARRAY:
        yield BrokenRecordError(f"an array of more than {_MAX_ARRAY} bytes")
        return
    text = data.decode("utf-8", "replace")
    at = 0
    while True:
        while at < len(text) and text[at] in _BETWEEN:
            at += 1
        if text.startswith("]", at):
            if text[at + 1 :].strip(_BLANKS):
                yield BrokenRecordError("something stands behind the array")
            return
        value, at = _decode_element(text, at)
        yield value
        if at < 0:
            return


def _decode_element(text: str, at: int) -> tuple[object, int]:
    """Return a value, or its error, and its end; -1 if it has none."""
    try:
        try:
            return _EXACT.raw_decode(text, at)
        except BrokenRecordError as error:
            return error, _LENIENT.raw_decode(text, at)[1]
    except (ValueError, RecursionError):
        return BrokenRecordError("the array has no end"), -1
