"""`memci dream` on a terminal: the counts, what was done in each scope, and the change as a diff."""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from memci.memory.apply_edits import split_lines
from memci.model.plan import EvidenceKind, Fate, PlanStatus, ScopePlan
from memci.report.change_entries import FLAGS, ChangeEntry, ChangeGroup, list_changes
from memci.report.check_result import amount
from memci.report.dream_result import CostReport, DreamResult, find_secret_lines, name_session, redact_line
from memci.report.escape import shorten, visible
from memci.report.headline import describe_dream, describe_waiting
from memci.report.open_questions import OpenQuestion, list_questions
from memci.report.terminal_lines import BOLD, RED, YELLOW, count_cells, hang, paint, wrap

# A quotation in a summary; the whole is in the JSON.
_MAX_QUOTE = 160
# Longer than any reason but lists of names.
_MAX_REASON = 1_000
# A statement with its reason.
_MAX_SAID = 400
_MAX_NAME = 60
# More are counted.
_MAX_REFUSED = 5
# As wide as the longest label, `corrected`, with the blanks around it.
_LABEL = 13
_INDENT = " " * _LABEL
# A summary fits on a screen: changes of a group, scopes without any, and cells of a line without a terminal.
_MAX_ENTRIES = 10
_MAX_STILL = 3
_MAX_ROW = 160
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
    teller = _DreamTeller(result.plans, everything=everything)
    lines = [_fold(f"total     {describe_dream(result.plans)}", 10, width, colour=colour)]
    if waiting := describe_waiting(result.plans):
        lines.append(_fold(f"later     {waiting} (--max-changes)", 10, width, colour=colour))
    told = (*teller.ask(), *teller.tell_changes(), *teller.tell_refused())
    lines += [
        _fold(one, _LABEL, width, colour=colour) if everything else _cut(one, width, colour=colour) for one in told
    ]
    for line in teller.tell_scopes(result):
        first, *rest = wrap(line, width) if width else [line]
        lines += [first, *(f"  {row}" for row in rest)]
    last = [_describe_sessions(result), *_list_offered(result), *_list_left_out(result.plans, everything=everything)]
    last += [*(f"broken    {visible(what)}: {visible(where)}" for what, where in result.broken), *_list_left(result)]
    if result.cost.phases:
        last.append(_describe_cost(result.cost))
    last += [f"warning   {visible(warning)}" for warning in result.cost.warnings]
    return "\n".join([*lines, *(_fold(line, 10, width, colour=colour) for line in last)]) + "\n"


def _cut(line: str, width: int, *, colour: bool) -> str:
    """Cut a line that one row of the terminal does not show."""
    room = max(width or _MAX_ROW, 40)
    short = line if count_cells(line) <= room else f"{wrap(line, room - 1)[0]}…"
    return _fold(short, _LABEL, 0, colour=colour)


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


class _DreamTeller:
    """Tells the changes of all scopes together, by group."""

    def __init__(self, plans: Sequence[ScopePlan], *, everything: bool) -> None:
        self._plans = plans
        self._everything = everything
        self._hidden = {plan.scope.path: find_secret_lines(plan) for plan in plans}
        self._several = sum(bool(plan.operations or plan.needs_person or plan.refused) for plan in plans) > 1

    def _name(self, path: PurePosixPath, plan: ScopePlan) -> str:
        inside = path.relative_to(plan.scope.path) if path.is_relative_to(plan.scope.path) else path
        name = f"{plan.scope.path.name}/{inside}" if self._several else str(inside)
        return visible(shorten(redact_line(name), _MAX_QUOTE))

    def ask(self) -> Iterator[str]:
        """Yield the questions, those with a proposed answer first."""
        asked = [(one, plan) for plan in self._plans for one in list_questions(plan)]
        asked.sort(key=lambda one: not one[0].proposal)
        yield from self._limit([list(self._ask(*one)) for one in asked], "questions")

    def _ask(self, question: OpenQuestion, plan: ScopePlan) -> Iterator[str]:
        hidden = self._hidden[plan.scope.path]
        line = f":{question.line}" if question.line else ""
        place = f"{self._name(question.file, plan)}{line}: " if question.file else ""
        yield f"  {'ask':9}  {place}{_show(question.asks, hidden, _MAX_REASON)}"
        if question.proposal:
            yield f"{_INDENT}proposed: {_show(question.proposal, hidden)}"
        elif question.now and self._everything:
            yield f"{_INDENT}it says: {_show(question.now, hidden)}"
        elif question.evidence and question.file is None:
            yield f"{_INDENT}“{_show(question.evidence[0].quote, hidden)}”"

    def tell_changes(self) -> Iterator[str]:
        """Yield the changes of each group."""
        entries = [(entry, plan) for plan in self._plans for entry in list_changes(plan)]
        for group in ChangeGroup:
            told = [list(self._tell(entry, plan)) for entry, plan in entries if entry.group is group]
            yield from self._limit(told, group.value)

    def _limit(self, told: list[list[str]], what: str) -> Iterator[str]:
        # A line that hides a single change saves nothing.
        shown = told if self._everything or len(told) <= _MAX_ENTRIES + 1 else told[:_MAX_ENTRIES]
        yield from (line for lines in shown for line in lines)
        if len(told) > len(shown):
            yield f"{_INDENT}… {len(told) - len(shown):,} more {what}, shown with -v"

    def _tell(self, entry: ChangeEntry, plan: ScopePlan) -> Iterator[str]:
        """Tell a change in one line; below it, what was there before and what it is based on."""
        hidden = self._hidden[plan.scope.path]
        names = ", ".join(self._name(path, plan) for path in entry.files)
        flags = f"({', '.join(FLAGS[flag] for flag in entry.flags)}) " if entry.flags else ""
        file = shorten(names, _MAX_QUOTE)
        yield f"  {entry.group.value:9}  {file}: {flags}{_show(entry.said, hidden, _MAX_SAID)}"
        if not self._everything:
            return
        if entry.was:
            yield f"{_INDENT}was: {_show(entry.was, hidden, _MAX_SAID)}"
        if entry.group is not ChangeGroup.TIDIED:
            yield from (f"{_INDENT}{proof}" for proof in _tell_proof(entry, plan, hidden))

    def tell_refused(self) -> Iterator[str]:
        """Count what guards refused, and show the first of them, each once."""
        lines = Counter(
            # Most guards name the file that they are about; often it is this one.
            f"{name}: {why.removeprefix(f'{visible(one.operation.file.name)}: ')} ({one.guard})"
            for plan in self._plans
            for one in plan.refused
            for name in [self._name(one.operation.file, plan)]
            for why in [_show(one.why, self._hidden[plan.scope.path], _MAX_SAID)]
        )
        if not lines:
            return
        yield f"  {'refused':9}  {amount(lines.total(), 'proposal')}"
        most = _MAX_REFUSED if self._everything else 1
        for line, times in list(lines.items())[:most]:
            yield f"{_INDENT}{line}{f', {times} times' if times > 1 else ''}"
        if len(lines) > most:
            yield f"{_INDENT}and others; --format json lists all"

    def tell_scopes(self, result: DreamResult) -> Iterator[str]:
        """Yield a line for each scope that changed, was skipped or failed; the others are counted."""
        still = [plan for plan in self._plans if plan.status is PlanStatus.UNCHANGED]
        for plan in self._plans:
            name = visible(str(plan.scope.path))
            if plan.status in {PlanStatus.SKIPPED, PlanStatus.FAILED}:
                yield f"{name}: {plan.status.value}: {visible(redact_line(plan.reason))}"
            elif plan.status is PlanStatus.CHANGED:
                ledger = plan.ledger
                counts = ", ".join(f"{ledger.count(fate):,} {fate.value}" for fate in Fate if ledger.count(fate))
                verb = "would change" if result.dry_run else "changed"
                files = amount(len(_changed(plan)), "file")
                yield f"{name}: {verb} {files}; of {amount(len(ledger.entries), 'old line')} {counts or 'none'}"
            elif self._everything or len(still) <= _MAX_STILL:
                yield f"{name}: nothing to do ({amount(len(plan.signals), 'signal')})"
        if not self._everything and len(still) > _MAX_STILL:
            yield f"{amount(len(still), 'scope')}: nothing to do"


def _tell_proof(entry: ChangeEntry, plan: ScopePlan, hidden: frozenset[str]) -> Iterator[str]:
    """Yield the first quotation of a person; if there is none, the first finding or the reason."""
    signals = {signal.id: signal for signal in plan.signals}
    for proof in entry.evidence:
        signal = signals.get(proof.source) if proof.kind is EvidenceKind.SIGNAL else None
        if signal:
            when = signal.timestamp.date().isoformat() if signal.timestamp else "undated"
            who = f"{visible(shorten(signal.speaker, _MAX_NAME))}, " if signal.speaker else ""
            yield f"“{_show(proof.quote, hidden)}” ({who}{when}, {name_session(signal.session)})"
            return
    found = (proof.quote for proof in entry.evidence if proof.kind is EvidenceKind.FINDING)
    yield _show(next(found, entry.reason), hidden, _MAX_SAID)


def _show(text: str, hidden: frozenset[str], limit: int = _MAX_QUOTE) -> str:
    return visible(shorten(redact_line(text.strip(), hidden), limit))


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
        yield f"          {signal.id}  “{_show(signal.text, frozenset())}”"


def _list_left_out(plans: Sequence[ScopePlan], *, everything: bool) -> Iterator[str]:
    """Count what was not written on purpose, by reason; list it if everything is asked for."""
    left = [one for plan in plans for one in plan.left_out]
    reasons = Counter(one.why for one in left)
    if reasons:
        counts = ", ".join(f"{count:,} {visible(why)}" for why, count in reasons.items())
        yield f"left out  {amount(len(left), 'message')}, on purpose: {counts}" + ("" if everything else " (-v)")
    for one in left if everything else ():
        yield f"          “{_show(one.words, frozenset())}” ({one.day or 'undated'}: {visible(one.why)})"


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
