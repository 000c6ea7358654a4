"""`memci review --format github`: annotations for what to look at, and everything as lines of the log."""

from memci.report.check_github import MAX_ANNOTATIONS, annotate
from memci.report.check_result import amount
from memci.report.escape import workflow_property
from memci.report.review_result import Point, Review
from memci.report.review_text import render_review_text

_WIDTH = 120


def render_review_github(review: Review) -> str:
    """Return workflow commands for the gravest points, then the whole review in a group."""
    crowded = len(review.open) > MAX_ANNOTATIONS
    lines = [_annotate(point) for point in review.open[: MAX_ANNOTATIONS - crowded]]
    if crowded:
        more = amount(len(review.open) - MAX_ANNOTATIONS + 1, "more point")
        lines.append(f"::notice title=memci review::{more} in the log of this step")
    # No line may begin with untrusted text: the runner obeys lines that begin with `::`.
    text = render_review_text(review, colour=False, width=_WIDTH, everything=True).rstrip("\n").split("\n")
    return "\n".join([*lines, "::group::memci review", *(f"| {line}" for line in text), "::endgroup::"]) + "\n"


def _annotate(point: Point) -> str:
    place = f"file={workflow_property(point.path)},line={point.line}"
    return annotate(point.severity, place, point.rule, point.message)
