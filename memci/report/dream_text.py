"""`memci dream` on a terminal: the counts, what was done in each scope, and the change as a diff."""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from memci.memory.apply_edits import split_lines
from memci.model.plan import Fate, PlanStatus, ScopePlan
from memci.report.change_entries import ChangeGroup
from memci.report.check_result import amount
from memci.report.dream_result import CostReport, DreamResult, redact_line
from memci.report.escape import shorten, visible
from memci.report.fitted_template import Level
from memci.report.headline import describe_dream, describe_waiting
from memci.report.summary_parts import PLAIN, read_summary
from memci.report.terminal_lines import BOLD, RED, YELLOW, count_cells, hang, paint, wrap

# A quotation in a summary; the whole is in the JSON.
_MAX_QUOTE = 160
# A statement with its reason, a name, and one proof; lists are limited here.
_LEVEL = Level(400, 160, 0, 1)
# More are counted.
_MAX_REFUSED = 5
# As wide as the longest label, `corrected`, with the blanks around it.
_LABEL = 13
_INDENT = " " * _LABEL
# A summary fits on a screen: changes of a group, scopes without any, and cells of a line without a terminal.
_MAX_ENTRIES = 10
_MAX_STILL = 3
_MAX_ROW = 160
_ASK_ROWS = 3
# What a person has to look at.
_SHADES = {"ask": YELLOW, "refused": RED, "not read": YELLOW, "not done": RED, "warning": YELLOW, "total": BOLD}


def render_dream(result: DreamResult, *, colour: bool, width: int = 0, everything: bool = False) -> str:
    """Return what was done, grouped as in a pull request; 0 is a width without limit.

    A change takes one line, unless `everything` is asked for: what was there before, and the proof.
    """
    if result.skipped:
        return f"nothing to do: {result.skipped}\n"
    if not result.plans:
        return "nothing to do: no memory here\n"
    lines = [_fold(f"total     {describe_dream(result.plans)}", 10, width, colour=colour)]
    if waiting := describe_waiting(result.plans):
        lines.append(_fold(f"later     {waiting} (--max-changes)", 10, width, colour=colour))
    lines += [
        _fold(one, _LABEL, width, colour=colour) if everything else _cut(one, width, colour=colour)
        for one in _list_rows(result.plans, everything=everything)
    ]
    for line in _list_scopes(result, everything=everything):
        first, *rest = wrap(line, width) if width else [line]
        lines += [first, *(f"  {row}" for row in rest)]
    last = [_describe_sessions(result), *_list_offered(result), *_list_left_out(result.plans, everything=everything)]
    last += [*(f"broken    {visible(what)}: {visible(where)}" for what, where in result.broken), *_list_left(result)]
    if result.cost.phases:
        last.append(_describe_cost(result.cost))
    last += [f"warning   {visible(warning)}" for warning in result.cost.warnings]
    return "\n".join([*lines, *(_fold(line, 10, width, colour=colour) for line in last)]) + "\n"


def _cut(line: str, width: int, *, colour: bool) -> str:
    """Cut a line that one row of the terminal does not show; a question gets more, as it ends with the proposal."""
    rows = _ASK_ROWS if line.lstrip().startswith("ask ") else 1
    room = rows * max(width or _MAX_ROW, 40)
    short = line if count_cells(line) <= room else f"{wrap(line, room - 1)[0]}…"
    return _fold(short, _LABEL, width if rows > 1 else 0, colour=colour)


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


def _list_rows(plans: Sequence[ScopePlan], *, everything: bool) -> Iterator[str]:
    """Yield questions, changes by group and what was refused, as in a pull request."""
    summary = read_summary(plans, None, PLAIN)
    asked = [list(_ask(writer.tell_question(one, _LEVEL), everything=everything)) for writer, one in summary.questions]
    yield from _limit(asked, "questions", everything=everything)
    for group in ChangeGroup:
        entries = [writer.tell_entry(one, _LEVEL) for writer, one in summary.entries if one.group is group]
        told = [list(_tell(entry, group, everything=everything)) for entry in entries]
        yield from _limit(told, group.value, everything=everything)
    refused = Counter(line for writer in summary.writers for line in writer.tell_refused(_LEVEL))
    if refused:
        yield f"  {'refused':9}  {amount(refused.total(), 'proposal')}"
        most = _MAX_REFUSED if everything else 1
        for line, times in list(refused.items())[:most]:
            yield f"{_INDENT}{line}{f', {times} times' if times > 1 else ''}"
        if len(refused) > most:
            yield f"{_INDENT}and others; --format json lists all"


def _ask(question: Mapping[str, Any], *, everything: bool) -> Iterator[str]:
    place = f"{question['place']}: " if question["place"] else ""
    yield f"  {'ask':9}  {place}{question['asks']}"
    if question["proposal"]:
        yield f"{_INDENT}proposed: {question['proposal']}"
    elif question["now"] and everything:
        yield f"{_INDENT}it says: {question['now']}"
    elif question["proofs"] and not place:
        yield f"{_INDENT}{question['proofs'][0]}"


def _tell(entry: Mapping[str, Any], group: ChangeGroup, *, everything: bool) -> Iterator[str]:
    """Tell a change in one line; below it, what was there before and what it is based on."""
    flags = f"({entry['flags']}) " if entry["flags"] else ""
    more = f" and {entry['more_files']} more" if entry["more_files"] else ""
    yield f"  {group.value:9}  {', '.join(entry['files'])}{more}: {flags}{entry['said']}"
    if everything and entry["was"]:
        yield f"{_INDENT}was: {entry['was']}"
    yield from (f"{_INDENT}{proof}" for proof in (entry["proofs"] if everything else ()))


def _limit(told: list[list[str]], what: str, *, everything: bool) -> Iterator[str]:
    # A line that hides a single change saves nothing.
    shown = told if everything or len(told) <= _MAX_ENTRIES + 1 else told[:_MAX_ENTRIES]
    yield from (line for lines in shown for line in lines)
    if len(told) > len(shown):
        yield f"{_INDENT}… {len(told) - len(shown):,} more {what}, shown with -v"


def _list_scopes(result: DreamResult, *, everything: bool) -> Iterator[str]:
    """Yield a line for each scope that changed, was skipped or failed; the others are counted."""
    still = [plan for plan in result.plans if plan.status is PlanStatus.UNCHANGED]
    for plan in result.plans:
        name = visible(str(plan.scope.path))
        if plan.status in {PlanStatus.SKIPPED, PlanStatus.FAILED}:
            yield f"{name}: {plan.status.value}: {visible(redact_line(plan.reason))}"
        elif plan.status is PlanStatus.CHANGED:
            ledger = plan.ledger
            counts = ", ".join(f"{ledger.count(fate):,} {fate.value}" for fate in Fate if ledger.count(fate))
            verb = "would change" if result.dry_run else "changed"
            files = amount(len(plan.changed_files), "file")
            yield f"{name}: {verb} {files}; of {amount(len(ledger.entries), 'old line')} {counts or 'none'}"
        elif everything or len(still) <= _MAX_STILL:
            yield f"{name}: nothing to do ({amount(len(plan.signals), 'signal')})"
    if not everything and len(still) > _MAX_STILL:
        yield f"{amount(len(still), 'scope')}: nothing to do"


def _show(text: str) -> str:
    return visible(shorten(redact_line(text.strip()), _MAX_QUOTE))


def _describe_sessions(result: DreamResult) -> str:
    if not result.sessions:
        return "sessions  none found; name files or directories of them with --transcripts or in the settings"
    found = sum(len(plan.signals) for plan in result.plans)
    down = amount(len(result.turned_down), "sentence")
    return f"sessions  {result.sessions} read: {amount(found, 'new signal')}, {down} turned down (see memci signals)"


def _list_offered(result: DreamResult) -> Iterator[str]:
    """List the candidates with the words that were said."""
    offered = [signal for plan in result.plans for signal in plan.left_offered]
    if offered:
        yield f"offered   {amount(len(offered), 'candidate')}, not written; memci dream --accept ID writes one"
    for signal in offered:
        yield f"          {signal.id}  “{_show(signal.text)}”"


def _list_left_out(plans: Sequence[ScopePlan], *, everything: bool) -> Iterator[str]:
    """Count what was not written on purpose, by reason; list it if everything is asked for."""
    left = [one for plan in plans for one in plan.left_out]
    reasons = Counter(one.why for one in left)
    if reasons:
        counts = ", ".join(f"{count:,} {visible(why)}" for why, count in reasons.items())
        yield f"left out  {amount(len(left), 'message')}, on purpose: {counts}" + ("" if everything else " (-v)")
    for one in left if everything else ():
        yield f"          “{_show(one.words)}” ({one.day or 'undated'}: {visible(one.why)})"


def _describe_cost(cost: CostReport) -> str:
    calls = sum(phase.calls for phase in cost.phases)
    tokens = sum(phase.input + phase.output for phase in cost.phases)
    unseen = f", and at most ${cost.unseen_usd:.4f} more for calls that broke off" if cost.unseen_usd else ""
    cached = sum(phase.hit_rate * phase.input for phase in cost.phases)
    share = cached / max(1, sum(phase.input for phase in cost.phases))
    used = f"{tokens:,} tokens, {share:.0%} of the input from the cache"
    return f"cost      ${cost.usd:.4f} for {amount(calls, 'call')}, {used}{unseen}"


def render_diff(plan: ScopePlan) -> str:
    """Return the change of one scope as a unified diff."""
    return render_texts_diff(plan.before, plan.after)


def render_texts_diff(before: Mapping[PurePosixPath, str], after: Mapping[PurePosixPath, str]) -> str:
    """Return the change of texts as a unified diff; secrets in them are redacted."""
    parts: list[str] = []
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
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
