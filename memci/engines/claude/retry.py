"""How often, how long and until when something is tried."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from memci.engines.claude.calls import Fault

# What a nightly job can afford against a service that is overloaded; a longer wait is cheaper tomorrow.
MAX_TRIES = 4
MAX_WAIT = 60.0
# Doubled with every try, and drawn from the whole range, so that many jobs do not come back at once.
_FIRST_WAIT = 2.0
# The SDK's own limit for a whole call; here it is one of wall-clock time, not of silence.
MAX_CALL = 600.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as a run sees it."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    # Seconds since 1970, to know a batch again in another run.
    time: Callable[[], float] = time.time


@dataclass(slots=True)
class Patience:
    """The time a run has; a service that asks for more than that ends it."""

    ends: float
    clock: Clock = field(default_factory=Clock)
    # No secret depends on it; it spreads waiting times.
    draw: Callable[[], float] = random.random
    # Why the service is not asked again although there is time; empty if it is.
    over: str = ""

    def left(self) -> float:
        """Return the seconds that are left."""
        return 0.0 if self.over else self.ends - self.clock.monotonic()

    def give_up(self) -> Fault:
        """Return the fault of a call for which no time is left."""
        return Fault(self.over or "the time of the run is used up", "deadline")

    def persist(self, call: Callable[[float], T | Fault]) -> T | Fault:
        """Call with the seconds it may take until it has no fault, tries are used up, or time is."""
        tries = 0
        while (left := self.left()) > 0:
            outcome = call(min(left, MAX_CALL))
            tries += 1
            if not isinstance(outcome, Fault):
                return outcome
            most = min(MAX_WAIT, max(0.0, self.left()))
            if outcome.wait > most:
                # Sooner it would only refuse again, so nothing more is asked in this run.
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
