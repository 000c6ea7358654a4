"""`memci review` on a terminal."""

from collections.abc import Iterator

from memci.model.finding import Severity
from memci.report.check_result import amount
from memci.report.escape import shorten, workflow_line
from memci.report.review_result import (
    ChangeKind,
    FactChange,
    Move,
    Review,
    compare_words,
    describe_counts,
    describe_risk,
    group_by_file,
    join_points,
    list_notes,
    other_places,
    select_gravest,
)
from memci.report.terminal_lines import BOLD, CYAN, GREEN, RED, YELLOW, hang, paint, wrap
from memci.report.text_diff import DiffPart

_MAX_TEXT = 400
# Rows of a list; the comment on a pull request unfolds as many.
_MAX_SHOWN = 10
_CONTEXT_WORDS = 8
_LABEL = 8
_PLAIN_FORMS = frozenset(("sentence", "item", "row", "quote"))
_COLOURS = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: CYAN}
_MARKS = {DiffPart.GONE: ("[-", "-]", RED), DiffPart.COME: ("{+", "+}", GREEN)}


def render_review_text(review: Review, *, colour: bool, width: int, everything: bool = False) -> str:
    """Return the risk in one line, the points, then the facts by what became of them.

    Of many facts the gravest are shown, unless `everything` is asked for.
    """
    worst = review.worst if review.open else None
    shade = _COLOURS[worst] if worst else GREEN
    lines = [paint(line, f"{BOLD};{shade}", colour=colour) for line in wrap(describe_risk(review), width)]
    lines += [*wrap(describe_counts(review), width), ""]
    limit = None if everything else _MAX_SHOWN
    points = []
    for point, places in join_points(review.open):
        level = paint(point.severity.value.ljust(7), _COLOURS[point.severity], colour=colour)
        points.append(hang(f"  {level}", 9, _clean(f"{point.path}:{places}  {point.rule}: {point.message}"), width))
    lines += [*_limit(points, limit, "points"), ""] if points else []
    for kind in (ChangeKind.LOST, ChangeKind.REWORDED, ChangeKind.ADDED, ChangeKind.MERGED):
        changes = review.of(kind)
        if changes:
            lines.append(paint(f"{kind.value} ({len(changes):,})", BOLD, colour=colour))
            shown = select_gravest(changes, limit) if limit else changes
            for path, group in group_by_file(shown):
                # The name of a file stays whole, for copying.
                lines.append(_clean(f"  {path}"))
                for change in group:
                    lines += _tell(change, list_notes(change, review.open), colour=colour, width=width)
            if len(changes) > len(shown):
                lines.append(f"  … {len(changes) - len(shown):,} more, shown with -v")
            lines.append("")
    if review.moves:
        lines.append(paint("moved", BOLD, colour=colour))
        lines += [*_limit([hang("", 0, _clean(_describe(move)), width) for move in review.moves], limit, "moves"), ""]
    rest = join_points(point for point in review.points if point not in review.open)
    notes = [
        hang("note", 4, _clean(f"{point.path}:{places}  {point.rule}: {point.message}"), width)
        for point, places in rest
    ]
    lines += _limit(notes, limit, "notes")
    skipped = [hang("not looked at", 13, _clean(f"{one.what}: {one.why}"), width) for one in review.skipped]
    lines += _limit(skipped, limit, "files")
    return "\n".join(lines).rstrip("\n") + "\n"


def _limit(rows: list[str], limit: int | None, what: str) -> list[str]:
    # A line that hides a single row saves nothing.
    if limit is None or len(rows) <= limit + 1:
        return rows
    return [*rows[:limit], f"  … {len(rows) - limit:,} more {what}, shown with -v"]


def _describe(move: Move) -> str:
    return f"{amount(move.count, 'fact')}: {move.source} {'renamed to' if move.renamed else '→'} {move.target}"


def _tell(change: FactChange, said: list[str], *, colour: bool, width: int) -> Iterator[str]:
    runs = compare_words(change, _CONTEXT_WORDS)
    body = " ".join(_mark(part, _clean(shorten(text, _MAX_TEXT)), colour=colour) for part, text in runs)
    form = "" if change.form in _PLAIN_FORMS else f"{change.form}: "
    yield hang(f"  {change.place.line:>6}", _LABEL, form + body, width)
    notes = [f"was in {', '.join(elsewhere)}"] if (elsewhere := other_places(change)) else []
    notes += said
    notes += [f"rests on {', '.join(change.evidence[:3])}"] if change.evidence else []
    for note in notes:
        yield hang(" " * _LABEL, _LABEL, _clean(f"· {note}"), width)


def _mark(part: DiffPart, text: str, *, colour: bool) -> str:
    if part is DiffPart.SAME:
        return text
    left, right, shade = _MARKS[part]
    return paint(text, shade, colour=True) if colour else f"{left}{text}{right}"


def _clean(text: str) -> str:
    return workflow_line(text)
