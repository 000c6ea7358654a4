"""`memci review` on a terminal."""

import functools

from memci.model.finding import Severity
from memci.report.escape import shorten, workflow_line
from memci.report.review_result import (
    ChangeKind,
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
from memci.report.terminal_lines import CYAN, GREEN, RED, YELLOW, lay_out, paint
from memci.report.text_diff import DiffPart
from memci.report.text_templates import render_template

_MAX_TEXT = 400
# Rows of a list; the comment on a pull request unfolds as many.
_MAX_SHOWN = 10
_CONTEXT_WORDS = 8
_KINDS = (ChangeKind.LOST, ChangeKind.REWORDED, ChangeKind.ADDED, ChangeKind.MERGED)
_PLAIN_FORMS = frozenset(("sentence", "item", "row", "quote"))
_COLOURS = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: CYAN}
_MARKS = {DiffPart.GONE: ("[-", "-]", RED), DiffPart.COME: ("{+", "+}", GREEN)}


def render_review_text(review: Review, *, colour: bool, width: int, everything: bool = False) -> str:
    """Return the risk in one line, the points, then the facts by what became of them.

    Of many facts the gravest are shown, unless `everything` is asked for.
    """

    def mark(part: DiffPart, text: str) -> str:
        clean = workflow_line(shorten(text, _MAX_TEXT))
        if part is DiffPart.SAME:
            return clean
        left, right, shade = _MARKS[part]
        return paint(clean, shade, colour=True) if colour else f"{left}{clean}{right}"

    text = render_template(
        "review.txt.j2",
        review=review,
        everything=everything,
        risk=describe_risk(review),
        counts=describe_counts(review),
        points=join_points(review.open),
        notes=join_points(point for point in review.points if point not in review.open),
        kinds=_KINDS,
        shade=_COLOURS[review.worst] if review.worst and review.open else GREEN,
        shades=_COLOURS,
        plain_forms=_PLAIN_FORMS,
        max_shown=_MAX_SHOWN,
        context_words=_CONTEXT_WORDS,
        # A line that hides a single row saves nothing.
        shown=lambda rows: rows if everything or len(rows) <= _MAX_SHOWN + 1 else rows[:_MAX_SHOWN],
        mark=mark,
        paint=functools.partial(paint, colour=colour),
        select_gravest=select_gravest,
        group_by_file=group_by_file,
        compare_words=compare_words,
        list_notes=list_notes,
        other_places=other_places,
    )
    return lay_out(text.rstrip("\n"), width)
