"""The dream as one function: orient, gather, consolidate, prune."""

from collections.abc import Callable

from memci.dream.draft import Desk
from memci.dream.inputs import Sources
from memci.dream.merge import merge_duplicates
from memci.dream.move_prose import move_content
from memci.dream.prune import prune
from memci.dream.questions import leave
from memci.dream.repair import repair
from memci.dream.route import route
from memci.dream.state import DreamState
from memci.dream.unseen import drop_seen
from memci.engines.protocol import Engine, ProposalRequest
from memci.guards.context import Ground, group_findings
from memci.memory.guide_includes import find_guides
from memci.memory.replace_texts import find_texts
from memci.model.memory import ScopeSnapshot
from memci.model.plan import ScopePlan
from memci.model.session import Signal


def dream(
    sources: Sources, engine: Engine, show: Callable[[str], None] = lambda _: None
) -> tuple[tuple[ScopePlan, ...], tuple[Signal, ...]]:
    """Plan what becomes of every scope; also return the signals that no scope is the place for."""
    routed = route(sources.signals, (*sources.snapshot.scopes, *sources.others), sources.config.route)
    plans = []
    homeless = routed.homeless
    for scope in sources.snapshot.scopes:
        state = sources.states.get(scope.scope.path, DreamState())
        homeless = drop_seen(homeless, sources.positions, state)
        signals = drop_seen(routed.by_scope[scope.scope.id], sources.positions, state)
        plans.append(dream_scope(scope, sources, signals, engine, show))
    return tuple(plans), homeless


def dream_scope(
    scope: ScopeSnapshot,
    sources: Sources,
    signals: tuple[Signal, ...],
    engine: Engine,
    show: Callable[[str], None] = lambda _: None,
) -> ScopePlan:
    """Plan what becomes of one scope."""
    show(f"consolidate: {scope.scope.path}, {len(scope.topics)} topics, {len(signals)} signals")
    desk = Desk(scope, _orient(scope, sources, signals))
    desk.work(lambda draft: repair(draft, sources))
    desk.work(move_content)
    desk.work(merge_duplicates)
    desk.work(lambda draft: engine.consolidate(ProposalRequest(draft, signals, sources.now, desk.judge)))
    # What is left of a topic from which something was taken may stand elsewhere.
    desk.work(merge_duplicates)
    show(f"prune: {scope.scope.path}")
    desk.work(lambda draft: prune(draft, sources))
    desk.work(lambda draft: leave(draft, sources, desk.operations))
    return desk.plan(signals)


def _orient(scope: ScopeSnapshot, sources: Sources, signals: tuple[Signal, ...]) -> Ground:
    """Gather what the guards may rely on: nothing in it was proposed by anybody."""
    texts = find_texts(scope)
    return Ground(
        scope=scope.scope.path,
        original=texts,
        draft=texts,
        taken=scope.files - set(texts),
        signals={signal.id: signal for signal in signals},
        findings=group_findings(sources.find_own(scope)),
        guides=find_guides(sources.snapshot.guides, scope.scope),
    )
