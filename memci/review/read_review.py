"""Reads a review from untrusted JSON; every field is validated."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

from memci.errors import UnsafeError
from memci.model.finding import Severity
from memci.patterns import LazyPattern
from memci.redaction.secrets import redact
from memci.report.review_json import SCHEMA
from memci.report.review_result import (
    ChangeKind,
    FactChange,
    Move,
    Point,
    Review,
    ReviewStatement,
    ScopeChange,
    order_points,
)

# Ten times the review of the largest change seen in a public repository.
MAX_BYTES = 8 * 1024 * 1024
_MAX_LIST = 20_000
_MAX_TEXT = 2_000_000
_MAX_NAME = 5_000
_COMMIT = LazyPattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_WORD = LazyPattern(r"[a-z][a-z-]{0,40}")
_FIELDS = frozenset((
    "schema", "base", "head", "pull", "risk", "summary", "kept", "points", "changes", "moves", "scopes", "claims",
    "skipped",
))  # fmt: skip
_T = TypeVar("_T")


def parse_review(data: bytes, name: str) -> Review:
    """Parse a review; risk and summary are ignored and computed again."""
    if len(data) > MAX_BYTES:
        raise UnsafeError(f"{name} is refused: more than {MAX_BYTES:,} bytes")
    try:
        return _read(json.loads(data.decode("utf-8")))
    except RecursionError as error:
        raise UnsafeError(f"{name} is refused: it is nested too deeply") from error
    except (ValueError, TypeError, KeyError) as error:
        what = "it is no JSON" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else str(error)
        raise UnsafeError(f"{name} is refused: {what}") from error


def _read(content: Any) -> Review:
    fields = _object(content, _FIELDS)
    if fields["schema"] != SCHEMA:
        raise ValueError(f"its schema is not {SCHEMA}")
    pull = fields["pull"]
    return Review(
        base=_match(_COMMIT, fields["base"]),
        head=_match(_COMMIT, fields["head"]),
        pull=None if pull is None else _number(pull),
        kept=_number(fields["kept"]),
        points=order_points(_list(fields["points"], _point)),
        changes=_list(fields["changes"], _change),
        moves=_list(fields["moves"], _move),
        scopes=_list(fields["scopes"], _scope),
        claims={_match(_WORD, key): _number(value) for key, value in _dict(fields["claims"]).items()},
        skipped=_list(fields["skipped"], _skip),
    )


def _point(value: Any) -> Point:
    one = _object(value, {"rule", "severity", "file", "line", "message"})
    severity = Severity(one["severity"])
    return Point(_match(_WORD, one["rule"]), severity, _name(one["file"]), _number(one["line"]), _text(one["message"]))


def _change(value: Any) -> FactChange:
    one = _object(value, {"kind", "form", "severity", "before", "after", "notes", "evidence"})
    before, after = _list(one["before"], _said), _list(one["after"], _said)
    if not before and not after:
        raise ValueError("a change without a fact")
    return FactChange(
        ChangeKind(one["kind"]),
        _match(_WORD, one["form"]),
        before,
        after,
        Severity(one["severity"]),
        _list(one["notes"], _text),
        _list(one["evidence"], _name),
    )


def _said(value: Any) -> ReviewStatement:
    one = _object(value, {"file", "line", "text", "heading"})
    return ReviewStatement(_name(one["file"]), _number(one["line"]), _text(one["text"]), _text(one["heading"]))


def _move(value: Any) -> Move:
    one = _object(value, {"from", "to", "count", "renamed"})
    if not isinstance(one["renamed"], bool):
        raise TypeError("renamed is yes or no")
    return Move(_text(one["from"]), _text(one["to"]), _number(one["count"]), one["renamed"])


def _scope(value: Any) -> ScopeChange:
    one = _object(value, {"path", "status", "before", "after"})
    return ScopeChange(_name(one["path"]), _match(_WORD, one["status"]), _number(one["before"]), _number(one["after"]))


def _skip(value: Any) -> tuple[str, str]:
    one = _object(value, {"what", "why"})
    return _name(one["what"]), _text(one["why"])


def _object(value: Any, fields: frozenset[str] | set[str]) -> dict[str, Any]:
    found = _dict(value)
    if found.keys() != fields:
        raise ValueError(f"fields {', '.join(sorted(fields))} are expected, and no others")
    return found


def _dict(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("an object is expected")
    return value


def _list(value: Any, read: Callable[[Any], _T]) -> tuple[_T, ...]:
    if not isinstance(value, list) or len(value) > _MAX_LIST:
        raise TypeError(f"a list of at most {_MAX_LIST:,} is expected")
    return tuple(read(item) for item in value)


def _text(value: Any, limit: int = _MAX_TEXT) -> str:
    if not isinstance(value, str) or len(value) > limit:
        raise TypeError(f"a text of at most {limit:,} characters is expected")
    return redact(value)


def _name(value: Any) -> str:
    return _text(value, _MAX_NAME)


def _match(pattern: LazyPattern, value: Any) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise ValueError(f"{pattern.pattern} is expected")
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise TypeError("a number is expected")
    return value
