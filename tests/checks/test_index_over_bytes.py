from memci.checks.rules.index_over_bytes import RULE
from tests.build import fixed, places, run_rule, topic_text


def pointers(count: int, hook: str) -> str:
    return "".join(f"- [T{number}](t{number:03}.md) — {hook}\n" for number in range(count))


def test_leaves_25_000_bytes_alone() -> None:
    index = "- [A](a.md) — " + "x" * (25_000 - 17) + "\n"
    assert len(index.encode()) == 25_000
    assert run_rule(RULE, {"a.md": topic_text(), "MEMORY.md": index}) == []


def test_counts_bytes_not_characters() -> None:
    found = run_rule(RULE, {"MEMORY.md": "日" * 8_400})
    assert places(found) == [("MEMORY.md", 1)]
    assert found[0].message == "25,200 bytes; the limit is 25,000"


def test_names_what_the_client_would_lose() -> None:
    found = run_rule(RULE, {"MEMORY.md": pointers(150, "x" * 160)})
    assert places(found) == [("MEMORY.md", 139)]
    assert "would not show t138.md, t139.md, t140.md and 9 more" in found[0].message


def test_the_fix_meets_the_limit() -> None:
    files = {f"t{number:03}.md": topic_text() for number in range(150)}
    changed = fixed(RULE, {**files, "MEMORY.md": pointers(150, "x" * 160)})
    assert len(changed["MEMORY.md"].encode()) <= 25_000
    assert "t149.md" in changed["MEMORY.md"]
