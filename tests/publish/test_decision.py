"""The decision as a table: what is there, what is proposed, and what is done about it."""

import itertools

import pytest

from memci.publish.commit import Proposal
from memci.publish.decision import Decision, Found, Result, Step, decide

WISH = Proposal("c1", "t1", "base", "d1")
SAME = Proposal("c0", "t0", "base", "d1")
STALE = Proposal("c0", "t0", "older", "d1")
OTHER = Proposal("c0", "t0", "base", "d0")


def there(own: Proposal | None, **more: object) -> Found:
    return Found("c0", own, **more)  # type: ignore[arg-type]  # a short way to name fields


TABLE = [
    # Nothing is proposed.
    (None, Found(), Result.NONE, ()),
    (None, there(None), Result.NONE, ()),
    (None, there(SAME), Result.NONE, (Step.DELETE,)),
    (None, there(SAME, open=True), Result.CLOSED, (Step.CLOSE, Step.DELETE)),
    (None, Found(open=True), Result.CLOSED, (Step.CLOSE,)),
    (None, there(None, open=True), Result.BLOCKED, (Step.TELL,)),
    (None, there(None, open=True, rebase=True), Result.CLOSED, (Step.CLOSE, Step.DELETE)),
    # Something is, and there is no pull request.
    (WISH, Found(), Result.CREATED, (Step.PUSH, Step.OPEN)),
    (WISH, there(OTHER), Result.CREATED, (Step.PUSH, Step.OPEN)),
    (WISH, there(STALE), Result.CREATED, (Step.PUSH, Step.OPEN)),
    (WISH, there(SAME), Result.CREATED, (Step.OPEN,)),
    (WISH, there(None), Result.BLOCKED, ()),
    (WISH, there(None, merged=True), Result.CREATED, (Step.PUSH, Step.OPEN)),
    # There is one.
    (WISH, there(SAME, open=True, shown="d1"), Result.NOT_UPDATED, ()),
    (WISH, there(SAME, open=True, shown="d0"), Result.UPDATED, (Step.EDIT,)),
    (WISH, there(SAME, open=True), Result.UPDATED, (Step.EDIT,)),
    (WISH, there(OTHER, open=True, shown="d0"), Result.UPDATED, (Step.PUSH, Step.EDIT)),
    (WISH, there(STALE, open=True, shown="d1"), Result.UPDATED, (Step.PUSH, Step.EDIT)),
    (WISH, there(None, open=True, shown="d1"), Result.BLOCKED, (Step.TELL,)),
    (WISH, there(None, open=True, rebase=True), Result.UPDATED, (Step.PUSH, Step.EDIT)),
    # A person took everything back on the branch: that is their word in an open discussion.
    (WISH, there(None, open=True, merged=True), Result.BLOCKED, (Step.TELL,)),
    # People said no.
    (WISH, Found(declined={"d0"}), Result.CREATED, (Step.PUSH, Step.OPEN)),
    (WISH, Found(declined={"d1"}), Result.DECLINED, ()),
    (WISH, there(SAME, declined={"d1"}), Result.DECLINED, (Step.DELETE,)),
    (WISH, there(OTHER, open=True, declined={"d1"}), Result.DECLINED, (Step.CLOSE, Step.DELETE)),
    (WISH, there(None, open=True, declined={"d1"}), Result.BLOCKED, (Step.TELL,)),
]


@pytest.mark.parametrize(("proposal", "found", "result", "steps"), TABLE)
def test_the_table(proposal: Proposal | None, found: Found, result: Result, steps: tuple[Step, ...]) -> None:
    assert decide(proposal, found, whole=True) == Decision(result, steps)


def test_no_branch_that_is_not_memcis_is_ever_pushed_or_deleted() -> None:
    for proposal, is_open, declined, whole in itertools.product(
        (None, WISH), (True, False), ((), ("d1",)), (True, False)
    ):
        steps = decide(proposal, there(None, open=is_open, declined=declined), whole=whole).steps
        assert not {Step.PUSH, Step.DELETE, Step.CLOSE} & set(steps)


def test_a_dream_that_lost_a_part_never_closes_anything() -> None:
    for own, is_open in itertools.product((SAME, OTHER), (True, False)):
        assert decide(None, there(own, open=is_open), whole=False) == Decision(Result.NONE)


def test_every_result_but_fallback_is_a_decision() -> None:
    assert {result for *_, result, _ in TABLE} == set(Result) - {Result.FALLBACK}
