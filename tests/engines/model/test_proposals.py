"""Entries of a reply as operations: what means none, and what a text becomes."""

from typing import Any

import pytest

from memci.engines.model.prompts import name_topics
from memci.engines.model.proposals import plan_proposal
from memci.model.plan import Operation
from tests.build import SCOPE, topic_text
from tests.dream.scenes import read, with_index
from tests.engines.model.scene import operation

FILES = with_index(
    {
        "feedback_tests.md": topic_text(
            "- Run the tests twice.\n- Keep fixtures small.\n\n**Why:** they were slow.",
            name="tests",
            description="tests",
        ),
        "feedback_two.md": topic_text(
            "Lint with ruff. Format with ruff.\n\n**Why:** one tool.", name="two", description="d"
        ),
    }
)


def plan(*, reverses: bool = False, **fields: Any) -> Operation | str:
    scope = read(FILES)
    topics = {name: topic.path for name, topic in name_topics(scope).items()}
    return plan_proposal(operation(**fields), topics, scope, reverses=reverses)


def text_of(planned: Operation | str, file: str) -> str | None:
    assert isinstance(planned, Operation), planned
    return planned.texts[SCOPE / file]


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "update", "file": "t9", "rule": "x"},
        {"kind": "update", "file": "t1", "rule": "x", "replaces": "fixtures"},
        {"kind": "update", "file": "t1", "rule": "x", "replaces": "name: tests"},
        {"kind": "update", "file": "t1"},
        {"kind": "merge", "file": "t1", "merged": ["t2"]},
        {"kind": "merge", "file": "t1", "merged": ["t1"]},
        {"kind": "merge", "file": "t1", "merged": ["t2", "t9"]},
        {"kind": "retire", "file": "t1", "replaces": "twice"},
        {"kind": "create", "name": "x", "rule": "y"},
        {"kind": "create", "description": "x", "rule": "y"},
    ],
    ids=str,
)
def test_what_means_no_operation_is_told(fields: dict[str, Any]) -> None:
    assert isinstance(plan(**fields), str)


@pytest.mark.parametrize("quoted", ["- Run the tests twice.", "Run the tests twice.", "  Run the  tests twice. "])
def test_a_line_is_replaced_with_its_mark_kept(quoted: str) -> None:
    text = text_of(plan(kind="update", file="t1", replaces=quoted, rule="run the tests once"), "feedback_tests.md")
    assert text is not None
    assert "- Run the tests once.\n- Keep fixtures small.\n" in text


def test_a_sentence_of_a_line_is_replaced() -> None:
    text = text_of(
        plan(kind="update", file="t2", replaces="Format with ruff.", rule="Format with black."), "feedback_two.md"
    )
    assert text is not None
    assert "Lint with ruff. Format with black.\n\n**Why:** one tool." in text


def test_the_reason_of_a_withdrawn_rule_goes_with_it() -> None:
    fields = {"kind": "update", "file": "t2", "replaces": "Lint with ruff. Format with ruff.", "rule": "Use biome."}
    text = text_of(plan(reverses=True, why="It is faster.", **fields), "feedback_two.md")
    assert text is not None
    assert text.endswith("Use biome.\n\n**Why:** It is faster.\n")


def test_a_retired_line_takes_its_reason_along_and_the_last_one_the_topic() -> None:
    one = text_of(plan(kind="retire", file="t1", replaces="Keep fixtures small."), "feedback_tests.md")
    assert one is not None
    assert one.endswith("- Run the tests twice.\n")
    whole = plan(kind="retire", file="t2", replaces="Lint with ruff. Format with ruff.")
    assert text_of(whole, "feedback_two.md") is None
    index = text_of(whole, "MEMORY.md")
    assert index is not None
    assert "feedback_two" not in index
