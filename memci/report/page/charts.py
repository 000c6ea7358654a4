"""The charts of the page: numbers in, rows out. Every chart carries the table it is drawn from."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memci.memory.client_limit import MAX_LINES, MAX_UNITS
from memci.model.use import MonthUse, ScopeUse, TopicUse
from memci.report.check_result import CLAIM_VERDICTS, amount
from memci.report.page.run import Shown
from memci.report.status_result import FULL, ScopeStatus
from memci.report.use_text import list_files

# How a topic can be found by its own description.
NOT_LISTED = -1
NOT_SHOWN = 0
_TYPE_TONES = {"user": "c1", "feedback": "c2", "project": "c3", "reference": "c4", "": "mute"}
_VERDICT_TONES = {"verified": "good", "moved": "warn", "missing": "bad", "unverifiable": "mute"}
_FATE_TONES = {"kept": "mute", "moved": "c2", "merged": "c3", "reworded": "c1", "retired": "bad"}
# Up to how many days; what is older is the last part.
_AGES = (("week", 7, "good"), ("month", 31, "c1"), ("3 months", 92, "c2"), ("6 months", 183, "c3"), ("year", 366, "c4"))
_OLDER, _NEVER = "older", "new"
# Of the use over time; two years.
_MAX_MONTHS = 24
# Of topics that are not found.
_MAX_NAMED = 5
Cell = str | int


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing, what it shows in words, and its numbers."""

    # One of budget (a row for each limit), bar (one row of parts), columns (a row for each: a whole and a part of it).
    form: str
    title: str
    says: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    # The tone of each row.
    tones: tuple[str, ...] = ()
    # How the shown differs from what one may think.
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicHealth:
    """One topic."""

    file: str
    type: str
    # The description, else the name.
    about: str
    size: int
    written: dt.date | None
    # Whether a pointer leads to it, and whether the client loads the line of that pointer.
    pointed: bool
    loaded: bool
    # How many claims got which verdict.
    claims: Mapping[str, int]
    # The place among what recall shows for the topic's own description.
    rank: int
    # In how many sessions it was opened and edited.
    use: TopicUse
    # Its address at the forge; "" if that is not known.
    link: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeHealth:
    """How one scope is doing: its figures, its topics, its findings and the claims in it that are wrong."""

    status: ScopeStatus
    topics: tuple[TopicHealth, ...]
    problems: tuple[Shown, ...]
    # Of the claims that cannot be verified, how many for which reason.
    reasons: Mapping[str, int] = field(default_factory=dict)
    false_claims: tuple[Shown, ...] = ()

    @property
    def used(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """The files that are not obeyed or never used."""
        return list_files(self.status.use, self.status.known_rules)


def draw_bar(title: str, parts: Sequence[tuple[str, int, str]], head: tuple[str, str], note: str = "") -> Chart:
    """Draw one bar whose parts are shares of the whole; parts are label, value and tone."""
    says = ", ".join(f"{value:,} {label}" for label, value, _ in parts if value) or "nothing"
    rows = tuple((label, value) for label, value, _ in parts)
    return Chart("bar", title, says, head, rows, tuple(tone for _, _, tone in parts), note=note)


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
    if scope.status.use.topics:
        charts.append(_draw_use(scope.status.use))
    if scope.status.use.months:
        charts.append(_draw_months(scope.status.use.months))
    return tuple(charts)


def draw_ledger(fates: Mapping[str, int]) -> Chart:
    """Draw where the old lines went."""
    parts = [(fate, fates.get(fate, 0), tone) for fate, tone in _FATE_TONES.items()]
    return draw_bar("Where every old line went", parts, ("fate", "lines"))


def _draw_index(scope: ScopeHealth) -> Chart:
    rows = (("lines", scope.status.lines, MAX_LINES), ("characters", scope.status.size, MAX_UNITS))
    says = ", ".join(f"{used:,} of {limit:,} {unit}" for unit, used, limit in rows)
    tones = tuple("bad" if used > limit else "warn" if used >= FULL * limit else "good" for _, used, limit in rows)
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


def _draw_use(use: ScopeUse) -> Chart:
    found = list(use.topics.values())
    parts = [
        ("opened", sum(topic.opened > 0 for topic in found), "good"),
        ("only edited", sum(topic.edited > 0 and not topic.opened for topic in found), "c2"),
        ("only listed", sum(topic.loaded > 0 and not topic.touched for topic in found), "warn"),
        ("below the cut", sum(not topic.loaded and not topic.touched for topic in found), "bad"),
    ]
    return draw_bar("Topics by their use in sessions", parts, ("use", "topics"))


def _draw_months(months: Mapping[str, MonthUse]) -> Chart:
    """Draw how many sessions of each month used a topic; months without a session between them have none."""
    first, last = (dt.date.fromisoformat(f"{month}-01") for month in (min(months), max(months)))
    count = min(_MAX_MONTHS, 12 * (last.year - first.year) + last.month - first.month + 1)
    ends = [12 * last.year + last.month - 1 - back for back in reversed(range(count))]
    names = [f"{end // 12:04}-{end % 12 + 1:02}" for end in ends]
    rows = tuple((name, *months.get(name, MonthUse())) for name in names)
    used, total = sum(row[2] for row in rows), sum(row[1] for row in rows)
    says = f"{used:,} of {amount(total, 'session')} from {names[0]} to {names[-1]} opened or edited a topic"
    head = ("month", "sessions", "opened or edited a topic")
    return Chart("columns", "Use over time", says, head, rows, ("good",))


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
