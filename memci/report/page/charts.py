"""The charts of the page: numbers in, rows and lines out. Every chart carries the table it is drawn from."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from memci.memory.client_limit import MAX_BYTES, MAX_LINES
from memci.model.finding import Severity
from memci.report.check_result import CLAIM_VERDICTS
from memci.report.page.data import NOT_LISTED, NOT_SHOWN, PageRun, ScopeHealth, TopicHealth
from memci.report.status_result import FULL

# The drawing, in the units of its view box; the labels below a plot are set in 11 of them.
WIDTH, HEIGHT = 360, 120
LEFT, _RIGHT, _TOP, _BOTTOM = 30, 8, 8, 22
RIGHT = WIDTH - _RIGHT
_TYPE_TONES = {"user": "c1", "feedback": "c2", "project": "c3", "reference": "c4", "": "mute"}
_VERDICT_TONES = {"verified": "good", "moved": "warn", "missing": "bad", "unverifiable": "mute"}
_FATE_TONES = {"kept": "mute", "moved": "c2", "merged": "c3", "reworded": "c1", "retired": "bad"}
_SEVERITY_TONES = {"error": "bad", "warning": "warn", "info": "c2"}
# Up to how many days; what is older is the last part.
_AGES = (("week", 7, "good"), ("month", 31, "c1"), ("3 months", 92, "c2"), ("6 months", 183, "c3"), ("year", 366, "c4"))
_OLDER, _NEVER = "older", "new"
# Of topics that are not found.
_MAX_NAMED = 5
Cell = str | int


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One series over time: a value for each day, and where its dots are."""

    label: str
    tone: str
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing, what it shows in words, and its numbers."""

    # One of budget (a row for each limit), bar (one row of parts), lines.
    form: str
    title: str
    says: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    # The tone of each row.
    tones: tuple[str, ...] = ()
    lines: tuple[ChartLine, ...] = ()
    # Labels of the axes: text and position.
    ticks: tuple[tuple[str, float], ...] = ()
    labels: tuple[tuple[str, float, str], ...] = ()
    # How the shown differs from what one may think.
    note: str = ""


def draw_bar(title: str, parts: Sequence[tuple[str, int, str]], head: tuple[str, str], note: str = "") -> Chart:
    """Draw one bar whose parts are shares of the whole; parts are label, value and tone."""
    says = ", ".join(f"{value:,} {label}" for label, value, _ in parts if value) or "nothing"
    rows = tuple((label, value) for label, value, _ in parts)
    return Chart("bar", title, says, head, rows, tuple(tone for _, _, tone in parts), note=note)


def draw_lines(
    title: str, days: Sequence[dt.date], series: Sequence[tuple[str, str, Sequence[int]]], note: str = ""
) -> Chart:
    """Draw values over time; a series is a label, a tone, and a value for each day."""
    top = _round_up(max((value for _, _, values in series for value in values), default=0))
    first, last = min(days), max(days)
    span = max(1, (last - first).days)
    # A single day is drawn at the right, where today is.
    places = [round(LEFT + (RIGHT - LEFT) * ((day - first).days / span if last > first else 1), 1) for day in days]
    lines = [
        ChartLine(label, tone, tuple(zip(places, [_height(value, top) for value in values], strict=True)))
        for label, tone, values in series
    ]
    labels = ((first.isoformat(), float(LEFT), "start"), (last.isoformat(), float(RIGHT), "end"))
    columns = [values for _, _, values in series]
    rows = tuple((day.isoformat(), *values) for day, *values in zip(days, *columns, strict=True))
    when = f"from {first} to {last}: " if last > first else f"on {last}: "
    return Chart(
        "lines",
        title,
        when + "; ".join(f"{label} from {values[0]:,} to {values[-1]:,}" for label, _, values in series),
        ("day", *(label for label, _, _ in series)),
        rows,
        lines=tuple(lines),
        ticks=tuple((_shorten(value), _height(value, top)) for value in (0, top)),
        labels=labels if last > first else labels[1:],
        note=note,
    )


def _round_up(most: int) -> int:
    """Return a round number at or above the largest value."""
    step = 1
    while 8 * step < most:
        step *= 10
    return next(lead * step for lead in (1, 2, 4, 5, 8) if lead * step >= most)


def _height(value: int, top: int) -> float:
    return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * value / top, 1)


def _shorten(value: int) -> str:
    return f"{value / 1_000_000:g}M" if value >= 1_000_000 else f"{value / 1_000:g}k" if value >= 1_000 else str(value)


def draw_scope(scope: ScopeHealth, today: dt.date) -> tuple[Chart, ...]:
    """Draw what there is to draw of a scope."""
    types, claims = scope.status.types, scope.status.claims
    charts = [_draw_index(scope)] if scope.status.has_index else []
    kinds = [(kind or "no type", types.get(kind, 0), tone) for kind, tone in _TYPE_TONES.items()]
    charts.append(draw_bar("Topics by type", kinds, ("type", "topics")))
    if claims:
        verdicts = [(verdict, claims.get(verdict, 0), _VERDICT_TONES[verdict]) for verdict in CLAIM_VERDICTS]
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in scope.reasons.items())
        note = f"Unverifiable: {reasons}." if reasons else ""
        charts.append(draw_bar("Claims about the repository", verdicts, ("verdict", "claims"), note))
    if scope.topics:
        charts += [_draw_recall(scope.topics), _draw_ages(scope.topics, today)]
    return (*charts, *(_draw_past(scope) if scope.past else ()))


def draw_ledger(run: PageRun) -> Chart:
    """Draw where the old lines went."""
    parts = [(fate, sum(scope.ledger[fate] for scope in run.scopes), tone) for fate, tone in _FATE_TONES.items()]
    return draw_bar("Where every old line went", parts, ("fate", "lines"))


def _draw_index(scope: ScopeHealth) -> Chart:
    rows = (("lines", scope.status.lines, MAX_LINES), ("bytes", scope.status.size, MAX_BYTES))
    says = ", ".join(f"{used:,} of {limit:,} {unit}" for unit, used, limit in rows)
    tones = tuple("bad" if used > limit else "warn" if used > FULL * limit else "good" for _, used, limit in rows)
    return Chart("budget", "Index budget", says, ("of the index", "used", "limit"), rows, tones)


def _draw_ages(topics: Sequence[TopicHealth], today: dt.date) -> Chart:
    counts = dict.fromkeys((_NEVER, *(name for name, _, _ in _AGES), _OLDER), 0)
    for topic in topics:
        days = (today - topic.written).days if topic.written else 0
        within = next((name for name, most, _ in _AGES if days <= most), _OLDER)
        counts[within if topic.written else _NEVER] += 1
    tones = {name: tone for name, _, tone in _AGES} | {_OLDER: "bad", _NEVER: "mute"}
    parts = [(name, count, tones[name]) for name, count in counts.items()]
    return draw_bar("Topics by age of their last change", parts, ("changed within", "topics"))


def _draw_past(scope: ScopeHealth) -> tuple[Chart, ...]:
    past = scope.past
    days = [moment.day for moment in past]
    problems = [
        (f"{level}s", _SEVERITY_TONES[level], [moment.problems.get(level, 0) for moment in past])
        for level in sorted(Severity, key=lambda level: -level.rank)
    ]
    shown = f"At {len(past)} points of the history, the last is now."
    rules = "By the rules of today that look at one file; duplicates, contradictions and false claims are not counted."
    topics, sizes = [moment.topics for moment in past], [moment.size for moment in past]
    found = [one for one in problems if any(one[2])] or problems[:1]
    return (
        draw_lines("Problems over time", days, found, f"{shown} {rules}"),
        draw_lines("Topics over time", days, [("topics", "c3", topics)], shown),
        draw_lines("Bytes over time", days, [("bytes", "c1", sizes)], shown),
    )


def _draw_recall(topics: Sequence[TopicHealth]) -> Chart:
    parts = [
        ("shown first", sum(topic.rank == 1 for topic in topics), "good"),
        ("shown later", sum(topic.rank > 1 for topic in topics), "c2"),
        ("not shown", sum(topic.rank == NOT_SHOWN for topic in topics), "bad"),
        ("not listed", sum(topic.rank == NOT_LISTED for topic in topics), "mute"),
    ]
    lost = [topic.file for topic in topics if topic.rank <= NOT_SHOWN]
    note = "What a session would be given, at most 5 topics, when it asks in the words of a topic's own description."
    more = f" and {len(lost) - _MAX_NAMED} more" if len(lost) > _MAX_NAMED else ""
    note += f" Not given: {', '.join(lost[:_MAX_NAMED])}{more}." if lost else ""
    return draw_bar("Recall by own description", parts, ("place", "topics"), note)
