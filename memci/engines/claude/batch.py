"""Message batches at half the price, each with one call."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from memci.engines.claude.budget import CostLedger, Price
from memci.engines.claude.calls import Failure, Fault, Outcome, Phase
from memci.engines.claude.check_reply import judge
from memci.engines.claude.requests import Params
from memci.engines.claude.retry import Patience
from memci.engines.claude.transport import BatchVerb, Wire

# Polling is free; batches take minutes to an hour.
_FIRST_POLL, _LAST_POLL, _SLOWER = 30.0, 300.0, 1.5
# A cancelled batch ends soon; otherwise it is abandoned.
_CANCEL_POLL, _CANCEL_POLLS = 10.0, 12
# The name of the call within its batch.
_CALL = "call"


@dataclass(frozen=True, slots=True)
class BatchCall:
    """A call before it is made; `bound` is an upper bound of its input tokens."""

    phase: Phase
    params: Params
    price: Price
    bound: int


@dataclass(frozen=True, slots=True)
class Batches:
    """Calls by batch; an interrupted run abandons its batch, whose maximum cost was reserved."""

    wire: Wire
    ledger: CostLedger
    patience: Patience

    def run(self, call: BatchCall, *, seconds: float, reserve: Callable[[BatchCall], Decimal | Failure]) -> Outcome:
        """Return the outcome of a call; after a Fault, a plain call may succeed."""
        ends = self.patience.clock.monotonic() + seconds
        reserved = reserve(call)
        if isinstance(reserved, Failure):
            return reserved
        name = self._hand_in(call, reserved)
        if isinstance(name, Fault):
            # If submission failed for a reason that persists, the plain call reports it.
            return name
        outcome = self._judge(self._fetch(name, ends), call, reserved)
        # The service keeps results for a month.
        self._ask("delete", message_batch_id=name)
        if outcome is None:
            # The service may have made the call without a result that can be read.
            self.ledger.book_unseen(call.phase.name, reserved)
        return outcome or Fault("the batch has no result for this call")

    def _hand_in(self, call: BatchCall, reserved: Decimal) -> str | Fault:
        """Submit a batch and return its name."""
        request = {"custom_id": _CALL, "params": call.params}

        def create(seconds: float) -> str | Fault:
            reply = self.wire.ask_batches("create", seconds, requests=[request])
            if isinstance(reply, Fault):
                # One that may have been made is not made again.
                return replace(reply, tries=1) if reply.charged else reply
            name = str(_get(reply, "id"))
            # It becomes part of a URL.
            good = re.fullmatch("[A-Za-z0-9_-]{1,128}", name)
            return name if good else Fault("the service did not name the batch it made", charged=True)

        made = self.patience.persist(create)
        if isinstance(made, Fault) and made.charged:
            self.ledger.book_unseen(call.phase.name, reserved)
        return made

    def _fetch(self, name: str, ends: float) -> list[object]:
        """Return the results of a batch; none if it did not end in time, or cannot be read."""
        batch = self._wait(name, ends)
        if batch is None:
            self._ask("cancel", message_batch_id=name)
            batch = self._wait(name, float("inf"), poll=_CANCEL_POLL, polls=_CANCEL_POLLS)
        if batch is None or isinstance(batch, Fault):
            return []
        results = self.patience.persist(lambda seconds: self.wire.read_results(name, seconds))
        return results if isinstance(results, list) else []

    def _wait(self, name: str, ends: float, *, poll: float = _FIRST_POLL, polls: int | None = None) -> object | None:
        """Return a batch once it has ended, or a fault; None if it did not in time."""
        clock, asked = self.patience.clock, 0
        while True:
            batch = self._ask("retrieve", message_batch_id=name)
            asked += 1
            if isinstance(batch, Fault) or _get(batch, "processing_status") == "ended":
                return batch
            if clock.monotonic() + poll > min(ends, self.patience.ends) or asked == polls:
                return None
            clock.sleep(poll)
            poll = poll if polls else min(poll * _SLOWER, _LAST_POLL)

    def _judge(self, results: list[object], call: BatchCall, reserved: Decimal) -> Outcome | None:
        for entry in results:
            match entry:
                case {"custom_id": str(name), "result": {"type": "succeeded", "message": message}} if name == _CALL:
                    outcome, bill = judge(message, call.phase)
                    if bill is None:
                        self.ledger.book_unseen(call.phase.name, reserved)
                    else:
                        self.ledger.book(call.phase.name, call.price, replace(bill, batch=True))
                    return outcome
                case {"custom_id": str(name), "result": dict()} if name == _CALL:
                    # Perhaps it is too long; a plain call can shorten the prompt.
                    return Fault("the batch did not make this call")
        return None

    def _ask(self, verb: BatchVerb, **arguments: object) -> object:
        return self.patience.persist(lambda seconds: self.wire.ask_batches(verb, seconds, **arguments))


def _get(reply: object, key: str) -> object:
    return reply.get(key) if isinstance(reply, dict) else None
