"""The dream on one screen: orient, gather, consolidate, prune."""

from collections.abc import Callable
from dataclasses import replace

from memci.dream.consolidate import consolidate, open_draft
from memci.dream.due import search_unread, split_due
from memci.dream.gather import Gathered, Search, gather_for
from memci.dream.inputs import DreamTask, Sources
from memci.dream.orient import orient
from memci.dream.prune import prune
from memci.dream.questions import list_questions
from memci.dream.route import route
from memci.dream.unrouted import ask_about_unrouted
from memci.dream.unseen_signals import drop_seen
from memci.engines.protocol import Engine
from memci.model.memory import ScopeSnapshot
from memci.model.plan import ScopePlan
from memci.model.session import Signal


def dream(
    task: DreamTask, engine: Engine, search: Search | None, show: Callable[[str], None]
) -> tuple[Sources, Gathered, tuple[ScopePlan, ...]]:
    """Read memory and sessions, and plan the changes to every scope; nothing is written."""
    sources = orient(task, show)
    unread = search_unread(search, sources, force=task.force) if search else None
    gathered = gather_for(task, sources.snapshot.scopes, unread, show)
    sources = replace(sources, signals=gathered.signals, positions=gathered.positions)
    due, skipped = split_due(sources, gathered.reading, force=task.force)
    routed = route(due.signals, (*due.snapshot.scopes, *due.others), due.config.route)
    plans, unrouted = [], routed.homeless
    for scope in due.snapshot.scopes:
        state = due.states[scope.scope.path]
        unrouted = drop_seen(unrouted, due.positions, state)
        signals = drop_seen(routed.by_scope[scope.scope.id], due.positions, state)
        plans.append(dream_scope(scope, due, signals, engine, show))
    every = (*ask_about_unrouted(plans, unrouted), *skipped)
    return sources, gathered, tuple(sorted(every, key=lambda plan: plan.scope.path))


def dream_scope(
    scope: ScopeSnapshot,
    sources: Sources,
    signals: tuple[Signal, ...],
    engine: Engine,
    show: Callable[[str], None] = lambda _: None,
) -> ScopePlan:
    """Plan the changes to one scope."""
    draft = open_draft(scope, sources, signals)
    show(f"consolidate: {scope.scope.path}, {len(scope.topics)} topics, {len(signals)} signals")
    consolidate(draft, sources, signals, engine)
    show(f"prune: {scope.scope.path}")
    draft.work(lambda pruned: prune(pruned, sources))
    draft.work(lambda pruned: list_questions(pruned, sources, draft.operations))
    return draft.plan(signals)
