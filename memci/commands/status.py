"""`memci status`: scopes, budgets, ages and problems at a glance."""

import datetime as dt
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from memci.commands.options import Settings, format_option, now_option, user_option
from memci.commands.output import emit, progress, terminal_width, wants_colour
from memci.commands.preparing import prepare
from memci.config import Config
from memci.errors import Exit, MemciError
from memci.model import Finding, ScopeSnapshot, Snapshot, TopicType, Trust
from memci.report.status import ScopeStatus, render_status, render_status_json
from memci.sources.scopes import find_scopes
from memci.sources.settings import read_config
from memci.sources.user_scopes import find_user_scopes
from memci.sources.workspace import Workspace, find_inside, open_workspace
from memci.text.cut import cut

if TYPE_CHECKING:
    from memci.drift.verdicts import Judged


@click.command(
    "status",
    epilog="""\b
Examples:
  memci status                  the scopes of this repository
  memci status --user           your own memory, too
  memci status --format json""",
)
@format_option("text", "json")
@user_option
@now_option
@click.pass_obj
def command(settings: Settings, /, style: str, *, with_user: bool, now: dt.datetime) -> Exit:
    """Show scopes, budgets, ages and problems at a glance.

    Each scope is shown with its topics by type, how much of the index the client would load, when it changed, when it
    dreamt and whether a dream is due, and what `memci check` finds in it.
    """
    workspace, notes = prepare(open_workspace(settings.directory), settings.config, with_user=with_user)
    with progress(quiet=settings.verbosity < 0) as show:
        show("reading memory")
        statuses = read_health(workspace, settings.config, now, with_user=with_user).statuses
    if style == "json":
        emit(render_status_json(statuses, now, notes))
    else:
        emit(render_status(statuses, now, colour=wants_colour(), width=terminal_width(0)))
    return Exit.DONE


@dataclass(frozen=True, slots=True)
class Health:
    """What was read and judged, and the figures of each scope."""

    snapshot: Snapshot
    config: Config
    findings: tuple[Finding, ...]
    truth: "Judged"
    # When each file was last committed, in seconds.
    changes: Mapping[PurePosixPath, int]
    statuses: tuple[ScopeStatus, ...]


def read_health(
    workspace: Workspace, config_path: Path | None, now: dt.datetime, wanted: Sequence[Path] = (), *, with_user: bool
) -> Health:
    """Read every scope that is wanted, all if none is named, and judge it."""
    from memci.commands import judging
    from memci.commands.checking import select_scopes

    config = read_config(workspace.tree, find_inside(workspace, config_path) if config_path else None)
    scopes = find_scopes(workspace.tree, workspace.root, config.scopes)
    scopes = select_scopes(scopes, [find_inside(workspace, path) for path in wanted])
    if workspace.repository is None:
        # Where there is no git nothing is committed.
        scopes = tuple(replace(scope, trust=Trust.LOCAL) for scope in scopes)
    own = find_user_scopes(workspace.root, workspace.repository, os.environ) if with_user else ()
    snapshot = judging.read_snapshot(workspace.tree, scopes, own)
    truth = judging.find_truth(workspace, snapshot)
    findings = judging.judge(snapshot, config, now, truth).findings
    paths = [text.path for scope in snapshot.scopes for text in scope.texts]
    changes = workspace.repository.last_changes(paths) if workspace.repository else {}
    statuses = []
    for scope in snapshot.scopes:
        claims = Counter(v.kind.value for v in truth.verdicts if v.claim.path.is_relative_to(scope.scope.path))
        status = replace(_summarise(scope, findings, changes), claims=dict(claims))
        statuses.append(_add_dream(status, scope, config, now))
    return Health(snapshot, config, findings, truth, changes, tuple(statuses))


def _add_dream(status: ScopeStatus, scope: ScopeSnapshot, config: Config, now: dt.datetime) -> ScopeStatus:
    """Say when the scope dreamt, and whether it is due; how many sessions are new is known only with transcripts."""
    from memci.commands.dreaming import read_state
    from memci.dream.gates import find_skip
    from memci.stores.client_lock import CLIENT_LOCK

    try:
        state = read_state(scope)
    except MemciError as error:
        return replace(status, not_due=error.message)
    last = state.last_consolidated_at
    why = "switched off in the settings" if not config.dream else find_skip(state, now, None)
    locked = (scope.scope.target / CLIENT_LOCK).exists()
    return replace(status, dreamt=last.date() if last else None, not_due=why or "", locked=locked)


def _summarise(
    snapshot: ScopeSnapshot, findings: Sequence[Finding], changes: Mapping[PurePosixPath, int]
) -> ScopeStatus:
    mine = [finding for finding in findings if finding.path.is_relative_to(snapshot.scope.path)]
    days = {path: dt.datetime.fromtimestamp(when, dt.UTC).date() for path, when in changes.items()}
    mine_days = [days[text.path] for text in snapshot.texts if text.path in days]
    types = Counter(topic.type or "" for topic in snapshot.topics)
    text = snapshot.index.text if snapshot.index else ""
    lost_from = cut(text).lost_from
    pointers = snapshot.index.pointers if snapshot.index else ()
    return ScopeStatus(
        scope=snapshot.scope,
        types={kind: types[kind] for kind in (*TopicType, "") if types[kind]},
        logs=len(snapshot.logs),
        has_index=snapshot.index is not None,
        lines=len(snapshot.index.lines) if snapshot.index else 0,
        size=len(text.encode("utf-8", "replace")),
        pointers=len(pointers),
        lost_from=lost_from,
        lost=tuple(pointer.target for pointer in pointers if lost_from and pointer.line >= lost_from),
        newest=max(mine_days, default=None),
        oldest=min((days[topic.path] for topic in snapshot.topics if topic.path in days), default=None),
        uncommitted=len(snapshot.texts) - len(mine_days),
        problems=Counter(finding.severity for finding in mine),
        rules=dict(Counter(finding.rule for finding in mine).most_common()),
    )
