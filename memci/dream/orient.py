"""The first phase: reads memory, runs the rules over it, and checks its claims against the repository."""

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from memci.citations.history.deleted_files import Removals
from memci.citations.history.git_queries import History
from memci.citations.history.renamed_files import Removed, Renamed
from memci.dream.absolute_dates import Place, add_dates, list_undated
from memci.dream.check_memory import check_snapshot, read_snapshot, verify_claims
from memci.dream.inputs import DreamTask, Sources
from memci.dream.state import STATE_NAME, DreamState, parse_state
from memci.errors import UnsafeError
from memci.git.file_tree import WorkTree
from memci.model.finding import Finding
from memci.model.memory import ScopeSnapshot, Snapshot, Unreadable


def orient(task: DreamTask, show: Callable[[str], None]) -> Sources:
    """Read the scopes of a dream, their states, and the findings of all rules with dates and renames from git."""
    workspace = task.workspace
    show("orient: reading memory")
    snapshot = read_snapshot(workspace.tree, task.scopes, task.own)
    others = read_snapshot(workspace.tree, task.others).scopes
    show("orient: asking the repository")
    judged = verify_claims(workspace, snapshot)
    findings, suppressed = check_snapshot(snapshot, task.config, task.now, judged)
    states = {scope.scope.path: read_state(scope) for scope in snapshot.scopes}
    fates: dict[PurePosixPath, PurePosixPath | None] = {}
    if workspace.repository is not None and workspace.repository.has_commits():
        history = History(workspace.repository)
        findings = date_findings(findings, snapshot, history)
        fates = dict(_trace_pointers(history, snapshot))
    return Sources(
        snapshot,
        task.config,
        task.now,
        findings,
        states=states,
        others=others,
        renamed={old: new for old, new in fates.items() if new},
        deleted=frozenset(old for old, new in fates.items() if not new),
        judged=judged,
        suppressed=suppressed,
    )


def read_state(scope: ScopeSnapshot) -> DreamState:
    """Read the state file of a scope; a scope that never dreamt has none."""
    path = scope.scope.path / STATE_NAME
    text = WorkTree(scope.scope.target, shown=scope.scope.path).read(path)
    if isinstance(text, str):
        return parse_state(text, path)
    if text.reason is not Unreadable.ABSENT:
        raise UnsafeError(f"cannot read {path}: {text.reason}", hint="memci would propose again what was settled")
    return DreamState()


def date_findings(findings: Sequence[Finding], snapshot: Snapshot, history: History) -> tuple[Finding, ...]:
    """Add a fix to findings about relative dates, from the day git says the line was written on."""
    texts = {text.path: text.text for scope in snapshot.scopes for text in scope.texts}
    wanted: dict[str, dict[int, str]] = {}
    for (path, number), row in list_undated(findings, texts):
        wanted.setdefault(str(path), {})[number] = row.rstrip("\r\n")
    days: dict[Place, dt.date] = {}
    for (name, line), writer in (history.find_written(wanted) if wanted else {}).items():
        if writer is not None:
            days[PurePosixPath(name), line] = dt.datetime.fromtimestamp(writer.time, dt.UTC).date()
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
