"""`memci review --format json`: the schema memci/review/1, written and read."""

import json

import msgspec

from memci.errors import UnsafeError
from memci.redaction.secrets import redact
from memci.report.escape import json_text
from memci.report.review_result import Review, describe_counts, describe_risk, order_points

SCHEMA = "memci/review/1"
# Ten times the review of the largest change seen in a public repository.
MAX_BYTES = 8 * 1024 * 1024


def render_review_json(review: Review) -> str:
    """Return one JSON object with a newline at the end."""
    told = {"schema": SCHEMA, "risk": describe_risk(review), "summary": describe_counts(review)}
    return json_text(told | msgspec.to_builtins(review))


def parse_review(data: bytes, name: str) -> Review:
    """Parse a review from untrusted JSON; risk and summary are ignored and computed again."""
    if len(data) > MAX_BYTES:
        raise UnsafeError(f"{name} is refused: more than {MAX_BYTES:,} bytes")
    try:
        # Not decoded by msgspec: it refuses half a surrogate pair, which a cut text may end with.
        found = _clean(json.loads(data.decode("utf-8")))
        if not isinstance(found, dict) or found.pop("schema", "") != SCHEMA:
            raise UnsafeError(f"{name} is refused: it is no object of the schema {SCHEMA}")
        review = msgspec.convert({key: found[key] for key in found if key not in {"risk", "summary"}}, Review)
    except RecursionError as error:
        raise UnsafeError(f"{name} is refused: it is nested too deeply") from error
    except msgspec.ValidationError as error:
        raise UnsafeError(f"{name} is refused: {error}") from error
    except ValueError as error:
        raise UnsafeError(f"{name} is refused: it is no JSON") from error
    if any(not change.before and not change.after for change in review.changes):
        raise UnsafeError(f"{name} is refused: a change without a fact")
    return msgspec.structs.replace(review, points=order_points(review.points))


def _clean(value: object) -> object:
    """Take secrets out of all texts."""
    match value:
        case str():
            return redact(value)
        case list():
            return [_clean(one) for one in value]
        case dict():
            return {key: _clean(one) for key, one in value.items()}
        case _:
            return value
