"""Reads a review from untrusted JSON; every field is validated."""

import json
from typing import Annotated, Literal, TypeVar

import msgspec

from memci.errors import UnsafeError
from memci.model.finding import Severity
from memci.redaction.secrets import redact
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
_T = TypeVar("_T")
_List = Annotated[list[_T], msgspec.Meta(max_length=20_000)]
_Text = Annotated[str, msgspec.Meta(max_length=2_000_000)]
_Name = Annotated[str, msgspec.Meta(max_length=5_000)]
_Commit = Annotated[str, msgspec.Meta(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")]
_Word = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z-]{0,40}\Z")]
_Number = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class _Strict(msgspec.Struct, forbid_unknown_fields=True):
    """An object with all of its fields and no others."""


class _JsonPoint(_Strict):
    rule: _Word
    severity: Severity
    file: _Name
    line: _Number
    message: _Text


class _JsonSaid(_Strict):
    file: _Name
    line: _Number
    text: _Text
    heading: _Text


class _JsonChange(_Strict):
    kind: ChangeKind
    form: _Word
    severity: Severity
    before: _List[_JsonSaid]
    after: _List[_JsonSaid]
    notes: _List[_Text]
    evidence: _List[_Name]


class _JsonMove(_Strict, rename={"source": "from", "target": "to"}):
    source: _Text
    target: _Text
    count: _Number
    renamed: bool


class _JsonScope(_Strict):
    path: _Name
    status: _Word
    before: _Number
    after: _Number


class _JsonSkip(_Strict):
    what: _Name
    why: _Text


class _JsonReview(_Strict):
    schema: Literal["memci/review/1"]
    base: _Commit
    head: _Commit
    pull: _Number | None
    # Computed again.
    risk: object
    summary: object
    kept: _Number
    points: _List[_JsonPoint]
    changes: _List[_JsonChange]
    moves: _List[_JsonMove]
    scopes: _List[_JsonScope]
    claims: dict[_Word, _Number]
    skipped: _List[_JsonSkip]


def parse_review(data: bytes, name: str) -> Review:
    """Parse a review; risk and summary are ignored and computed again."""
    if len(data) > MAX_BYTES:
        raise UnsafeError(f"{name} is refused: more than {MAX_BYTES:,} bytes")
    try:
        # Not decoded by msgspec: it refuses half a surrogate pair, which a cut text may end with.
        found = msgspec.convert(json.loads(data.decode("utf-8")), _JsonReview)
    except RecursionError as error:
        raise UnsafeError(f"{name} is refused: it is nested too deeply") from error
    except msgspec.ValidationError as error:
        raise UnsafeError(f"{name} is refused: {error}") from error
    except ValueError as error:
        raise UnsafeError(f"{name} is refused: it is no JSON") from error
    if any(not change.before and not change.after for change in found.changes):
        raise UnsafeError(f"{name} is refused: a change without a fact")
    return _read(found)


def _read(found: _JsonReview) -> Review:
    points = [Point(one.rule, one.severity, redact(one.file), one.line, redact(one.message)) for one in found.points]
    return Review(
        base=found.base,
        head=found.head,
        pull=found.pull,
        kept=found.kept,
        points=order_points(points),
        changes=tuple(map(_read_change, found.changes)),
        moves=tuple(Move(redact(one.source), redact(one.target), one.count, one.renamed) for one in found.moves),
        scopes=tuple(ScopeChange(redact(one.path), one.status, one.before, one.after) for one in found.scopes),
        claims=found.claims,
        skipped=tuple((redact(one.what), redact(one.why)) for one in found.skipped),
    )


def _read_change(change: _JsonChange) -> FactChange:
    before, after = (
        tuple(ReviewStatement(redact(one.file), one.line, redact(one.text), redact(one.heading)) for one in side)
        for side in (change.before, change.after)
    )
    notes, evidence = (tuple(map(redact, texts)) for texts in (change.notes, change.evidence))
    return FactChange(change.kind, change.form, before, after, change.severity, notes, evidence)
