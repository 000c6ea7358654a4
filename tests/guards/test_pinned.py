import pytest

from memci.guards.rules.pinned import GUARD
from memci.model.plan import OperationKind
from tests.guards.scene import FILES, by, change, check, edit, finding, make_context

LINE = "Queries are built in `lib/search.ex`.\n"
MOVED = finding(
    "path-moved", "project_search.md", 8, "moved", fix=(LINE, LINE.replace("lib/search.ex", "lib/query/builder.ex"))
)
REPAIRED = edit("project_search.md", ("lib/search.ex", "lib/query/builder.ex"))


def test_other_topics_may_change() -> None:
    texts = {"user_zone.md": edit("user_zone.md", ("late", "early"))}
    assert check(GUARD, change(OperationKind.UPDATE, "user_zone.md", texts), make_context()) is None


def test_a_topic_that_only_speaks_of_pinning_may_change() -> None:
    files = {**FILES, "user_zone.md": edit("user_zone.md", ("starts late.", "starts late. pinned: true"))}
    operation = change(OperationKind.UPDATE, "user_zone.md", {"user_zone.md": FILES["user_zone.md"]})
    assert check(GUARD, operation, make_context(files=files)) is None


def test_the_index_may_change_around_a_pinned_topic() -> None:
    operation = change(OperationKind.REINDEX, "MEMORY.md", {"MEMORY.md": "# Memory\n"})
    assert check(GUARD, operation, make_context()) is None


def test_a_pinned_topic_may_get_exactly_the_fix_of_a_finding() -> None:
    operation = change(OperationKind.REPAIR, "project_search.md", {"project_search.md": REPAIRED}, by(MOVED))
    assert check(GUARD, operation, make_context(findings=[MOVED])) is None


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (OperationKind.UPDATE, REPAIRED),
        (OperationKind.REPAIR, REPAIRED.replace("tenant", "team")),
        (OperationKind.REPAIR, REPAIRED.replace("pinned: true\n", "")),
        (OperationKind.RETIRE, None),
        (OperationKind.MERGE, None),
    ],
)
def test_nothing_else_is_done_to_a_pinned_topic(kind: OperationKind, text: str | None) -> None:
    operation = change(kind, "project_search.md", {"project_search.md": text}, by(MOVED))
    assert check(GUARD, operation, make_context(findings=[MOVED])) == "project_search.md is pinned"


def test_what_was_pinned_before_the_dream_stays_pinned() -> None:
    unpinned = edit("project_search.md", ("pinned: true\n", ""))
    context = make_context(draft={"project_search.md": unpinned})
    operation = change(OperationKind.UPDATE, "project_search.md", {"project_search.md": unpinned + "More.\n"})
    assert check(GUARD, operation, context)
