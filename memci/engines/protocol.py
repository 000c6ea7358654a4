"""The seam: what an engine is given, and what it gives back."""

import datetime as dt
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Protocol

from memci.model.memory import ScopeSnapshot
from memci.model.plan import NeedsPerson, Operation
from memci.model.session import Signal

# An engine proposes; each proposal is judged before the next one, and the scope as it is then comes back.
Proposals = Generator[Operation | NeedsPerson, ScopeSnapshot, None]


# Says which guard would refuse an operation on the scope as it is, and why.
Judge = Callable[[Operation], tuple[str, str] | None]


@dataclass(frozen=True, slots=True)
class ProposalRequest:
    """What an engine may know: one scope, repaired, and what people said that concerns it, oldest first."""

    scope: ScopeSnapshot
    signals: tuple[Signal, ...]
    now: dt.datetime
    judge: Judge


class Engine(Protocol):
    """Turns what people said into proposed operations."""

    @property
    def name(self) -> str:
        """The name on the command line and in the result."""
        ...

    def consolidate(self, request: ProposalRequest) -> Proposals:
        """Propose operations for one scope."""
        ...
