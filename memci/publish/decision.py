"""What is to be done with the branch and its pull request: a value, made before anything is touched."""

import enum
from collections.abc import Collection
from dataclasses import dataclass

from memci.publish.commit import Proposal


class DecisionResult(enum.StrEnum):
    """How a publication ended."""

    NONE = "none"
    CREATED = "created"
    UPDATED = "updated"
    NOT_UPDATED = "not-updated"
    CLOSED = "closed"
    BLOCKED = "blocked"
    DECLINED = "declined"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class RemoteState:
    """What is there already."""

    # The commit of the branch at the remote, "" if there is no branch, and what memci knows of it: None if somebody
    # else had a hand in it.
    head: str = ""
    own: Proposal | None = None
    # Whether the base has everything that is on the branch, also what others did.
    merged: bool = False
    # Whether there is an open pull request, and whether its label allows to overwrite what others did.
    open: bool = False
    rebase: bool = False
    # The digest in the marker of the open pull request; "" if its base is another branch.
    shown: str = ""
    # Digests of proposals that people closed.
    declined: Collection[str] = ()


class Step(enum.Enum):
    """One thing to do."""

    CLOSE = "close the pull request"
    DELETE = "delete the branch"
    PUSH = "push the branch"
    OPEN = "open the pull request"
    EDIT = "edit the text of the pull request"
    TELL = "tell people that the branch is theirs"


@dataclass(frozen=True, slots=True)
class Decision:
    """The result if every step succeeds, and the steps in their order."""

    result: DecisionResult
    steps: tuple[Step, ...] = ()


def decide(proposal: Proposal | None, found: RemoteState, *, whole: bool) -> Decision:
    """Choose; `proposal` is None if nothing changes, `whole` is whether no part of the dream was lost."""
    foreign = bool(found.head) and found.own is None and not found.rebase and (found.open or not found.merged)
    if proposal is None:
        return _decide_nothing(found, foreign=foreign, whole=whole)
    if foreign:
        return Decision(DecisionResult.BLOCKED, (Step.TELL,) if found.open else ())
    if proposal.digest in found.declined:
        steps = ((Step.CLOSE,) if found.open else ()) + ((Step.DELETE,) if found.head else ())
        return Decision(DecisionResult.DECLINED, steps)
    if not found.open:
        same = found.own is not None and _is_same(found.own, proposal)
        return Decision(DecisionResult.CREATED, (Step.OPEN,) if same else (Step.PUSH, Step.OPEN))
    if found.own is not None and _is_same(found.own, proposal):
        # The text would differ in cost and time only; a reader who saw it is not called back for that.
        shown = found.shown == proposal.digest
        return Decision(DecisionResult.NOT_UPDATED if shown else DecisionResult.UPDATED, () if shown else (Step.EDIT,))
    return Decision(DecisionResult.UPDATED, (Step.PUSH, Step.EDIT))


def _decide_nothing(found: RemoteState, *, foreign: bool, whole: bool) -> Decision:
    if not found.head or not whole:
        # What was lost may be what the pull request is about.
        return Decision(DecisionResult.CLOSED, (Step.CLOSE,)) if found.open and whole else Decision(DecisionResult.NONE)
    if foreign:
        return Decision(DecisionResult.BLOCKED, (Step.TELL,)) if found.open else Decision(DecisionResult.NONE)
    if found.open:
        return Decision(DecisionResult.CLOSED, (Step.CLOSE, Step.DELETE))
    return Decision(DecisionResult.NONE, (Step.DELETE,))


def _is_same(one: Proposal, other: Proposal) -> bool:
    """Whether two commits propose the same on the same base; their state files may differ."""
    return one.digest == other.digest and one.parent == other.parent
