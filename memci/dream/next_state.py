"""The state of a scope after a dream: everything that was read counts as seen once the plan is accepted."""

import json
from collections.abc import Iterable
from pathlib import PurePosixPath

from memci.citations.exemptions import list_moves
from memci.citations.verdict import JudgedClaims
from memci.dream.due import is_fresh
from memci.dream.inputs import Sources
from memci.dream.state import DreamState, ReadPosition
from memci.memory.apply_edits import split_lines
from memci.memory.snapshot import is_to_come
from memci.model.plan import EvidenceKind, ScopePlan
from memci.model.use import ScopeUse
from memci.redaction.secrets import redact


def advance_state(plan: ScopePlan, sources: Sources) -> DreamState:
    """Return the state after a plan, with the new read positions and the evidence of its topics."""
    state, gathered = sources.states[plan.scope.path], sources.gathered
    cursors = dict(state.cursors)
    for read in gathered.reading.sessions:
        if is_fresh(read.id, read.records, state):
            cursors[read.id] = ReadPosition(read.last_uuid or "", read.records)
    for scope in (scope for scope in sources.snapshot.scopes if scope.scope == plan.scope):
        past = [log for log in scope.logs if not is_to_come(log.day, sources.now)]
        cursors |= {f"log:{log.path}": ReadPosition("", len(split_lines(log.text))) for log in past}
    for message in (message for waiting in plan.waiting for message in waiting.messages):
        # Everything from the first message on whose change waits is read again.
        before = gathered.positions.get(message, 1) - 1
        if (cursor := cursors.get(message[0])) and cursor.count > before:
            cursors[message[0]] = ReadPosition("", before)
    reading = gathered.reading
    for session in {*(one.session for one in reading.opened), *(one.session for one in reading.writes)}:
        # Nobody may have spoken in it, but what it used is counted only once.
        cursors.setdefault(session, ReadPosition("", 0))
    # Of sessions that are gone nothing is offered again.
    known = {signal.id for signal in gathered.candidates}
    offered = {signal.id for signal in plan.left_offered}
    declined = (state.declined | offered) & known - plan.cited_signals
    evidence = _add_evidence(plan, state)
    use = _keep_present(sources.use.by_scope.get(plan.scope.path, state.use), plan)
    return DreamState(
        sources.now,
        cursors,
        declined,
        evidence,
        len(plan.waiting),
        use,
        list_begun(plan, sources.judged, sources.states),
    )


def list_begun(plan: ScopePlan, judged: JudgedClaims, scopes: Iterable[PurePosixPath]) -> frozenset[tuple[str, str]]:
    """Return the moves that were reported in a scope of which changes wait."""
    moves = list_moves(judged.verdicts, [str(path) for path in scopes]) if plan.waiting else ()
    mine = ((old, new) for scope, old, new in moves if scope == str(plan.scope.path))
    # A bundle with a state that looks like a secret would be refused.
    return frozenset(move for move in mine if redact(line := json.dumps(move)) == line)


def _keep_present(use: ScopeUse, plan: ScopePlan) -> ScopeUse:
    """Forget the topics that are gone."""
    topics = {str(path.relative_to(plan.scope.path)) for path in plan.after}
    gone = {str(path.relative_to(plan.scope.path)) for path in plan.before} - topics
    return ScopeUse(
        {name: found for name, found in use.topics.items() if name in topics},
        {rule: found for rule, found in use.repeated.items() if rule.rpartition("#")[0] not in gone},
        use.months,
    )


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
