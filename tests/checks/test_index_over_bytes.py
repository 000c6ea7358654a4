from memci.checks.rules.index_over_bytes import RULE
from memci.model.finding import Severity
from tests.build import fixed, places, run_rule, topic_text


def pointers(count: int, hook: str) -> str:
    return "".join(f"- [T{number}](t{number:03}.md) — {hook}\n" for number in range(count))


def test_leaves_20_000_characters_alone_as_the_client_counts_them() -> None:
    index = "- [A](a.md) — " + "日" * (20_000 - 15) + "\n"
    assert (len(index), len(index.encode()) > 50_000) == (20_000, True)
    assert run_rule(RULE, {"a.md": topic_text(), "MEMORY.md": index}) == []


def test_warns_where_the_client_begins_to_ask_for_a_smaller_index() -> None:
    (found,) = run_rule(RULE, {"MEMORY.md": "日" * 20_001})
    assert (found.severity, found.fix) == (Severity.WARNING, None)
    assert (
        found.message == "20,001 characters; from 20,000 on the client asks for a smaller index, after 25,000 it cuts"
    )


def test_characters_outside_the_first_plane_count_twice() -> None:
    (found,) = run_rule(RULE, {"MEMORY.md": "😀" * 12_501})
    assert (found.severity, found.message) == (Severity.ERROR, "25,002 characters; the limit is 25,000")


def test_names_what_the_client_would_lose() -> None:
    found = run_rule(RULE, {"MEMORY.md": pointers(150, "x" * 160)})
    assert places(found) == [("MEMORY.md", 139)]
    assert "would not show t138.md, t139.md, t140.md and 9 more" in found[0].message


def test_the_fix_meets_the_limit() -> None:
    files = {f"t{number:03}.md": topic_text() for number in range(150)}
    changed = fixed(RULE, {**files, "MEMORY.md": pointers(150, "x" * 160)})
    assert len(changed["MEMORY.md"]) <= 25_000
    assert "t149.md" in changed["MEMORY.md"]


def test_the_fix_shortens_hooks_before_pointers_leave() -> None:
    files = {f"t{number:03}.md": topic_text() for number in range(150)}
    long = "which branches are released; " + "and what was said about each of them in the meeting of that week, " * 6
    index = pointers(149, "x" * 146) + f"- [Long](t149.md) — {long}\n"
    assert len(index) > 25_000
    changed = fixed(RULE, {**files, "MEMORY.md": index})
    assert changed["MEMORY.md"].startswith(pointers(149, "x" * 146))
    assert len(changed["MEMORY.md"]) <= 25_000
    assert long.strip() in changed["t149.md"]
