"""The third phase: repairs, moves, merges, and the proposals of the engine, each judged by all guards."""

from memci.dream.draft import ScopeDraft
from memci.dream.inputs import Sources
from memci.dream.merge import merge_duplicates
from memci.dream.move_prose import move_content
from memci.dream.repair import repair
from memci.engines.protocol import Engine, ProposalRequest
from memci.guards.context import Context, group_findings
from memci.memory.guide_includes import list_guides
from memci.memory.replace_texts import list_texts
from memci.model.memory import ScopeSnapshot
from memci.model.session import Signal


def open_draft(scope: ScopeSnapshot, sources: Sources, signals: tuple[Signal, ...]) -> ScopeDraft:
    """Return the draft of a scope with the facts that its guards rely on, none of which was proposed."""
    texts = list_texts(scope)
    context = Context(
        scope=scope.scope.path,
        original=texts,
        draft=texts,
        taken=scope.files - set(texts),
        signals={signal.id: signal for signal in signals},
        findings=group_findings(sources.find_own(scope)),
        guides=list_guides(sources.snapshot.guides, scope.scope),
    )
    return ScopeDraft(scope, context)


def consolidate(draft: ScopeDraft, sources: Sources, signals: tuple[Signal, ...], engine: Engine) -> None:
    """Repair, move and merge what is there, then let the engine propose."""
    draft.work(lambda scope: repair(scope, sources))
    draft.work(move_content)
    draft.work(merge_duplicates)
    draft.work(lambda scope: engine.consolidate(ProposalRequest(scope, signals, sources.now, draft.judge)))
    # The engine may have reduced a topic to something that another topic says, too.
    draft.work(merge_duplicates)
