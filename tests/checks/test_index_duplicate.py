from memci.checks.rules.index_duplicate import RULE
from tests.build import fixed, places, run_rule, topic_text

A = topic_text("Indent with two spaces.")


def test_leaves_alone() -> None:
    index = "- [A](a.md) — x\n- [B](b.md) — y\n- [Gone](gone.md)\n- [Up](../x.md)\n- [Up](../x.md)\n"
    assert run_rule(RULE, {"a.md": A, "b.md": A, "MEMORY.md": index}) == []


def test_reports_every_pointer_after_the_first_however_it_is_written() -> None:
    index = "- [A](a.md) — x\n- [B](./a.md#part) — y\n\n`a.md`\n- [C](.claude/agent-memory/reviewer/a.md)\n"
    found = run_rule(RULE, {"a.md": A, "MEMORY.md": index})
    assert places(found) == [("MEMORY.md", 2), ("MEMORY.md", 4), ("MEMORY.md", 5)]
    assert found[0].message == "./a.md#part already has a pointer on line 1"


def test_the_fix_removes_the_later_line() -> None:
    index = "- [A](a.md) — two spaces\r\n- [B](a.md) — Two spaces.\r\n- [C](c.md) — z\r\n"
    assert fixed(RULE, {"a.md": A, "c.md": A, "MEMORY.md": index}) == {
        "MEMORY.md": "- [A](a.md) — two spaces\r\n- [C](c.md) — z\r\n"
    }


def test_the_fix_keeps_in_the_topic_what_only_the_second_hook_says() -> None:
    index = "- [A](a.md) — two spaces\n- [B](a.md) — tabs only in Makefiles"
    assert fixed(RULE, {"a.md": A, "MEMORY.md": index}) == {
        "MEMORY.md": "- [A](a.md) — two spaces\n",
        "a.md": f"{A}\ntabs only in Makefiles\n",
    }


def test_nothing_is_fixed_where_the_line_says_more_or_the_topic_must_stay() -> None:
    pinned = A.replace("metadata:\n", "pinned: true\nmetadata:\n")
    assert fixed(RULE, {"a.md": A, "MEMORY.md": "- [A](a.md)\n- read [B](a.md) first\n"}) == {}
    assert fixed(RULE, {"a.md": pinned, "MEMORY.md": "- [A](a.md)\n- [B](a.md) — more\n"}) == {}
    assert fixed(RULE, {"MEMORY.md": "- [A](gone.md)\n- [B](gone.md) — more\n"}) == {}


def test_a_title_that_is_a_rule_itself_is_not_removed() -> None:
    index = "- [A](a.md) — two spaces\n- [Never deploy on Fridays](a.md)\n"
    assert fixed(RULE, {"a.md": A, "MEMORY.md": index}) == {}
