"""The dream on one screen: orient, gather, consolidate, prune."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memci.dream.candidates import offer, take_accepted
from memci.dream.consolidate import consolidate, open_draft
from memci.dream.conversation import Inquiry, inquire
from memci.dream.draft import ScopeDraft
from memci.dream.due import drop_seen, split_due
from memci.dream.gather import account_for, gather
from memci.dream.inputs import DreamTask, Sources
from memci.dream.limit_changes import limit_changes
from memci.dream.memory_use import find_use
from memci.dream.orient import orient
from memci.dream.prune import prune
from memci.dream.questions import add_questions, list_questions
from memci.dream.route import route
from memci.dream.unchanged import identify_inputs, keep_reading, recall_reading
from memci.engines.protocol import Engine
from memci.model.plan import Operation, ScopePlan
from memci.model.session import Signal


def dream(task: DreamTask, engine: Engine, show: Callable[[str], None]) -> tuple[Sources, tuple[ScopePlan, ...]]:
    """Read memory and sessions, and plan the changes to every scope; nothing is written."""
    request = task.request
    sources = orient(task, show)
    inputs = identify_inputs(task)
    if known := recall_reading(task, inputs):
        unread = replace(sources, gathered=account_for(known))
        due, skipped = split_due(unread, force=False)
        if skipped and not due.snapshot.scopes:
            return unread, tuple(skipped)
    scopes = sources.snapshot.scopes
    gathered = gather(task.workspace, task.config, request.transcripts, scopes, request.now, show)
    keep_reading(task, inputs, gathered.reading)
    sources = replace(sources, gathered=gathered)
    accepted = take_accepted(sources, request)
    due, skipped = split_due(sources, force=request.force or bool(accepted))
    if skipped and not due.snapshot.scopes:
        return replace(sources, gathered=account_for(gathered.reading)), tuple(skipped)
    use = find_use(task, sources, due.snapshot.scopes, engine)
    sources, due = replace(sources, use=use), replace(due, use=use)
    routed, homeless = route((*gathered.signals, *accepted), (*due.snapshot.scopes, *due.others), due.config.route)
    inquiry = inquire(task, due) if engine.reads_conversations else None
    signals, unrouted = {}, tuple(homeless)
    for scope in due.snapshot.scopes:
        state = due.states[scope.scope.path]
        unrouted = drop_seen(unrouted, gathered.positions, state, accepted)
        signals[scope.scope.path] = drop_seen(routed[scope.scope.id], gathered.positions, state, accepted)
    plans = plan_scopes(due, signals, engine, inquiry, show, request.max_changes)
    # A model has seen every message, so nothing is without a place.
    asked = add_questions(plans, due, () if inquiry else unrouted)
    every = (*(asked if inquiry else offer(asked, due, accepted)), *skipped)
    return sources, tuple(sorted(every, key=lambda plan: plan.scope.path))


def plan_scopes(
    sources: Sources,
    signals: Mapping[PurePosixPath, tuple[Signal, ...]],
    engine: Engine,
    inquiry: Inquiry | None = None,
    show: Callable[[str], None] = lambda _: None,
    limit: int | None = None,
) -> list[ScopePlan]:
    """Plan the changes to the scopes that are due, and of those at most `limit`."""
    scopes = sources.snapshot.scopes
    drafts = [open_draft(scope, sources, signals[scope.scope.path], inquiry) for scope in scopes]
    show(f"consolidate: {len(drafts)} scopes, {sum(map(len, signals.values()))} signals")
    consolidate(drafts, sources, signals, engine, inquiry)
    consolidated = [draft.copy() for draft in drafts]

    def finish(draft: ScopeDraft, deferred: Sequence[Operation] = ()) -> ScopePlan:
        show(f"prune: {draft.scope.scope.path}")
        draft.work(lambda scope: prune(scope, sources))
        draft.work(
            functools.partial(list_questions, sources=sources, made=(*draft.operations, *draft.needs, *deferred))
        )
        return draft.plan(signals[draft.scope.scope.path])

    plans = [finish(draft) for draft in drafts]
    return plans if limit is None else limit_changes(consolidated, plans, limit, finish)
