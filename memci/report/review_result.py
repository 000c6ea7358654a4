"""What a change does to memory: the one value from which every format of `memci review` is rendered."""

import enum
import itertools
from collections.abc import Iterable, Sequence

import msgspec

from memci.model.finding import Severity
from memci.report.check_result import NOTHING
from memci.report.escape import json_text
from memci.report.text_diff import DiffPart, diff_words, shorten_same

# Shown before anything else; the rest is counted.
_MAX_HEADLINE = 3
_MAX_PLACES = 3


class ChangeKind(enum.StrEnum):
    """What became of a fact, the gravest first."""

    LOST = "lost"
    REWORDED = "reworded"
    ADDED = "added"
    # Now part of another fact, or said twice before and once now.
    MERGED = "merged"
    # The same fact in another file or below another heading.
    MOVED = "moved"
    # Only counted.
    KEPT = "kept"


class ReviewStatement(msgspec.Struct, frozen=True, rename={"path": "file"}):
    """One fact at its place, before or after the change."""

    path: str
    line: int
    text: str
    heading: str = ""


class FactChange(msgspec.Struct, frozen=True):
    """What became of one fact, or of several that became one; one side is empty for what was lost or added."""

    kind: ChangeKind
    # How it is written: sentence, item, row, code, pointer, …
    form: str
    before: tuple[ReviewStatement, ...]
    after: tuple[ReviewStatement, ...]
    severity: Severity = Severity.INFO
    # What a reviewer should know about it, in our words.
    notes: tuple[str, ...] = ()
    # What it rests on, as `session/record`.
    evidence: tuple[str, ...] = ()

    @property
    def place(self) -> ReviewStatement:
        """Where to look: its current place, or its last one."""
        return (self.after or self.before)[0]


class Point(msgspec.Struct, frozen=True, rename={"path": "file"}):
    """One thing to look at: `rule` is a rule of `memci check`, or what this review found itself."""

    rule: str
    severity: Severity
    path: str
    line: int
    message: str


class Move(msgspec.Struct, frozen=True, rename={"source": "from", "target": "to"}):
    """How many facts went from one file, or heading of it, to another."""

    source: str
    target: str
    count: int
    # Whether the file only has another name.
    renamed: bool = False


class ScopeChange(msgspec.Struct, frozen=True):
    """One scope and how many facts it had and has."""

    path: str
    status: str
    before: int
    after: int


class SkippedPart(msgspec.Struct, frozen=True):
    """What was not looked at, and why."""

    what: str
    why: str


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """A change in meaning, between two commits."""

    base: str
    head: str
    # The number of the pull request; None outside of one.
    pull: int | None = None
    kept: int = 0
    # The gravest first.
    points: tuple[Point, ...] = ()
    changes: tuple[FactChange, ...] = ()
    moves: tuple[Move, ...] = ()
    scopes: tuple[ScopeChange, ...] = ()
    # How many claims on new lines got which verdict.
    claims: dict[str, int] = msgspec.field(default_factory=dict)
    skipped: tuple[SkippedPart, ...] = ()

    @property
    def worst(self) -> Severity | None:
        """The highest severity of a point; None without points."""
        return max((point.severity for point in self.points), key=lambda severity: severity.rank, default=None)

    @property
    def open(self) -> tuple[Point, ...]:
        """The points that a person should look at."""
        return tuple(point for point in self.points if point.severity.rank >= Severity.WARNING.rank)

    @property
    def is_clean(self) -> bool:
        """Whether the meaning of the memory is unchanged."""
        return not self.open and not self.changes

    def of(self, kind: ChangeKind) -> tuple[FactChange, ...]:
        """Return the changes of one kind."""
        return tuple(change for change in self.changes if change.kind is kind)


def render_review_json(review: Review) -> str:
    """Return one JSON object with a newline at the end: the schema memci/review/1."""
    told = {"schema": "memci/review/1", "risk": describe_risk(review), "summary": describe_counts(review)}
    return json_text(told | msgspec.to_builtins(review))


def describe_risk(review: Review) -> str:
    """Describe in one line what to look at; based on the points alone, as the truth of a new fact is unknown."""
    if not review.scopes:
        return NOTHING
    if not review.open:
        return "nothing changes in what memory says" if review.is_clean else "nothing stands out"
    kinds: dict[str, int] = {}
    for point in review.open:
        kinds[point.rule] = kinds.get(point.rule, 0) + 1
    named = [f"{rule} ×{count}" if count > 1 else rule for rule, count in kinds.items()]
    # To name one more is shorter than to count it.
    shown = named if len(named) <= _MAX_HEADLINE + 1 else named[:_MAX_HEADLINE]
    more = f", and {len(named) - len(shown)} other kinds" if shown != named else ""
    many = "this" if len(review.open) == 1 else f"these {len(review.open):,} things"
    return f"look at {many}: {', '.join(shown)}{more}"


def describe_counts(review: Review) -> str:
    """Say how many facts went which way."""
    parts = [f"{count:,} {kind.value}" for kind in ChangeKind if (count := _count(review, kind))]
    return f"{', '.join(parts) or 'no fact changed'}, {review.kept:,} kept"


def _count(review: Review, kind: ChangeKind) -> int:
    if kind is ChangeKind.MOVED:
        return sum(move.count for move in review.moves)
    return sum(len(change.before) or len(change.after) for change in review.of(kind))


def other_places(change: FactChange) -> list[str]:
    """Name the first places that a fact came from: of another file, or of several that became one."""
    place, many = change.place, len(change.before) > 1
    others = (said for said in change.before if said.path != place.path or (many and said.line != place.line))
    return [f"{said.path}:{said.line}" for said in others][:_MAX_PLACES] if change.after else []


def select_gravest(changes: Sequence[FactChange], most: int) -> list[FactChange]:
    """Return the gravest changes, in their order."""
    order = sorted(range(len(changes)), key=lambda place: (-changes[place].severity.rank, place))[:most]
    return [changes[place] for place in sorted(order)]


def group_by_file(changes: Iterable[FactChange]) -> list[tuple[str, list[FactChange]]]:
    """Return changes that follow each other with the file that they are in."""
    groups = itertools.groupby(changes, key=lambda change: change.place.path)
    return [(path, list(group)) for path, group in groups]


def compare_words(change: FactChange, words: int) -> list[tuple[DiffPart, str]]:
    """Return the words of a change in runs, with so many unchanged ones beside those that differ."""
    if change.kind not in {ChangeKind.REWORDED, ChangeKind.MERGED} or not change.before:
        return [(DiffPart.SAME, " ⏎ ".join(said.text for said in change.after or change.before))]
    old, new = (" ".join(said.text for said in side) for side in (change.before, change.after))
    return shorten_same(diff_words(old, new), words)


def join_points(points: Iterable[Point]) -> list[tuple[Point, str]]:
    """Return each problem of a file once, with all its lines: `3, 8`."""
    lines: dict[tuple[str, str, str], list[int]] = {}
    first: dict[tuple[str, str, str], Point] = {}
    for point in points:
        key = (point.rule, point.path, point.message)
        lines.setdefault(key, []).append(point.line)
        first.setdefault(key, point)
    return [(point, ", ".join(map(str, dict.fromkeys(lines[key])))) for key, point in first.items()]


def list_notes(change: FactChange, points: Iterable[Point]) -> list[str]:
    """Return what a reviewer should know about a change, without what the points say already."""
    said = {f"{point.rule}: {point.message}" for point in points if point.path == change.place.path}
    return [note for note in change.notes if note not in said]


def order_points(points: Iterable[Point]) -> tuple[Point, ...]:
    """Sort points, the gravest first, then by place."""
    return tuple(sorted(points, key=lambda one: (-one.severity.rank, one.path, one.line, one.rule, one.message)))
