"""Runs `memci report`: memory as it is, as it was at some commits, and what a session would load."""

import contextlib
import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.checks.registry import RULES
from memci.checks.rule import Group, Material
from memci.checks.run import run_rules
from memci.dream.check_memory import read_snapshot
from memci.errors import ServiceError
from memci.git.file_tree import read_commit
from memci.git.repository import Repository
from memci.git.workspace import Workspace, list_skipped
from memci.memory.client_limit import cut
from memci.model.citation import Verdict, VerdictKind
from memci.model.finding import Finding, Severity
from memci.model.memory import Scope, ScopeSnapshot, Trust
from memci.recall.choose import MAX_SHOWN
from memci.recall.listing import build_manifest
from memci.recall.local_choice import LocalRanker
from memci.redaction.secrets import redact
from memci.report.check_result import amount
from memci.report.dream_result import DreamResult
from memci.report.headline import describe_dream
from memci.report.page.data import (
    NOT_LISTED,
    NOT_SHOWN,
    FalseClaim,
    Moment,
    PageProblem,
    Report,
    ScopeHealth,
    TopicHealth,
)
from memci.report.page.run import tell_run
from memci.report.status_result import ScopeStatus, describe_scopes
from memci.runs.status import Health, read_health
from memci.stores.write_output import check_parent, write_output

# Enough points to show the trend; each costs as much as a check without the repository.
_MAX_PAST = 12
# The oldest commits of a longer history say little about today.
_MAX_COMMITS = 5_000
Past = Mapping[PurePosixPath, tuple[Moment, ...]]
_FALSE = frozenset({VerdictKind.MOVED, VerdictKind.MISSING})
# A change is none at a commit, truth would need its whole tree, and to compare topics with each other takes so long
# that it cannot be done a dozen times.
_STANDING = tuple(rule for rule in RULES if rule.group not in {Group.CHANGE, Group.TRUTH, Group.CONTENT})


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """The options of `memci report`."""

    scopes: tuple[Path, ...]
    with_user: bool
    now: dt.datetime
    # Problems of the memory on disk.
    notes: tuple[tuple[str, str], ...] = ()


def make_report(
    workspace: Workspace,
    request: ReportRequest,
    config_path: Path | None,
    show: Callable[[str], None],
    result: DreamResult | None = None,
) -> Report:
    """Check memory as it is now and as it was, and add the dream if there was one."""
    show("report: reading memory")
    health = read_health(workspace, config_path, request.now, request.scopes, with_user=request.with_user)
    skipped = [*request.notes, *list_skipped(workspace), *(("history", note) for note in health.truth.notes)]
    past: Past = {}
    try:
        past = _read_past(workspace.repository, health, request.now, show) if workspace.repository else {}
    except ServiceError as error:
        # A clone without old objects is reported without history.
        skipped.append(("history", error.message))
    show("report: asking recall")
    scopes = [
        _tell_scope(snapshot, status, health, past.get(snapshot.scope.path, ()))
        for snapshot, status in zip(health.snapshot.scopes, health.statuses, strict=True)
    ]
    unread = [item for snapshot in health.snapshot.scopes for item in snapshot.unread]
    skipped += [(str(item.path), item.reason.value) for item in unread]
    headline = describe_dream(result.plans) if result and result.plans else _describe_health(health)
    run = tell_run(result) if result else None
    return Report(workspace.root.name, request.now, headline, tuple(scopes), tuple(skipped), run)


def _describe_health(health: Health) -> str:
    warnings = sum(status.problems.get(Severity.WARNING, 0) for status in health.statuses)
    said = describe_scopes(health.statuses) if health.statuses else "no memory here"
    return f"{said}, {amount(warnings, 'warning')}" if warnings else said


def _read_past(repository: Repository, health: Health, now: dt.datetime, show: Callable[[str], None]) -> Past:
    """Check the committed scopes at evenly spread commits that changed them, and now."""
    kept = [snapshot.scope for snapshot in health.snapshot.scopes if snapshot.scope.trust is Trust.COMMITTED]
    if not kept or not repository.has_commits():
        return {}
    moments: dict[PurePosixPath, list[Moment]] = {scope.path: [] for scope in kept}
    with contextlib.closing(repository):
        for commit, when in _spread([*_list_commits(repository, kept)][::-1]):
            show(f"report: reading {commit[:10]}")
            tree = read_commit(repository, commit)
            snapshot = read_snapshot(tree, kept)
            # Judged as of that day: a date that was to come then is no problem of then.
            findings = run_rules(Material(snapshot, when, config=health.config), health.config, _STANDING).findings
            for scope in snapshot.scopes:
                if scope.files:
                    moments[scope.scope.path].append(_measure(scope, findings, when.date(), commit[:10]))
    rules = {rule.id for rule in _STANDING}
    standing = [finding for finding in health.findings if finding.rule in rules]
    for scope in health.snapshot.scopes:
        if scope.scope.path in moments:
            moments[scope.scope.path].append(_measure(scope, standing, now.date(), ""))
    return {path: tuple(sorted(found, key=lambda moment: moment.day)) for path, found in moments.items()}


def _list_commits(repository: Repository, scopes: Sequence[Scope]) -> Iterator[tuple[str, dt.datetime]]:
    """Yield the commits that changed these scopes, newest first; of a merged branch only the merge."""
    options = ("--first-parent", f"--max-count={_MAX_COMMITS}", "--format=%H %ct")
    out = repository.run("log", *options, "HEAD", "--", *(str(scope.path) for scope in scopes)).decode()
    for line in out.split("\n")[:-1]:
        commit, seconds = line.split(" ")
        yield commit, dt.datetime.fromtimestamp(int(seconds), dt.UTC)


def _spread(items: Sequence[tuple[str, dt.datetime]]) -> Sequence[tuple[str, dt.datetime]]:
    """Return at most `_MAX_PAST` items, the first and the last among them."""
    if len(items) <= _MAX_PAST:
        return items
    step = (len(items) - 1) / (_MAX_PAST - 1)
    return [items[round(number * step)] for number in range(_MAX_PAST)]


def _measure(scope: ScopeSnapshot, findings: Sequence[Finding], day: dt.date, commit: str) -> Moment:
    mine = [finding for finding in findings if finding.path.is_relative_to(scope.scope.path)]
    size = sum(_count_bytes(text.text) for text in scope.texts)
    lines = len(scope.index.lines) if scope.index else 0
    return Moment(day, commit, len(scope.topics), size, lines, Counter(one.severity.value for one in mine))


def _count_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _tell_scope(snapshot: ScopeSnapshot, status: ScopeStatus, health: Health, past: tuple[Moment, ...]) -> ScopeHealth:
    base = snapshot.scope.path
    verdicts = [verdict for verdict in health.truth.verdicts if verdict.claim.path.is_relative_to(base)]
    findings = [finding for finding in health.findings if finding.path.is_relative_to(base)]
    false = [verdict for verdict in verdicts if verdict.kind in _FALSE]
    types = {topic.path: topic.type or "" for topic in snapshot.topics}
    reasons = Counter(v.reason.value for v in verdicts if v.kind is VerdictKind.UNVERIFIABLE and v.reason)
    dated = sorted(filter(None, (_tell_false(verdict, base) for verdict in false)), key=lambda claim: claim.day)
    return ScopeHealth(
        status=status,
        topics=tuple(_tell_topics(snapshot, verdicts, findings, health.changes)),
        problems=tuple(
            PageProblem(
                finding.rule,
                finding.severity,
                str(finding.path.relative_to(base)),
                finding.line,
                redact(finding.message),
                redact(finding.suggestion),
                types.get(finding.path, ""),
            )
            for finding in sorted(findings, key=lambda one: (-one.severity.rank, one.path, one.line, one.rule))
        ),
        reasons=dict(reasons.most_common()),
        past=past,
        false_claims=tuple(dated),
        undated=len(false) - len(dated),
    )


def _tell_false(verdict: Verdict, base: PurePosixPath) -> FalseClaim | None:
    """Return a false claim with its date: the commit that broke it, or that wrote it if that is later."""
    if verdict.broken is None:
        return None
    seconds = max(verdict.broken.time, verdict.written.time if verdict.written else 0)
    day = dt.datetime.fromtimestamp(seconds, dt.UTC).date()
    claim = verdict.claim
    place = str(claim.path.relative_to(base))
    return FalseClaim(day, verdict.broken.id[:10], verdict.kind.value, redact(claim.text), place, claim.line)


def _tell_topics(
    snapshot: ScopeSnapshot,
    verdicts: Sequence[Verdict],
    findings: Sequence[Finding],
    changes: Mapping[PurePosixPath, int],
) -> Iterator[TopicHealth]:
    base = snapshot.scope.path
    written = {path: dt.datetime.fromtimestamp(when, dt.UTC) for path, when in changes.items()}
    claims: dict[PurePosixPath, Counter[str]] = {}
    for verdict in verdicts:
        claims.setdefault(verdict.claim.path, Counter())[verdict.kind.value] += 1
    problems = Counter(finding.path for finding in findings)
    pointers = snapshot.index.pointers if snapshot.index else ()
    lost_from = cut(snapshot.index.text).lost_from if snapshot.index else 0
    loaded = {pointer.path for pointer in pointers if not lost_from or pointer.line < lost_from}
    ranks, brought_up = _ask_recall(snapshot, written)
    for topic in snapshot.topics:
        yield TopicHealth(
            file=str(topic.path.relative_to(base)),
            type=topic.type or "",
            name=redact(topic.name),
            description=redact(topic.description),
            size=_count_bytes(topic.text),
            written=written[topic.path].date() if topic.path in written else None,
            pointed=any(pointer.path == topic.path for pointer in pointers),
            loaded=topic.path in loaded,
            claims=dict(claims.get(topic.path, {})),
            problems=problems[topic.path],
            rank=ranks.get(str(topic.path), NOT_LISTED),
            brought_up=brought_up[str(topic.path)],
        )


def _ask_recall(
    snapshot: ScopeSnapshot, written: Mapping[PurePosixPath, dt.datetime]
) -> tuple[dict[str, int], Counter[str]]:
    """Recall with each description as the query: the rank of its own topic, and the other topics shown."""
    entries = build_manifest([snapshot], written).entries
    ranks: dict[str, int] = {}
    brought_up: Counter[str] = Counter()
    for entry in entries:
        shown = LocalRanker().rank(entry.description or entry.name, entries)[:MAX_SHOWN]
        ranks[entry.id] = shown.index(entry.id) + 1 if entry.id in shown else NOT_SHOWN
        brought_up.update(name for name in shown if name != entry.id)
    return ranks, brought_up


def render(report: Report, style: str) -> str:
    """Return the report as `html` or `json`."""
    if style == "json":
        from memci.report.page.as_json import render_report_json

        return render_report_json(report)
    from memci.report.page.render import render_page

    return render_page(report)


def write_report(target: Path, text: str) -> None:
    """Write a report to the file that a person named."""
    check_parent(target)
    write_output(target, text.encode())
