"""`memci check --format text`: findings for a person at a terminal."""

from collections.abc import Iterator

from memci.model.finding import Finding, Severity
from memci.report.check_result import CheckResult, describe_findings, describe_run
from memci.report.escape import shorten, visible
from memci.report.terminal_lines import BOLD, CYAN, DIM, GREEN, RED, YELLOW, count_cells, hang, paint, wrap

# Ours: longer than any message of a rule, shorter than a screen.
_MAX_MESSAGE = 1_000
# Below this the columns are given up rather than the words.
_MIN_MESSAGE_WIDTH = 30
# So many findings of one rule in one file show what it is about.
_FEW = 3
_LEVEL_WIDTH = max(len(severity.value) for severity in Severity)

_LEVEL_COLOUR = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: CYAN}


def render_text(result: CheckResult, *, colour: bool, width: int, everything: bool = False) -> str:
    """Return findings grouped by file, and a last line with totals.

    Of many findings of one rule in one file only the first are shown in full, unless `everything` is asked for.
    """
    lines: list[str] = []
    for path, findings in result.by_path.items():
        lines.append(paint(visible(path), BOLD, colour=colour))
        shown, folded = (findings, {}) if everything else _fold(findings)
        places = [f"{finding.line}:{finding.column}" for finding in shown]
        indent = max(map(len, places))
        for place, finding in zip(places, shown, strict=True):
            lines.extend(_finding(finding, place.rjust(indent), colour=colour, width=width))
        for rule, rest in folded.items():
            numbers = ", ".join(str(finding.line) for finding in rest)
            text = shorten(f"{rule} on {len(rest)} more lines: {numbers}", _MAX_MESSAGE)
            lines.append(hang("  …", 3, f"{text} (all with -v)", width))
        lines.append("")
    if result.fixed:
        lines.extend(hang(paint("fixed", GREEN, colour=colour), 5, _fixed(finding), width) for finding in result.fixed)
        lines.append("")
    if result.skipped:
        lines.extend(hang("not checked", 11, visible(f"{what}: {why}"), width) for what, why in result.skipped)
        lines.append("")
    lines.append(_summary(result, colour=colour, width=width))
    return "\n".join(lines) + "\n"


def _fold(findings: list[Finding]) -> tuple[list[Finding], dict[str, list[Finding]]]:
    """Keep errors and the first few findings of each rule; return the others by rule."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.severity is not Severity.ERROR:
            by_rule.setdefault(finding.rule, []).append(finding)
    # A fold that hides a single finding saves nothing.
    folded = {rule: group[_FEW:] for rule, group in by_rule.items() if len(group) > _FEW + 1}
    hidden = {id(finding) for group in folded.values() for finding in group}
    return [finding for finding in findings if id(finding) not in hidden], folded


def _summary(result: CheckResult, *, colour: bool, width: int) -> str:
    verdict = describe_findings(result)
    text = "\n".join(wrap(f"{verdict}; {describe_run(result, visible)}", max(width, _MIN_MESSAGE_WIDTH)))
    shade = _LEVEL_COLOUR[result.worst] if result.worst else GREEN
    # On a narrow terminal the verdict itself may be broken; then it stays plain.
    return text.replace(verdict, paint(verdict, f"{BOLD};{shade}", colour=colour), 1)


def _finding(finding: Finding, place: str, *, colour: bool, width: int) -> Iterator[str]:
    level = finding.severity.value.ljust(_LEVEL_WIDTH)
    lead = f"  {place}  {paint(level, _LEVEL_COLOUR[finding.severity], colour=colour)}  "
    indent = len(place) + _LEVEL_WIDTH + 6
    room = max(width - indent, _MIN_MESSAGE_WIDTH)
    message = wrap(shorten(visible(finding.message), _MAX_MESSAGE), room)
    rule = paint(finding.rule, DIM, colour=colour)
    if count_cells(message[-1]) + 2 + len(finding.rule) <= room:
        message[-1] += f"  {rule}"
    else:
        message.append(rule)
    yield lead + message[0]
    notes = [("help: ", finding.suggestion)] if finding.suggestion else []
    if finding.fix:
        notes.append(("fixable with --fix: ", finding.fix.summary))
    body = message[1:]
    for label, note in notes:
        body.extend(wrap(label + shorten(visible(note), _MAX_MESSAGE), room))
    yield from (" " * indent + line for line in body)


def _fixed(finding: Finding) -> str:
    summary = finding.fix.summary if finding.fix else finding.message
    return f"{visible(str(finding.path))}:{finding.line}  {shorten(visible(summary), _MAX_MESSAGE)}  {finding.rule}"
