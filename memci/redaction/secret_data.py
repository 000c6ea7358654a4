"""Reads secret_rules.toml, finds runs of characters that may be Base64 or a token, and decodes Base64."""

import base64
import binascii
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any


@functools.cache
def secret_data() -> dict[str, Any]:
    """Return the whole file; it is read once."""
    import tomllib

    return tomllib.loads(Path(__file__).with_name("secret_rules.toml").read_text("utf-8"))


@functools.cache
def word_list(name: str) -> tuple[str, ...]:
    """Return a list of the table `words`."""
    return tuple(secret_data()["words"][name].split())


def alternatives(name: str) -> str:
    """Return a list of the table `words` as alternatives of a pattern."""
    return "|".join(word_list(name))


# The shortest Base64 run that can contain a secret with its context; the shortest token is an AWS access key.
_MIN_BASE64, _MIN_DENSE = 24, 20


def _table(signs: str) -> bytes:
    return bytes(ord("b" if code < 128 and (chr(code).isalnum() or chr(code) in signs) else " ") for code in range(256))


_BASE64 = _table("+/_-")
_DENSE = _table("+/_-.=~:%@")


def decode_base64(value: str) -> str:
    """Return the text that a Base64 value encodes, or "" if it encodes none."""
    standard = value.rstrip("=").replace("-", "+").replace("_", "/") if value.isascii() else ""
    try:
        text = base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""
    return text if text.isascii() or text.isprintable() else ""


def match_base64(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of runs that may be Base64, padding included."""
    for start, end in _runs(text, _BASE64, _MIN_BASE64):
        padding = text[end : end + 2]
        yield start, end + len(padding) - len(padding.lstrip("="))


def match_dense(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of runs without blanks and quotes that are long enough for a token."""
    return _runs(text, _DENSE, _MIN_DENSE)


def _runs(text: str, table: bytes, shortest: int) -> Iterator[tuple[int, int]]:
    """Yield runs of characters that the table maps to `b`. This is much faster than a pattern."""
    shape = text.encode("ascii", "replace").translate(table)
    start = shape.find(b"b" * shortest)
    while start >= 0:
        end = shape.find(b" ", start)
        end = len(shape) if end < 0 else end
        yield start, end
        start = shape.find(b"b" * shortest, end)
