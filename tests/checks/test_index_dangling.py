import pytest

from memci.checks.rules.index_dangling import RULE
from tests.build import places, run_rule, topic_text

FILES = {"a.md": topic_text(), "sub/b.md": topic_text(), "data.json": "{}", "2026-11-01.md": "- noted"}


@pytest.mark.parametrize(
    "line",
    [
        "- [A](a.md) — x",
        "- [A](./a.md#part) — x",
        "- [B](sub/b.md) — x",
        "- [Data](data.json) — x",
        "- [Log](2026-11-01.md) — x",
        "- [Root](.claude/agent-memory/reviewer/a.md) — x",
        "- [Web](https://example.org/gone.md)",
        "- [[not-written-yet]] — allowed",
        "- `gone.md` is what we deleted",
        "- [Outside](../gone.md) — another rule",
        "```\n- [Gone](gone.md)\n```",
    ],
)
def test_leaves_alone(line: str) -> None:
    assert run_rule(RULE, {**FILES, "MEMORY.md": f"{line}\n"}) == []


@pytest.mark.parametrize(
    ("target", "message", "suggestion"),
    [
        ("gone.md", "gone.md does not exist", "restore the file or remove the pointer"),
        ("A.MD", "A.MD does not exist", "point to a.md"),
        ("b.md", "b.md does not exist", "point to sub/b.md"),
        ("a.md?x#y", "a.md?x#y does not exist", "point to a.md"),
        ("sub", "sub is a directory", "restore the file or remove the pointer"),
        ("MEMORY.md", "MEMORY.md is the index itself", "restore the file or remove the pointer"),
    ],
)
def test_reports(target: str, message: str, suggestion: str) -> None:
    found = run_rule(RULE, {**FILES, "MEMORY.md": f"# Memory\n\n- [A](a.md) — fine\n- [X]({target}) — x\n"})
    assert places(found) == [("MEMORY.md", 4)]
    assert (found[0].message, found[0].suggestion) == (message, suggestion)
