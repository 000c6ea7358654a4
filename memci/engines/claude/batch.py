"""Message batches at half the price; a later run resumes the batch of an interrupted one."""

import contextlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from memci.engines.claude.budget import CostLedger, Price
from memci.engines.claude.calls import Failure, Fault, Outcome, Phase
from memci.engines.claude.check_reply import judge
from memci.engines.claude.errors import Patience
from memci.engines.claude.requests import Params, make_custom_id
from memci.engines.claude.transport import BatchVerb, Wire
from memci.errors import ServiceError
from memci.stores.files import write_output

# Polling is free; batches take minutes to an hour.
_FIRST_POLL, _LAST_POLL, _SLOWER = 30.0, 300.0, 1.5
# A cancelled batch ends soon; otherwise it is abandoned.
_CANCEL_POLL, _CANCEL_POLLS = 10.0, 12
# The service ends every batch within this time.
_STALE = 86_400.0
# The reason of a fault with status 404.
_MISSING = "model"


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


@dataclass(frozen=True, slots=True)
class SavedBatch:
    """A batch of one call that was submitted; `since` is in seconds since 1970."""

    name: str
    request: str
    since: float

    def __post_init__(self) -> None:
        """Refuse a name that is none: it becomes part of a URL."""
        if not re.fullmatch("[A-Za-z0-9_-]{1,128}", self.name):
            raise ValueError("not the name of a batch")


class BatchQueue:
    """The batches of single calls, recorded in a file from submission until deletion."""

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
        saved = next((saved for saved in self._saved if saved.request == call.custom_id), None)
        carried = saved is not None
        if saved is None:
            reserved = reserve(call)
            made = reserved if isinstance(reserved, Failure) else self._hand_in(call, reserved)
            if not isinstance(made, SavedBatch):
                # If submission failed for a reason that persists, the plain call reports it.
                return made
            saved = made
        results = self._fetch(saved, ends)
        if results is not None:
            self._read.append(saved.name)
        outcome = self._judge(results or [], call, carried=carried)
        if outcome is None and not carried:
            # The service may have made the call without a result that can be read.
            self._ledger.book_unseen(call.phase.name, _reserve(call))
        return outcome or Fault("the batch has no result for this call")

    def clear(self) -> None:
        """Delete batches that were read or are no longer needed: the service keeps results for a month."""
        oldest = self._patience.clock.time() - _STALE
        for saved in list(self._saved):
            if saved.name in self._read or saved.since < oldest:
                gone = self._ask("delete", message_batch_id=saved.name)
                if not isinstance(gone, Fault) or gone.reason == _MISSING:
                    # The results are already used; a failed deletion costs the next run one request.
                    with contextlib.suppress(ServiceError):
                        self._forget(saved)
        self._read = []

    def _hand_in(self, call: BatchCall, reserved: Decimal) -> SavedBatch | Fault:
        request = {"custom_id": call.custom_id, "params": call.params}
        # Refused before anything is paid if it cannot be recorded.
        self._save(self._saved)

        def create(seconds: float) -> SavedBatch | Fault:
            reply = self._wire.ask_batches("create", seconds, requests=[request])
            if isinstance(reply, Fault):
                # One that may have been made is not made again.
                return replace(reply, tries=1) if reply.charged else reply
            try:
                return SavedBatch(str(_get(reply, "id")), call.custom_id, self._patience.clock.time())
            except ValueError:
                return Fault("the service did not name the batch it made", charged=True)

        made = self._patience.persist(create)
        if not isinstance(made, Fault):
            self._save([*self._saved, made])
        elif made.charged:
            self._ledger.book_unseen(call.phase.name, reserved)
        return made

    def _fetch(self, saved: SavedBatch, ends: float) -> list[object] | None:
        """Return the results of a batch; None if it did not end in time, or cannot be read."""
        batch = self._wait(saved.name, ends)
        if batch is None:
            self._ask("cancel", message_batch_id=saved.name)
            batch = self._wait(saved.name, float("inf"), poll=_CANCEL_POLL, polls=_CANCEL_POLLS)
        if isinstance(batch, Fault) and batch.reason == _MISSING:
            self._forget(saved)
            return []
        if batch is None or isinstance(batch, Fault):
            return None
        results = self._patience.persist(lambda seconds: self._wire.read_results(saved.name, seconds))
        return results if isinstance(results, list) else None

    def _wait(self, name: str, ends: float, *, poll: float = _FIRST_POLL, polls: int | None = None) -> object | None:
        """Return a batch once it has ended, or a fault; None if it did not in time."""
        clock, asked = self._patience.clock, 0
        while True:
            batch = self._ask("retrieve", message_batch_id=name)
            asked += 1
            if isinstance(batch, Fault) or _get(batch, "processing_status") == "ended":
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

    def _forget(self, old: SavedBatch) -> None:
        self._save([saved for saved in self._saved if saved != old])

    def _save(self, batches: list[SavedBatch]) -> None:
        import msgspec

        self._saved = batches
        content = {"format": 2, "batches": msgspec.to_builtins(batches)}
        write_output(self._state, (json.dumps(content, indent=1, sort_keys=True) + "\n").encode())


def read_saved(path: Path) -> list[SavedBatch]:
    """Return the recorded batches; none if the file cannot be read."""
    import msgspec

    try:
        content = json.loads(path.read_text("utf-8"))
        return msgspec.convert(content["batches"], list[SavedBatch]) if content["format"] == 2 else []
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []


def _reserve(call: BatchCall) -> Decimal:
    return call.price.reserve(call.bound, call.params["max_tokens"], batch=True)


def _get(reply: object, key: str) -> object:
    return reply.get(key) if isinstance(reply, dict) else None
