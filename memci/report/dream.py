"""The result of a dream for people and programs; everything is taken from the plan and the real texts."""

import datetime as dt
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import PurePosixPath

from memci.operation import Evidence, EvidenceKind, Fate, NeedsPerson, Operation, ScopePlan, Status
from memci.report.escape import json_text, shorten, visible
from memci.report.headline import describe_dream, measure_index
from memci.report.text import hang
from memci.text.edits import split_lines
from memci.transcript import Signal, TurnedDown

# A quotation in a summary; the whole is in the JSON.
_MAX_QUOTE = 160
# More are counted in the last line, and listed in the JSON.
_MAX_RETIRED = 12
# As much of an id as git shows of a commit: enough to find the file.
_MAX_SESSION = 8
# What a person has to look at.
_SHADES = {"ask": "33", "refused": "31", "not read": "33", "not done": "31", "warning": "33", "in all": "1"}
# On a narrower terminal the words go on, and it breaks them itself.
_MIN_WIDTH = 20


@dataclass(frozen=True, slots=True)
class PhaseReport:
    """What the calls of one phase came to."""

    name: str
    calls: int
    input: int
    output: int
    hit_rate: float
    usd: Decimal


@dataclass(frozen=True, slots=True)
class CostReport:
    """What the model cost; nothing, if there was none."""

    usd: Decimal = Decimal(0)
    # The most that calls may have cost whose end was never seen.
    unseen_usd: Decimal = Decimal(0)
    phases: tuple[PhaseReport, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DreamResult:
    """What a dream did, or would do."""

    now: dt.datetime
    engine: str
    plans: tuple[ScopePlan, ...]
    turned_down: tuple[TurnedDown, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    dry_run: bool = False
    # How many sessions were read.
    sessions: int = 0
    # When the latest of them ended, as far as they say.
    newest: dt.datetime | None = None
    # Set if nothing was looked at.
    skipped: str = ""
    # Which engine, and why; what of it did not work; what it cost.
    why: str = ""
    failures: tuple[str, ...] = ()
    cost: CostReport = field(default_factory=CostReport)
    # The rule of each finding that may be evidence, by its fingerprint.
    rules: Mapping[str, str] = field(default_factory=dict)

    @property
    def degraded(self) -> bool:
        """Whether part of it could not be done."""
        return bool(self.notes or self.failures or any(plan.status is Status.FAILED for plan in self.plans))


def render_dream_json(result: DreamResult) -> str:
    """Return one JSON object: the schema memci/dream/1."""
    return json_text(
        {
            "schema": "memci/dream/1",
            "now": result.now.isoformat(),
            "engine": result.engine,
            "dry_run": result.dry_run,
            "skipped": result.skipped,
            "scopes": [_scope(plan) for plan in result.plans],
            "sessions": result.sessions,
            "newest_session": result.newest.isoformat() if result.newest else None,
            "turned_down": len(result.turned_down),
            "notes": [{"what": what, "why": why} for what, why in result.notes],
            "engine_reason": result.why,
            "failures": list(result.failures),
            "cost": render_cost(result.cost),
            "timings": {part: round(seconds, 3) for part, seconds in result.seconds.items()},
        }
    )


def render_cost(cost: CostReport) -> dict[str, object]:
    """Return the cost as it stands in JSON."""
    return {
        "usd": float(cost.usd),
        "unseen_usd": float(cost.unseen_usd),
        "calls": sum(phase.calls for phase in cost.phases),
        "phases": [
            {
                "name": phase.name,
                "calls": phase.calls,
                "input_tokens": phase.input,
                "output_tokens": phase.output,
                "cache_hit_rate": round(phase.hit_rate, 3),
                "usd": float(phase.usd),
            }
            for phase in cost.phases
        ],
        "warnings": list(cost.warnings),
    }


def _scope(plan: ScopePlan) -> dict[str, object]:
    lines, size = measure_index(plan)
    hidden = find_secret_lines(plan)
    return {
        "id": plan.scope.id,
        "path": str(plan.scope.path),
        "status": plan.status.value,
        "reason": plan.reason,
        "operations": [_operation(operation, hidden) for operation in plan.operations],
        "rejected": [
            {**_operation(r.operation, hidden), "guard": r.guard, "why": redact_line(r.why, hidden)}
            for r in plan.refused
        ],
        "needs_person": [_need(need, hidden) for need in plan.needs_person],
        "signals": [render_signal(signal) for signal in plan.signals],
        "ledger": {
            "kept": plan.ledger.count(Fate.KEPT),
            "moved": plan.ledger.count(Fate.MOVED),
            "merged": plan.ledger.count(Fate.MERGED),
            "retired": [
                {
                    "file": str(entry.file),
                    "line": entry.line,
                    "text": redact_line(entry.text, hidden),
                    "reason": entry.reason,
                }
                for entry in plan.ledger.retired
            ],
        },
        "index": {"lines": lines, "bytes": size},
    }


def redact_line(text: str, hidden: frozenset[str] = frozenset()) -> str:
    """Take secrets out of a text; one of the lines that `find_secret_lines` returns goes as a whole."""
    # Old lines of memory may hold what this very dream takes out.
    from memci.text.secrets import redact

    return "[REDACTED]" if text.strip() in hidden else redact(text)


def find_secret_lines(plan: ScopePlan) -> frozenset[str]:
    """Return the lines of memory that are part of a secret over several lines: alone, none of them looks like one."""
    from memci.text.secrets import find_secrets

    spans = ((text, secret) for text in plan.before.values() for secret in find_secrets(text))
    rows = (row for text, secret in spans for row in text[secret.start : secret.end].split("\n")[1:])
    return frozenset(row.strip() for row in rows if row.strip())


def _operation(operation: Operation, hidden: frozenset[str]) -> dict[str, object]:
    return {
        "kind": operation.kind.value,
        "file": str(operation.file),
        "reason": redact_line(operation.reason, hidden),
        "evidence": [_evidence(proof, hidden) for proof in operation.evidence],
    }


def _evidence(proof: Evidence, hidden: frozenset[str]) -> dict[str, object]:
    return {"kind": proof.kind.value, "source": proof.source, "quote": redact_line(proof.quote, hidden)}


def _need(need: NeedsPerson, hidden: frozenset[str]) -> dict[str, object]:
    return {
        "reason": redact_line(need.reason, hidden),
        "file": str(need.file) if need.file else None,
        "evidence": [_evidence(proof, hidden) for proof in need.evidence],
    }


def render_signal(signal: Signal) -> dict[str, object]:
    """Return a signal as it stands in JSON."""
    return {
        "id": signal.id,
        "session": signal.session,
        "uuid": signal.uuid,
        "timestamp": signal.timestamp.isoformat() if signal.timestamp else None,
        "origin": signal.origin.value,
        "kind": signal.kind.value,
        "type": signal.type.value,
        "strength": signal.strength,
        "text": redact_line(signal.text),
        "reason": signal.reason,
    }


def render_diff(plan: ScopePlan) -> str:
    """Return the change of one scope as a unified diff."""
    parts: list[str] = []
    for path in sorted({*plan.before, *plan.after}):
        old, new = plan.before.get(path), plan.after.get(path)
        if old != new:
            parts += _diff(path, old, new)
    return "".join(parts)


def _diff(path: PurePosixPath, old: str | None, new: str | None) -> Iterator[str]:
    names = ("/dev/null" if old is None else f"a/{path}", "/dev/null" if new is None else f"b/{path}")
    # The texts as wholes: a key over several lines is none line by line.
    before, after = (split_lines(redact_line(text or "")) for text in (old, new))
    for line in difflib.unified_diff(before, after, *names):
        text = line.removesuffix("\n")
        end = "\r" if text.endswith("\r") else ""
        yield visible(text.removesuffix("\r"), keep="\t") + end + "\n"
        if not line.endswith("\n"):
            yield "\\ No newline at end of file\n"


def render_dream(result: DreamResult, *, colour: bool, width: int = 0) -> str:
    """Return what was done, scope by scope, for a person at a terminal; 0 is a width without limit."""
    if result.skipped:
        return f"nothing to do: {result.skipped}\n"
    if not result.plans:
        return "nothing to do: no memory here\n"
    lines: list[str] = []
    for plan in result.plans:
        # The name of a scope stays whole, for copying.
        name, *rest = _summarise(plan, result, colour=colour)
        lines += [name, *(_fold(line, 11, width, colour=colour) for line in rest)]
    last = [_describe_sessions(result), *_list_left(result)]
    if result.cost.phases:
        last.append(_describe_cost(result.cost))
    last += [f"warning   {visible(warning)}" for warning in result.cost.warnings]
    last.append(f"in all    {describe_dream(result.plans)}")
    return "\n".join([*lines, *(_fold(line, 10, width, colour=colour) for line in last)]) + "\n"


def _fold(line: str, cells: int, width: int, *, colour: bool) -> str:
    """Break a line behind its label of so many cells, if it has one."""
    end = cells if line[cells - 2 : cells] == "  " else 2
    label = line[: end - 2]
    shade = _SHADES.get(label.strip(), "") if colour else ""
    return hang(f"\x1b[{shade}m{label}\x1b[0m" if shade else label, end - 2, line[end:], width, _MIN_WIDTH)


def render_problems(result: DreamResult) -> str:
    """Return only what went wrong; nothing if all went well."""
    failed = [plan for plan in result.plans if plan.status is Status.FAILED]
    lines = [f"failed    {visible(str(plan.scope.path))}: {visible(redact_line(plan.reason))}" for plan in failed]
    return "".join(f"{line}\n" for line in (*lines, *_list_left(result)))


def _list_left(result: DreamResult) -> list[str]:
    lines = [f"not read  {visible(what)}: {visible(why)}" for what, why in result.notes]
    lines += [f"not done  {visible(failure)}; the embedded engine did what it could" for failure in result.failures]
    return lines


def _summarise(plan: ScopePlan, result: DreamResult, *, colour: bool) -> Iterator[str]:
    name = visible(str(plan.scope.path))
    hidden = find_secret_lines(plan)
    yield f"\x1b[1m{name}\x1b[0m" if colour else name
    if plan.status in {Status.SKIPPED, Status.FAILED}:
        yield f"  {plan.status.value}: {visible(redact_line(plan.reason))}"
    elif plan.status is Status.UNCHANGED:
        yield f"  nothing to do ({_count(len(plan.signals), 'signal')})"
    for operation in plan.operations:
        file = visible(str(operation.file.relative_to(plan.scope.path)))
        yield f"  {operation.kind.value:8} {file}: {visible(redact_line(operation.reason, hidden))}"
        yield from _quote_person(operation, plan, hidden)
    for entry in plan.ledger.retired[:_MAX_RETIRED]:
        line = visible(shorten(redact_line(entry.text.strip(), hidden), _MAX_QUOTE))
        yield f"  retired  {visible(entry.file.name)}:{entry.line}: “{line}”"
    for refused in plan.refused:
        why = visible(redact_line(refused.why, hidden))
        file = visible(refused.operation.file.name)
        # Most guards name the file that they are about; often it is this one.
        yield f"  refused  {file}: {why.removeprefix(f'{file}: ')} ({refused.guard})"
    for need in plan.needs_person:
        yield f"  ask      {visible(redact_line(need.reason, hidden))}"
        for proof in need.evidence[:1]:
            if need.file is None:
                yield f"           “{visible(shorten(redact_line(proof.quote, hidden), _MAX_QUOTE))}”"
    if plan.status is Status.CHANGED:
        ledger = plan.ledger
        counts = ", ".join(f"{ledger.count(fate)} {fate.value}" for fate in Fate if ledger.count(fate))
        verb = "would change" if result.dry_run else "changed"
        files = _count(len(_changed(plan)), "file")
        yield f"  {verb} {files}; of {_count(len(ledger.entries), 'old line')} {counts or 'none'}"


def _describe_sessions(result: DreamResult) -> str:
    if not result.sessions:
        return "sessions  none read; name them with --transcripts or in the settings"
    found = sum(len(plan.signals) for plan in result.plans)
    down = _count(len(result.turned_down), "sentence")
    return (
        f"sessions  {result.sessions} read: {_count(found, 'new signal')}, {down} turned down (memci signals tells why)"
    )


def _quote_person(operation: Operation, plan: ScopePlan, hidden: frozenset[str]) -> Iterator[str]:
    """Quote what a person said, and when; what the rules and the memory say is in the reason."""
    signals = {signal.id: signal for signal in plan.signals}
    for proof in operation.evidence:
        signal = signals.get(proof.source) if proof.kind is EvidenceKind.SIGNAL else None
        if signal:
            when = signal.timestamp.date().isoformat() if signal.timestamp else "undated"
            quote = visible(shorten(redact_line(proof.quote, hidden), _MAX_QUOTE))
            yield f"           “{quote}” ({when}, {name_session(signal.session)})"
            return


def name_session(session: str) -> str:
    """Return a name short enough for a line: the log, or the beginning of an id."""
    log = session.removeprefix("log:")
    return visible(session[:_MAX_SESSION] if log == session else f"log {PurePosixPath(log).name}")


def _describe_cost(cost: CostReport) -> str:
    calls = sum(phase.calls for phase in cost.phases)
    tokens = sum(phase.input + phase.output for phase in cost.phases)
    unseen = f", and at most ${cost.unseen_usd:.4f} more for calls that broke off" if cost.unseen_usd else ""
    cached = sum(phase.hit_rate * phase.input for phase in cost.phases)
    share = cached / max(1, sum(phase.input for phase in cost.phases))
    used = f"{tokens:,} tokens, {share:.0%} of the input from the cache"
    return f"cost      ${cost.usd:.4f} for {_count(calls, 'call')}, {used}{unseen}"


def _changed(plan: ScopePlan) -> list[PurePosixPath]:
    return [path for path in {*plan.before, *plan.after} if plan.before.get(path) != plan.after.get(path)]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
