"""`memci dream` on a terminal: the counts, what was done in each scope, and the change as a diff."""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from memci.memory.apply_edits import split_lines
from memci.model.plan import PlanStatus, ScopePlan
from memci.report.change_entries import ChangeGroup
from memci.report.check_result import amount
from memci.report.dream_result import CostReport, DreamResult, redact_line
from memci.report.escape import shorten, visible
from memci.report.headline import count_lines, describe_dream, describe_waiting
from memci.report.summary_parts import PLAIN, read_summary
from memci.report.terminal_lines import BOLD, RED, YELLOW, count_cells, hang, paint, wrap
from memci.report.text_templates import Level, render_template

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
    summary = read_summary(result.plans, None, PLAIN)
    text = render_template(
        "dream.txt.j2",
        level=_LEVEL,
        everything=everything,
        result=result,
        headline=describe_dream(result.plans),
        waiting=describe_waiting(result.plans),
        summary=summary,
        groups=list(ChangeGroup),
        # A line that hides a single change saves nothing.
        shown=lambda found: found if everything or len(found) <= _MAX_ENTRIES + 1 else found[:_MAX_ENTRIES],
        refused=Counter(line for writer in summary.writers for line in writer.tell_refused(_LEVEL)),
        max_refused=_MAX_REFUSED,
        still=sum(plan.status is PlanStatus.UNCHANGED for plan in result.plans),
        max_still=_MAX_STILL,
        count_lines=count_lines,
        reasons=lambda left_out: Counter(one.why for one in left_out),
        quote=lambda said: visible(shorten(redact_line(said.strip()), _MAX_QUOTE)),
        cost=_describe_cost(result.cost),
    )
    return "".join(f"{_lay_out(line, width, colour=colour, whole=everything)}\n" for line in text.split("\n")[:-1])


def _lay_out(line: str, width: int, *, colour: bool, whole: bool) -> str:
    """Break a line: behind the label of a change, behind another label, or as the plain one of a scope."""
    if line.startswith("  ") and (line[2] != " " or line.startswith(_INDENT)):
        return _fold(line, _LABEL, width, colour=colour) if whole else _cut(line, width, colour=colour)
    if line[8:10] == "  ":
        return _fold(line, 10, width, colour=colour)
    return "\n  ".join(wrap(line, width)) if width else line


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
    lines += [f"not read  {visible(what)}: {visible(why)}" for what, why in result.notes]
    lines += [f"not done  {visible(failure)}; the embedded engine did what it could" for failure in result.failures]
    return "".join(f"{line}\n" for line in lines)


def _describe_cost(cost: CostReport) -> str:
    calls = sum(phase.calls for phase in cost.phases)
    sent = sum(phase.input_tokens for phase in cost.phases)
    tokens = sent + sum(phase.output_tokens for phase in cost.phases)
    share = sum(phase.cache_hit_rate * phase.input_tokens for phase in cost.phases) / max(1, sent)
    unseen = f", and at most ${cost.unseen_usd:.4f} more for calls that broke off" if cost.unseen_usd else ""
    used = f"{tokens:,} tokens, {share:.0%} of the input from the cache"
    return f"${cost.usd:.4f} for {amount(calls, 'call')}, {used}{unseen}"


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
