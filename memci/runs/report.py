"""Runs `memci report`: memory as it is, and what a session would load."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memci.git.workspace import list_skipped
from memci.memory.client_limit import cut
from memci.model.citation import Verdict, VerdictKind
from memci.model.finding import Severity
from memci.model.memory import ScopeSnapshot
from memci.model.use import TopicUse
from memci.recall.choose import MAX_SHOWN
from memci.recall.listing import build_manifest
from memci.recall.local_choice import LocalRanker
from memci.redaction.secrets import redact
from memci.report.check_result import amount
from memci.report.dream_result import DreamResult
from memci.report.headline import describe_dream
from memci.report.page.charts import NOT_LISTED, NOT_SHOWN, ScopeHealth, TopicHealth
from memci.report.page.render import Report
from memci.report.page.run import Shown, tell_run
from memci.report.status_result import ScopeStatus, describe_scopes
from memci.report.summary_parts import ForgeLinks
from memci.runs.scopes import Prepared
from memci.runs.status import Health, read_health
from memci.stores.files import check_parent, write_output

_FALSE = frozenset({VerdictKind.MOVED, VerdictKind.MISSING})


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """The options of `memci report`."""

    scopes: tuple[Path, ...]
    now: dt.datetime
    # To the commit that is checked out.
    links: ForgeLinks | None = None


def make_report(
    found: Prepared, request: ReportRequest, show: Callable[[str], None], result: DreamResult | None = None
) -> Report:
    """Check memory, and add the dream if there was one."""
    show("report: reading memory")
    health = read_health(found, request.now, request.scopes)
    skipped = [*found.notes, *list_skipped(found.workspace), *(("history", note) for note in health.truth.notes)]
    show("report: asking recall")
    scopes = [
        _tell_scope(snapshot, status, health, request.links)
        for snapshot, status in zip(health.snapshot.scopes, health.statuses, strict=True)
    ]
    unread = [item for snapshot in health.snapshot.scopes for item in snapshot.unread]
    skipped += [(str(item.path), item.reason.value) for item in unread]
    headline = describe_dream(result.plans) if result and result.plans else _describe_health(health)
    run = tell_run(result) if result else None
    return Report(found.workspace.root.name, request.now, headline, tuple(scopes), tuple(skipped), run)


def _describe_health(health: Health) -> str:
    warnings = sum(status.problems.get(Severity.WARNING, 0) for status in health.statuses)
    said = describe_scopes(health.statuses) if health.statuses else "no memory here"
    return f"{said}, {amount(warnings, 'warning')}" if warnings else said


def _tell_scope(snapshot: ScopeSnapshot, status: ScopeStatus, health: Health, links: ForgeLinks | None) -> ScopeHealth:
    base = snapshot.scope.path
    verdicts = [verdict for verdict in health.truth.verdicts if verdict.claim.path.is_relative_to(base)]
    findings = [finding for finding in health.findings if finding.path.is_relative_to(base)]
    false = [verdict for verdict in verdicts if verdict.kind in _FALSE]
    types = {topic.path: topic.type or "" for topic in snapshot.topics}
    reasons = Counter(v.reason.value for v in verdicts if v.kind is VerdictKind.UNVERIFIABLE and v.reason)
    dated = sorted(
        filter(None, (_tell_false(verdict, base, links) for verdict in false)), key=lambda claim: claim["day"]
    )
    return ScopeHealth(
        status=status,
        topics=tuple(_tell_topics(snapshot, verdicts, health.changes, status.use.topics, links)),
        problems=tuple(
            {
                "rule": finding.rule,
                "severity": finding.severity,
                "file": str(finding.path.relative_to(base)),
                "line": finding.line,
                "link": _link(links, finding.path, finding.line),
                "message": finding.message,
                "suggestion": finding.suggestion,
                "type": types.get(finding.path, ""),
            }
            for finding in sorted(findings, key=lambda one: (-one.severity.rank, one.path, one.line, one.rule))
        ),
        reasons=dict(reasons.most_common()),
        false_claims=tuple(dated),
    )


def _link(links: ForgeLinks | None, path: PurePosixPath, line: int = 0) -> str:
    """Return the address of a line of memory at the forge; "" if it is not known."""
    return links.file(path, str(line or ""), old=True) if links else ""


def _tell_false(verdict: Verdict, base: PurePosixPath, links: ForgeLinks | None) -> Shown | None:
    """Return a false claim with its date: the commit that broke it, or that wrote it if that is later."""
    if verdict.broken is None:
        return None
    seconds = max(verdict.broken.time, verdict.written.time if verdict.written else 0)
    claim = verdict.claim
    return {
        "day": dt.datetime.fromtimestamp(seconds, dt.UTC).date(),
        "commit": verdict.broken.id[:10],
        "commit_link": links.commit(verdict.broken.id[:10]) if links else "",
        "verdict": verdict.kind.value,
        "text": redact(claim.text),
        "file": str(claim.path.relative_to(base)),
        "line": claim.line,
        "link": _link(links, claim.path, claim.line),
    }


def _tell_topics(
    snapshot: ScopeSnapshot,
    verdicts: Sequence[Verdict],
    changes: Mapping[PurePosixPath, int],
    used: Mapping[str, TopicUse],
    links: ForgeLinks | None,
) -> Iterator[TopicHealth]:
    base = snapshot.scope.path
    written = {path: dt.datetime.fromtimestamp(when, dt.UTC) for path, when in changes.items()}
    claims: dict[PurePosixPath, Counter[str]] = {}
    for verdict in verdicts:
        claims.setdefault(verdict.claim.path, Counter())[verdict.kind.value] += 1
    pointers = snapshot.index.pointers if snapshot.index else ()
    lost_from = cut(snapshot.index.text).lost_from if snapshot.index else 0
    loaded = {pointer.path for pointer in pointers if not lost_from or pointer.line < lost_from}
    ranks = _ask_recall(snapshot, written)
    for topic in snapshot.topics:
        yield TopicHealth(
            file=str(topic.path.relative_to(base)),
            link=_link(links, topic.path) if topic.path in written else "",
            type=topic.type or "",
            about=redact(topic.description or topic.name),
            size=len(topic.text.encode("utf-8", "surrogatepass")),
            written=written[topic.path].date() if topic.path in written else None,
            pointed=any(pointer.path == topic.path for pointer in pointers),
            loaded=topic.path in loaded,
            claims=dict(claims.get(topic.path, {})),
            rank=ranks.get(str(topic.path), NOT_LISTED),
            use=used.get(str(topic.path.relative_to(base)), TopicUse()),
        )


def _ask_recall(snapshot: ScopeSnapshot, written: Mapping[PurePosixPath, dt.datetime]) -> dict[str, int]:
    """Recall with each description as the query, and return the rank of its own topic."""
    entries = build_manifest([snapshot], written).entries
    ranks: dict[str, int] = {}
    for entry in entries:
        shown = LocalRanker().rank(entry.description or entry.name, entries)[:MAX_SHOWN]
        ranks[entry.id] = shown.index(entry.id) + 1 if entry.id in shown else NOT_SHOWN
    return ranks


def write_report(target: Path, text: str) -> None:
    """Write a report to the file that a person named."""
    check_parent(target)
    write_output(target, text.encode())
