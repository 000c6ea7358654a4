"""The time limit of a run."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point in time on a monotonic clock."""

    ends: float = float("inf")
    monotonic: Callable[[], float] = time.monotonic

    def left(self) -> float:
        """Return the seconds left; not below zero."""
        return max(0.0, self.ends - self.monotonic())


NEVER = Deadline()


def start_deadline(seconds: float, monotonic: Callable[[], float] = time.monotonic) -> Deadline:
    """Return the deadline that is `seconds` from now."""
    return Deadline(monotonic() + seconds, monotonic)
