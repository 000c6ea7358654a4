"""Asks a model for operations, once more for refused ones; the embedded engine handles the rest."""

import json
from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from memci.engines.claude.calls import Failure, Prompt, Reply
from memci.engines.local import LocalEngine
from memci.engines.model.phases import consolidate_phase
from memci.engines.model.prompts import Clean, drop_oldest, name_topics, write_consolidation, write_repair
from memci.engines.model.proposals import plan_proposal
from memci.engines.model.replies import Model
from memci.engines.protocol import ProposalRequest, Proposals
from memci.model.memory import ScopeSnapshot
from memci.model.plan import Evidence, EvidenceKind, NeedsPerson, Operation, OperationKind
from memci.model.session import Signal, SignalKind
from memci.prose.similar import stem_content

# Proposals that return the scope after the last one.
Answered = Generator[Operation | NeedsPerson, ScopeSnapshot, ScopeSnapshot]
# An operation that cites a signal has to contain this share of its words to settle it.
_SAID = 0.3
# The maximum number of new topics per signal.
_MAX_TOPICS = 2
# Explicit requests of a person, which a model may not pass over.
_ASKED_FOR = frozenset((SignalKind.REMEMBER, SignalKind.FORGET))


class ModelEngine:
    """Better wording than the embedded engine, with the same guards; unsettled signals go to the embedded engine."""

    name = "claude"

    def __init__(self, model: Model, clean: Clean = str) -> None:
        self._model = model
        self._clean = clean
        # Messages for the result.
        self.failures: list[str] = []

    def consolidate(self, request: ProposalRequest) -> Proposals:
        """Propose operations for one scope; without signals there is nothing to ask."""
        scope, left = request.scope, list(request.signals)
        if left:
            prompt = write_consolidation(scope, left, request.now, self._clean)
            reply = self._model.ask(consolidate_phase(), prompt, shorten=drop_oldest)
            if isinstance(reply, Failure):
                self.failures.append(f"{scope.scope.path}: {reply}")
            else:
                turn = _ModelTurn(request, {name: topic.path for name, topic in name_topics(scope).items()})
                scope = yield from turn.propose(reply, scope)
                if turn.refused:
                    scope = yield from self._repair(turn, prompt, scope)
                    scope = yield from turn.show_refused(scope)
                left = [signal for signal in left if signal.id not in turn.settled]
        yield from LocalEngine().consolidate(ProposalRequest(scope, tuple(left), request.now, request.judge))

    def _repair(self, turn: "_ModelTurn", prompt: Prompt, scope: ScopeSnapshot) -> Answered:
        """Ask the model once to correct refused operations."""
        turn.accepted.clear()
        concerned = [signal for signal in turn.request.signals if signal.id not in turn.settled]
        repair = write_repair(prompt, turn.refused, concerned, self._clean)
        reply = self._model.ask(consolidate_phase(name="repair"), repair, shorten=drop_oldest)
        if isinstance(reply, Failure):
            self.failures.append(f"{scope.scope.path}: {reply}")
            return scope
        return (yield from turn.propose(reply, scope))


class _ModelTurn:
    """The state of one scope: settled signals, and accepted and refused proposals."""

    def __init__(self, request: ProposalRequest, topics: Mapping[str, PurePosixPath]) -> None:
        self.request = request
        self._topics = topics
        self._signals = {signal.id: signal for signal in request.signals}
        # Signals that an operation is based on, or that were passed over.
        self.settled: set[str] = set()
        # What was refused so far: the entry of the reply, the guard, and why.
        self.refused: list[tuple[Mapping[str, Any], str, str]] = []
        # Accepted proposals of the last reply, by their intent.
        self.accepted: Counter[tuple[str, frozenset[str]]] = Counter()
        # The number of new topics per signal.
        self._made: Counter[str] = Counter()

    def propose(self, reply: Reply, scope: ScopeSnapshot) -> Answered:
        """Propose the operations of a reply that pass the guards; keep the refused ones for a repair."""
        for told in _entries(reply, "operations"):
            operation = self._plan(told, scope)
            if isinstance(operation, str):
                self.refused.append((told, "proposal", operation))
                continue
            refusal = self.request.judge(operation)
            if refusal is None:
                self._settle(told, operation)
                scope = yield operation
            else:
                self.refused.append((told, *refusal))
        for told in _entries(reply, "passed_over"):
            signal = self._signals.get(told["signal"])
            if signal and signal.id not in self.settled and signal.kind not in _ASKED_FOR:
                self.settled.add(signal.id)
                scope = yield _ask(signal, told["why"])
        return scope

    def show_refused(self, scope: ScopeSnapshot) -> Answered:
        """Propose what stays refused, so that the result lists it; count the entries without an operation."""
        dropped: Counter[str] = Counter()
        for told in _distinct(told for told, _, _ in self.refused):
            if self.accepted[_identify(told)]:
                # The repair replaced this proposal.
                self.accepted[_identify(told)] -= 1
                continue
            # Planned again, because the scope has changed.
            operation = self._plan(told, scope)
            if isinstance(operation, str):
                dropped[operation] += 1
                continue
            if self.request.judge(operation) is None:
                self._settle(told, operation)
            scope = yield operation
        for why, count in dropped.items():
            scope = yield NeedsPerson(f"{count} of the model's proposals meant nothing and were dropped: {why}")
        return scope

    def _plan(self, told: Mapping[str, Any], scope: ScopeSnapshot) -> Operation | str:
        cited = [signal for item in told["evidence"] if (signal := self._signals.get(item["signal"]))]
        if told["kind"] == OperationKind.CREATE and cited and all(self._made[s.id] >= _MAX_TOPICS for s in cited):
            return "there are topics enough of what it cites"
        return plan_proposal(told, self._topics, scope, reverses=any(signal.reverses for signal in cited))

    def _settle(self, told: Mapping[str, Any], operation: Operation) -> None:
        self.accepted[_identify(told)] += 1
        cited = {proof.source for proof in operation.evidence} & self._signals.keys()
        self._made.update(cited if operation.kind is OperationKind.CREATE else ())
        self.settled |= {name for name in cited if _says(operation, self._signals[name])}


def _says(operation: Operation, signal: Signal) -> bool:
    """Tell whether an operation contains its signal: a citation alone must not settle it."""
    if operation.kind is OperationKind.RETIRE:
        return True
    said = stem_content("\n".join(text for text in operation.texts.values() if text))
    wanted = stem_content(signal.rule)
    return len(wanted & said) >= _SAID * len(wanted)


def _identify(told: Mapping[str, Any]) -> tuple[str, frozenset[str]]:
    """Return the intent of an entry, by which a corrected version is recognised."""
    file = "" if told["kind"] == OperationKind.CREATE else told["file"]
    return f"{told['kind']} {file}", frozenset(item["signal"] for item in told["evidence"])


def _distinct(entries: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return list({json.dumps(told, sort_keys=True): told for told in entries}.values())


def _entries(reply: Reply, key: str) -> list[Mapping[str, Any]]:
    entries = reply.value[key]
    # The schema was checked; this is for the type checker.
    return list(entries) if isinstance(entries, list) else []


def _ask(signal: Signal, why: str) -> NeedsPerson:
    """Report a signal that the model passed over."""
    evidence = (Evidence(EvidenceKind.SIGNAL, signal.id, signal.text),)
    return NeedsPerson(f"{signal.kind} passed over by the model: {why}", None, evidence)
