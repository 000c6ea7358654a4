import pytest

from memci.model.plan import Fate, OperationKind
from tests.build import topic_text
from tests.dream.scenes import changed_in, dream_over, feedback, with_index

RULE = "Never mock the database in integration tests."
MORE = "Run them against a real one on staging."


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (feedback(RULE, "a"), feedback(MORE, "b")),
        # The words are the same, the number or the sense is not.
        (feedback("Keep 30 days of logs.", "a"), feedback("Keep 90 days of logs.", "b")),
        (feedback("Squash before you merge.", "a"), feedback("Never squash before you merge.", "b")),
        (feedback(RULE, "a"), topic_text(RULE, name="b", kind="project")),
        # Each says something that the other does not say.
        (feedback(f"{RULE}\n{MORE}", "a"), feedback(f"{RULE}\nAsk Ana first.", "b")),
        # One rule for two things is two rules.
        (feedback(f"## Billing\n{RULE}", "a"), feedback(f"## Search\n{RULE}", "b")),
        (feedback(f"{RULE}\n\n```\nmake test\n```", "a"), feedback(f"{RULE}\n\n```\nmake check\n```", "b")),
        (feedback("TODO", "a"), feedback("TODO", "b")),
    ],
)
def test_topics_that_say_different_things_are_left_alone(first: str, second: str) -> None:
    assert changed_in(dream_over(with_index({"a.md": first, "b.md": second}))) == {}


@pytest.mark.parametrize("odd", ["--output=x.md", "-rf.md", "-/a.md"])
@pytest.mark.parametrize(("text", "dropped"), [(RULE, True), (f"{RULE}\n{MORE}", False)])
def test_a_topic_is_not_dropped_for_one_that_is_named_like_an_option(odd: str, text: str, *, dropped: bool) -> None:
    plan = dream_over(with_index({odd: feedback(text, "a"), "plain.md": feedback(RULE, "b")}))
    gone = {str(path.relative_to(plan.scope.path)) for path in plan.before.keys() - plan.after.keys()}
    assert gone == ({odd} if dropped else set())


def test_of_two_equal_topics_that_a_third_one_contains_none_is_left_for_the_next_night() -> None:
    topics = {"a.md": feedback(RULE, "a"), "b.md": feedback(RULE, "b"), "c.md": feedback(f"{RULE}\n{MORE}", "c")}
    plan = dream_over(with_index(topics))
    assert {path.name for path in plan.before} - {path.name for path in plan.after} == {"a.md", "b.md"}


def test_a_pinned_topic_stays() -> None:
    pinned = feedback(RULE, "b").replace("metadata:", "pinned: true\nmetadata:")
    assert changed_in(dream_over(with_index({"a.md": feedback(f"{RULE}\n{MORE}", "a"), "b.md": pinned}))) == {}


@pytest.mark.parametrize("link", ["see [[b]]", "see [[B]] for more", "see [the rule](b.md)", "`b.md` has the rest"])
def test_a_topic_that_another_one_names_stays(link: str) -> None:
    topics = {"a.md": feedback(f"{RULE}\n{MORE}", "a"), "b.md": feedback(RULE, "b"), "c.md": feedback(link, "c")}
    assert changed_in(dream_over(with_index(topics))) == {}


def test_a_topic_that_shares_its_line_of_the_index_stays() -> None:
    index = "- [a](a.md) — what it says\n- See [b](b.md) and [c](c.md).\n"
    topics = {"a.md": feedback(f"{RULE}\n{MORE}", "a"), "b.md": feedback(RULE, "b"), "c.md": feedback("Ask Ana.", "c")}
    assert changed_in(dream_over({"MEMORY.md": index, **topics})) == {}


@pytest.mark.parametrize(
    ("description", "hook"),
    [("Ana owns the fixtures of the billing team", "what it says"), ("what it says", "ask Ana about billing fixtures")],
)
def test_a_topic_whose_head_or_pointer_says_more_stays(description: str, hook: str) -> None:
    index = f"- [a](a.md) — what it says\n- [b](b.md) — {hook}\n"
    topics = {"a.md": feedback(f"{RULE}\n{MORE}", "a"), "b.md": feedback(RULE, "b", description)}
    assert changed_in(dream_over({"MEMORY.md": index, **topics})) == {}


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        (RULE, RULE),
        (RULE, "- never mock the **database** in integration tests\n"),
        (f"{RULE}\n{MORE}", RULE),
        (f"{MORE}\n\n- {RULE}", f"* {MORE}\n"),
        (f"{RULE}\n\n```\nmake test\nmake check\n```", f"{RULE}\n\n```\nmake test\n```"),
    ],
)
def test_a_topic_that_says_only_what_another_says_is_merged_into_it(outer: str, inner: str) -> None:
    topics = {"a.md": feedback(outer, "a"), "b.md": feedback(inner, "b")}
    plan = dream_over(with_index(topics))
    assert changed_in(plan) == {"MEMORY.md": with_index({"a.md": ""})["MEMORY.md"], "b.md": None}
    assert [(item.kind, item.file.name) for item in plan.operations] == [(OperationKind.MERGE, "a.md")]
    said = [entry for entry in plan.ledger.entries if entry.file.name == "b.md" and "database" in entry.text]
    assert {entry.fate for entry in said} <= {Fate.MERGED}


def test_the_larger_one_stays_whatever_its_name() -> None:
    plan = dream_over(with_index({"a.md": feedback(RULE, "a"), "b.md": feedback(f"{RULE}\n{MORE}", "b")}))
    assert changed_in(plan)["a.md"] is None


def test_of_three_equal_topics_the_first_one_stays() -> None:
    plan = dream_over(with_index({name: feedback(RULE, name[0]) for name in ("c.md", "a.md", "b.md")}))
    assert [name for name, text in changed_in(plan).items() if text is None] == ["b.md", "c.md"]


def test_topics_without_pointers_are_merged_too() -> None:
    plan = dream_over({"a.md": feedback(RULE, "a"), "b.md": feedback(RULE, "b")})
    assert changed_in(plan)["b.md"] is None
    assert "b.md" not in (changed_in(plan)["MEMORY.md"] or "")
