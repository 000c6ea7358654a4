from collections.abc import Mapping

import pytest

from memci.guards.rules.index import GUARD
from memci.model.finding import Finding, Severity
from memci.model.plan import OperationKind
from tests.build import topic_text
from tests.guards.attacks_flagged import flag_all
from tests.guards.scene import FILES, at, by, change, check, edit, make_context, said

INDEX = FILES["MEMORY.md"]
NOTES = {
    f"project_note_{n}.md": topic_text("Opens at eight.", name=f"note-{n}", description="hours") for n in range(190)
}
NOTE_LINES = [f"- [Note {n}](project_note_{n}.md) — hours\n" for n in range(190)]
FULL: Mapping[str, str] = {**FILES, **NOTES, "MEMORY.md": INDEX + "".join(NOTE_LINES)}


def check_index(text: str, files: Mapping[str, str] = FILES, **others: str | None) -> str | None:
    texts = {"MEMORY.md": text, **{f"{name}.md": other for name, other in others.items()}}
    return check(GUARD, change(OperationKind.REINDEX, "MEMORY.md", texts), make_context(files=files))


@pytest.mark.parametrize(
    "text",
    [
        INDEX.replace("- [Coverage]", "## Project\n\n- [Coverage]"),
        INDEX.replace("# Memory\n\n", "# Memory\n"),
        INDEX.replace("— time zone", "— time zone of the person"),
        INDEX + "- [Diagram](Diagram.md)\n",
    ],
)
def test_a_tidier_index_passes(text: str) -> None:
    assert check_index(text) is None


def check_unsafe(index: str, text: str) -> str | None:
    files = {**FILES, "MEMORY.md": index, "bad.md": topic_text("Bad."), "moved.md": topic_text("Bad.")}
    found = [Finding("injection", Severity.INFO, at(name), "says x") for name in ("bad.md", "moved.md")]
    operation = change(OperationKind.REINDEX, "MEMORY.md", {"MEMORY.md": text})
    return check(GUARD, operation, make_context(files=files, findings=found))


def test_a_pointer_to_a_topic_with_a_finding_of_a_safety_rule_may_stay_or_follow_it() -> None:
    index = INDEX + "- [Bad](bad.md) — what it says\n"
    assert check_unsafe(index, index.replace("what it says", "what it")) is None
    index = INDEX + "- [Bad](gone.md) — what it says\n"
    assert check_unsafe(index, index.replace("gone.md", "moved.md")) is None


def test_a_new_pointer_to_a_topic_with_a_finding_of_a_safety_rule_is_refused() -> None:
    why = check_unsafe(INDEX, INDEX + "- [Bad](bad.md) — what it says\n")
    assert why == "it points at bad.md, in which injection finds something"


def test_what_one_of_two_pointers_says_stays_although_the_other_says_something_else() -> None:
    twice = INDEX.replace("— time zone", "— ask Ana before lunch") + "See [Zone](user_zone.md) and [Gone](gone.md).\n"
    files = {**FILES, "MEMORY.md": twice + "- [Gone](gone.md) — was here\n"}
    assert check_index(twice, files) is None


def test_a_pointer_leaves_with_its_topic() -> None:
    assert check_index(edit("MEMORY.md", ("- [Zone](user_zone.md) — time zone\n", "")), user_zone=None) is None


def test_a_dangling_pointer_may_leave_and_an_old_one_may_stay() -> None:
    files = {**FILES, "MEMORY.md": INDEX + "- [Gone](gone.md) — x\n- [Gone too](gone_too.md) — y\n"}
    assert check_index(INDEX + "- [Gone](gone.md) — x\n", files) is None


def test_notes_may_leave_a_full_index() -> None:
    assert check_index(INDEX + "".join(NOTE_LINES[20:]), FULL) is None


def test_prose_may_move_into_a_topic_that_is_written_with_it() -> None:
    files = {**FILES, "MEMORY.md": INDEX + "\nThe importer runs at night.\n"}
    assert check_index(INDEX, files, project_importer=topic_text("The importer runs at night.")) is None


def test_an_operation_that_leaves_the_index_alone_passes() -> None:
    assert check(GUARD, change(OperationKind.UPDATE, "user_zone.md", {"user_zone.md": "x"}), make_context()) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Memory\n",
        edit("MEMORY.md", ("- [Zone](user_zone.md) — time zone\n", "")),
        INDEX + "- [Zone](user_zone.md)\n",
        INDEX + "- [New](no_such_topic.md)\n",
        INDEX + "- [New](../other/user_zone.md)\n",
        INDEX + "- [New](https://example.org/a.md)\n",
        INDEX + "- [Memory](MEMORY.md)\n",
        INDEX + "Prose.\n",
        INDEX + "```\ncode\n```\n",
        INDEX.replace("— time zone", "— " + "time zone of the person " * 8),
        INDEX + "\n" * 200,
    ],
)
def test_a_worse_index_is_refused(text: str) -> None:
    assert check_index(text)


def test_a_hook_that_says_what_nothing_else_says_must_be_kept() -> None:
    files = {**FILES, "MEMORY.md": INDEX.replace("— time zone", "— never call before 10:00")}
    assert check_index(INDEX, files)


def test_corrections_do_not_leave_before_notes() -> None:
    assert check_index(FULL["MEMORY.md"].replace("- [Errors](feedback_errors.md) — wrap with %w\n", ""), FULL)


def test_pinned_topics_do_not_leave() -> None:
    assert check_index(FULL["MEMORY.md"].replace("- [Search](project_search.md) — where queries are built\n", ""), FULL)


def test_no_more_leaves_than_must() -> None:
    assert check_index(INDEX + "".join(NOTE_LINES[100:]), FULL)


def test_a_removed_topic_does_not_leave_its_pointer_behind() -> None:
    assert check(GUARD, change(OperationKind.RETIRE, "user_zone.md", {"user_zone.md": None}), make_context())


def test_prose_that_goes_nowhere_is_refused() -> None:
    assert check_index(INDEX, {**FILES, "MEMORY.md": INDEX + "\nThe importer runs at night.\n"})


@pytest.mark.parametrize(
    ("row", "kind", "passes"),
    [
        ("The importer must not run between 03:00 and 04:00.", OperationKind.UPDATE, True),
        ("The importer must not run between 03:00 and 04:00.", OperationKind.REINDEX, False),
        ("The bakery opens at eight.", OperationKind.UPDATE, False),
    ],
)
def test_prose_may_only_be_corrected(row: str, kind: OperationKind, *, passes: bool) -> None:
    old = "The importer must not run between 01:00 and 02:00."
    files = {**FILES, "MEMORY.md": f"{INDEX}\n{old}\n"}
    moved = said("the importer window moved, it must not run between 03:00 and 04:00")
    operation = change(kind, "MEMORY.md", {"MEMORY.md": f"{INDEX}\n{row}\n"}, by(moved, ("MEMORY.md", old)))
    context = make_context(moved, files=files)
    assert (check(GUARD, flag_all(operation, context), context) is None) is passes
