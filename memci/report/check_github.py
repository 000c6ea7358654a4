"""`memci check --format github`: annotations for a pull request, and a log with every finding."""

from collections.abc import Iterator

from memci.model.finding import Finding, Severity
from memci.report.check_result import CheckResult, amount, describe_findings, describe_run
from memci.report.escape import shorten, visible, workflow_data, workflow_line, workflow_property

# GitHub shows this many errors and as many warnings per step and drops the rest without a word (actions/toolkit#734);
# notices are not mentioned there, so the same limit is used.
MAX_ANNOTATIONS = 10
# Ours: an annotation is a box in a diff, not a page.
_MAX_MESSAGE = 1_000
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render_github(result: CheckResult) -> str:
    """Return workflow commands for the worst findings, then all findings as plain lines in a group."""
    lines = [*_annotations(result)]
    if result.findings:
        lines.append(f"::group::memci: {amount(len(result.findings), 'finding')}")
        lines.extend(render_line(finding) for finding in result.findings)
        lines.append("::endgroup::")
    lines.extend(workflow_line(f"not checked: {what}: {why}") for what, why in result.skipped)
    lines.append(workflow_line(f"memci: {describe_findings(result)}; {describe_run(result, visible)}"))
    return "\n".join(lines) + "\n"


def _annotations(result: CheckResult) -> Iterator[str]:
    hidden = 0
    crowded = any(result.count(severity) > MAX_ANNOTATIONS for severity in Severity)
    for severity, command in _COMMANDS.items():
        # The notice about omissions counts as a notice itself.
        room = MAX_ANNOTATIONS - (crowded and command == "notice")
        found = [finding for finding in result.findings if finding.severity is severity]
        yield from map(_annotate_finding, found[:room])
        hidden += len(found[room:])
    if hidden:
        limit = f"GitHub shows {MAX_ANNOTATIONS} annotations of a kind"
        yield f"::notice title=memci::{amount(hidden, 'more finding')} in the log of this step: {limit}"


def _annotate_finding(finding: Finding) -> str:
    place = f"file={workflow_property(str(finding.path))},line={finding.line},col={finding.column}"
    texts = filter(None, (finding.message, finding.suggestion))
    said = "\n".join(shorten(visible(text), _MAX_MESSAGE) for text in texts)
    return f"::{_COMMANDS[finding.severity]} {place},title={workflow_property(finding.rule)}::{workflow_data(said)}"


def render_line(finding: Finding) -> str:
    """Return a finding in one line, as the problem matcher reads it."""
    place = f"{finding.path}:{finding.line}:{finding.column}"
    # The severity comes first so that no line starts with untrusted text.
    return workflow_line(
        f"{finding.severity.value}: {place}: {shorten(visible(finding.message), _MAX_MESSAGE)} [{finding.rule}]"
    )
