"""Asking a model for operations: once, at most once more for what was refused, and the rest without it."""

from collections.abc import Generator, Mapping
from pathlib import PurePosixPath
from typing import Any

from memci.engines.claude.values import Failure, Prompt, Reply
from memci.engines.engine import Proposals, Request
from memci.engines.local import LocalEngine
from memci.engines.model.asking import Model
from memci.engines.model.phases import consolidate_phase
from memci.engines.model.prompts import Refusal, drop_oldest, name_topics, write_consolidation, write_repair
from memci.engines.model.proposals import plan_proposal
from memci.model import ScopeSnapshot
from memci.operation import Evidence, EvidenceKind, NeedsPerson, Operation
from memci.text.secrets import redact
from memci.transcript import Signal

# Proposals of which the last scope is wanted.
Answered = Generator[Operation | NeedsPerson, ScopeSnapshot, ScopeSnapshot]


class ModelEngine:
    """Better words than the embedded engine, under the same guards; what it leaves is done without it."""

    name = "claude"

    def __init__(self, model: Model) -> None:
        self._model = model
        # What did not work, for the result.
        self.failures: list[str] = []

    def consolidate(self, request: Request) -> Proposals:
        """Propose operations for one scope; without signals there is nothing to ask."""
        scope, left = request.scope, list(request.signals)
        if left:
            prompt = write_consolidation(scope, left, request.now)
            reply = self._model.ask(consolidate_phase(), prompt, shorten=drop_oldest)
            if isinstance(reply, Failure):
                self.failures.append(f"{scope.scope.path}: {reply}")
            else:
                turn = _Turn(request, {name: topic.path for name, topic in name_topics(scope).items()})
                scope = yield from turn.propose(reply, scope)
                if turn.refused:
                    scope = yield from self._repair(turn, prompt, scope)
                left = [signal for signal in left if signal.id not in turn.settled]
        yield from LocalEngine().consolidate(Request(scope, tuple(left), request.now, request.judge))

    def _repair(self, turn: "_Turn", prompt: Prompt, scope: ScopeSnapshot) -> Answered:
        """Show the model what was refused, once; what is refused again is proposed for all to see."""
        concerned = [signal for signal in turn.request.signals if signal.id not in turn.settled]
        told = turn.refused
        reply = self._model.ask(
            consolidate_phase(name="repair"), write_repair(prompt, told, concerned), shorten=drop_oldest
        )
        if isinstance(reply, Failure):
            self.failures.append(f"{scope.scope.path}: {reply}")
            return scope
        return (yield from turn.propose(reply, scope, final=True))


class _Turn:
    """What became of the signals of one scope."""

    def __init__(self, request: Request, topics: Mapping[str, PurePosixPath]) -> None:
        self.request = request
        self._topics = topics
        # Signals that an operation rests on, or that were passed over.
        self.settled: set[str] = set()
        self.refused: list[Refusal] = []

    def propose(self, reply: Reply, scope: ScopeSnapshot, *, final: bool = False) -> Answered:
        """Propose what a reply asks for; what a guard would refuse is kept for a repair, unless this was it."""
        for told in _entries(reply, "operations"):
            operation = plan_proposal(told, self._topics, scope)
            if isinstance(operation, str):
                self.refused.append((told, "proposal", operation))
                continue
            refusal = self.request.judge(operation, scope)
            if refusal is None or final:
                scope = yield operation
            if refusal is None:
                self.settled |= {proof.source for proof in operation.evidence}
            else:
                self.refused.append((told, *refusal))
        signals = {signal.id: signal for signal in self.request.signals}
        for told in _entries(reply, "passed_over"):
            signal = signals.get(told["signal"])
            if signal and signal.id not in self.settled:
                self.settled.add(signal.id)
                scope = yield _ask(signal, " ".join(told["why"].split())[:200])
        return scope


def _entries(reply: Reply, key: str) -> list[Mapping[str, Any]]:
    entries = reply.value[key]
    # The schema was checked; this only tells the types.
    return list(entries) if isinstance(entries, list) else []


def _ask(signal: Signal, why: str) -> NeedsPerson:
    """Let nothing vanish: a model that passes a signal over says so in front of people."""
    evidence = (Evidence(EvidenceKind.SIGNAL, signal.id, signal.text),)
    return NeedsPerson(f"{signal.kind} passed over by the model: {redact(why)}", None, evidence)
