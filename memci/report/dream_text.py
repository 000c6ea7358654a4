"""`memci dream` on a terminal: what was done, scope by scope, and the change as a diff."""

import difflib
from collections.abc import Iterator
from pathlib import PurePosixPath

from memci.memory.apply_edits import split_lines
from memci.model.plan import EvidenceKind, Fate, Operation, PlanStatus, ScopePlan
from memci.report.check_result import amount
from memci.report.dream_result import CostReport, DreamResult, find_secret_lines, name_session, redact_line
from memci.report.escape import shorten, visible
from memci.report.headline import describe_dream
from memci.report.terminal_lines import BOLD, RED, YELLOW, hang, paint

# A quotation in a summary; the whole is in the JSON.
_MAX_QUOTE = 160
# Longer than any reason but lists of names.
_MAX_REASON = 1_000
# More are counted.
_MAX_RETIRED = 12
# What a person has to look at.
_SHADES = {"ask": YELLOW, "refused": RED, "not read": YELLOW, "not done": RED, "warning": YELLOW, "in all": BOLD}


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
    last.append(f"total     {describe_dream(result.plans)}")
    return "\n".join([*lines, *(_fold(line, 10, width, colour=colour) for line in last)]) + "\n"


def _fold(line: str, cells: int, width: int, *, colour: bool) -> str:
    """Break a line behind its label of so many cells, if it has one."""
    end = cells if line[cells - 2 : cells] == "  " else 2
    label = line[: end - 2]
    shade = _SHADES.get(label.strip(), "")
    return hang(paint(label, shade, colour=colour and bool(shade)), end - 2, line[end:], width)


def render_problems(result: DreamResult) -> str:
    """Return only what went wrong; nothing if all went well."""
    failed = [plan for plan in result.plans if plan.status is PlanStatus.FAILED]
    lines = [f"failed    {visible(str(plan.scope.path))}: {visible(redact_line(plan.reason))}" for plan in failed]
    return "".join(f"{line}\n" for line in (*lines, *_list_left(result)))


def _list_left(result: DreamResult) -> list[str]:
    lines = [f"not read  {visible(what)}: {visible(why)}" for what, why in result.notes]
    lines += [f"not done  {visible(failure)}; the embedded engine did what it could" for failure in result.failures]
    return lines


def _summarise(plan: ScopePlan, result: DreamResult, *, colour: bool) -> Iterator[str]:
    name = visible(str(plan.scope.path))
    hidden = find_secret_lines(plan)
    yield paint(name, BOLD, colour=colour)
    if plan.status in {PlanStatus.SKIPPED, PlanStatus.FAILED}:
        yield f"  {plan.status.value}: {visible(redact_line(plan.reason))}"
    elif plan.status is PlanStatus.UNCHANGED:
        yield f"  nothing to do ({amount(len(plan.signals), 'signal')})"
    for operation in plan.operations:
        file = visible(str(operation.file.relative_to(plan.scope.path)))
        yield f"  {operation.kind.value:8} {file}: {visible(redact_line(operation.reason, hidden))}"
        yield from _quote_person(operation, plan, hidden)
    yield from _list_retired(plan, hidden)
    for refused in plan.refused:
        why = visible(redact_line(refused.why, hidden))
        file = visible(refused.operation.file.name)
        # Most guards name the file that they are about; often it is this one.
        yield f"  refused  {file}: {why.removeprefix(f'{file}: ')} ({refused.guard})"
    for need in plan.needs_person:
        yield f"  ask      {visible(shorten(redact_line(need.reason, hidden), _MAX_REASON))}"
        for proof in need.evidence[:1]:
            if need.file is None:
                yield f"           “{visible(shorten(redact_line(proof.quote, hidden), _MAX_QUOTE))}”"
    if plan.status is PlanStatus.CHANGED:
        ledger = plan.ledger
        counts = ", ".join(f"{ledger.count(fate):,} {fate.value}" for fate in Fate if ledger.count(fate))
        verb = "would change" if result.dry_run else "changed"
        files = amount(len(_changed(plan)), "file")
        yield f"  {verb} {files}; of {amount(len(ledger.entries), 'old line')} {counts or 'none'}"


def _list_retired(plan: ScopePlan, hidden: frozenset[str]) -> Iterator[str]:
    for entry in plan.ledger.retired[:_MAX_RETIRED]:
        line = visible(shorten(redact_line(entry.text.strip(), hidden), _MAX_QUOTE))
        yield f"  retired  {visible(entry.file.name)}:{entry.line}: “{line}”"
    if (more := len(plan.ledger.retired) - _MAX_RETIRED) > 0:
        yield f"  retired  {amount(more, 'more line')}; --format json lists all"


def _describe_sessions(result: DreamResult) -> str:
    if not result.sessions:
        return "sessions  none read; name them with --transcripts or in the settings"
    found = sum(len(plan.signals) for plan in result.plans)
    down = amount(len(result.turned_down), "sentence")
    return f"sessions  {result.sessions} read: {amount(found, 'new signal')}, {down} turned down (see memci signals)"


def _quote_person(operation: Operation, plan: ScopePlan, hidden: frozenset[str]) -> Iterator[str]:
    """Quote a person, with the date; quotes of rules and memory are in the reason already."""
    signals = {signal.id: signal for signal in plan.signals}
    for proof in operation.evidence:
        signal = signals.get(proof.source) if proof.kind is EvidenceKind.SIGNAL else None
        if signal:
            when = signal.timestamp.date().isoformat() if signal.timestamp else "undated"
            quote = visible(shorten(redact_line(proof.quote, hidden), _MAX_QUOTE))
            yield f"           “{quote}” ({when}, {name_session(signal.session)})"
            return


def _describe_cost(cost: CostReport) -> str:
    calls = sum(phase.calls for phase in cost.phases)
    tokens = sum(phase.input + phase.output for phase in cost.phases)
    unseen = f", and at most ${cost.unseen_usd:.4f} more for calls that broke off" if cost.unseen_usd else ""
    cached = sum(phase.hit_rate * phase.input for phase in cost.phases)
    share = cached / max(1, sum(phase.input for phase in cost.phases))
    used = f"{tokens:,} tokens, {share:.0%} of the input from the cache"
    return f"cost      ${cost.usd:.4f} for {amount(calls, 'call')}, {used}{unseen}"


def _changed(plan: ScopePlan) -> list[PurePosixPath]:
    return [path for path in {*plan.before, *plan.after} if plan.before.get(path) != plan.after.get(path)]


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
    # Whole texts: a key over several lines is not recognized line by line.
    before, after = (split_lines(redact_line(text or "")) for text in (old, new))
    for line in difflib.unified_diff(before, after, *names):
        text = line.removesuffix("\n")
        end = "\r" if text.endswith("\r") else ""
        yield visible(text.removesuffix("\r"), keep="\t") + end + "\n"
        if not line.endswith("\n"):
            yield "\\ No newline at end of file\n"
