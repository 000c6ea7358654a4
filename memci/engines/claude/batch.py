"""Message batches at half the price; a later run resumes the batch of an interrupted one."""

import contextlib
import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from memci.engines.claude.batch_state import Saved, is_name, read_saved, write_saved
from memci.engines.claude.budget import CostLedger, Price
from memci.engines.claude.calls import Failure, Fault, Outcome, Phase
from memci.engines.claude.check_reply import judge
from memci.engines.claude.requests import Params, make_custom_id
from memci.engines.claude.retry import Patience
from memci.engines.claude.transport import BatchVerb, Wire
from memci.errors import ServiceError

# Polling is free; batches take minutes to an hour.
_FIRST_POLL, _LAST_POLL, _SLOWER = 30.0, 300.0, 1.5
# A cancelled batch ends soon; otherwise it is abandoned.
_CANCEL_POLL, _CANCEL_POLLS = 10.0, 12
# The service ends every batch within this time.
_STALE = 86_400.0
# The reason of a fault with status 404.
_MISSING = "model"
# Tolerance between the clocks of two machines.
_SKEW = 120.0


@dataclass(frozen=True, slots=True)
class BatchCall:
    """A call before it is made; `bound` is an upper bound of its input tokens."""

    phase: Phase
    params: Params
    price: Price
    bound: int

    @property
    def custom_id(self) -> str:
        """The name of the call within a batch."""
        return make_custom_id(self.phase, self.params)


class BatchQueue:
    """The batches of single calls, recorded in a file from before submission until deletion."""

    def __init__(self, wire: Wire, ledger: CostLedger, patience: Patience, state: Path) -> None:
        self._wire = wire
        self._ledger = ledger
        self._patience = patience
        self._state = state
        self._saved = read_saved(state)
        self._read: list[str] = []

    def run(self, call: BatchCall, *, seconds: float, reserve: Callable[[BatchCall], Decimal | Failure]) -> Outcome:
        """Return the outcome of a call; after a Fault, a plain call may succeed."""
        ends = self._patience.clock.monotonic() + seconds
        saved = self._find(call.custom_id)
        carried = saved is not None
        if saved is None:
            reserved = reserve(call)
            made = reserved if isinstance(reserved, Failure) else self._hand_in(call, reserved)
            if not isinstance(made, Saved):
                # If submission failed for a reason that persists, the plain call reports it.
                return made
            saved = made
        return self._collect(saved, call, ends, carried=carried)

    def clear(self) -> None:
        """Delete batches that were read or are no longer needed: the service keeps results for a month."""
        oldest = self._patience.clock.time() - _STALE
        for saved in list(self._saved):
            if saved.name in self._read or (saved.name and saved.sure and saved.since < oldest):
                self._delete(saved)
            elif saved.since < oldest:
                self._replace(saved, None)
        self._read = []

    def _delete(self, saved: Saved) -> None:
        gone = self._ask("delete", message_batch_id=saved.name)
        if not isinstance(gone, Fault) or gone.reason == _MISSING:
            # The results are already used; a failed deletion costs the next run one request.
            with contextlib.suppress(ServiceError):
                self._replace(saved, None)

    def _hand_in(self, call: BatchCall, reserved: Decimal) -> Saved | Fault:
        request = {"custom_id": call.custom_id, "params": call.params}
        # Recorded before submission: after a crash, the next run searches for the batch instead of paying twice.
        intent = Saved("", (call.custom_id,), self._patience.clock.time())
        self._save([*self._saved, intent])

        def create(seconds: float) -> Saved | Fault:
            reply = self._wire.ask_batches("create", seconds, requests=[request])
            name = reply if isinstance(reply, Fault) else _read_name(reply)
            if isinstance(name, str):
                return replace(intent, name=name)
            return (self._search(intent) or name) if name.charged else name

        made = self._patience.persist(create)
        if isinstance(made, Fault) and made.charged:
            # The batch may exist after all; then the next run searches for it.
            self._ledger.book_unseen(call.phase.name, reserved)
        else:
            self._replace(intent, None if isinstance(made, Fault) else made)
        return made

    def _find(self, request: str) -> Saved | None:
        """Return the batch of a call from an earlier run, also one that was killed when it was about to submit it."""
        for saved in [saved for saved in self._saved if request in saved.requests]:
            found = saved if saved.name else self._search(saved)
            if found != saved:
                self._replace(saved, found)
            if found is not None:
                return found
        return None

    def _search(self, intent: Saved) -> Saved | None:
        """Return a batch of the same size and time; perhaps another job's, so it is not cancelled or deleted unseen."""
        reply = self._ask("list", limit=100)
        entries = reply.get("data") if isinstance(reply, dict) else None
        known = {saved.name for saved in self._saved}
        for entry in entries if isinstance(entries, list) else []:
            match entry:
                case {"id": str(name), "created_at": str(created), "request_counts": dict(counts)} if is_name(name):
                    size = sum(count for count in counts.values() if isinstance(count, int))
                    young = _read_time(created) >= intent.since - _SKEW
                    if name not in known and size == len(intent.requests) and young:
                        return replace(intent, name=name, sure=False)
        return None

    def _collect(self, saved: Saved, call: BatchCall, ends: float, *, carried: bool) -> Outcome:
        results = self._fetch(saved, ends)
        outcome = self._judge(results or [], call, carried=carried)
        if results is not None and not saved.sure and outcome is None:
            self._replace(saved, None)
        elif results is not None:
            self._read.append(saved.name)
        if outcome is None and not carried:
            # The service may have created it without a confirmation.
            self._ledger.book_unseen(call.phase.name, _reserve(call))
        return outcome or Fault("the batch has no result for this call")

    def _fetch(self, saved: Saved, ends: float) -> list[object] | None:
        """Return the results of a batch; None if it did not end in time, or cannot be read."""
        batch = self._wait(saved.name, ends)
        if batch is None and saved.sure:
            self._ask("cancel", message_batch_id=saved.name)
            batch = self._wait(saved.name, float("inf"), poll=_CANCEL_POLL, polls=_CANCEL_POLLS)
        if isinstance(batch, Fault) and batch.reason == _MISSING:
            self._replace(saved, None)
            return []
        if not isinstance(batch, dict):
            return None
        results = self._patience.persist(lambda seconds: self._wire.read_results(saved.name, seconds))
        return results if isinstance(results, list) else None

    def _wait(
        self, name: str, ends: float, *, poll: float = _FIRST_POLL, polls: int | None = None
    ) -> dict[str, object] | Fault | None:
        """Return a batch once it has ended; None if it did not in time."""
        clock, asked = self._patience.clock, 0
        while True:
            batch = self._ask("retrieve", message_batch_id=name)
            asked += 1
            if isinstance(batch, Fault):
                return batch
            if isinstance(batch, dict) and batch.get("processing_status") == "ended":
                return batch
            if clock.monotonic() + poll > min(ends, self._patience.ends) or asked == polls:
                return None
            clock.sleep(poll)
            poll = poll if polls else min(poll * _SLOWER, _LAST_POLL)

    def _judge(self, results: list[object], call: BatchCall, *, carried: bool) -> Outcome | None:
        for entry in results:
            match entry:
                case {"custom_id": call.custom_id, "result": {"type": "succeeded", "message": message}}:
                    outcome, bill = judge(message, call.phase)
                    if bill is not None:
                        self._ledger.book(call.phase.name, call.price, replace(bill, batch=True), carried=carried)
                    elif not carried:
                        self._ledger.book_unseen(call.phase.name, _reserve(call))
                    return outcome
                case {"custom_id": call.custom_id, "result": dict()}:
                    # Perhaps it is too long; a plain call can shorten the prompt.
                    return Fault("the batch did not make this call")
        return None

    def _ask(self, verb: BatchVerb, **arguments: object) -> object:
        return self._patience.persist(lambda seconds: self._wire.ask_batches(verb, seconds, **arguments))

    def _replace(self, old: Saved, new: Saved | None) -> None:
        others = [saved for saved in self._saved if saved != old]
        self._save(others if new is None else [*others, new])

    def _save(self, batches: list[Saved]) -> None:
        self._saved = list(batches)
        write_saved(self._state, self._saved)


def _reserve(call: BatchCall) -> Decimal:
    return call.price.reserve(call.bound, call.params["max_tokens"], batch=True)


def _read_name(reply: object) -> str | Fault:
    match reply:
        case {"id": str(name)} if is_name(name):
            return name
    return Fault("the service did not name the batch it made", charged=True)


def _read_time(text: str) -> float:
    try:
        return dt.datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0
