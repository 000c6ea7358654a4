"""The first phase: reads memory, runs the rules over it, and checks its claims against the repository."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memci.citations.exemptions import report_move
from memci.citations.history.deleted_files import Removals
from memci.citations.history.git_queries import History
from memci.citations.history.renamed_files import Removed, Renamed
from memci.citations.verdict import JudgedClaims
from memci.dream.check_memory import check_snapshot, read_snapshot, verify_claims
from memci.dream.inputs import DreamTask, Sources
from memci.dream.state import STATE_NAME, DreamState, parse_state
from memci.errors import UnsafeError
from memci.git.file_tree import Tree, WorkTree
from memci.git.history import moment_of
from memci.memory.apply_edits import split_lines
from memci.model.finding import Edit, Finding, Fix
from memci.model.memory import Snapshot, Unreadable
from memci.prose.dates.find import resolve
from memci.prose.dates.words import WEEKDAYS
from memci.prose.similar import tokenise


def orient(task: DreamTask, show: Callable[[str], None]) -> Sources:
    """Read the scopes of a dream, their states, and the findings of all rules with dates and renames from git."""
    workspace = task.workspace
    show("orient: reading memory")
    snapshot = read_snapshot(workspace.tree, task.scopes, task.own)
    others = read_snapshot(workspace.tree, task.others).scopes
    show("orient: asking the repository")
    scopes = (scope.scope for scope in snapshot.scopes)
    states = {scope.path: read_state(WorkTree(scope.target, shown=scope.path), scope.path) for scope in scopes}
    judged = follow_moves(verify_claims(workspace, snapshot), states)
    findings, suppressed = check_snapshot(snapshot, task.config, task.request.now, judged)
    fates: dict[PurePosixPath, PurePosixPath | None] = {}
    if workspace.repository is not None and workspace.repository.has_commits():
        history = History(workspace.repository)
        findings = date_findings(findings, snapshot, history)
        fates = dict(_trace_pointers(history, snapshot))
    return Sources(
        snapshot,
        task.config,
        task.request.now,
        findings,
        states=states,
        others=others,
        fates=fates,
        judged=judged,
        suppressed=suppressed,
    )


def read_state(tree: Tree, scope: PurePosixPath) -> DreamState:
    """Read the state file of a scope; a scope that never dreamt has none."""
    path = scope / STATE_NAME
    text = tree.read(path)
    if isinstance(text, str):
        return parse_state(text, path)
    if text.reason is not Unreadable.ABSENT:
        raise UnsafeError(f"cannot read {path}: {text.reason}", hint="memci would propose again what was settled")
    return DreamState()


def follow_moves(judged: JudgedClaims, states: Mapping[PurePosixPath, DreamState]) -> JudgedClaims:
    """Report what an earlier dream would have corrected in text about the past, had it not waited.

    Such text is corrected only beside plain text that cites the same place, which may be corrected by now.
    """
    memory = [str(path) for path in states]
    moves = {(str(path), old, new) for path, state in states.items() for old, new in state.moves}
    return judged._replace(verdicts=tuple(report_move(verdict, moves, memory) for verdict in judged.verdicts))


def date_findings(findings: Sequence[Finding], snapshot: Snapshot, history: History) -> tuple[Finding, ...]:
    """Add a fix to findings about relative dates, from the day git says the line was written on."""
    texts = {text.path: text.text for scope in snapshot.scopes for text in scope.texts}
    wanted: dict[str, dict[int, str]] = {}
    for found in findings:
        if found.rule == _RELATIVE:
            row = split_lines(texts[found.path])[found.line - 1]
            wanted.setdefault(str(found.path), {})[found.line] = row.rstrip("\r\n")
    days: dict[Place, dt.date] = {}
    for (name, line), writer in (history.find_written(wanted) if wanted else {}).items():
        if writer is not None:
            days[PurePosixPath(name), line] = moment_of(writer.time).date()
    return tuple(add_dates(findings, texts, days))


def _trace_pointers(history: History, snapshot: Snapshot) -> Iterator[tuple[PurePosixPath, PurePosixPath | None]]:
    """Yield the topics that pointers still name, with the path they were renamed to; None if git saw them deleted."""
    pointed = {p.path: scope for scope in snapshot.scopes if scope.index for p in scope.index.pointers if p.path}
    dangling = [str(path) for path, scope in pointed.items() if path not in scope.files]
    for path, fate in (Removals(history).find_fates(dangling) if dangling else {}).items():
        if isinstance(fate, Renamed):
            yield PurePosixPath(path), PurePosixPath(fate.target)
        elif isinstance(fate, Removed):
            yield PurePosixPath(path), None


# File and line number.
Place = tuple[PurePosixPath, int]
_RELATIVE = "date-relative"


def add_dates(
    findings: Iterable[Finding], texts: Mapping[PurePosixPath, str], written: Mapping[Place, dt.date]
) -> Iterator[Finding]:
    """Add to findings about relative dates the fix that inserts the absolute date, where the day is known."""
    for finding in findings:
        day = written.get((finding.path, finding.line)) if finding.rule == _RELATIVE else None
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
