"""`memci status`: how each scope is doing, for people and as JSON."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memci.model import Scope, Severity
from memci.report.escape import json_text, visible
from memci.report.result import amount
from memci.text.cut import MAX_BYTES, MAX_LINES

_BAR_WIDTH = 20
# From here on the bar warns: the same margin that a fitted index keeps.
_FULL = 0.9
_BOLD, _DIM, _RED, _GREEN, _YELLOW = "1", "2", "31", "32", "33"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeStatus:
    """The figures of one scope."""

    scope: Scope
    # How many topics have which type; "" counts those without a valid one.
    types: Mapping[str, int]
    logs: int
    has_index: bool
    lines: int
    size: int
    pointers: int
    # What the client would not load: the first lost line and the targets lost with it.
    lost_from: int
    lost: tuple[str, ...]
    # When the scope was last committed to, and the topic that has waited longest; None where nothing was.
    newest: dt.date | None
    oldest: dt.date | None
    uncommitted: int
    # How many findings have which severity, and the rules they are of, most frequent first.
    problems: Mapping[Severity, int]
    rules: Mapping[str, int]
    # The last dream, and why none is due now ("" if one is).
    dreamt: dt.date | None = None
    not_due: str = ""
    # A client's lock in the scope, if there is one.
    locked: bool = False

    @property
    def topics(self) -> int:
        """How many topics there are."""
        return sum(self.types.values())

    @property
    def used(self) -> float:
        """The share of the tighter budget that is used."""
        return max(self.lines / MAX_LINES, self.size / MAX_BYTES)


def render_status(scopes: Sequence[ScopeStatus], now: dt.datetime, *, colour: bool) -> str:
    """Return a block of lines per scope and a line of totals."""
    if not scopes:
        return "no memory found: no .claude/agent-memory, .claude/memory or memory/MEMORY.md here\n"
    blocks = ["\n".join(_render_scope(scope, now, colour=colour)) for scope in scopes]
    topics = sum(scope.topics for scope in scopes)
    errors = sum(scope.problems.get(Severity.ERROR, 0) for scope in scopes)
    verdict = f"{amount(errors, 'error')}; run memci check" if errors else "no errors"
    return "\n\n".join([*blocks, f"{amount(len(scopes), 'scope')}, {amount(topics, 'topic')}, {verdict}"]) + "\n"


def _render_scope(status: ScopeStatus, now: dt.datetime, *, colour: bool) -> list[str]:
    where = f"{visible(str(status.scope.path))}  {status.scope.trust}"
    lines = [f"{_paint(visible(status.scope.id), _BOLD, colour=colour)}  {_paint(where, _DIM, colour=colour)}"]
    lines.append(f"  topics    {_describe_topics(status)}")
    lines.append(f"  index     {_describe_index(status, colour=colour)}")
    if status.lost_from:
        lost = ", ".join(visible(target) for target in status.lost[:3])
        more = f" and {len(status.lost) - 3} more" if len(status.lost) > 3 else ""
        what = f": {lost}{more}" if lost else ""
        text = f"the client does not load line {status.lost_from} and below{what}"
        lines.append(f"  cut       {_paint(text, _RED, colour=colour)}")
    lines.append(f"  age       {_describe_age(status, now.date())}")
    lines.append(f"  dream     {_describe_dream(status, now.date())}")
    lines.append(f"  problems  {_describe_problems(status, colour=colour)}")
    return lines


def _describe_dream(status: ScopeStatus, today: dt.date) -> str:
    last = f"last {status.dreamt} ({_ago(status.dreamt, today)})" if status.dreamt else "never yet"
    lock = "; a client's lock is there" if status.locked else ""
    return f"{last}; {status.not_due or 'due'}{lock}"


def _describe_topics(status: ScopeStatus) -> str:
    if not status.topics:
        return "none" + (f"; {amount(status.logs, 'daily log')}" if status.logs else "")
    kinds = ", ".join(f"{count} {kind or 'without a type'}" for kind, count in status.types.items() if count)
    logs = f"; {amount(status.logs, 'daily log')}" if status.logs else ""
    return f"{status.topics}: {kinds}{logs}"


def _describe_index(status: ScopeStatus, *, colour: bool) -> str:
    if not status.has_index:
        return _paint("there is no MEMORY.md", _YELLOW, colour=colour)
    shade = _RED if status.used > 1 else _YELLOW if status.used > _FULL else _GREEN
    filled = min(_BAR_WIDTH, round(status.used * _BAR_WIDTH))
    bar = _paint("#" * filled, shade, colour=colour) + "." * (_BAR_WIDTH - filled)
    lines = f"{status.lines} of {MAX_LINES} lines"
    return f"[{bar}] {lines}, {status.size:,} of {MAX_BYTES:,} bytes, {amount(status.pointers, 'pointer')}"


def _describe_age(status: ScopeStatus, today: dt.date) -> str:
    parts = []
    if status.newest:
        parts.append(f"last change {status.newest} ({_ago(status.newest, today)})")
        if status.oldest and status.oldest != status.newest:
            parts.append(f"oldest topic {status.oldest} ({_ago(status.oldest, today)})")
    if status.uncommitted:
        parts.append(f"{amount(status.uncommitted, 'file')} not committed")
    return ", ".join(parts) or "unknown: nothing is committed"


def _ago(day: dt.date, today: dt.date) -> str:
    days = (today - day).days
    return "today" if days <= 0 else f"{amount(days, 'day')} ago"


def _describe_problems(status: ScopeStatus, *, colour: bool) -> str:
    if not status.problems:
        return _paint("none", _GREEN, colour=colour)
    levels = sorted(status.problems, key=lambda severity: -severity.rank)
    counts = ", ".join(amount(status.problems[level], level.value) for level in levels)
    rules = ", ".join(f"{rule} x{count}" if count > 1 else rule for rule, count in status.rules.items())
    shade = _RED if Severity.ERROR in status.problems else _YELLOW
    return f"{_paint(counts, shade, colour=colour)}: {rules}"


def _paint(text: str, code: str, *, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def render_status_json(scopes: Sequence[ScopeStatus], now: dt.datetime) -> str:
    """Return the figures as one JSON object."""
    return json_text(
        {"schema": "memci/status/1", "now": now.isoformat(), "scopes": [_scope_json(scope) for scope in scopes]}
    )


def _scope_json(status: ScopeStatus) -> dict[str, object]:
    return {
        "id": status.scope.id,
        "path": str(status.scope.path),
        "trust": status.scope.trust,
        "topics": status.topics,
        "types": {kind or "none": count for kind, count in status.types.items()},
        "logs": status.logs,
        "index": {"lines": status.lines, "bytes": status.size, "pointers": status.pointers}
        if status.has_index
        else None,
        "cut": {"line": status.lost_from, "lost": list(status.lost)} if status.lost_from else None,
        "newest": status.newest.isoformat() if status.newest else None,
        "oldest": status.oldest.isoformat() if status.oldest else None,
        "uncommitted": status.uncommitted,
        "dream": {
            "last": status.dreamt.isoformat() if status.dreamt else None,
            "due": not status.not_due,
            "reason": status.not_due,
            "locked": status.locked,
        },
        "problems": dict(status.problems),
        "rules": dict(status.rules),
    }
