"""`memci recall`: what a session would be shown of memory for a query."""

import contextlib
import datetime as dt
import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path, PurePosixPath

import click

from memci.commands.options import Settings, format_option, now_option, user_option
from memci.config import Config
from memci.errors import Exit, UsageError
from memci.git.file_tree import WorkTree
from memci.git.workspace import Workspace, find_inside, open_workspace
from memci.memory.scopes import find_scopes
from memci.memory.snapshot import read_scope, read_scopes
from memci.memory.user_scopes import find_user_scopes
from memci.model.memory import Scope, ScopeSnapshot, Snapshot, Topic, Trust
from memci.recall.choose import MAX_QUERY, Chosen, choose, cut_topic, describe_age, fit_session
from memci.recall.listing import build_manifest
from memci.recall.local_choice import LocalRanker
from memci.recall.ranker import Ranker
from memci.redaction.secrets import redact
from memci.report.console import emit
from memci.report.recall_result import RecallResult, ShownTopic, render_recall, render_recall_json
from memci.runs.prepare import prepare
from memci.settings import read_config

_STDIN = "-"


@dataclass(frozen=True, slots=True)
class _Request:
    """What was asked for."""

    query: tuple[str, ...]
    scopes: tuple[str, ...]
    tools: tuple[str, ...]
    already: tuple[str, ...]
    now: dt.datetime
    verify: bool
    with_user: bool


@click.command(
    "recall",
    epilog="""\b
Examples:
  memci recall fix the flaky checkout test
  memci recall --scope agent:reviewer "rename a column" --format json
  memci recall --recent-tool "Bash(docker)" --already .claude/memory/ports.md start the stack
  git log -1 --format=%B | memci recall -

\b
Exit codes:
  3  a topic could not be read, or the model gave no answer""",
)
@click.argument("query", nargs=-1)
@click.option("--scope", "scopes", multiple=True, metavar="ID|PATH", help="Look in this scope; may be given again.")
@click.option(
    "--recent-tool", "tools", multiple=True, metavar="NAME", help="Leave out manuals of this tool; may be given again."
)
@click.option("--already", multiple=True, metavar="PATH", help="Leave out this topic; may be given again.")
@click.option(
    "--engine",
    type=click.Choice(("local", "claude")),
    default="local",
    show_default=True,
    help="Who chooses: the words, or a model.",
)
@click.option("--verify", is_flag=True, help="Check what the chosen topics say against the repository.")
@format_option("text", "json")
@user_option
@now_option
@click.pass_obj
def command(
    settings: Settings,
    /,
    engine: str,
    style: str,
    **options: object,
) -> Exit:
    """Show which topics a session would be given for a query, and why.

    At most five topics are shown, each with why it was chosen, how old it is, and as much of its text as the client
    would load.

    QUERY is what one would type as a task; `-` reads it from standard input.
    """
    request = _Request(**options)  # type: ignore[arg-type]  # click has checked them
    workspace, _ = prepare(open_workspace(settings.directory), settings.config, with_user=request.with_user)
    if engine == "local":
        result = _recall(workspace, settings.config, request, LocalRanker())
    else:
        result = _recall_asking(workspace, settings.config, request)
    emit(render_recall_json(result) if style == "json" else render_recall(result, quiet=settings.verbosity < 0))
    return Exit.DEGRADED if result.skipped else Exit.DONE


def _recall_asking(workspace: Workspace, config_path: Path | None, request: _Request) -> RecallResult:
    """Let a model choose; without an answer the words do, and the result says so."""
    from memci.engines.select import EngineOptions, choose_engine, find_batch_state
    from memci.recall.model_choice import ModelRanker

    # A choice costs less than a tenth of a cent.
    wanted = EngineOptions(
        "claude", Decimal("0.05"), batch=False, record=None, replay=None, state=find_batch_state(workspace)
    )
    with choose_engine(wanted) as choice:
        if choice.model is None:
            raise UsageError("there is no model to ask")
        ranker = ModelRanker(choice.model, request.tools)
        result = _recall(workspace, config_path, request, ranker)
    problem = [("model", f"{ranker.failure}; the words decided instead")] if ranker.failure else []
    return replace(result, skipped=[*result.skipped, *problem])


def _recall(workspace: Workspace, config_path: Path | None, request: _Request, ranker: Ranker) -> RecallResult:
    query = _read_query(request.query)
    config = read_config(workspace.tree, find_inside(workspace, config_path) if config_path else None)
    scopes = _read_scopes(workspace, config, request)
    topics = {str(topic.path): (scope.scope, topic) for scope in scopes for topic in scope.topics}
    already = {_find_topic(workspace, name, topics) for name in request.already}
    manifest = build_manifest(scopes, dict(_find_written(workspace, scopes)))
    # What stands for a secret is no word of the query.
    words = re.sub(r"\[REDACTED:[^\]]{0,80}\]", " ", query)
    choice = choose(words, manifest.entries, ranker, tools=request.tools, already=already)
    notes = _find_notes(workspace, config, choice.chosen, scopes, request.now) if request.verify else {}
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
        # Four bytes are the longest character.
        text = sys.stdin.buffer.read(8 * MAX_QUERY).decode("utf-8", "replace")
    # Twice as much is looked at, so that a secret at the end is still recognised.
    query = redact(text[: 2 * MAX_QUERY])[:MAX_QUERY].strip()
    if not query:
        raise UsageError("the query is empty", hint='memci recall "fix the flaky checkout test"')
    return query


def _read_scopes(workspace: Workspace, config: Config, request: _Request) -> tuple[ScopeSnapshot, ...]:
    scopes = find_scopes(workspace.tree, workspace.root, config.scopes)
    own = find_user_scopes(workspace.root, workspace.repository, os.environ) if request.with_user else ()
    wanted = {_find_scope(workspace, name, (*scopes, *own)) for name in request.scopes}
    snapshots = (
        *read_scopes(workspace.tree, scopes),
        *(read_scope(WorkTree(scope.target, shown=scope.path), scope) for scope in own),
    )
    return tuple(snapshot for snapshot in snapshots if not wanted or snapshot.scope.path in wanted)


def _find_scope(workspace: Workspace, name: str, scopes: Sequence[Scope]) -> PurePosixPath:
    target = (workspace.start / name).resolve()
    for scope in scopes:
        if name in {scope.id, str(scope.path)} or scope.target.resolve() == target:
            return scope.path
    known = ", ".join(scope.id for scope in scopes[:5]) or "none"
    raise UsageError(f"there is no scope {name!r}", hint=f"scopes found: {known}")


def _find_topic(workspace: Workspace, name: str, topics: Mapping[str, tuple[Scope, Topic]]) -> str:
    if name in topics:
        return name
    target = (workspace.start / name).resolve()
    for path, (scope, topic) in topics.items():
        if target == scope.target.resolve() / topic.path.relative_to(scope.path):
            return path
    raise UsageError(f"{name} is no topic of these scopes", hint="name the file as memci recall prints it")


def _find_written(workspace: Workspace, scopes: Sequence[ScopeSnapshot]) -> Iterator[tuple[PurePosixPath, dt.datetime]]:
    """Say when topics were last written: by the history, or by the disk where git does not keep them."""
    kept = [topic.path for scope in scopes if scope.scope.trust is Trust.COMMITTED for topic in scope.topics]
    changes = workspace.repository.last_changes(kept) if workspace.repository else {}
    yield from ((path, dt.datetime.fromtimestamp(when, dt.UTC)) for path, when in changes.items())
    for scope in scopes:
        if scope.scope.trust is not Trust.COMMITTED:
            for topic in scope.topics:
                # Without a time it counts as never committed.
                with contextlib.suppress(OSError):
                    status = (scope.scope.target / topic.path.relative_to(scope.scope.path)).stat()
                    yield topic.path, dt.datetime.fromtimestamp(status.st_mtime, dt.UTC)


def _find_notes(
    workspace: Workspace, config: Config, chosen: Sequence[Chosen], scopes: Sequence[ScopeSnapshot], now: dt.datetime
) -> dict[str, list[str]]:
    """Return for each chosen topic what the rules of truth, time and safety say of it."""
    from memci.checks.rule import Group
    from memci.runs import load

    ids = {one.entry.id for one in chosen}
    snapshot = Snapshot(
        tuple(
            ScopeSnapshot(scope.scope, None, tuple(topic for topic in scope.topics if str(topic.path) in ids))
            for scope in scopes
        )
    )
    notes: dict[str, list[str]] = {}
    for finding in load.judge(snapshot, config, now, load.find_truth(workspace, snapshot)).findings:
        if load.RULE_INFOS[finding.rule].group in {Group.TRUTH, Group.TIME, Group.SAFETY}:
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
        score=chosen.score,
        why=chosen.why,
        written=entry.written,
        notes=tuple(redact(note) for note in said if note),
        text=text,
    )
