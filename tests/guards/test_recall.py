from memci.guards.rules.recall import GUARD
from memci.model.plan import OperationKind
from tests.build import topic_text
from tests.guards.scene import FILES, change, check, edit, make_context

ZONE = FILES["user_zone.md"]


def merge(kept: str, text: str, *removed: str) -> str | None:
    texts = {kept: text, **dict.fromkeys(removed)}
    return check(GUARD, change(OperationKind.MERGE, kept, texts), make_context())


def test_a_topic_with_the_words_of_the_old_description_passes() -> None:
    assert (
        merge(
            "feedback_errors.md",
            FILES["feedback_errors.md"] + "Sentinel errors: `errors.Is`.\n",
            "feedback_error_wrapping.md",
        )
        is None
    )


def test_a_topic_that_is_the_best_answer_passes() -> None:
    text = edit("user_zone.md", ("starts late.", "starts late.\nThe coverage is 80%."))
    assert merge("user_zone.md", text, "project_coverage.md") is None


def test_other_kinds_are_not_asked() -> None:
    operation = change(OperationKind.RETIRE, "user_zone.md", {"user_zone.md": None})
    assert check(GUARD, operation, make_context()) is None


def test_a_topic_that_is_not_found_any_more_is_refused() -> None:
    assert merge("user_zone.md", topic_text("Works from Lisbon.", name="zone"), "feedback_commits.md")
