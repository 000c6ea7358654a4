"""`memci check --format text`: findings for a person at a terminal."""

import unicodedata
from collections.abc import Iterator

from memci.model import Finding, Severity
from memci.report.escape import shorten, visible
from memci.report.result import CheckResult, describe_findings, describe_run

# Ours: longer than any message of a rule, shorter than a screen.
_MAX_MESSAGE = 1_000
# Below this the columns are given up rather than the words.
_MIN_MESSAGE_WIDTH = 30
# So many findings of one rule in one file show what it is about.
_FEW = 3
_LEVEL_WIDTH = max(len(severity.value) for severity in Severity)

_BOLD, _DIM, _RED, _GREEN, _YELLOW, _CYAN = "1", "2", "31", "32", "33", "36"
_LEVEL_COLOUR = {Severity.ERROR: _RED, Severity.WARNING: _YELLOW, Severity.INFO: _CYAN}


def render_text(result: CheckResult, *, colour: bool, width: int, everything: bool = False) -> str:
    """Return findings grouped by file, and a last line that says what was found and what was looked at.

    Of many findings of one rule in one file only the first are shown in full, unless `everything` is asked for.
    """
    lines: list[str] = []
    for path, findings in result.by_path.items():
        lines.append(_paint(visible(path), _BOLD, colour=colour))
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
        lines.extend(
            hang(_paint("fixed", _GREEN, colour=colour), 5, _fixed(finding), width) for finding in result.fixed
        )
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
    shade = _LEVEL_COLOUR[result.worst] if result.worst else _GREEN
    # On a narrow terminal the verdict itself may be broken; then it stays plain.
    return text.replace(verdict, _paint(verdict, f"{_BOLD};{shade}", colour=colour), 1)


def _finding(finding: Finding, place: str, *, colour: bool, width: int) -> Iterator[str]:
    level = finding.severity.value.ljust(_LEVEL_WIDTH)
    lead = f"  {place}  {_paint(level, _LEVEL_COLOUR[finding.severity], colour=colour)}  "
    indent = len(place) + _LEVEL_WIDTH + 6
    room = max(width - indent, _MIN_MESSAGE_WIDTH)
    message = wrap(shorten(visible(finding.message), _MAX_MESSAGE), room)
    rule = _paint(finding.rule, _DIM, colour=colour)
    if _cells(message[-1]) + 2 + len(finding.rule) <= room:
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


def hang(label: str, cells: int, text: str, width: int, least: int = _MIN_MESSAGE_WIDTH) -> str:
    """Put a text behind a label of so many cells, its lines below each other; a width of 0 is without limit."""
    indent = cells + 2
    lines = wrap(text, max(width - indent, least)) if width else [text]
    return f"{label}  " + ("\n" + " " * indent).join(lines)


def wrap(text: str, width: int) -> list[str]:
    """Break `text` at blanks into lines of at most `width` terminal cells; a longer word stays whole, for copying."""
    lines: list[str] = []
    words: list[str] = []
    used = 0
    for word in text.split(" "):
        cells = _cells(word)
        if words and used + 1 + cells > width:
            lines.append(" ".join(words).rstrip())
            words, used = [], 0
        used += cells + bool(words)
        words.append(word)
    return [*lines, " ".join(words)]


def _cells(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 1 + (unicodedata.east_asian_width(character) in "WF")
        for character in text
    )


def _paint(text: str, code: str, *, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text
