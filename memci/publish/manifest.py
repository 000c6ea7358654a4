"""Encodes the values of a plan as JSON, and decodes them from untrusted JSON."""

import dataclasses
import datetime as dt
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any, TypeVar

from memci.model.plan import Fate, Ledger, Operation, Refused

_T = TypeVar("_T")


def encode_value(value: object) -> Any:
    """Return a value of a plan as JSON: dataclasses are objects with all their fields, enums are strings already."""
    match value:
        case PurePosixPath():
            return str(value)
        case dt.datetime():
            if value.tzinfo is None:
                raise ValueError("a moment has no zone")
            # Raises if it is out of range in UTC, in which all dates are computed.
            value.astimezone(dt.UTC)
            return value.isoformat()
        case Mapping():
            return {str(key): encode_value(item) for key, item in value.items()}
        case tuple():
            return [encode_value(item) for item in value]
        case _ if dataclasses.is_dataclass(value):
            return {field.name: encode_value(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value


def decode_value(content: object, kind: type[_T]) -> _T:
    """Read a value of a plan; `read_bundle` makes sure that the JSON has nothing else in it."""
    import msgspec

    return msgspec.convert(content, kind, dec_hook=lambda path, text: path(text))


def decode_path(text: str, where: str) -> PurePosixPath:
    """Read a path below the root of a repository."""
    path = PurePosixPath(text)
    parts = {part.casefold() for part in path.parts}
    if str(path) != text or path.is_absolute() or {"..", ".", ".git"} & parts or not text.isprintable() or not parts:
        raise ValueError(f"{where} is no path that memci may write: {text[:100]!r}")
    return path


def encode_operation(operation: Operation, hash_text: Callable[[str], str]) -> dict[str, object]:
    """Return an operation as JSON; its texts are stored separately, by hash."""
    fields: dict[str, object] = encode_value(dataclasses.replace(operation, texts={}))
    del fields["texts"]
    texts = sorted(operation.texts.items())
    return {**fields, "texts": {str(path): None if text is None else hash_text(text) for path, text in texts}}


def decode_operation(content: object, find_text: Callable[[str], str]) -> Operation:
    """Read an operation; `find_text` returns the text with a hash."""
    operation = decode_value(content, Operation)
    decode_path(str(operation.file), "operation.file")
    texts = {
        decode_path(str(path), "operation.texts"): None if digest is None else find_text(digest)
        for path, digest in operation.texts.items()
    }
    return dataclasses.replace(operation, texts=texts)


def encode_refused(refused: Refused) -> dict[str, object]:
    """Return a refused operation as JSON, without its texts."""
    operation = encode_operation(refused.operation, str)
    del operation["texts"], operation["flags"]
    return {**operation, "guard": refused.guard, "why": refused.why}


def decode_refused(content: object) -> Refused:
    """Read a refused operation; its path is not validated, because it may be the reason for the refusal."""
    fields = decode_value(content, dict[str, Any])
    return decode_value({**fields, "operation": {**fields, "texts": {}}}, Refused)


def encode_ledger(ledger: Ledger) -> dict[str, object]:
    """Return the number of lines by fate, and the removed lines."""
    counts: dict[str, object] = {fate.value: ledger.count(fate) for fate in Fate if fate is not Fate.RETIRED}
    retired = [
        {"file": str(entry.file), "line": entry.line, "text": entry.text, "reason": entry.reason}
        for entry in ledger.retired
    ]
    return {**counts, "retired": retired}
