"""The interface between the dream and its engines."""

import datetime as dt
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Protocol

from memci.model.memory import ScopeSnapshot
from memci.model.plan import NeedsPerson, Operation
from memci.model.session import Signal

# Each proposal is judged before the next one; the generator is sent the scope as it is then.
Proposals = Generator[Operation | NeedsPerson, ScopeSnapshot, None]
# The id of the guard that refuses an operation, and why.
Refusal = tuple[str, str]
# Judges an operation on the current draft.
Judge = Callable[[Operation], Refusal | None]


@dataclass(frozen=True, slots=True)
class ProposalRequest:
    """The input of an engine: one repaired scope, and the signals that belong to it, oldest first."""

    scope: ScopeSnapshot
    signals: tuple[Signal, ...]
    now: dt.datetime
    judge: Judge


class Engine(Protocol):
    """Turns signals into proposed operations."""

    @property
    def name(self) -> str:
        """The name on the command line and in the result."""
        ...

    def consolidate(self, request: ProposalRequest) -> Proposals:
        """Propose operations for one scope."""
        ...
