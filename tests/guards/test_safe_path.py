from collections.abc import Mapping
from pathlib import PurePosixPath

import pytest

from memci.guards.rules.safe_path import GUARD
from memci.model.plan import Operation, OperationKind
from tests.build import topic_text
from tests.guards.scene import FILES, by, change, check, make_context

K = OperationKind
NEW = topic_text("New.")
NESTED = {**FILES, "team/project_x.md": topic_text("X.")}


@pytest.mark.parametrize(
    ("kind", "file", "texts"),
    [
        (K.CREATE, "feedback_new.md", {"feedback_new.md": NEW}),
        (K.CREATE, "new-topic-2.md", {"new-topic-2.md": NEW, "MEMORY.md": "# Memory\n"}),
        (K.UPDATE, "user_zone.md", {"user_zone.md": NEW}),
        (K.UPDATE, "team/project_x.md", {"team/project_x.md": NEW}),
        (K.MERGE, "user_zone.md", {"user_zone.md": NEW, "project_queue.md": None, "MEMORY.md": "x"}),
        (K.REPAIR, "user_zone.md", {"user_zone.md": NEW, "project_queue.md": NEW, "MEMORY.md": "x"}),
        (K.RETIRE, "user_zone.md", {"user_zone.md": None, "MEMORY.md": "x"}),
        (K.RETIRE, "user_zone.md", {"user_zone.md": NEW}),
        (K.REINDEX, "MEMORY.md", {"MEMORY.md": "x"}),
    ],
)
def test_a_kind_may_touch_its_files(kind: OperationKind, file: str, texts: Mapping[str, str | None]) -> None:
    assert check(GUARD, change(kind, file, texts), make_context(files=NESTED)) is None


def test_an_index_may_be_made_where_there_is_none() -> None:
    files = {name: text for name, text in FILES.items() if name != "MEMORY.md"}
    assert check(GUARD, change(K.REINDEX, "MEMORY.md", {"MEMORY.md": "x"}), make_context(files=files)) is None


def test_a_create_may_change_the_topic_that_it_moves_lines_out_of() -> None:
    line = "Works from Lisbon, starts late."
    texts = {"user_new.md": NEW, "user_zone.md": FILES["user_zone.md"].replace(line, "")}
    assert check(GUARD, change(K.CREATE, "user_new.md", texts, by(("user_zone.md", line))), make_context()) is None
    assert check(GUARD, change(K.CREATE, "user_new.md", texts), make_context())


@pytest.mark.parametrize(
    ("kind", "file", "texts"),
    [
        (K.CREATE, "user_zone.md", {"user_zone.md": NEW}),
        (K.CREATE, "a.md", {"a.md": NEW, "b.md": NEW}),
        (K.CREATE, "a.md", {"a.md": NEW, "user_zone.md": NEW}),
        (K.UPDATE, "a.md", {"a.md": NEW}),
        (K.UPDATE, "user_zone.md", {"user_zone.md": NEW, "project_queue.md": NEW}),
        (K.MERGE, "user_zone.md", {"user_zone.md": NEW}),
        (K.MERGE, "user_zone.md", {"user_zone.md": None, "project_queue.md": None}),
        (K.MERGE, "new.md", {"new.md": NEW, "project_queue.md": None}),
        (K.REPAIR, "user_zone.md", {"user_zone.md": None}),
        (K.RETIRE, "user_zone.md", {"user_zone.md": None, "project_queue.md": None}),
        (K.REINDEX, "MEMORY.md", {"MEMORY.md": "x", "user_zone.md": NEW}),
        (K.REINDEX, "MEMORY.md", {"MEMORY.md": None}),
        # Other blanks are no change.
        (K.UPDATE, "user_zone.md", {"user_zone.md": FILES["user_zone.md"] + "\n \n"}),
        (K.UPDATE, "Diagram.md", {"Diagram.md": NEW}),
        (K.CREATE, "diagram.md", {"diagram.md": NEW}),
    ],
)
def test_a_kind_may_touch_no_others(kind: OperationKind, file: str, texts: Mapping[str, str | None]) -> None:
    assert check(GUARD, change(kind, file, texts), make_context())


def test_a_scope_beside_this_one_is_outside() -> None:
    path = PurePosixPath(".claude/agent-memory/reviewer2/a.md")
    assert check(GUARD, Operation(K.CREATE, path, {path: NEW}, "why"), make_context())
