"""`memci review --format markdown`: for a comment on a pull request or a job summary.

Everything that comes from memory is shown literally; lists get shorter before anything is left out, the summary never.
"""

from memci.report.check_result import SEVERITY_ICONS
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
from memci.report.text_diff import DiffPart
from memci.report.text_templates import Level, render_fitted

MARK = "<!-- memci:review -->"
# A comment may have 65,536 characters; this leaves room for additions by forges and people.
MAX_LENGTH = 58_000
_TITLES = {
    ChangeKind.LOST: "Lost",
    ChangeKind.REWORDED: "Reworded",
    ChangeKind.ADDED: "Added",
    ChangeKind.MERGED: "Merged",
}
_MARKS = {DiffPart.SAME: ("", ""), DiffPart.GONE: ("<del>", "</del>"), DiffPart.COME: ("<ins>", "</ins>")}
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
    return render_fitted(
        "review.md.j2",
        _LEVELS,
        MAX_LENGTH,
        mark=MARK,
        icon=SEVERITY_ICONS[review.worst] if review.worst and review.open else "✅",
        risk=describe_risk(review),
        counts=describe_counts(review),
        review=review,
        points=join_points(review.open),
        notes=[(point, str(point.line)) for point in review.points if point not in review.open],
        titles=_TITLES,
        marks=_MARKS,
        max_open=_MAX_OPEN,
        max_notes=_MAX_NOTES,
        select_gravest=select_gravest,
        group_by_file=group_by_file,
        compare_words=compare_words,
        list_notes=list_notes,
        other_places=other_places,
    )
