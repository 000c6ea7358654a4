"""`memci review` on a terminal."""

import itertools
from collections.abc import Iterator

from memci.model import Severity
from memci.report.escape import shorten, workflow_line
from memci.report.result import amount
from memci.report.review_result import Change, ChangeKind, Move, Review, Said, describe_counts, describe_risk
from memci.report.review_words import Part, diff_words, shorten_same
from memci.report.text import wrap

_MAX_TEXT = 400
_CONTEXT_WORDS = 8
_MIN_WIDTH = 40
_INDENT = 10
_PLAIN_FORMS = frozenset(("sentence", "item", "row", "quote"))
_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.INFO: "36"}
_MARKS = {Part.GONE: ("[-", "-]", "31"), Part.COME: ("{+", "+}", "32")}


def render_review_text(review: Review, *, colour: bool, width: int) -> str:
    """Return the risk in one line, the points, then the facts by what became of them."""
    worst = review.worst if review.open else None
    shade = _COLOURS[worst] if worst else "32"
    lines = [_paint(describe_risk(review), f"1;{shade}", colour=colour), describe_counts(review), ""]
    for point in review.open:
        level = _paint(point.severity.value.ljust(7), _COLOURS[point.severity], colour=colour)
        lines += _hang(f"  {level}  ", 11, _clean(f"{point.path}:{point.line}  {point.rule}: {point.message}"), width)
    lines += [""] if review.open else []
    for kind in (ChangeKind.LOST, ChangeKind.REWORDED, ChangeKind.ADDED, ChangeKind.MERGED):
        changes = review.of(kind)
        if changes:
            lines.append(_paint(f"{kind.value} ({len(changes):,})", "1", colour=colour))
            for path, group in itertools.groupby(changes, key=lambda change: change.place.path):
                lines.append(_clean(f"  {path}"))
                lines += (line for change in group for line in _tell(change, colour=colour, width=width))
            lines.append("")
    if review.moves:
        lines.append(_paint("moved", "1", colour=colour))
        lines += [_clean(f"  {_describe(move)}") for move in review.moves] + [""]
    notes = [point for point in review.points if point not in review.open]
    lines += [_clean(f"note: {point.path}:{point.line}  {point.rule}: {point.message}") for point in notes]
    lines += [_clean(f"not looked at: {what}: {why}") for what, why in review.skipped]
    return "\n".join(lines).rstrip("\n") + "\n"


def _describe(move: Move) -> str:
    return f"{amount(move.count, 'fact')}: {move.source} {'renamed to' if move.renamed else '→'} {move.target}"


def _tell(change: Change, *, colour: bool, width: int) -> Iterator[str]:
    place = change.place
    if change.kind in {ChangeKind.REWORDED, ChangeKind.MERGED} and change.before:
        body = _render_words(change, colour=colour)
    else:
        body = _clean(shorten(_join(change.after or change.before), _MAX_TEXT))
    form = "" if change.form in _PLAIN_FORMS else f"{change.form}: "
    yield from _hang(f"  {place.line:>6}  ", _INDENT, form + body, width)
    others = [said for said in change.before if (said.path, said.line) != (place.path, place.line)]
    if change.after and others:
        was = ", ".join(f"{said.path}:{said.line}" for said in others[:3])
        yield from _hang(" " * _INDENT, _INDENT, _clean(f"· was in {was}"), width)
    for note in change.notes:
        yield from _hang(" " * _INDENT, _INDENT, _clean(f"· {note}"), width)
    if change.evidence:
        yield _clean(f"{' ' * _INDENT}· rests on {', '.join(change.evidence[:3])}")


def _join(said: tuple[Said, ...]) -> str:
    return " ⏎ ".join(one.text for one in said)


def _render_words(change: Change, *, colour: bool) -> str:
    parts = shorten_same(diff_words(_join_plain(change.before), _join_plain(change.after)), _CONTEXT_WORDS)
    return " ".join(_mark(part, _clean(shorten(text, _MAX_TEXT)), colour=colour) for part, text in parts)


def _join_plain(said: tuple[Said, ...]) -> str:
    return " ".join(one.text for one in said)


def _mark(part: Part, text: str, *, colour: bool) -> str:
    if part is Part.SAME:
        return text
    left, right, shade = _MARKS[part]
    return _paint(text, shade, colour=True) if colour else f"{left}{text}{right}"


def _clean(text: str) -> str:
    return workflow_line(text)


def _hang(label: str, indent: int, text: str, width: int) -> list[str]:
    lines = wrap(text, max(width - indent, _MIN_WIDTH))
    return [label + lines[0], *(" " * indent + line for line in lines[1:])]


def _paint(text: str, code: str, *, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text
