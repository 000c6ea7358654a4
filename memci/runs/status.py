"""Runs `memci status`: the budget, age and findings of every scope."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from memci.config import Config
from memci.errors import MemciError
from memci.git.history import last_changes
from memci.memory.client_limit import count_units, cut
from memci.model.finding import Finding
from memci.model.memory import Guide, ScopeSnapshot, Snapshot, TopicType, Trust
from memci.report.status_result import ScopeStatus
from memci.runs.scopes import Prepared

if TYPE_CHECKING:
    from memci.citations.verdict import JudgedClaims


@dataclass(frozen=True, slots=True)
class Health:
    """The snapshot, its findings, and the figures of each scope."""

    snapshot: Snapshot
    findings: tuple[Finding, ...]
    truth: "JudgedClaims"
    # When each file was last committed, in seconds.
    changes: Mapping[PurePosixPath, int]
    statuses: tuple[ScopeStatus, ...]


def read_health(found: Prepared, now: dt.datetime, wanted: Sequence[Path] = ()) -> Health:
    """Read and check the wanted scopes; all if none is wanted."""
    from memci.dream import check_memory

    workspace, config, scopes = found.workspace, found.config, found.select(wanted)
    if workspace.repository is None:
        # Without git nothing is committed.
        scopes = tuple(replace(scope, trust=Trust.LOCAL) for scope in scopes)
    snapshot = check_memory.read_snapshot(workspace.tree, scopes, found.own)
    truth = check_memory.verify_claims(workspace, snapshot)
    findings = check_memory.check_snapshot(snapshot, config, now, truth).problems
    paths = [text.path for scope in snapshot.scopes for text in scope.texts]
    changes = last_changes(workspace.repository, paths) if workspace.repository else {}
    statuses = []
    for scope in snapshot.scopes:
        claims = Counter(v.kind.value for v in truth.verdicts if v.claim.path.is_relative_to(scope.scope.path))
        status = replace(_summarise(scope, findings, changes), claims=dict(claims))
        statuses.append(_add_dream(status, scope, snapshot.guides, config, now))
    return Health(snapshot, findings, truth, changes, tuple(statuses))


def _add_dream(
    status: ScopeStatus, scope: ScopeSnapshot, guides: Sequence[Guide], config: Config, now: dt.datetime
) -> ScopeStatus:
    """Add when the scope last dreamt and whether it is due, without counting new sessions."""
    from memci.dream.due import skip_reason
    from memci.dream.orient import read_state
    from memci.git.file_tree import WorkTree
    from memci.memory.guide_files import list_guides
    from memci.stores.lock import CLIENT_LOCK
    from memci.use.repeated_rules import list_rules

    try:
        state = read_state(WorkTree(scope.scope.target, shown=scope.scope.path), scope.scope.path)
    except MemciError as error:
        return replace(status, not_due=error.message)
    last = state.last_consolidated_at
    why = "switched off in the settings" if not config.dream else skip_reason(state, now, None)
    locked = (scope.scope.target / CLIENT_LOCK).exists()
    # The texts of the rules that sessions have, by the keys that the state uses.
    listed = list_rules(scope.topics, list_guides(guides, scope.scope)) if state.use.repeated else ()
    return replace(
        status,
        dreamt=last.date() if last else None,
        not_due=why or "",
        locked=locked,
        use=state.use,
        known_rules={rule.key(scope.scope.path): rule.text for _, rule in listed},
    )


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
        size=count_units(text),
        pointers=len(pointers),
        lost_from=lost_from,
        lost=tuple(pointer.target for pointer in pointers if lost_from and pointer.line >= lost_from),
        newest=max(mine_days, default=None),
        oldest=min((days[topic.path] for topic in snapshot.topics if topic.path in days), default=None),
        uncommitted=len(snapshot.texts) - len(mine_days),
        problems=Counter(finding.severity for finding in mine),
        rules=dict(Counter(finding.rule for finding in mine).most_common()),
    )
