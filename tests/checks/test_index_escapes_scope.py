import pytest

from memci.checks.rules.index_escapes_scope import RULE
from tests.build import places, run_rule, topic_text


@pytest.mark.parametrize(
    "line",
    [
        "- [A](a.md) — x",
        "- [Gone](gone.md) — another rule",
        "- [Up and down](../reviewer/a.md) — x",
        "- [Root](.claude/agent-memory/reviewer/a.md) — x",
        "- [Web](https://example.org/x.md) — an address is content, not a pointer",
        "- [日本語](設計.md) — x",
        "Read [the code](../../../src/app.py) first.",
    ],
)
def test_leaves_alone(line: str) -> None:
    assert run_rule(RULE, {"a.md": topic_text(), "MEMORY.md": f"{line}\n"}) == []


@pytest.mark.parametrize(
    "target",
    [
        "../../../.env",
        "../other/a.md",
        "/etc/passwd",
        "~/.ssh/config",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "%2e%2e/%2e%2e/.env",
        "..／..／.env",
        "..\\..\\.env",
        "C:\\x.md",
        "//host/share.md",
    ],
)
def test_reports(target: str) -> None:
    found = run_rule(RULE, {"a.md": topic_text(), "MEMORY.md": f"- [A](a.md) — x\n- [B]({target}) — y\n"})
    assert places(found) == [("MEMORY.md", 2)]
