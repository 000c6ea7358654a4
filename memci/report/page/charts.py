"""Charts as geometry: numbers in, rectangles and lines out. Every chart carries the table it is drawn from."""

import datetime as dt
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# The drawing, in the units of its view box; the labels below a plot are set in 11 of them.
WIDTH, HEIGHT = 360, 120
LEFT, _RIGHT, _TOP, _BOTTOM = 30, 8, 8, 22
RIGHT = WIDTH - _RIGHT
BAR_HEIGHT = 14
_MAX_TICKS = 3
Cell = str | int


@dataclass(frozen=True, slots=True)
class Box:
    """One rectangle, with its label."""

    label: str
    value: int
    tone: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One series: the corners of its line, and its dots."""

    label: str
    tone: str
    corners: tuple[tuple[float, float], ...]
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing, what it shows in words, and its numbers."""

    # One of budget (a row for each limit), bar (one row of parts), columns, lines.
    form: str
    title: str
    says: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    boxes: tuple[Box, ...] = ()
    lines: tuple[ChartLine, ...] = ()
    # Labels of the axes: text and position.
    ticks: tuple[tuple[str, float], ...] = ()
    labels: tuple[tuple[str, float, str], ...] = ()
    # How the shown differs from what one may think.
    note: str = ""


def draw_bar(title: str, parts: Sequence[tuple[str, int, str]], head: tuple[str, str], note: str = "") -> Chart:
    """Draw one bar whose parts are shares of the whole; parts are label, value and tone."""
    total = sum(value for _, value, _ in parts)
    boxes, x = [], 0.0
    for label, value, tone in parts:
        width = WIDTH * value / total if total else 0.0
        boxes.append(Box(label, value, tone, _round(x), 0, _round(width), BAR_HEIGHT))
        x += width
    says = ", ".join(f"{value:,} {label}" for label, value, _ in parts if value) or "nothing"
    rows = tuple((label, value) for label, value, _ in parts)
    return Chart("bar", title, says, head, rows, boxes=tuple(boxes), note=note)


def draw_budget(title: str, budgets: Sequence[tuple[str, int, int, str]]) -> Chart:
    """Draw how much of each limit is used: unit, used, limit and tone. What is above the limit gets no longer."""
    boxes = []
    for unit, used, limit, tone in budgets:
        boxes.append(Box(unit, used, tone, 0, 0, _round(min(WIDTH, WIDTH * used / limit)), BAR_HEIGHT))
    says = ", ".join(f"{used:,} of {limit:,} {unit}s" for unit, used, limit, _ in budgets)
    rows = tuple((f"{unit}s", used, limit) for unit, used, limit, _ in budgets)
    return Chart("budget", title, says, ("of the index", "used", "limit"), rows, boxes=tuple(boxes))


def draw_columns(title: str, counts: Mapping[str, int], tones: Mapping[str, str], head: tuple[str, str]) -> Chart:
    """Draw a column for each count."""
    most = max(counts.values(), default=0)
    top = _round_up(most)
    room = (RIGHT - LEFT) / max(1, len(counts))
    boxes, labels = [], []
    for number, (label, value) in enumerate(counts.items()):
        height = (HEIGHT - _TOP - _BOTTOM) * value / top
        x = LEFT + number * room + room * 0.14
        box = Box(
            label,
            value,
            tones[label],
            _round(x),
            _round(HEIGHT - _BOTTOM - height),
            _round(room * 0.72),
            _round(height),
        )
        boxes.append(box)
        labels.append((label, _round(x + room * 0.36), "middle"))
    says = ", ".join(f"{label}: {value:,}" for label, value in counts.items() if value) or "nothing"
    return Chart("columns", title, says, head, tuple(counts.items()), tuple(boxes), (), _list_ticks(top), tuple(labels))


@dataclass(frozen=True, slots=True)
class Series:
    """What one line shows: a value for each day."""

    label: str
    tone: str
    values: tuple[int, ...]


def draw_lines(
    title: str, days: Sequence[dt.date], series: Sequence[Series], *, steps: bool = False, note: str = ""
) -> Chart:
    """Draw values over time; with `steps` each value lasts until the next day."""
    top = _round_up(max((value for one in series for value in one.values), default=0))
    first, last = min(days), max(days)
    span = max(1, (last - first).days)
    # A single day is drawn at the right, where today is.
    places = [_round(LEFT + (RIGHT - LEFT) * ((day - first).days / span if last > first else 1)) for day in days]
    lines = []
    for one in series:
        heights = [_round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * value / top) for value in one.values]
        dots = tuple(zip(places, heights, strict=True))
        lines.append(ChartLine(one.label, one.tone, _list_steps(dots) if steps else dots, dots))
    labels = ((first.isoformat(), float(LEFT), "start"), (last.isoformat(), float(RIGHT), "end"))
    rows = tuple((day.isoformat(), *values) for day, *values in zip(days, *(one.values for one in series), strict=True))
    says = "; ".join(f"{one.label} from {one.values[0]:,} to {one.values[-1]:,}" for one in series)
    when = f"from {first} to {last}: " if last > first else f"on {last}: "
    return Chart(
        "lines",
        title,
        when + says,
        ("day", *(one.label for one in series)),
        rows,
        (),
        tuple(lines),
        _list_ticks(top),
        labels if last > first else labels[1:],
        note,
    )


def _list_steps(dots: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    corners = list(dots[:1])
    for (_, height), (x, y) in itertools.pairwise(dots):
        corners += [(x, height), (x, y)]
    return tuple(corners)


def _round_up(most: int) -> int:
    """Return a round number at or above the largest value."""
    step = 1
    while 8 * step < most:
        step *= 10
    return next(lead * step for lead in (1, 2, 4, 5, 8) if lead * step >= most)


def _list_ticks(top: int) -> tuple[tuple[str, float], ...]:
    values = sorted({0, top // 2 if top % 2 == 0 else 0, top})[:_MAX_TICKS]
    span = HEIGHT - _TOP - _BOTTOM
    return tuple((_shorten(value), _round(HEIGHT - _BOTTOM - span * value / top)) for value in values)


def _shorten(value: int) -> str:
    return f"{value / 1_000_000:g}M" if value >= 1_000_000 else f"{value / 1_000:g}k" if value >= 1_000 else str(value)


def _round(value: float) -> float:
    return round(value, 1)
