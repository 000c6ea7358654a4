"""The decision as a table: what is there, what is proposed, and what is done about it."""

import itertools

import pytest

from memci.publish.commit import Proposal
from memci.publish.decision import Decision, DecisionResult, RemoteState, Step, decide

WISH = Proposal("c1", "t1", "base", "d1")
SAME = Proposal("c0", "t0", "base", "d1")
STALE = Proposal("c0", "t0", "older", "d1")
OTHER = Proposal("c0", "t0", "base", "d0")


def there(own: Proposal | None, **more: object) -> RemoteState:
    return RemoteState("c0", own, **more)  # type: ignore[arg-type]  # a short way to name fields


TABLE = [
    # Nothing is proposed.
    (None, RemoteState(), DecisionResult.NONE, ()),
    (None, there(None), DecisionResult.NONE, ()),
    (None, there(SAME), DecisionResult.NONE, (Step.DELETE,)),
    (None, there(SAME, open=True), DecisionResult.CLOSED, (Step.CLOSE, Step.DELETE)),
    (None, RemoteState(open=True), DecisionResult.CLOSED, (Step.CLOSE,)),
    (None, there(None, open=True), DecisionResult.BLOCKED, (Step.TELL,)),
    (None, there(None, open=True, rebase=True), DecisionResult.CLOSED, (Step.CLOSE, Step.DELETE)),
    # Something is, and there is no pull request.
    (WISH, RemoteState(), DecisionResult.CREATED, (Step.PUSH, Step.OPEN)),
    (WISH, there(OTHER), DecisionResult.CREATED, (Step.PUSH, Step.OPEN)),
    (WISH, there(STALE), DecisionResult.CREATED, (Step.PUSH, Step.OPEN)),
    (WISH, there(SAME), DecisionResult.CREATED, (Step.OPEN,)),
    (WISH, there(None), DecisionResult.BLOCKED, ()),
    (WISH, there(None, merged=True), DecisionResult.CREATED, (Step.PUSH, Step.OPEN)),
    # There is one.
    (WISH, there(SAME, open=True, shown="d1"), DecisionResult.NOT_UPDATED, ()),
    (WISH, there(SAME, open=True, shown="d0"), DecisionResult.UPDATED, (Step.EDIT,)),
    (WISH, there(SAME, open=True), DecisionResult.UPDATED, (Step.EDIT,)),
    (WISH, there(OTHER, open=True, shown="d0"), DecisionResult.UPDATED, (Step.PUSH, Step.EDIT)),
    (WISH, there(STALE, open=True, shown="d1"), DecisionResult.UPDATED, (Step.PUSH, Step.EDIT)),
    (WISH, there(None, open=True, shown="d1"), DecisionResult.BLOCKED, (Step.TELL,)),
    (WISH, there(None, open=True, rebase=True), DecisionResult.UPDATED, (Step.PUSH, Step.EDIT)),
    # A person took everything back on the branch: that is their word in an open discussion.
    (WISH, there(None, open=True, merged=True), DecisionResult.BLOCKED, (Step.TELL,)),
    # People said no.
    (WISH, RemoteState(declined={"d0"}), DecisionResult.CREATED, (Step.PUSH, Step.OPEN)),
    (WISH, RemoteState(declined={"d1"}), DecisionResult.DECLINED, ()),
    (WISH, there(SAME, declined={"d1"}), DecisionResult.DECLINED, (Step.DELETE,)),
    (WISH, there(OTHER, open=True, declined={"d1"}), DecisionResult.DECLINED, (Step.CLOSE, Step.DELETE)),
    (WISH, there(None, open=True, declined={"d1"}), DecisionResult.BLOCKED, (Step.TELL,)),
]


@pytest.mark.parametrize(("proposal", "found", "result", "steps"), TABLE)
def test_the_table(
    proposal: Proposal | None, found: RemoteState, result: DecisionResult, steps: tuple[Step, ...]
) -> None:
    assert decide(proposal, found, whole=True) == Decision(result, steps)


def test_no_branch_that_is_not_memcis_is_ever_pushed_or_deleted() -> None:
    for proposal, is_open, declined, whole in itertools.product(
        (None, WISH), (True, False), ((), ("d1",)), (True, False)
    ):
        steps = decide(proposal, there(None, open=is_open, declined=declined), whole=whole).steps
        assert not {Step.PUSH, Step.DELETE, Step.CLOSE} & set(steps)


def test_a_dream_that_lost_a_part_never_closes_anything() -> None:
    for own, is_open in itertools.product((SAME, OTHER), (True, False)):
        assert decide(None, there(own, open=is_open), whole=False) == Decision(DecisionResult.NONE)


def test_every_result_but_fallback_is_a_decision() -> None:
    assert {result for *_, result, _ in TABLE} == set(DecisionResult) - {DecisionResult.FALLBACK}
