"""Repeats the operations of a bundle on the committed memory, with all guards."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from memci.citations.answers.asked_commit import UNANSWERED
from memci.citations.finding_proofs import explain_findings, list_proved
from memci.citations.lookups import answer_lookups, parse_lookup
from memci.citations.verdict import JudgedClaims
from memci.errors import UnsafeError
from memci.git.file_tree import CommitTree
from memci.git.history import list_author_names, list_authors
from memci.guards.context import Context, group_findings
from memci.guards.run import find_refusal
from memci.memory.guide_files import list_guides
from memci.memory.snapshot import add_repaired, change_texts, list_beside, list_full_names, list_texts, replace_texts
from memci.model.finding import Finding
from memci.model.memory import Scope, ScopeSnapshot, Snapshot, Unread, Unreadable
from memci.model.plan import EvidenceKind, OperationKind, PlanStatus, ScopePlan
from memci.model.session import Origin, PartKind, Signal, SignalKind
from memci.prose.similar import stem_content
from memci.publish.bundle import STATE_NAME, Bundle, BundledScope
from memci.redaction.secrets import REDACTED, redact
from memci.sessions.typed_parts import split_parts
from memci.signals.logs import LOG_SESSION, find_log_signals, list_entries

_MAX_NAME = 80
_MAX_LABEL = 60
# More than twice as many as a dream may ask for; what is beyond stays unanswered.
_MAX_LOOKUPS = 100
# Parts that are recognised by their markup, even in a single sentence.
_NOT_TYPED = frozenset((PartKind.QUOTED, PartKind.CODE, PartKind.WRAPPED))


@dataclass(frozen=True, slots=True)
class OwnNotes:
    """What this process has read in the memory of the person who runs it; never comes from a bundle."""

    # The scope that adopts them, which need not be committed yet.
    scope: Scope
    signals: frozenset[Signal]


@dataclass(frozen=True, slots=True)
class ReplayBase:
    """The commit that a bundle was made from; nothing in it comes from the bundle."""

    commit: str
    tree: CommitTree
    snapshot: Snapshot
    findings: tuple[Finding, ...]
    # The paths that look-ups may not show, as `list_hidden` returns them.
    hidden: tuple[str, ...] = ()
    # When the bundle was made.
    now: dt.datetime | None = None
    # The verdicts behind the findings.
    judged: JudgedClaims = field(default_factory=lambda: JudgedClaims(()))
    own: OwnNotes | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    """A scope of a bundle that may be published: the plan, without its ledger, and every file that changes."""

    plan: ScopePlan
    files: Mapping[PurePosixPath, bytes | None]
    # The new state file; None if the scope stays as it is.
    state: str | None


def replay_bundle(bundle: Bundle, base: ReplayBase) -> tuple[Replayed, ...]:
    """Return the changes of a bundle, or refuse it if it is inconsistent or a guard refuses an operation."""
    if bundle.run.base != base.commit:
        raise UnsafeError(f"the bundle was made from {bundle.run.base[:12]}, not from {base.commit[:12]}")
    known = {scope.scope.path: scope for scope in base.snapshot.scopes}
    replayed = []
    for scope in bundle.scopes:
        if scope.path not in known or known[scope.path].scope.id != scope.id:
            raise UnsafeError(f"{scope.path} is no scope of {base.commit[:12]}; the bundle is refused")
        replayed.append(_replay(scope, known[scope.path], base, _list_repaired(bundle, scope)))
    return tuple(replayed)


def _list_repaired(bundle: Bundle, scope: BundledScope) -> list[tuple[PurePosixPath, str | None]]:
    """Return what the repairs of the other scopes leave, which operations of this scope may quote."""
    others = (operation for other in bundle.scopes if other is not scope for operation in other.operations)
    return [pair for one in others if one.kind is OperationKind.REPAIR for pair in one.texts.items()]


def _replay(
    scope: BundledScope,
    snapshot: ScopeSnapshot,
    base: ReplayBase,
    repaired: Iterable[tuple[PurePosixPath, str | None]],
) -> Replayed:
    before = list_texts(snapshot)
    context, draft = _make_context(scope, snapshot, base), snapshot
    context = replace(context, beside=add_repaired(context.beside, repaired))
    for number, operation in enumerate(scope.operations, 1):
        refusal = find_refusal(operation, context)
        if refusal:
            what = f"operation {number} on {scope.path} ({operation.kind.value} {operation.file.name})"
            raise UnsafeError(f"{what} is refused by the guard {refusal[0]}: {refusal[1]}", hint=_make_hint(base))
        draft = replace_texts(draft, operation.texts)
        context = replace(context, draft=change_texts(context.draft, operation.texts))
    after = list_texts(draft)
    status = PlanStatus.CHANGED if before != after else PlanStatus.UNCHANGED
    if (scope.status is PlanStatus.CHANGED) != (status is PlanStatus.CHANGED):
        raise UnsafeError(f"{scope.path} is said to be {scope.status.value}; its operations leave it {status.value}")
    _check_state(scope, base)
    plan = ScopePlan(
        snapshot.scope,
        scope.status,
        scope.reason,
        scope.operations,
        scope.refused,
        scope.needs_person,
        scope.signals,
        tuple(signal for signal in scope.offered if _is_said(signal, base)),
        before=before,
        after=after,
        waiting=scope.waiting,
        left_out=scope.left_out,
    )
    return Replayed(plan, _list_files(plan, scope.state, base), scope.state)


def _make_hint(base: ReplayBase) -> str:
    if base.tree.repository.shallow:
        return "this clone is shallow, so the repository cannot be asked about its past: fetch with depth 0"
    return "make the bundle again; both stages need the same commit, settings and version of memci"


def _make_context(scope: BundledScope, snapshot: ScopeSnapshot, base: ReplayBase) -> Context:
    texts = list_texts(snapshot)
    files = {*snapshot.files, snapshot.index_path}
    context = Context(
        scope=scope.path,
        original=texts,
        draft=texts,
        beside=list_beside(base.snapshot, snapshot),
        taken=snapshot.files - set(texts),
        signals={signal.id: signal for signal in scope.signals if _is_said(signal, base)},
        findings=group_findings(finding for finding in base.findings if finding.path in files),
        guides=list_guides(base.snapshot.guides, snapshot.scope),
        lookups=_answer_again(scope, base),
        proofs=_prove_again(scope, base),
        today=base.now.date() if base.now else None,
        people=_list_people(scope, base),
    )
    context.add_topics(snapshot.topics)
    return context


def _answer_again(scope: BundledScope, base: ReplayBase) -> dict[str, str]:
    """Ask the commit every question that the operations cite; what it does not answer proves nothing."""
    cited = _list_cited(scope, EvidenceKind.LOOKUP)
    lookups = [lookup for source in cited[:_MAX_LOOKUPS] if (lookup := parse_lookup(source))]
    answers = answer_lookups(lookups, base.tree.repository, base.commit, base.hidden)
    return {source: answer for source, answer in answers.items() if not answer.startswith(UNANSWERED)}


def _list_people(scope: BundledScope, base: ReplayBase) -> tuple[str, ...]:
    """Return the names that a dream knows: authors, those in memory, and who spoke."""
    authors = {name for name, _ in list_authors(base.tree.repository, base.commit)}
    speakers = {signal.speaker for signal in scope.signals if signal.speaker}
    return tuple(sorted(authors | speakers | list_full_names(base.snapshot)))


def _prove_again(scope: BundledScope, base: ReplayBase) -> dict[str, tuple[str, ...]]:
    """Ask the history again what became of the claims whose findings the operations cite."""
    cited = _list_cited(scope, EvidenceKind.FINDING)
    findings = [finding for finding in base.findings if finding.fingerprint in cited]
    proofs = explain_findings(findings, base.judged, base.tree.repository, base.hidden)
    return {name: list_proved(proof) for name, proof in proofs.items()}


def _list_cited(scope: BundledScope, kind: EvidenceKind) -> list[str]:
    evidence = (item for operation in scope.operations for item in operation.evidence)
    return list(dict.fromkeys(item.source for item in evidence if item.kind is kind))


def _is_said(signal: Signal, base: ReplayBase) -> bool:
    """Tell whether a signal is credible: transcripts stay with the first stage, but logs are committed."""
    if base.own and signal in base.own.signals:
        return True
    if signal.origin is not Origin.LOG:
        return signal.origin is Origin.PERSON and _is_plausible(signal)
    logs = [log for scope in base.snapshot.scopes for log in scope.logs if signal.session == f"log:{log.path}"]
    authors = list_author_names(base.tree.repository, base.commit) if logs else frozenset()
    if signal.kind is SignalKind.SAID:
        entries = (entry for log in logs for entry in list_entries(log.day, redact(log.text), authors))
        return any((f"L{entry.line}", entry.words) == (signal.uuid, signal.text) for entry in entries if entry.words)
    found = (find_log_signals(log.path, log.day, log.text, authors) for log in logs)
    return any(signal.id == each.id for one in found for each in (*one.signals, *one.offered))


def _is_plausible(signal: Signal) -> bool:
    """Tell whether a person may have typed the sentence, and whether its rule says the same."""
    if signal.session.startswith(LOG_SESSION) or len(signal.speaker) > _MAX_NAME or not signal.speaker.isprintable():
        return False
    # A whole message may have held a secret; the guards refuse the sentence that did.
    if REDACTED in signal.text and signal.kind is not SignalKind.SAID:
        return False
    foreign = _NOT_TYPED | ({PartKind.REPORTED} if signal.kind is not SignalKind.SAID else set())
    if any(part.kind in foreign for part in split_parts(signal.text)):
        return False
    # The rule of a list item begins with the line above the list, which is not part of the sentence.
    label, _, rule = signal.rule.rpartition(": ")
    rule = rule if len(label) <= _MAX_LABEL and rule == signal.text else signal.rule
    told = stem_content(f"{rule} {signal.why} {signal.how}")
    said, words = signal.text.lower(), stem_content(signal.text)
    # Only words: relative dates were replaced by absolute ones.
    return all(word in words or word in said for word in told if word.isalpha())


def _check_state(scope: BundledScope, base: ReplayBase) -> None:
    """Refuse a scope that changes without its state, or a state without its scope."""
    if (scope.state is None and not base.own) if scope.status is PlanStatus.CHANGED else (scope.state is not None):
        raise UnsafeError(f"{scope.path / STATE_NAME} must change with the scope, and only then")


def _list_files(plan: ScopePlan, state: str | None, base: ReplayBase) -> dict[PurePosixPath, bytes | None]:
    """Return the files that differ from the commit; refuse to replace what is no file there."""
    texts = {path: plan.after.get(path) for path in plan.changed_files}
    if state is not None:
        texts[plan.scope.path / STATE_NAME] = state
    old = {path: base.tree.read(path) for path in texts}
    for path, text in old.items():
        if isinstance(text, Unread) and text.reason is not Unreadable.ABSENT:
            raise UnsafeError(f"{path} is not a file that memci may change")
    return {path: None if text is None else text.encode() for path, text in texts.items() if text != old[path]}
