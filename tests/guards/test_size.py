import pytest

from memci.guards.rules.size import GUARD, MAX_TOPIC_BYTES
from memci.model.plan import Evidence, EvidenceKind, OperationKind
from tests.build import topic_text
from tests.guards.scene import FILES, change, check, make_context

LARGE = topic_text("x" * MAX_TOPIC_BYTES)


@pytest.mark.parametrize(
    ("before", "after"),
    [("", topic_text("Small.")), (LARGE, LARGE.replace("xx", "")), (LARGE, LARGE.replace("xx", "yy"))],
)
def test_texts_within_the_limit_or_not_larger_than_before_pass(before: str, after: str) -> None:
    files = {**FILES, "a.md": before} if before else FILES
    assert check(GUARD, change(OperationKind.UPDATE, "a.md", {"a.md": after}), make_context(files=files)) is None


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("a.md", "", LARGE),
        ("a.md", LARGE, LARGE + "x"),
        ("a.md", "", topic_text("é" * (MAX_TOPIC_BYTES // 2))),
        ("MEMORY.md", "# Memory\n", "x" * 25_001),
    ],
)
def test_larger_texts_are_refused(file: str, before: str, after: str) -> None:
    files = {**FILES, file: before} if before else FILES
    assert check(GUARD, change(OperationKind.UPDATE, file, {file: after}), make_context(files=files))


def test_endless_quotations_are_refused() -> None:
    evidence = (Evidence(EvidenceKind.SIGNAL, "x", "y" * 20_000),)
    assert check(GUARD, change(OperationKind.UPDATE, "a.md", {"a.md": "x"}, evidence), make_context())
