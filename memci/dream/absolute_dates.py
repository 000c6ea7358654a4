"""Making dates of memory absolute: what "yesterday" meant on the day its line was written."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from memci.memory.edits import split_lines
from memci.model.finding import Edit, Finding, Fix
from memci.prose.dates.find import Period, resolve

# Where a line of memory stands.
Place = tuple[PurePosixPath, int]


def find_undated(findings: Iterable[Finding], texts: Mapping[PurePosixPath, str]) -> Iterator[tuple[Place, str]]:
    """Yield the lines with relative dates, whose day git has to tell."""
    for finding in findings:
        if finding.rule == "date-relative":
            yield (finding.path, finding.line), split_lines(texts[finding.path])[finding.line - 1]


def add_dates(
    findings: Iterable[Finding], texts: Mapping[PurePosixPath, str], written: Mapping[Place, dt.date]
) -> Iterator[Finding]:
    """Give every finding about a relative date the fix that writes the date beside it, where its day is known."""
    for finding in findings:
        day = written.get((finding.path, finding.line)) if finding.rule == "date-relative" else None
        fix = _plan(finding, split_lines(texts[finding.path])[finding.line - 1], day) if day else None
        yield replace(finding, fix=fix) if fix else finding


def _plan(finding: Finding, line: str, day: dt.date) -> Fix | None:
    start = finding.column - 1
    # The rule quotes the expression with single blanks; one that is broken over lines is left to people.
    said = finding.message.partition('"')[2].partition('"')[0]
    meant = resolve(said, day)
    if meant is None or not line.startswith(said, start):
        return None
    shown = f"{meant.first}/{meant.last}" if isinstance(meant, Period) else meant.isoformat()
    end = start + len(said)
    new = f"{line[:end]} ({shown}){line[end:]}"
    return Fix(f"write {shown}", (Edit(finding.path, finding.line, line, new),))
