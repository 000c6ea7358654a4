"""`memci check --format markdown`: for a job summary or a comment on a pull request.

Tables are HTML blocks: the Markdown parser leaves those alone, so that a `|` or a backtick in a path means nothing.
"""

from collections.abc import Iterator

from memci.model.finding import Finding, Severity
from memci.report.check_result import CheckResult, amount, describe_findings, describe_run
from memci.report.escape import entities, markdown, shorten, visible

# A comment may have 65,536 characters; the rest is for the marker and text around it.
MAX_LENGTH = 60_000
# Room for the sentence about omissions.
_NOTE_LENGTH = 300
# Ours. Escaping makes a character up to 14 long, so one finding still takes a fraction of MAX_LENGTH.
_MAX_MESSAGE = 500
_MAX_NAME = 200
_MAX_SKIPPED_LENGTH = 8_000
# Above this many findings the tables are folded.
_MAX_OPEN = 20

_ICONS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.INFO: "ℹ️"}


def render_markdown(result: CheckResult) -> str:
    """Return a headline, a table per file and what was not checked, in at most MAX_LENGTH characters."""
    worst = result.worst
    icon = _ICONS[worst] if worst else "✅" if result.scopes else "ℹ️"
    head = f"### {icon} memci check: {describe_findings(result)}\n\n{_capital(describe_run(result, _name))}.\n"
    tail = _skipped(result)
    heads = {path: _open(path, findings, result) for path, findings in result.by_path.items()}
    close = "</table></details>\n" if _is_folded(result) else "</table>\n"
    rows = _choose(result, {path: len(text + close) + 1 for path, text in heads.items()}, len(head + tail))
    sections = [f"\n{heads[path]}{''.join(chosen)}{close}" for path, chosen in rows.items()]
    left_out = len(result.findings) - sum(map(len, rows.values()))
    note = ""
    if left_out:
        are = "is" if left_out == 1 else "are"
        note = (
            f"\n**{amount(left_out, 'more finding')} {are} not shown here**, the least severe ones, to stay within "
            f"{MAX_LENGTH:,} characters; `memci check` lists all.\n"
        )
    return "".join((head, *sections, note, tail))


def _choose(result: CheckResult, overhead: dict[str, int], used: int) -> dict[str, list[str]]:
    """Return the rows that fit, by path; the most severe findings get their place first."""
    room = MAX_LENGTH - _NOTE_LENGTH - used
    chosen: dict[int, str] = {}
    opened: set[str] = set()
    order = sorted(range(len(result.findings)), key=lambda number: -result.findings[number].severity.rank)
    for number in order:
        finding = result.findings[number]
        path = str(finding.path)
        row = _row(finding, result.rules[finding.rule].help_url)
        room -= len(row) + (0 if path in opened else overhead[path])
        if room < 0:
            break
        opened.add(path)
        chosen[number] = row
    rows: dict[str, list[str]] = {}
    for number in sorted(chosen):
        rows.setdefault(str(result.findings[number].path), []).append(chosen[number])
    return rows


def _row(finding: Finding, help_url: str) -> str:
    rule = f"<code>{entities(finding.rule)}</code>"
    # A relative link would lead into the repository under review.
    if help_url.startswith("https://"):
        rule = f'<a href="{entities(help_url)}">{rule}</a>'
    return (
        f"<tr><td>{finding.line}</td><td>{finding.severity.value}</td><td>{rule}</td>"
        f"<td>{'<br>'.join(_sentences(finding))}</td></tr>\n"
    )


def _sentences(finding: Finding) -> Iterator[str]:
    yield markdown(shorten(visible(finding.message), _MAX_MESSAGE))
    if finding.suggestion:
        yield f"Help: {markdown(shorten(visible(finding.suggestion), _MAX_MESSAGE))}"
    if finding.fix:
        yield "Fixable with <code>--fix</code>."


def _open(path: str, findings: list[Finding], result: CheckResult) -> str:
    title = f"{_name(path)}: {amount(len(findings), 'finding')}"
    columns = "<tr><th>Line</th><th>Severity</th><th>Rule</th><th>Finding</th></tr>\n"
    if _is_folded(result):
        return f"<details><summary>{title}</summary>\n<table>\n{columns}"
    return f"<h4>{title}</h4>\n<table>\n{columns}"


def _is_folded(result: CheckResult) -> bool:
    return len(result.findings) > _MAX_OPEN


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
