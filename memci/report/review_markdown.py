"""`memci review --format markdown`: for a comment on a pull request or a job summary.

Everything that comes from memory is shown literally; lists get shorter before anything is left out, the summary never.
"""

import functools
import itertools
from collections.abc import Iterator

from memci.report.check_result import SEVERITY_ICONS, amount
from memci.report.escape import markdown, shorten, visible
from memci.report.fit_text import Level, fit
from memci.report.review_result import (
    ChangeKind,
    FactChange,
    Move,
    Point,
    Review,
    compare_words,
    describe_counts,
    describe_risk,
    join_points,
    list_notes,
    other_places,
    select_gravest,
)
from memci.report.text_diff import DiffPart

MARK = "<!-- memci:review -->"
# A comment may have 65,536 characters; this leaves room for additions by forges and people.
MAX_LENGTH = 58_000
_TITLES = {
    ChangeKind.LOST: "Lost",
    ChangeKind.REWORDED: "Reworded",
    ChangeKind.ADDED: "Added",
    ChangeKind.MERGED: "Merged",
}
# Folded as soon as there is more than a screen of it.
_MAX_OPEN = 10
_MAX_NOTES = 5


# From everything that a person would read to the counts alone; the first that fits is taken.
_LEVELS = (
    Level(400, 200, 200, 12),
    Level(300, 160, 80, 8),
    Level(200, 120, 40, 6),
    Level(120, 100, 20, 4),
    Level(80, 80, 8, 3),
    Level(60, 60, 3, 3),
    Level(0, 60, 0, 0),
)


def render_review_markdown(review: Review) -> str:
    """Return the review in at most MAX_LENGTH characters, beginning with an invisible mark."""
    return fit(lambda level: _render(review, level), _LEVELS, MAX_LENGTH)


def _render(review: Review, level: Level) -> str:
    icon = SEVERITY_ICONS[review.worst] if review.worst and review.open else "✅"
    parts = [f"{MARK}\n### {icon} Memory: {describe_risk(review)}\n\n{describe_counts(review)}.\n"]
    points = join_points(review.open)
    rows = [_point(point, level, lines) for point, lines in points[: level.rows]]
    parts.append(_fold("Look at", len(points), rows, is_open=True))
    parts += [_render_changes(review, kind, title, level) for kind, title in _TITLES.items()]
    parts.append(_render_moves(review.moves, level))
    notes = tuple(point for point in review.points if point not in review.open)
    parts.append(_fold("Notes", len(notes), [_point(point, level) for point in notes[: level.rows]], is_open=False))
    skipped = [f"<li>{_name(one.what, level)}: {_say(one.why, level)}</li>\n" for one in review.skipped[: level.rows]]
    parts.append(_fold("Not looked at", len(review.skipped), skipped, is_open=False))
    return "".join(parts)


def _point(point: Point, level: Level, lines: str = "") -> str:
    return (
        f"<li>{SEVERITY_ICONS[point.severity]} <b>{point.rule}</b> "
        f"{_name(f'{point.path}:{lines or point.line}', level)} {_say(point.message, level)}</li>\n"
    )


def _render_changes(review: Review, kind: ChangeKind, title: str, level: Level) -> str:
    changes = review.of(kind)
    # What matters most is shown first when not everything fits.
    shown = select_gravest(changes, level.rows)
    rows = []
    for path, group in itertools.groupby(shown, key=lambda change: change.place.path):
        inner = "".join(
            f"<li>{'<br>'.join(_tell(change, list_notes(change, review.open), level))}</li>\n" for change in group
        )
        rows.append(f"<li>{_name(path, level)}\n<ul>\n{inner}</ul></li>\n")
    return _fold(title, len(changes), rows, shown=len(shown), is_open=len(changes) <= _MAX_OPEN)


def _tell(change: FactChange, notes: list[str], level: Level) -> Iterator[str]:
    yield f"{change.place.line}: {_words(change, level)}"
    if elsewhere := other_places(change):
        yield f"was in {', '.join(_name(place, level) for place in elsewhere)}"
    yield from (_say(note, level) for note in notes[:_MAX_NOTES])
    if len(notes) > _MAX_NOTES:
        yield f"and {len(notes) - _MAX_NOTES} more notes"
    if change.evidence:
        yield f"rests on {_say(', '.join(change.evidence[:3]), level)}"


def _words(change: FactChange, level: Level) -> str:
    marks = {DiffPart.SAME: ("", ""), DiffPart.GONE: ("<del>", "</del>"), DiffPart.COME: ("<ins>", "</ins>")}
    runs = compare_words(change, level.details)
    return " ".join(f"{marks[part][0]}{_say(text, level)}{marks[part][1]}" for part, text in runs)


def _render_moves(moves: tuple[Move, ...], level: Level) -> str:
    rows = [
        f"<li>{amount(move.count, 'fact')}: {_name(move.source, level)} "
        f"{'renamed to' if move.renamed else '→'} {_name(move.target, level)}</li>\n"
        for move in moves[: level.rows]
    ]
    return _fold("Moved", len(moves), rows, is_open=False)


def _fold(title: str, total: int, rows: list[str], *, is_open: bool, shown: int | None = None) -> str:
    if not total:
        return ""
    left = total - (len(rows) if shown is None else shown)
    more = f"<p>{left:,} more; <code>memci review</code> lists all.</p>\n" if left else ""
    body = f"<ul>\n{''.join(rows)}</ul>\n" if rows else ""
    opened = " open" if is_open and rows else ""
    return f"\n<details{opened}><summary>{title} ({total:,})</summary>\n{body}{more}</details>\n"


def _say(text: str, level: Level) -> str:
    return _quote(text, level.quote) if level.quote else ""


def _name(text: str, level: Level) -> str:
    return _quote(text, level.name)


# Every level shows the same texts again; the size bounds memory use.
@functools.lru_cache(maxsize=4_096)
def _quote(text: str, limit: int) -> str:
    return markdown(shorten(visible(text), limit))
