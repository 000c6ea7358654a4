"""`memci check --format text`: what matters first, for a person at a terminal."""

import datetime as dt
import functools
from collections.abc import Iterable, Iterator, Sequence

from memci.git.history import moment_of
from memci.model.citation import Commit, Verdict, Wording
from memci.model.finding import Finding, Severity
from memci.report.check_result import CheckResult, amount, describe_findings, describe_run
from memci.report.escape import shorten, visible
from memci.report.terminal_lines import BOLD, CYAN, DIM, GREEN, RED, YELLOW, Paint, lay_out, paint

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
    shade = functools.partial(paint, colour=colour)
    lines: list[str] = []
    groups = _split_levels(result)
    if len(groups) > 1 and len(result.findings) > _FEW:
        lines += [*_statistics(groups, result, shade), ""]
    hidden = 0
    for rule, findings in groups:
        shown = _select_shown(findings, result, everything=everything)
        lines += [*_group(rule, findings, shown, shade), ""] if shown else []
        hidden += 0 if shown else len(findings)
    if hidden:
        lines += [shade(f"… {amount(hidden, 'note')}, shown with -v or --select RULE", DIM), ""]
    if result.fixed:
        lines += [*(f"{shade('fixed', GREEN)}\t{_fixed(finding)}" for finding in result.fixed), ""]
    if result.skipped:
        lines += [*(f"not checked\t{visible(f'{what}: {why}')}" for what, why in result.skipped), ""]
    lines.append(_summary(result, shade))
    return lay_out("\n".join(lines), max(width, _MIN_WIDTH))


def render_statistics(result: CheckResult, *, colour: bool, width: int) -> str:
    """Return how often each rule fires, the most valuable first, and the totals."""
    shade = functools.partial(paint, colour=colour)
    lines = [*_statistics(_split_levels(result), result, shade), _summary(result, shade)]
    return lay_out("\n".join(lines), max(width, _MIN_WIDTH))


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


def _statistics(groups: list[tuple[str, list[Finding]]], result: CheckResult, shade: Paint) -> Iterator[str]:
    digits = max((len(f"{len(findings):,}") for _, findings in groups), default=0)
    cells = max((len(rule) for rule, _ in groups), default=0)
    for rule, findings in groups:
        level = _level(findings)
        name = shade(level.value.ljust(_LEVEL_WIDTH), _LEVEL_COLOUR[level])
        fixable = sum(finding.fix is not None for finding in findings)
        about = result.rules[rule].summary + (f" ({fixable:,} fixable)" if fixable else "")
        yield f"{f'{len(findings):,}'.rjust(digits)}  {name}  {rule.ljust(cells)}\t{about}"


def _level(findings: Sequence[Finding]) -> Severity:
    return max((finding.severity for finding in findings), key=lambda severity: severity.rank)


def _select_shown(findings: Sequence[Finding], result: CheckResult, *, everything: bool) -> Sequence[Finding]:
    # A fold that hides a single finding saves nothing.
    if everything or len(findings) == _FEW + 1:
        return findings
    if _level(findings) is Severity.INFO and len(result.findings) > _FEW_NOTES:
        return ()
    return findings[:_FEW]


def _group(rule: str, findings: Sequence[Finding], shown: Sequence[Finding], shade: Paint) -> Iterator[str]:
    """Yield the heading of a rule with what all its findings share, then those findings that are shown."""
    level = _level(findings)
    head = f"{shade(level.value, _LEVEL_COLOUR[level])} {shade(rule, BOLD)}"
    notes = [_notes(finding) for finding in findings]
    # A single finding says itself what it is about.
    common = [note for note in notes[0][len(findings) == 1 :] if all(note in others for others in notes)]
    yield f"{head}\t{'; '.join(common)}" if common else head
    for finding in shown:
        yield f"  {visible(str(finding.path))}:{finding.line}:{finding.column}"
        yield from (f"  \t{note}" for note in _notes(finding) if note not in common)
    if len(findings) > len(shown):
        yield shade(f"  … {amount(len(findings) - len(shown), 'more finding')}, shown with -v", DIM)


def _notes(finding: Finding) -> list[str]:
    """Return what a finding is about, and what to do about it."""
    done = finding.fix.summary if finding.fix else ""
    notes = [finding.message]
    if finding.suggestion:
        notes.append(f"help: {finding.suggestion}{' (--fix does it)' if done == finding.suggestion else ''}")
    if done and done != finding.suggestion:
        notes.append(f"--fix: {done}")
    return [shorten(visible(note), _MAX_MESSAGE) for note in notes]


def _summary(result: CheckResult, shade: Paint) -> str:
    tone = _LEVEL_COLOUR[result.worst] if result.worst else GREEN
    return f"{shade(describe_findings(result), f'{BOLD};{tone}')}; {describe_run(result, visible)}"


def _fixed(finding: Finding) -> str:
    summary = finding.fix.summary if finding.fix else finding.message
    return f"{visible(str(finding.path))}:{finding.line}  {shorten(visible(summary), _MAX_MESSAGE)}  {finding.rule}"


def render_explanation(place: str, verdicts: Iterable[tuple[Verdict, Wording]]) -> str:
    """Return a block of lines per claim, judged as if it were stated plainly, with its true wording."""
    from memci.report.text_templates import render_template

    return render_template("explanation.txt.j2", place=place, verdicts=list(verdicts), day=_date_commit)


def _date_commit(commit: Commit) -> dt.date:
    return moment_of(commit.time).date()
