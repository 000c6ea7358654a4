"""Makes relative dates absolute, by the day on which git says that their line was written."""

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from memci.memory.apply_edits import split_lines
from memci.model.finding import Edit, Finding, Fix
from memci.prose.dates.find import resolve
from memci.prose.dates.words import WEEKDAYS
from memci.prose.similar import tokenise

# File and line number.
Place = tuple[PurePosixPath, int]


def list_undated(findings: Iterable[Finding], texts: Mapping[PurePosixPath, str]) -> Iterator[tuple[Place, str]]:
    """Yield the lines with relative dates, for which git has to be asked."""
    for finding in findings:
        if finding.rule == "date-relative":
            yield (finding.path, finding.line), split_lines(texts[finding.path])[finding.line - 1]


def add_dates(
    findings: Iterable[Finding], texts: Mapping[PurePosixPath, str], written: Mapping[Place, dt.date]
) -> Iterator[Finding]:
    """Add to findings about relative dates the fix that inserts the absolute date, where the day is known."""
    for finding in findings:
        day = written.get((finding.path, finding.line)) if finding.rule == "date-relative" else None
        fix = _plan(finding, split_lines(texts[finding.path])[finding.line - 1], day) if day else None
        yield replace(finding, fix=fix) if fix else finding


def _plan(finding: Finding, line: str, day: dt.date) -> Fix | None:
    start = finding.column - 1
    # The rule quotes the expression with single blanks; one that spans lines is not fixed.
    said = finding.message.partition('"')[2].partition('"')[0]
    meant = resolve(said, day)
    # "Last week" may be any week, as the name of a thing; and a line with two weekdays is a timetable.
    if not isinstance(meant, dt.date) or not line.startswith(said, start) or _count_weekdays(line) > 1:
        return None
    end = start + len(said)
    new = f"{line[:end]} ({meant.isoformat()}){line[end:]}"
    return Fix(f"write {meant.isoformat()}", (Edit(finding.path, finding.line, line, new),))


def _count_weekdays(line: str) -> int:
    return sum(word in WEEKDAYS or word.removesuffix("s") in WEEKDAYS for word in tokenise(line))
