"""The third phase: repairs, then the proposals of the engine, each judged by all guards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from memci.citations.finding_proofs import list_proved
from memci.dream.conversation import Inquiry
from memci.dream.draft import ScopeDraft
from memci.dream.inputs import Sources
from memci.dream.merge import merge_duplicates
from memci.dream.move_prose import move_content
from memci.dream.repair import repair
from memci.engines.protocol import ConsolidationRequest, Engine
from memci.guards.context import Context, group_findings
from memci.memory.guide_files import list_guides
from memci.memory.snapshot import list_beside, list_texts
from memci.model.memory import ScopeSnapshot
from memci.model.session import Signal


def open_draft(
    scope: ScopeSnapshot, sources: Sources, signals: tuple[Signal, ...], inquiry: Inquiry | None = None
) -> ScopeDraft:
    """Return the draft of a scope with the facts that its guards rely on, none of which was proposed."""
    texts = list_texts(scope)
    said = {signal.id: signal for signal in inquiry.conversation.signals} if inquiry else {}
    # What a cue found may be the whole message.
    found = (replace(signal, speaker=said[signal.id].speaker) if signal.id in said else signal for signal in signals)
    context = Context(
        scope=scope.scope.path,
        original=texts,
        draft=texts,
        beside=list_beside(sources.snapshot, scope),
        taken=scope.files - set(texts),
        signals=said | {signal.id: signal for signal in found},
        findings=group_findings(sources.find_own(scope)),
        guides=list_guides(sources.snapshot.guides, scope.scope),
        proofs={name: list_proved(proof) for name, proof in inquiry.proofs.items()} if inquiry else {},
        lookups=inquiry.answers if inquiry else {},
        today=sources.now.date() if inquiry else None,
        people=inquiry.people if inquiry else (),
    )
    return ScopeDraft(scope, context)


def consolidate(
    drafts: Sequence[ScopeDraft],
    sources: Sources,
    signals: Mapping[PurePosixPath, tuple[Signal, ...]],
    engine: Engine,
    inquiry: Inquiry | None,
) -> None:
    """Repair what needs no judgement, let the engine propose, and tidy what is left."""
    for draft in drafts:
        draft.work(lambda scope: repair(scope, sources, whole=inquiry is None))
        if inquiry is None:
            _tidy(draft, sources)
    for draft in drafts if inquiry else ():
        draft.see_repairs(other for other in drafts if other is not draft)
    request = ConsolidationRequest(
        drafts,
        sources.now,
        signals,
        findings=sources.findings,
        guides=sources.snapshot.guides,
        others=sources.others,
        default_scope=sources.config.route or "",
    )
    engine.consolidate(inquiry.complete(request) if inquiry else request)
    for draft in drafts:
        # The engine may have reduced a topic to something that another topic says, too.
        _tidy(draft, sources)


def _tidy(draft: ScopeDraft, sources: Sources) -> None:
    """Make the index fit and merge duplicates, except where an exception says that they are meant so."""
    index = draft.scope.index_path
    if not any(sources.spares(rule, index) for rule in ("index-prose", "index-over-lines", "index-over-bytes")):
        draft.work(move_content)
    draft.work(lambda scope: merge_duplicates(scope, lambda topic: sources.spares("duplicate-topic", topic.path)))
