"""Retry policy: number of attempts, waiting times and the deadline of a run."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from memci.engines.claude.calls import Fault

# Suitable for a nightly job and an overloaded service; a longer wait is better spent on the next run.
MAX_TRIES = 4
MAX_WAIT = 60.0
# Exponential backoff with full jitter, so that many jobs do not retry at once.
_FIRST_WAIT = 2.0
# The SDK's own timeout, applied to the wall-clock time of the whole call.
MAX_CALL = 600.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a run; tests replace it."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    # Seconds since 1970, to recognise a batch in another run.
    time: Callable[[], float] = time.time


@dataclass(slots=True)
class Patience:
    """The time budget of a run; a service that asks for a longer wait ends it."""

    ends: float
    clock: Clock = field(default_factory=Clock)
    # Not for cryptography: it spreads waiting times.
    draw: Callable[[], float] = random.random
    # Why no further calls are made although there is time; empty if they are.
    over: str = ""

    def left(self) -> float:
        """Return the remaining seconds."""
        return 0.0 if self.over else self.ends - self.clock.monotonic()

    def give_up(self) -> Fault:
        """Return the fault of a call after the deadline."""
        return Fault(self.over or "the time of the run is used up", "deadline")

    def persist(self, call: Callable[[float], T | Fault]) -> T | Fault:
        """Call until there is no fault, or attempts or time are used up; `call` gets its time limit in seconds."""
        tries = 0
        while (left := self.left()) > 0:
            outcome = call(min(left, MAX_CALL))
            tries += 1
            if not isinstance(outcome, Fault):
                return outcome
            most = min(MAX_WAIT, max(0.0, self.left()))
            if outcome.wait > most:
                # Earlier calls would be refused again, so the run makes no more.
                asked = f"the service asks to wait {outcome.wait:.6g} s and the run waits {most:.0f} s at most"
                self.over = f"{asked} ({outcome.detail})"
                return replace(self.give_up(), charged=outcome.charged)
            if tries >= min(MAX_TRIES, outcome.tries):
                return outcome
            wait = min(MAX_WAIT, max(outcome.wait, self.draw() * _FIRST_WAIT * 2 ** (tries - 1)))
            if wait >= self.left():
                return replace(outcome, reason="deadline", detail=f"no time to try again after: {outcome.detail}")
            self.clock.sleep(wait)
        return self.give_up()
