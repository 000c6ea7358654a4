"""`memci review --format github`: annotations for what to look at, and everything as lines of the log."""

from memci.model.finding import Severity
from memci.report.check_result import amount
from memci.report.escape import shorten, visible, workflow_data, workflow_line, workflow_property
from memci.report.review_result import Point, Review
from memci.report.review_text import render_review_text

# GitHub shows this many of a kind per step; here they are all of them, the gravest first.
MAX_ANNOTATIONS = 10
_MAX_MESSAGE = 1_000
_WIDTH = 120
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


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
    message = workflow_data(shorten(visible(point.message), _MAX_MESSAGE))
    return f"::{_COMMANDS[point.severity]} {place},title={workflow_property(point.rule)}::{workflow_line(message)}"
