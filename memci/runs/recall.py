"""Runs `memci recall`: which topics a session would be given for a query."""

import contextlib
import datetime as dt
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import PurePosixPath

from memci.config import Config
from memci.errors import UsageError
from memci.git.history import last_changes, moment_of
from memci.git.workspace import Workspace
from memci.model.memory import Scope, ScopeSnapshot, Snapshot, Topic, Trust
from memci.patterns import LazyPattern
from memci.recall.choose import MAX_QUERY, Chosen, Ranker, choose, cut_topic, describe_age, fit_session
from memci.recall.listing import build_manifest
from memci.redaction.secrets import redact
from memci.report.check_result import amount
from memci.report.escape import fields_of, json_text, name_reasons, shorten, visible
from memci.runs.scopes import Prepared

_STDIN = "-"
# A description at a terminal; the whole is in the JSON.
_MAX_DESCRIPTION = 300
_MAX_WHY = 12
_REDACTED = LazyPattern(r"\[REDACTED:[^\]]{0,80}\]")


@dataclass(frozen=True, slots=True)
class RecallRequest:
    """The options of `memci recall`."""

    query: tuple[str, ...]
    scopes: tuple[str, ...]
    tools: tuple[str, ...]
    already: tuple[str, ...]
    now: dt.datetime


@dataclass(frozen=True, slots=True)
class ShownTopic:
    """One topic as a session would see it; secrets are taken out already."""

    file: str
    scope: str
    type: str
    name: str
    description: str
    score: float
    why: tuple[str, ...]
    written: dt.datetime | None
    notes: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class RecallResult:
    """What was chosen, from how many, and what was not looked at."""

    now: dt.datetime
    query: str
    engine: str
    topics: Sequence[ShownTopic]
    # File and reason.
    set_aside: Sequence[tuple[str, str]]
    skipped: Sequence[tuple[str, str]]
    scopes: int
    scanned: int
    # Topics older than the newest that a session scans.
    beyond: int


def recall_with_model(found: Prepared, request: RecallRequest) -> RecallResult:
    """Choose topics with a model; fall back to the local ranking, with a note, if it does not answer."""
    from memci.engines.select import EngineOptions, batch_state_directory, choose_engine
    from memci.recall.model_choice import ModelRanker

    # A choice costs less than a tenth of a cent.
    wanted = EngineOptions(
        "claude", Decimal("0.05"), batch=False, record=None, replay=None, state=batch_state_directory(found.workspace)
    )
    with choose_engine(wanted) as choice:
        if choice.model is None:
            raise UsageError("there is no model to ask")
        ranker = ModelRanker(choice.model, request.tools)
        result = recall(found, request, ranker)
    problem = [("model", f"{ranker.failure}; the words decided instead")] if ranker.failure else []
    return replace(result, skipped=[*result.skipped, *problem])


def recall(found: Prepared, request: RecallRequest, ranker: Ranker) -> RecallResult:
    """Return the topics that a session would be given for the query, as `ranker` orders them."""
    query = _read_query(request.query)
    workspace = found.workspace
    scopes = _read_scopes(found, request.scopes)
    topics = {str(topic.path): (scope.scope, topic) for scope in scopes for topic in scope.topics}
    already = {_resolve_topic(workspace, name, topics) for name in request.already}
    manifest = build_manifest(scopes, dict(_read_times(workspace, scopes)))
    # A placeholder of a redacted secret must not match anything.
    words = _REDACTED.sub(" ", query)
    choice = choose(words, manifest.entries, ranker, tools=request.tools, already=already)
    notes = _check_topics(workspace, found.config, choice.chosen, scopes, request.now)
    shown = [_show(chosen, *topics[chosen.entry.id], request.now, notes) for chosen in choice.chosen]
    fitting = fit_session([cut_topic(topics[name][1].text, redact)[0] for name in already], [one.text for one in shown])
    set_aside = [(entry.id, reason) for entry, reason in choice.set_aside]
    unread = [item for scope in scopes for item in scope.unread if item.path.suffix == ".md"]
    return RecallResult(
        now=request.now,
        query=query,
        engine=ranker.name,
        topics=shown[:fitting],
        set_aside=[*set_aside, *((one.file, "the session has been shown enough") for one in shown[fitting:])],
        skipped=[(str(item.path), item.reason.value) for item in unread],
        scopes=len(scopes),
        scanned=len(manifest.entries),
        beyond=manifest.beyond,
    )


def _read_query(parts: Sequence[str]) -> str:
    text = " ".join(parts)
    if text == _STDIN:
        # UTF-8 uses at most four bytes for a character.
        text = sys.stdin.buffer.read(8 * MAX_QUERY).decode("utf-8", "replace")
    # Read twice the limit, so that a secret that crosses it is still recognised.
    query = redact(text[: 2 * MAX_QUERY])[:MAX_QUERY].strip()
    if not query:
        raise UsageError("the query is empty", hint='memci recall "fix the flaky checkout test"')
    return query


def _read_scopes(found: Prepared, named: Sequence[str]) -> tuple[ScopeSnapshot, ...]:
    from memci.dream.check_memory import read_snapshot

    wanted = {_resolve_scope(found.workspace, name, (*found.scopes, *found.own)) for name in named}
    snapshots = read_snapshot(found.workspace.tree, found.scopes, found.own).scopes
    return tuple(snapshot for snapshot in snapshots if not wanted or snapshot.scope.path in wanted)


def _resolve_scope(workspace: Workspace, name: str, scopes: Sequence[Scope]) -> PurePosixPath:
    target = (workspace.start / name).resolve()
    for scope in scopes:
        if name in {scope.id, str(scope.path)} or scope.target.resolve() == target:
            return scope.path
    known = ", ".join(scope.id for scope in scopes[:5]) or "none"
    raise UsageError(f"there is no scope {name!r}", hint=f"scopes found: {known}")


def _resolve_topic(workspace: Workspace, name: str, topics: Mapping[str, tuple[Scope, Topic]]) -> str:
    if name in topics:
        return name
    target = (workspace.start / name).resolve()
    for path, (scope, topic) in topics.items():
        if target == scope.target.resolve() / topic.path.relative_to(scope.path):
            return path
    raise UsageError(f"{name} is no topic of these scopes", hint="name the file as memci recall prints it")


def _read_times(workspace: Workspace, scopes: Sequence[ScopeSnapshot]) -> Iterator[tuple[PurePosixPath, dt.datetime]]:
    """Yield when each topic was last written: its last commit, or its file time if it is not committed."""
    kept = [topic.path for scope in scopes if scope.scope.trust is Trust.COMMITTED for topic in scope.topics]
    changes = last_changes(workspace.repository, kept) if workspace.repository else {}
    yield from ((path, moment_of(when)) for path, when in changes.items())
    for scope in scopes:
        if scope.scope.trust is not Trust.COMMITTED:
            for topic in scope.topics:
                # Without a time it counts as uncommitted.
                with contextlib.suppress(OSError):
                    status = (scope.scope.target / topic.path.relative_to(scope.scope.path)).stat()
                    yield topic.path, moment_of(status.st_mtime)


def _check_topics(
    workspace: Workspace, config: Config, chosen: Sequence[Chosen], scopes: Sequence[ScopeSnapshot], now: dt.datetime
) -> dict[str, list[str]]:
    """Return the findings of the truth, time and safety rules for each chosen topic."""
    from memci.checks.registry import RULE_INFOS
    from memci.checks.rule import Group
    from memci.dream import check_memory

    ids = {one.entry.id for one in chosen}
    snapshot = Snapshot(
        tuple(
            ScopeSnapshot(scope.scope, None, tuple(topic for topic in scope.topics if str(topic.path) in ids))
            for scope in scopes
        )
    )
    notes: dict[str, list[str]] = {}
    for finding in check_memory.check_snapshot(
        snapshot, config, now, check_memory.verify_claims(workspace, snapshot)
    ).problems:
        if RULE_INFOS[finding.rule].group in {Group.TRUTH, Group.TIME, Group.SAFETY}:
            notes.setdefault(str(finding.path), []).append(f"line {finding.line}: {finding.message} ({finding.rule})")
    return notes


def _show(
    chosen: Chosen, scope: Scope, topic: Topic, now: dt.datetime, notes: Mapping[str, Collection[str]]
) -> ShownTopic:
    entry = chosen.entry
    text, cut = cut_topic(topic.text, redact)
    said = (describe_age(entry.written, now), cut, *notes.get(entry.id, ()))
    return ShownTopic(
        file=entry.id,
        scope=scope.id,
        type=entry.type,
        name=redact(entry.name),
        description=redact(entry.description),
        score=round(chosen.score, 3),
        why=chosen.why,
        written=entry.written,
        notes=tuple(redact(note) for note in said if note),
        text=text,
    )


def render_recall_json(result: RecallResult) -> str:
    """Return one JSON object: the schema memci/recall/1."""
    set_aside, skipped = (name_reasons(pairs, "file", "reason") for pairs in (result.set_aside, result.skipped))
    rest = {"schema": "memci/recall/1", "set_aside": set_aside, "skipped": skipped}
    return json_text(fields_of(result) | rest)


def render_recall(result: RecallResult, *, quiet: bool = False) -> str:
    """Return the topics for a person; their text is behind a bar, so that it cannot pass for memci's own output."""
    blocks = ["\n".join(_render_topic(topic)) for topic in result.topics]
    if not quiet:
        blocks.append("\n".join(_render_account(result)))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _render_topic(topic: ShownTopic) -> list[str]:
    kind = f"  {visible(topic.type)}" if topic.type else ""
    lines = [f"{visible(topic.file)}{kind}  {topic.score:.2f}"]
    if topic.description:
        lines.append(f"  {visible(shorten(topic.description, _MAX_DESCRIPTION))}")
    if topic.why:
        lines.append(f"  matches {visible(', '.join(topic.why[:_MAX_WHY]))}")
    lines += (f"  {visible(note)}" for note in topic.notes)
    lines += (f"  | {visible(line, keep=chr(9))}".rstrip() for line in topic.text.split("\n"))
    return lines


def _render_account(result: RecallResult) -> list[str]:
    if not result.scopes:
        return ["nothing to recall: no memory was found"]
    shown = f"{len(result.topics)} of {amount(result.scanned, 'topic')}" if result.topics else "nothing relevant"
    among = "" if result.topics else f" among {amount(result.scanned, 'topic')}"
    lines = [f"{shown}{among}, {result.engine} engine"]
    if result.beyond:
        lines.append(f"{amount(result.beyond, 'older topic')} not looked at: a session scans the newest of each scope")
    lines += (f"set aside  {visible(file)}: {visible(reason)}" for file, reason in result.set_aside)
    lines += (f"skipped  {visible(file)}: {visible(reason)}" for file, reason in result.skipped)
    return lines
