import pytest

from memci.guards.rules.claim_unknown import GUARD
from memci.model.plan import OperationKind
from tests.guards.scene import by, change, check, edit, make_context, said

NAMED = said("the new client lives in pkg/mq/client.go")
OTHER = said("the client is slow")
ADDED = ("starts late.", "starts late.\nThe client lives in `pkg/mq/client.go`.")


@pytest.mark.parametrize(
    ("unknown", "source"), [((), OTHER), (("pkg/other.go",), OTHER), (("pkg/mq/client.go",), NAMED)]
)
def test_known_names_and_those_the_person_said_pass(unknown: tuple[str, ...], source: object) -> None:
    evidence = by(NAMED if source is NAMED else OTHER)
    operation = change(OperationKind.UPDATE, "user_zone.md", {"user_zone.md": edit("user_zone.md", ADDED)}, evidence)
    assert check(GUARD, operation, make_context(NAMED, OTHER, unknown=unknown)) is None


def test_an_unknown_name_that_stood_there_before_passes() -> None:
    texts = {"project_queue.md": edit("project_queue.md", ("The queue is NATS", "Now the queue is NATS"))}
    operation = change(OperationKind.UPDATE, "project_queue.md", texts, by(OTHER))
    assert check(GUARD, operation, make_context(OTHER, unknown=["mq/client.go"])) is None


def test_an_unknown_name_is_refused() -> None:
    texts = {"user_zone.md": edit("user_zone.md", ADDED)}
    why = check(
        GUARD,
        change(OperationKind.UPDATE, "user_zone.md", texts, by(OTHER)),
        make_context(OTHER, unknown=["pkg/mq/client.go"]),
    )
    assert why == "user_zone.md:8 names `pkg/mq/client.go`, which the repository does not have"
