"""`memci check --format text`: what matters first, for a person at a terminal."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence

from memci.model.citation import Commit, Verdict, Wording
from memci.model.finding import Finding, Severity
from memci.report.check_result import CheckResult, amount, describe_findings, describe_run
from memci.report.escape import shorten, visible
from memci.report.terminal_lines import BOLD, CYAN, DIM, GREEN, RED, YELLOW, hang, paint, wrap

# Ours: longer than any message of a rule, shorter than a screen.
_MAX_MESSAGE = 1_000
# Below this the columns are given up rather than the words.
_MIN_WIDTH = 30
# So many findings of one rule show what it is about; notes are shown only if there is hardly anything else.
_FEW = 5
_FEW_NOTES = 10
_LEVEL_WIDTH = max(len(severity.value) for severity in Severity)

_LEVEL_COLOUR = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: CYAN}


def render_text(result: CheckResult, *, colour: bool, width: int, everything: bool = False) -> str:
    """Return a summary by rule, the findings below their rules, and a last line with totals.

    The most valuable rules come first; of many findings the first are shown, unless `everything` is asked for.
    """
    width = max(width, _MIN_WIDTH)
    lines: list[str] = []
    groups = _split_levels(result)
    if len(groups) > 1 and len(result.findings) > _FEW:
        lines += [*_statistics(result, colour=colour, width=width), ""]
    hidden = 0
    for rule, findings in groups:
        shown = _select_shown(findings, result, everything=everything)
        lines += [*_group(rule, findings, shown, colour=colour, width=width), ""] if shown else []
        hidden += 0 if shown else len(findings)
    if hidden:
        lines += [paint(f"… {amount(hidden, 'note')}, shown with -v or --select RULE", DIM, colour=colour), ""]
    if result.fixed:
        lines.extend(hang(paint("fixed", GREEN, colour=colour), 5, _fixed(finding), width) for finding in result.fixed)
        lines.append("")
    if result.skipped:
        lines.extend(hang("not checked", 11, visible(f"{what}: {why}"), width) for what, why in result.skipped)
        lines.append("")
    lines.append(_summary(result, colour=colour, width=width))
    return "\n".join(lines) + "\n"


def render_statistics(result: CheckResult, *, colour: bool, width: int) -> str:
    """Return how often each rule fires, the most valuable first, and the totals."""
    lines = [*_statistics(result, colour=colour, width=max(width, _MIN_WIDTH))]
    lines.append(_summary(result, colour=colour, width=max(width, _MIN_WIDTH)))
    return "\n".join(lines) + "\n"


def _split_levels(result: CheckResult) -> list[tuple[str, list[Finding]]]:
    """Return the findings by rule and severity, the most valuable first: notes of a rule must not hide its warnings."""
    groups: dict[tuple[str, Severity], list[Finding]] = {}
    for rule, findings in result.by_rule.items():
        for finding in findings:
            groups.setdefault((rule, finding.severity), []).append(finding)
    split = [(rule, findings) for (rule, _), findings in groups.items()]
    worst = {rule: _level(findings) for rule, findings in result.by_rule.items()}
    # What a rule finds besides comes behind what others find at that level.
    return sorted(split, key=lambda group: (-_level(group[1]).rank, _level(group[1]) is not worst[group[0]]))


def _statistics(result: CheckResult, *, colour: bool, width: int) -> Iterator[str]:
    groups = _split_levels(result)
    digits = max((len(f"{len(findings):,}") for _, findings in groups), default=0)
    cells = max((len(rule) for rule, _ in groups), default=0)
    for rule, findings in groups:
        level = _level(findings)
        lead = f"{f'{len(findings):,}'.rjust(digits)}  {_painted(level, colour=colour)}  {rule.ljust(cells)}"
        fixable = sum(finding.fix is not None for finding in findings)
        about = result.rules[rule].summary + (f" ({fixable:,} fixable)" if fixable else "")
        yield hang(lead, digits + _LEVEL_WIDTH + cells + 4, about, width)


def _level(findings: Sequence[Finding]) -> Severity:
    return max((finding.severity for finding in findings), key=lambda severity: severity.rank)


def _painted(level: Severity, *, colour: bool) -> str:
    return paint(level.value.ljust(_LEVEL_WIDTH), _LEVEL_COLOUR[level], colour=colour)


def _select_shown(findings: Sequence[Finding], result: CheckResult, *, everything: bool) -> Sequence[Finding]:
    # A fold that hides a single finding saves nothing.
    if everything or len(findings) == _FEW + 1:
        return findings
    if _level(findings) is Severity.INFO and len(result.findings) > _FEW_NOTES:
        return ()
    return findings[:_FEW]


def _group(
    rule: str, findings: Sequence[Finding], shown: Sequence[Finding], *, colour: bool, width: int
) -> Iterator[str]:
    """Yield the heading of a rule with what all its findings share, then those findings that are shown."""
    level = _level(findings)
    label = f"{level.value} {rule}"
    head = f"{paint(level.value, _LEVEL_COLOUR[level], colour=colour)} {paint(rule, BOLD, colour=colour)}"
    notes = [_notes(finding) for finding in findings]
    # A single finding says itself what it is about.
    common = [note for note in notes[0][len(findings) == 1 :] if all(note in others for others in notes)]
    yield hang(head, len(label), "; ".join(common), width).rstrip()
    for finding in shown:
        place = f"{visible(str(finding.path))}:{finding.line}:{finding.column}"
        yield f"  {place}"
        for note in (note for note in _notes(finding) if note not in common):
            yield from (f"    {line}" for line in wrap(note, max(width - 4, _MIN_WIDTH)))
    if len(findings) > len(shown):
        yield paint(f"  … {amount(len(findings) - len(shown), 'more finding')}, shown with -v", DIM, colour=colour)


def _notes(finding: Finding) -> list[str]:
    """Return what a finding is about, and what to do about it."""
    done = finding.fix.summary if finding.fix else ""
    notes = [finding.message]
    if finding.suggestion:
        notes.append(f"help: {finding.suggestion}{' (--fix does it)' if done == finding.suggestion else ''}")
    if done and done != finding.suggestion:
        notes.append(f"--fix: {done}")
    return [shorten(visible(note), _MAX_MESSAGE) for note in notes]


def _summary(result: CheckResult, *, colour: bool, width: int) -> str:
    verdict = describe_findings(result)
    text = "\n".join(wrap(f"{verdict}; {describe_run(result, visible)}", width))
    shade = _LEVEL_COLOUR[result.worst] if result.worst else GREEN
    # On a narrow terminal the verdict itself may be broken; then it stays plain.
    return text.replace(verdict, paint(verdict, f"{BOLD};{shade}", colour=colour), 1)


def _fixed(finding: Finding) -> str:
    summary = finding.fix.summary if finding.fix else finding.message
    return f"{visible(str(finding.path))}:{finding.line}  {shorten(visible(summary), _MAX_MESSAGE)}  {finding.rule}"


def render_explanation(place: str, verdicts: Iterable[tuple[Verdict, Wording]]) -> str:
    """Return a block of lines per claim, judged as if it were stated plainly, with its true wording."""
    from memci.report.fitted_template import render_template

    return render_template("explanation.txt.j2", place=place, verdicts=list(verdicts), day=_date_commit)


def _date_commit(commit: Commit) -> dt.date:
    return dt.datetime.fromtimestamp(commit.time, dt.UTC).date()
