"""`memci check --format markdown`: for a job summary or a comment on a pull request.

The table is an HTML block: the Markdown parser leaves those alone, so that a `|` or a backtick in a path means nothing.
"""

from collections.abc import Iterator

from memci.model.finding import Finding
from memci.report.check_result import SEVERITY_ICONS, CheckResult, amount, describe_findings, describe_run
from memci.report.escape import entities, markdown, shorten, visible

# A comment may have 65,536 characters; the rest is for the marker and text around it.
MAX_LENGTH = 60_000
# Room for the sentence about omissions and the table around the rows.
_FRAME_LENGTH = 500
# Ours. Escaping makes a character up to 14 long, so one finding still takes a fraction of MAX_LENGTH.
_MAX_MESSAGE = 500
_MAX_NAME = 200
_MAX_SKIPPED_LENGTH = 8_000
# Above this many findings the table is folded.
_MAX_OPEN = 20


def render_markdown(result: CheckResult) -> str:
    """Return a headline, a table of findings and what was not checked, in at most MAX_LENGTH characters."""
    worst = result.worst
    icon = SEVERITY_ICONS[worst] if worst else "✅" if result.scopes else "ℹ️"
    head = f"### {icon} memci check: {describe_findings(result)}\n\n{_capital(describe_run(result, _name))}.\n"
    tail = _skipped(result)
    rows = _choose(result, MAX_LENGTH - _FRAME_LENGTH - len(head + tail))
    table = f"<table>\n<tr><th>Severity</th><th>Rule</th><th>Finding</th></tr>\n{''.join(rows)}</table>" if rows else ""
    if len(result.findings) > _MAX_OPEN and rows:
        table = f"<details><summary>{amount(len(result.findings), 'finding')}</summary>\n{table}</details>"
    note = ""
    if left_out := len(result.findings) - len(rows):
        are = "is" if left_out == 1 else "are"
        note = (
            f"\n**{amount(left_out, 'more finding')} {are} not shown here**, the least severe ones, to stay within "
            f"{MAX_LENGTH:,} characters; `memci check` lists all.\n"
        )
    return "".join((head, f"\n{table}\n" if table else "", note, tail))


def _choose(result: CheckResult, room: int) -> list[str]:
    """Return the rows that fit, by place; the most severe findings get their place first."""
    chosen: dict[int, str] = {}
    for number, finding in sorted(enumerate(result.findings), key=lambda entry: -entry[1].severity.rank):
        row = _row(finding)
        room -= len(row)
        if room < 0:
            break
        chosen[number] = row
    return [row for _, row in sorted(chosen.items())]


def _row(finding: Finding) -> str:
    return (
        f"<tr><td>{finding.severity.value}</td><td><code>{entities(finding.rule)}</code></td>"
        f"<td>{_name(str(finding.path))}:{finding.line}<br>{'<br>'.join(_sentences(finding))}</td></tr>\n"
    )


def _sentences(finding: Finding) -> Iterator[str]:
    yield markdown(shorten(visible(finding.message), _MAX_MESSAGE))
    if finding.suggestion:
        yield f"Help: {markdown(shorten(visible(finding.suggestion), _MAX_MESSAGE))}"
    if finding.fix:
        yield "Fixable with <code>--fix</code>."


def _skipped(result: CheckResult) -> str:
    if not result.skipped:
        return ""
    names = ""
    for number, (what, why) in enumerate(result.skipped):
        if len(names) > _MAX_SKIPPED_LENGTH:
            names += f"<li>and {len(result.skipped) - number:,} more</li>\n"
            break
        names += f"<li>{_name(what)}: {_name(why)}</li>\n"
    return f"\nNot checked:\n\n<ul>\n{names}</ul>\n"


def _name(text: str) -> str:
    return markdown(shorten(visible(text), _MAX_NAME))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
