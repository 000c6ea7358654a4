"""The interface between the dream and its engines."""

import datetime as dt
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Protocol

from memci.citations.finding_proofs import FindingProof
from memci.citations.lookups import Lookup
from memci.model.conversation import Conversation
from memci.model.finding import Finding
from memci.model.memory import Guide, ScopeSnapshot
from memci.model.plan import LeftOut, NeedsPerson, Operation, Refusal
from memci.model.session import Signal, Turn
from memci.use.repeated_rules import KnownRule, Repetition

# Each proposal is judged before the next one; the generator is sent the scope as it is then.
Proposals = Generator[Operation | NeedsPerson, ScopeSnapshot, None]
# Asks the repository; the answers by question.
LookUp = Callable[[Sequence[Lookup]], Mapping[str, str]]


class OpenDraft(Protocol):
    """A scope while it is changed."""

    @property
    def scope(self) -> ScopeSnapshot:
        """The scope as it is now."""
        ...

    def propose(self, proposal: Operation | NeedsPerson) -> Refusal | None:
        """Change the draft if all guards agree; return which one does not, and why."""
        ...

    def refuse(self, operation: Operation, refusal: Refusal) -> None:
        """Record an operation that stays refused."""
        ...

    def leave_out(self, what: LeftOut) -> None:
        """Record what was not written on purpose."""
        ...

    def work(self, phase: Callable[[ScopeSnapshot], Proposals]) -> None:
        """Propose one by one, and record what is refused."""
        ...


def _answer_nothing(_: Sequence[Lookup]) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class ConsolidationRequest:
    """The input of an engine: the scopes that are due, what people said, and what the repository says."""

    drafts: Sequence[OpenDraft]
    now: dt.datetime
    # What the cues found, by scope path, oldest first.
    signals: Mapping[PurePosixPath, tuple[Signal, ...]] = field(default_factory=dict)
    conversation: Conversation = field(default_factory=Conversation)
    findings: Sequence[Finding] = ()
    proofs: Mapping[str, FindingProof] = field(default_factory=dict)
    guides: Sequence[Guide] = ()
    # Scopes that do not dream now.
    others: Sequence[ScopeSnapshot] = ()
    # The id of the scope for what belongs nowhere else.
    default_scope: str = ""
    # The names of people that are known from git.
    people: Sequence[str] = ()
    # The tracked files, or their directories.
    files: Sequence[str] = ()
    look_up: LookUp = _answer_nothing


class Engine(Protocol):
    """Turns what people said, and what was found, into proposed operations."""

    @property
    def name(self) -> str:
        """The name on the command line and in the result."""
        ...

    @property
    def reads_conversations(self) -> bool:
        """Whether it reads what people said itself, and not only the signals in it."""
        ...

    def find_repetitions(self, rules: Sequence[KnownRule], turns: Sequence[Turn]) -> list[Repetition]:
        """Return the messages that say a rule again, in whatever words."""
        ...

    def consolidate(self, request: ConsolidationRequest) -> None:
        """Propose operations for all scopes."""
        ...
