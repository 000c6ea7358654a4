"""The state of a scope after a dream: everything that was read counts as seen once the plan is accepted."""

from memci.dream.due import is_fresh
from memci.dream.gather import Gathered
from memci.dream.inputs import Sources
from memci.dream.state import DreamState, ReadPosition
from memci.memory.apply_edits import split_lines
from memci.memory.snapshot import is_to_come
from memci.model.plan import EvidenceKind, ScopePlan


def advance_state(plan: ScopePlan, sources: Sources, gathered: Gathered) -> DreamState:
    """Return the state after a plan, with the new read positions and the evidence of its topics."""
    state = sources.states[plan.scope.path]
    cursors = dict(state.cursors)
    for session in gathered.reading.sessions:
        if is_fresh(session.id, session.records, state):
            cursors[session.id] = ReadPosition(session.last_uuid or "", session.records)
    for scope in (scope for scope in sources.snapshot.scopes if scope.scope == plan.scope):
        read = [log for log in scope.logs if not is_to_come(log.day, sources.now)]
        cursors |= {f"log:{log.path}": ReadPosition("", len(split_lines(log.text))) for log in read}
    for message in (message for waiting in plan.waiting for message in waiting.messages):
        # Everything from the first message on whose change waits is read again.
        before = sources.positions.get(message, 1) - 1
        if (cursor := cursors.get(message[0])) and cursor.count > before:
            cursors[message[0]] = ReadPosition("", before)
    # Of sessions that are gone nothing is offered again.
    known = {signal.id for signal in gathered.candidates}
    offered = {signal.id for signal in plan.left_offered}
    declined = (state.declined | offered) & known - plan.cited_signals
    return DreamState(sources.now, cursors, declined, _add_evidence(plan, state), len(plan.waiting))


def _add_evidence(plan: ScopePlan, state: DreamState) -> dict[str, tuple[str, ...]]:
    signals = {signal.id: signal for signal in plan.signals}
    evidence = {name: set(found) for name, found in state.evidence.items()}
    for operation in plan.operations:
        for proof in operation.evidence:
            signal = signals.get(proof.source) if proof.kind is EvidenceKind.SIGNAL else None
            if signal:
                name = str(operation.file.relative_to(plan.scope.path))
                evidence.setdefault(name, set()).add(f"{signal.session}/{signal.uuid}")
    topics = {str(path.relative_to(plan.scope.path)) for path in plan.after}
    return {name: tuple(sorted(found)) for name, found in evidence.items() if name in topics}
