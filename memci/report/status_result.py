"""`memci status`: how each scope is doing, for people and as JSON."""

import datetime as dt
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from memci.memory.client_limit import MAX_LINES, MAX_UNITS, NAG_LINES
from memci.model.finding import Severity
from memci.model.memory import Scope
from memci.model.use import ScopeUse
from memci.report.check_result import CLAIM_VERDICTS, amount
from memci.report.escape import json_text, name_reasons, visible
from memci.report.terminal_lines import BOLD, DIM, GREEN, RED, YELLOW, Paint, hang, paint, render_table, wrap
from memci.report.use_text import describe_repeated, describe_use, use_as_json

_BAR_WIDTH = 20
_INDENT = 12
# The bar and its brackets stay whole.
_MIN_WIDTH = _BAR_WIDTH + 2
# From here on the bar warns: the client asks for a smaller index.
FULL = NAG_LINES / MAX_LINES


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeStatus:
    """The figures of one scope."""

    scope: Scope
    # How many topics have which type; "" counts those without a valid one.
    types: Mapping[str, int]
    logs: int
    has_index: bool
    lines: int
    # As the client counts: UTF-16 code units.
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
    # How many claims about the repository got which verdict.
    claims: Mapping[str, int] = field(default_factory=dict)
    # What became of the topics, as of the last dream.
    use: ScopeUse = field(default_factory=ScopeUse)
    # The texts of rules that had to be repeated, by key.
    known_rules: Mapping[str, str] = field(default_factory=dict)

    @property
    def topics(self) -> int:
        """How many topics there are."""
        return sum(self.types.values())

    @property
    def used(self) -> float:
        """The share of the tighter budget that is used."""
        return max(self.lines / MAX_LINES, self.size / MAX_UNITS)

    def as_json(self) -> dict[str, object]:
        """Return the figures of one scope as a JSON object."""
        return {
            "id": self.scope.id,
            "path": self.scope.path,
            "trust": self.scope.trust,
            "topics": self.topics,
            "types": {kind or "none": count for kind, count in self.types.items()},
            "logs": self.logs,
            "index": {"lines": self.lines, "characters": self.size, "pointers": self.pointers}
            if self.has_index
            else None,
            "cut": {"line": self.lost_from, "lost": self.lost} if self.lost_from else None,
            "newest": self.newest,
            "oldest": self.oldest,
            "uncommitted": self.uncommitted,
            "dream": {"last": self.dreamt, "due": not self.not_due, "reason": self.not_due, "locked": self.locked},
            "claims": {verdict: self.claims.get(verdict, 0) for verdict in CLAIM_VERDICTS},
            "problems": self.problems,
            "rules": self.rules,
            "use": use_as_json(self.use),
        }


def describe_scopes(scopes: Sequence[ScopeStatus]) -> str:
    """Say what there is and what is wrong with it: `2 scopes, 14 topics, 1 error`."""
    topics = sum(scope.topics for scope in scopes)
    errors = sum(scope.problems.get(Severity.ERROR, 0) for scope in scopes)
    verdict = amount(errors, "error") if errors else "no errors"
    return f"{amount(len(scopes), 'scope')}, {amount(topics, 'topic')}, {verdict}"


def render_status(scopes: Sequence[ScopeStatus], now: dt.datetime, *, colour: bool, width: int = 0) -> str:
    """Return a block of lines per scope and a line of totals; 0 is a width without limit."""
    if not scopes:
        return "no memory found: no .claude/agent-memory, .claude/memory or memory/MEMORY.md here\n"
    blocks = [_render_scope(scope, now, colour=colour, width=width) for scope in scopes]
    hint = "; run memci check" if any(scope.problems.get(Severity.ERROR) for scope in scopes) else ""
    last = describe_scopes(scopes) + hint
    return "\n\n".join([*blocks, "\n".join(wrap(last, width)) if width else last]) + "\n"


def _render_scope(status: ScopeStatus, now: dt.datetime, *, colour: bool, width: int) -> str:
    """Render a table for people at a terminal; scripts get plain lines."""
    shade = functools.partial(paint, colour=colour)
    title = f"{shade(visible(status.scope.id), BOLD)}  {visible(str(status.scope.path))}  {status.scope.trust}"
    figures = _list_figures(status, now, shade)
    if colour:
        return render_table([(shade(label, DIM), text) for label, text in figures], width, title).removesuffix("\n")
    return "\n".join([title, *(hang(f"  {label:8}", _INDENT - 2, text, width, _MIN_WIDTH) for label, text in figures)])


def _list_figures(status: ScopeStatus, now: dt.datetime, shade: Paint) -> Iterator[tuple[str, str]]:
    """Yield a label and a painted text."""
    yield "topics", _describe_topics(status)
    yield "index", _describe_index(status, shade)
    if status.lost_from:
        lost = ", ".join(visible(target) for target in status.lost[:3])
        more = f" and {len(status.lost) - 3} more" if len(status.lost) > 3 else ""
        what = f": {lost}{more}" if lost else ""
        yield "cut", shade(f"the client does not load line {status.lost_from} and below{what}", RED)
    if status.claims:
        counts = (f"{status.claims[verdict]:,} {verdict}" for verdict in CLAIM_VERDICTS if status.claims.get(verdict))
        yield "claims", f"{sum(status.claims.values()):,}: {', '.join(counts)}"
    yield "age", _describe_age(status, now.date())
    yield "dream", _describe_dream(status, now.date())
    if used := describe_use(status.use):
        yield "use", visible(used)
    if again := visible(describe_repeated(status.use, status.known_rules)):
        yield "again", f"people had to repeat {shade(again, YELLOW)}"
    yield "problems", _describe_problems(status, shade)


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


def _describe_index(status: ScopeStatus, shade: Paint) -> str:
    if not status.has_index:
        return shade("there is no MEMORY.md", YELLOW)
    filled = min(_BAR_WIDTH, round(status.used * _BAR_WIDTH))
    tone = RED if status.used > 1 else YELLOW if status.used >= FULL else GREEN
    bar = (shade("#" * filled, tone) if filled else "") + "." * (_BAR_WIDTH - filled)
    text = f"[{bar}] {status.lines} of {MAX_LINES} lines, {status.size:,} of {MAX_UNITS:,} characters"
    return f"{text}, {amount(status.pointers, 'pointer')}"


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


def _describe_problems(status: ScopeStatus, shade: Paint) -> str:
    if not status.problems:
        return shade("none", GREEN)
    levels = sorted(status.problems, key=lambda severity: -severity.rank)
    counts = ", ".join(amount(status.problems[level], level.value) for level in levels)
    rules = ", ".join(f"{rule} x{count}" if count > 1 else rule for rule, count in status.rules.items())
    return f"{shade(counts, RED if Severity.ERROR in status.problems else YELLOW)}: {rules}"


def render_status_json(scopes: Sequence[ScopeStatus], now: dt.datetime, notes: Sequence[tuple[str, str]] = ()) -> str:
    """Return the figures as one JSON object."""
    return json_text({"schema": "memci/status/1", "now": now, "scopes": scopes, "notes": name_reasons(notes)})
