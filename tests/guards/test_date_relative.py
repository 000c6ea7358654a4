import pytest

from memci.guards.rules.date_relative import GUARD
from memci.model.plan import OperationKind
from tests.build import topic_text
from tests.guards.scene import FILES, change, check, make_context


@pytest.mark.parametrize(
    "text",
    [
        topic_text("The freeze starts on 2026-11-10."),
        topic_text("The report reads yesterday's orders every night."),
        topic_text("The freeze starts tomorrow (2026-11-10)."),
        topic_text("Use `date -d tomorrow`."),
    ],
)
def test_absolute_dates_and_words_that_are_none_pass(text: str) -> None:
    assert check(GUARD, change(OperationKind.CREATE, "a.md", {"a.md": text}), make_context()) is None


def test_a_relative_date_that_stood_there_before_passes() -> None:
    files = {**FILES, "a.md": topic_text("The freeze starts tomorrow.", description="freeze that starts tomorrow")}
    operation = change(OperationKind.UPDATE, "a.md", {"a.md": files["a.md"] + "More.\n"})
    assert check(GUARD, operation, make_context(files=files)) is None


def test_a_pointer_may_repeat_what_its_topic_says() -> None:
    files = {**FILES, "a.md": topic_text("The freeze starts tomorrow.")}
    row = "- [Freeze](a.md) — the freeze starts tomorrow\n"
    operation = change(OperationKind.REINDEX, "MEMORY.md", {"MEMORY.md": FILES["MEMORY.md"] + row})
    assert check(GUARD, operation, make_context(files=files)) is None
    assert check(GUARD, operation, make_context())


def test_a_day_that_comes_back_may_be_said_in_other_words() -> None:
    files = {**FILES, "a.md": topic_text("What is not merged on Wednesday evening waits a week.")}
    text = topic_text("What was merged after the cut on Wednesday evening starts a week later.")
    assert check(GUARD, change(OperationKind.UPDATE, "a.md", {"a.md": text}), make_context(files=files)) is None
    assert check(GUARD, change(OperationKind.UPDATE, "a.md", {"a.md": text}), make_context())


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("a.md", topic_text("The freeze starts tomorrow.")),
        ("a.md", topic_text("Body.", description="freeze that starts next Thursday")),
        ("MEMORY.md", FILES["MEMORY.md"] + "- [Freeze](a.md) — it starts tomorrow\n"),
        ("a.md", topic_text("Die Sperre beginnt morgen.")),
    ],
)
def test_a_relative_date_is_refused(file: str, text: str) -> None:
    assert check(GUARD, change(OperationKind.CREATE, file, {file: text}), make_context())
