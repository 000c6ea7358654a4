"""What the page draws of each scope: which charts, in which tones, and what they do not show."""

import datetime as dt
from collections.abc import Sequence

from memci.memory.client_limit import MAX_BYTES, MAX_LINES
from memci.model.finding import Severity
from memci.model.memory import TopicType
from memci.report.check_result import CLAIM_VERDICTS
from memci.report.page.charts import Chart, Series, draw_bar, draw_budget, draw_columns, draw_lines
from memci.report.page.data import NOT_LISTED, NOT_SHOWN, PageRun, ScopeHealth, TopicHealth
from memci.report.status_result import FULL

_TYPE_TONES = {"user": "c1", "feedback": "c2", "project": "c3", "reference": "c4", "": "mute"}
_VERDICT_TONES = {"verified": "good", "moved": "warn", "missing": "bad", "unverifiable": "mute"}
_FATE_TONES = {"kept": "mute", "moved": "c2", "merged": "c3", "retired": "bad"}
_SEVERITY_TONES = {"error": "bad", "warning": "warn", "info": "c2"}
# Up to how many days; what is older is in the last column.
_AGES = (("week", 7), ("month", 31), ("3 mo", 92), ("6 mo", 183), ("year", 366))
_OLDER, _NEVER = "older", "new"
# Of topics that are brought up for others' descriptions, and of those that are not found.
_MAX_NAMED = 5


def draw_scope(scope: ScopeHealth, today: dt.date) -> tuple[Chart, ...]:
    """Draw what there is to draw of a scope."""
    charts = [*_draw_index(scope), _draw_types(scope)]
    if scope.status.claims:
        parts = [(verdict, scope.status.claims.get(verdict, 0), _VERDICT_TONES[verdict]) for verdict in CLAIM_VERDICTS]
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in scope.reasons.items())
        note = f"Unverifiable: {reasons}." if reasons else ""
        charts.append(draw_bar("Claims about the repository", parts, ("verdict", "claims"), note))
    if scope.topics:
        charts += [_draw_recall(scope.topics), _draw_ages(scope.topics, today)]
    if scope.false_claims:
        charts.append(_draw_drift(scope, today))
    if scope.past:
        charts += _draw_past(scope)
    return tuple(charts)


def draw_ledger(run: PageRun) -> Chart:
    """Draw where the old lines went."""
    parts = [(fate, sum(scope.ledger[fate] for scope in run.scopes), tone) for fate, tone in _FATE_TONES.items()]
    return draw_bar("Where every old line went", parts, ("fate", "lines"))


def _draw_index(scope: ScopeHealth) -> list[Chart]:
    status = scope.status
    if not status.has_index:
        return []

    def tone(share: float) -> str:
        return "bad" if share > 1 else "warn" if share > FULL else "good"

    lines = ("line", status.lines, MAX_LINES, tone(status.lines / MAX_LINES))
    size = ("byte", status.size, MAX_BYTES, tone(status.size / MAX_BYTES))
    return [draw_budget("Index budget", (lines, size))]


def _draw_types(scope: ScopeHealth) -> Chart:
    types = scope.status.types
    parts = [(kind or "no type", types.get(kind, 0), _TYPE_TONES[kind]) for kind in (*TopicType, "")]
    return draw_bar("Topics by type", parts, ("type", "topics"))


def _draw_ages(topics: Sequence[TopicHealth], today: dt.date) -> Chart:
    counts = dict.fromkeys((_NEVER, *(name for name, _ in _AGES), _OLDER), 0)
    for topic in topics:
        counts[_describe_age(topic.written, today)] += 1
    tones = dict.fromkeys(counts, "c2") | {_NEVER: "mute"}
    return draw_columns("Topics by age of their last change", counts, tones, ("changed within", "topics"))


def _describe_age(written: dt.date | None, today: dt.date) -> str:
    if written is None:
        return _NEVER
    return next((name for name, days in _AGES if (today - written).days <= days), _OLDER)


def _draw_drift(scope: ScopeHealth, today: dt.date) -> Chart:
    broken = sorted(claim.day for claim in scope.false_claims)
    days = sorted({*broken, max(today, broken[-1])})
    values = tuple(sum(day <= at for day in broken) for at in days)
    note = "Only claims that still stand in memory: what was repaired since is not counted."
    if scope.undated:
        note += f" {scope.undated:,} more are false since a day that is not known."
    return draw_lines(
        "False claims, by the day they broke", days, [Series("false claims", "bad", values)], steps=True, note=note
    )


def _draw_past(scope: ScopeHealth) -> list[Chart]:
    past = scope.past
    days = [moment.day for moment in past]
    levels = [level.value for level in sorted(Severity, key=lambda level: -level.rank)]
    problems = [
        Series(f"{level}s", _SEVERITY_TONES[level], tuple(moment.problems.get(level, 0) for moment in past))
        for level in levels
    ]
    problems = [one for one in problems if any(one.values)] or problems[:1]
    shown = f"At {len(past)} points of the history, the last is now."
    rules = "By the rules of today that look at one file; duplicates, contradictions and false claims are not counted."
    return [
        draw_lines("Problems over time", days, problems, note=f"{shown} {rules}"),
        draw_lines(
            "Topics over time", days, [Series("topics", "c3", tuple(moment.topics for moment in past))], note=shown
        ),
        draw_lines("Bytes over time", days, [Series("bytes", "c1", tuple(moment.size for moment in past))], note=shown),
    ]


def _draw_recall(topics: Sequence[TopicHealth]) -> Chart:
    parts = [
        ("shown first", sum(topic.rank == 1 for topic in topics), "good"),
        ("shown later", sum(topic.rank > 1 for topic in topics), "c2"),
        ("not shown", sum(topic.rank == NOT_SHOWN for topic in topics), "bad"),
        ("not listed", sum(topic.rank == NOT_LISTED for topic in topics), "mute"),
    ]
    often = sorted((topic for topic in topics if topic.brought_up), key=lambda topic: (-topic.brought_up, topic.file))
    named = ", ".join(f"{topic.file} ({topic.brought_up})" for topic in often[:_MAX_NAMED])
    lost = [topic.file for topic in topics if topic.rank <= NOT_SHOWN]
    note = "What a session would be given, at most 5 topics, when it asks in the words of a topic's own description."
    note += f" Come up most for other descriptions: {named}." if named else ""
    more = f" and {len(lost) - _MAX_NAMED} more" if len(lost) > _MAX_NAMED else ""
    note += f" Not given: {', '.join(lost[:_MAX_NAMED])}{more}." if lost else ""
    return draw_bar("Recall by own description", parts, ("place", "topics"), note)
