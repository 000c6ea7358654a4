"""The model calls of one run, within its limits of time, cost and consecutive failures."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from types import TracebackType
from typing import Self

from memci.engines.claude.batch import BatchCall, BatchQueue
from memci.engines.claude.budget import CostLedger, resolve_price
from memci.engines.claude.calls import Failure, Fault, Outcome, Phase, Prompt, Reply, Usage
from memci.engines.claude.check_reply import judge
from memci.engines.claude.credentials import Credentials
from memci.engines.claude.errors import Clock, Patience
from memci.engines.claude.requests import Params, build_request, measure, prefix_digest
from memci.engines.claude.transport import Wire

# After so many attempts to shorten a prompt, its length is not the problem.
MAX_SHORTENED = 3
# After so many failed calls in a row, each with all its attempts, the next one would fail as well.
MAX_FAILED = 3
# Failures that do not indicate a problem of the service.
_OWN_LIMITS = frozenset({"budget", "deadline", "breaker"})
# Token counts are documented as estimates; this margin is larger than their error.
_COUNT_MARGIN, _COUNT_EXTRA = Decimal("1.05"), 256
# Tokens that the service adds to a request, mostly for the schema.
_ENVELOPE = 1_000
# Typical text has 2.5 bytes per token or more; only for estimates that are printed.
_BYTES_PER_TOKEN = Decimal("2.5")
# Counting is optional, so it gets less time than the call.
_COUNT_SECONDS = 30.0
# Most batches end within an hour; a hosted job is killed after six.
BATCH_SECONDS = 5_400.0
_BATCH_SHARE = 0.75

Shorten = Callable[[Prompt], Prompt | None]
# The shorter of the two lifetimes of a cache entry; each use renews it.
_LIFE = 300.0
# Smaller losses are noise: block borders shift, and small prefixes are never cached.
_NOISE_SHARE, _NOISE_TOKENS = 0.05, 2_000


@dataclass(frozen=True, slots=True)
class CallLimits:
    """The limits of a run."""

    seconds: float
    # None: no limit.
    usd: Decimal | None


class ModelSession:
    """The model for the length of a run; nothing is loaded or opened before the first call."""

    def __init__(
        self,
        credentials: Credentials,
        limits: CallLimits,
        *,
        clock: Clock | None = None,
        draw: Callable[[], float] = random.random,
    ) -> None:
        clock = clock or Clock()
        self._wire = Wire(credentials)
        # The cost of the run so far.
        self.cost = CostLedger(limits.usd)
        self._patience = Patience(clock.monotonic() + limits.seconds, clock, draw)
        self._prefixes = Prefixes()
        self._queue: BatchQueue | None = None
        self._failed = 0
        self._stopped = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            # After an interrupt the batches stay, so that the next run can read their results.
            if kind is None and self._queue is not None:
                self._queue.clear()
        finally:
            self._wire.close()

    @property
    def stopped(self) -> str:
        """Why no more calls are made in this run; empty if they are."""
        return self._stopped or self._patience.over

    def estimate(self, phase: Phase, prompt: Prompt) -> Decimal:
        """Return an estimate of the maximum cost of a call, without a request."""
        tokens = int(measure(build_request(phase, prompt)) / _BYTES_PER_TOKEN)
        return resolve_price(phase.model).reserve(tokens, phase.max_tokens)

    def ask(self, phase: Phase, prompt: Prompt, *, shorten: Shorten) -> Reply | Failure:
        """Make a call; shorten a prompt that is too long, and double the room for a reply that is, once."""
        return self._note(self._ask(phase, prompt, shorten, phase.max_tokens))

    def ask_batch(
        self, phase: Phase, prompt: Prompt, *, state: Path, shorten: Shorten, seconds: float = BATCH_SECONDS
    ) -> Reply | Failure:
        """Make a call by batch within `seconds`; what that does not complete is called plainly."""
        if self._wire.credentials.provider != "api":
            # The clouds do not offer batches at this endpoint.
            return self.ask(phase, prompt, shorten=shorten)
        if (stop := self._find_stop()) is not None:
            return stop
        self._queue = self._queue or BatchQueue(self._wire, self.cost, self._patience, state)
        params = build_request(phase, prompt, life="1h")
        call = BatchCall(phase, params, resolve_price(phase.model), _bound(params))
        # Leave time for a plain call.
        seconds = min(seconds, _BATCH_SHARE * self._patience.left())
        outcome = self._queue.run(call, seconds=seconds, reserve=lambda call: self._reserve(call, batch=True))
        match outcome:
            case Failure(reason="max_tokens"):
                return self._note(self._ask(phase, prompt, shorten, 2 * phase.max_tokens))
            case Fault() | Failure(reason="context"):
                return self.ask(phase, prompt, shorten=shorten)
        return outcome

    def _ask(self, phase: Phase, prompt: Prompt, shorten: Shorten, room: int) -> Outcome:
        price, shortened = resolve_price(phase.model), 0
        room = min(room, price.max_output)
        while True:
            outcome = self._stop_or_call(phase, prompt, room)
            match outcome:
                case Failure(reason="context") | Fault(reason="context") if shortened < MAX_SHORTENED:
                    shorter = shorten(prompt)
                    if shorter is None:
                        return outcome
                    prompt, shortened = shorter, shortened + 1
                case Failure(reason="max_tokens") if room == phase.max_tokens < price.max_output:
                    room = min(2 * room, price.max_output)
                    if not self.cost.allows(price.reserve(_bound(build_request(phase, prompt)), room)):
                        return outcome
                case _:
                    return outcome

    def _stop_or_call(self, phase: Phase, prompt: Prompt, room: int) -> Outcome:
        if (stop := self._find_stop()) is not None:
            return stop
        params = build_request(phase, prompt, max_tokens=room)
        reserved = self._reserve(BatchCall(phase, params, resolve_price(phase.model), _bound(params)))
        if isinstance(reserved, Failure):
            return reserved

        def call(seconds: float) -> Outcome:
            if not self.cost.allows(reserved):
                return Failure("budget", "another try could pass the limit")
            return self._call(phase, params, reserved, seconds)

        return self._patience.persist(call)

    def _find_stop(self) -> Failure | None:
        if self._stopped:
            return Failure("breaker", self._stopped)
        return None if self._patience.left() > 0 else self._patience.give_up().as_failure()

    def _call(self, phase: Phase, params: Params, reserved: Decimal, seconds: float) -> Outcome:
        message = self._wire.send(params, seconds)
        outcome, bill = (message, None) if isinstance(message, Fault) else judge(message, phase)
        if bill is not None:
            self.cost.book(phase.name, resolve_price(phase.model), bill)
            now = self._patience.clock.monotonic()
            if (warning := self._prefixes.watch(prefix_digest(params), bill.usage, now)) is not None:
                self.cost.warnings += (f"{phase.name}: {warning}",)
        elif isinstance(outcome, Fault) and outcome.charged:
            self.cost.book_unseen(phase.name, reserved)
        return outcome

    def _reserve(self, call: BatchCall, *, batch: bool = False) -> Decimal | Failure:
        """Return the maximum cost of a call; count its tokens only if the safe bound exceeds the limit."""
        room: int = call.params["max_tokens"]
        window = call.price.context
        tokens = call.bound
        dollars = call.price.reserve(tokens, room, batch=batch)
        if not self.cost.allows(dollars) or (window is not None and tokens > window):
            counted = self._wire.count(call.params, min(_COUNT_SECONDS, self._patience.left()))
            if isinstance(counted, int):
                if window is not None and counted > window:
                    return Failure("context", f"{counted} tokens do not fit a window of {window}")
                tokens = min(tokens, int(counted * _COUNT_MARGIN) + _COUNT_EXTRA)
                dollars = call.price.reserve(tokens, room, batch=batch)
        if not self.cost.allows(dollars):
            return Failure("budget", f"the call could cost {dollars:.4f} USD; that would pass the limit")
        return dollars

    def _note(self, outcome: Outcome) -> Reply | Failure:
        """Count consecutive failures, and stop the run after too many."""
        if isinstance(outcome, Reply):
            self._failed = 0
            return outcome
        failure = outcome.as_failure() if isinstance(outcome, Fault) else outcome
        if isinstance(outcome, Fault) and outcome.stops:
            self._stopped = self._stopped or f"no more calls after: {failure}"
        if failure.reason not in _OWN_LIMITS:
            self._failed += 1
            if self._failed >= MAX_FAILED:
                self._stopped = self._stopped or f"{MAX_FAILED} calls failed in a row; the last: {failure}"
        return failure


def _bound(params: Params) -> int:
    """Return an upper bound of the input tokens of a request."""
    return measure(params) + _ENVELOPE


@dataclass(slots=True)
class Prefixes:
    """The cached tokens of each prefix, and when it was last used."""

    seen: dict[str, tuple[float, int]] = field(default_factory=dict)

    def watch(self, prefix: str, usage: Usage, now: float) -> str | None:
        """Record a call; return a warning if the cache should have been read and was not."""
        before, held = self.seen.get(prefix, (now, 0))
        self.seen[prefix] = (now, usage.cache_read + usage.cache_write)
        lost = held - usage.cache_read
        if now - before > _LIFE or lost < max(_NOISE_TOKENS, held * _NOISE_SHARE):
            return None
        return f"the prompt cache broke: {usage.cache_read} of {held} tokens of a repeated prefix were read from it"
