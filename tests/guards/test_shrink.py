from memci.guards.rules.shrink import GUARD
from memci.model.plan import OperationKind
from memci.model.session import SignalKind
from tests.build import topic_text
from tests.guards.scene import change, check, finding, make_context, said

WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"]
FILES = {f"{word}.md": topic_text(f"The {word} service is owned by team {word}.", name=word) for word in WORDS}


def gone(*words: str) -> dict[str, str | None]:
    return {f"{word}.md": None for word in words}


def test_a_quarter_may_leave() -> None:
    context = make_context(files=FILES, draft=gone("alpha"))
    assert check(GUARD, change(OperationKind.RETIRE, "bravo.md", gone("bravo")), context) is None


def test_what_moved_has_not_left() -> None:
    text = topic_text("\n".join(f"The {word} service is owned by team {word}." for word in WORDS), name="all")
    context = make_context(files=FILES, draft={**gone(*WORDS[:-1]), "all.md": text})
    assert check(GUARD, change(OperationKind.RETIRE, "hotel.md", gone("hotel")), context) is None


def test_more_may_leave_if_each_is_proved() -> None:
    dead = [finding("path-missing", f"{word}.md", 7, f"gone {word}") for word in WORDS]
    context = make_context(files=FILES, findings=dead, draft=gone(*WORDS[:-1]))
    assert check(GUARD, change(OperationKind.RETIRE, "hotel.md", gone("hotel")), context) is None
    told = [said(f"forget the {word} service, team {word}", kind=SignalKind.FORGET) for word in WORDS]
    context = make_context(*told, files=FILES, draft=gone(*WORDS[:-1]))
    assert check(GUARD, change(OperationKind.RETIRE, "hotel.md", gone("hotel")), context) is None


def test_a_copy_in_a_topic_that_nobody_touched_counts() -> None:
    copies = {
        **FILES,
        "copy.md": topic_text("\n".join(f"The {word} service is owned by team {word}." for word in WORDS)),
    }
    context = make_context(files=copies, draft=gone(*WORDS[:-1]))
    assert check(GUARD, change(OperationKind.RETIRE, "hotel.md", gone("hotel")), context) is None


def test_many_small_steps_are_refused_where_they_add_up() -> None:
    context = make_context(files=FILES, draft=gone("alpha", "bravo"))
    why = check(GUARD, change(OperationKind.RETIRE, "charlie.md", gone("charlie")), context)
    assert why == "3 of 8 facts of the scope would be gone"


def test_lines_that_left_topics_which_are_still_there_count() -> None:
    emptied = {f"{word}.md": topic_text("Nothing here.", name=word) for word in WORDS[:2]}
    why = check(
        GUARD, change(OperationKind.RETIRE, "charlie.md", gone("charlie")), make_context(files=FILES, draft=emptied)
    )
    assert why == "3 of 8 facts of the scope would be gone"
