import pytest

from memci.checks.rules.index_prose import RULE
from tests.build import places, run_rule, topic_text

TABLE = "| topic | what |\n|---|---|\n| [A](a.md) | x |\n"

# The rule looks only at an index that the client wants to be smaller.
FULL = "\n" * 160 + "# End\n"


@pytest.mark.parametrize(
    "index",
    [
        "",
        "# Memory\n\n## User\n\n- [A](a.md) — x\n",
        TABLE,
        "<!-- a note -->\n- [A](a.md)\n",
        "---\nname: x\n---\n",
        "***\n",
    ],
)
def test_leaves_alone(index: str) -> None:
    assert run_rule(RULE, {"a.md": topic_text(), "MEMORY.md": index}) == []


def test_leaves_alone_what_the_client_loads_whole() -> None:
    assert run_rule(RULE, {"MEMORY.md": "One.\n" * 159}) == []


def test_an_index_without_pointers_is_one_finding() -> None:
    found = run_rule(RULE, {"MEMORY.md": "# Memory\n\nOne.\n\n## More\n\n- two\n- three\n" + FULL})
    assert places(found) == [("MEMORY.md", 3)]
    assert found[0].message == "3 lines of content in the index instead of in a topic"


def test_content_between_pointers_is_reported_run_by_run() -> None:
    index = "Intro.\n- [A](a.md)\n\n- a fact\n- [A](a.md)\n```\ncode\n```\n" + FULL
    found = run_rule(RULE, {"a.md": topic_text(), "MEMORY.md": index})
    assert places(found) == [("MEMORY.md", 1), ("MEMORY.md", 4), ("MEMORY.md", 6)]
    assert found[0].message == "a line of content in the index instead of in a topic"
