import dataclasses

import pytest

from memci.dream.repair import repair
from memci.model.finding import Edit, Finding, Fix, Severity
from memci.model.plan import Operation, OperationKind, PlanStatus
from tests.build import BODY_LINE, SCOPE, topic_text
from tests.dream.scenes import changed_in, dream_over, feedback, make_key_id, make_sources, read, run_phase, with_index

OLD, NEW = "Queries are built in `lib/search.ex`.", "Queries are built in `lib/query/builder.ex`."


def moved(
    line: int = BODY_LINE, old: str = f"{OLD}\n", new: str = f"{NEW}\n", message: str = "`lib/search.ex` moved"
) -> Finding:
    """Return what the truth rules say of a path that git saw moving."""
    edit = Edit(SCOPE / "a.md", line, old, new)
    return Finding("path-moved", Severity.WARNING, SCOPE / "a.md", message, line, fix=Fix("follow", (edit,)))


@pytest.mark.parametrize(
    "files",
    [
        with_index({"a.md": feedback(OLD, "a")}),
        # Two dots and a dash are no reason to write anything anew.
        with_index({"a.md": feedback("Text  with   odd -- spacing\n\n\n\nand gaps.", "a")}),
        with_index({"a.md": "---\nname: a\ndescription: b c\ntype: feedback\nowner: me\n---\nUse tabs in Go.\n"}),
        {"MEMORY.md": ""},
    ],
)
def test_memory_without_a_proved_problem_is_left_alone(files: dict[str, str]) -> None:
    plan = dream_over(files)
    assert (plan.status, plan.operations, plan.refused) == (PlanStatus.UNCHANGED, (), ())


def test_half_of_a_stale_line_is_not_corrected_without_a_model() -> None:
    files = with_index({"a.md": feedback(OLD, "a")})
    gone = Finding("symbol-missing", Severity.WARNING, SCOPE / "a.md", "`Queries` is gone", BODY_LINE)
    plan = dream_over(files, extra=[moved(), gone])
    assert changed_in(plan) == {}
    asked = " ".join(need.reason for need in plan.needs_person)
    assert "`lib/search.ex` moved" in asked
    assert "`Queries` is gone" in asked
    # What is only likely, and what is wrong elsewhere, keeps nothing from being repaired.
    others = [dataclasses.replace(gone, severity=Severity.INFO), dataclasses.replace(gone, line=BODY_LINE + 1)]
    for other in others:
        assert NEW in str(changed_in(dream_over(files, extra=[moved(), other]))["a.md"])


@pytest.mark.parametrize("mark", ["<<<<<<< ours\n=======\n>>>>>>> theirs"])
def test_a_file_that_nobody_can_read_with_certainty_is_left_alone(mark: str) -> None:
    text = f"{OLD}\n{mark}\n"
    plan = dream_over(with_index({"a.md": text}), extra=[moved(line=1)])
    assert changed_in(plan) == {}
    assert any("conflict" in need.reason for need in plan.needs_person)


def test_an_index_rule_is_not_followed_before_the_topics_are_settled() -> None:
    scope = read({"MEMORY.md": "- [b](b.md) — gone\n", "a.md": feedback(OLD, "a")})
    assert run_phase(repair(scope, make_sources(scope), whole=True), scope) == []


def test_a_path_that_git_saw_moving_is_followed() -> None:
    plan = dream_over(with_index({"a.md": feedback(OLD, "a")}), extra=[moved()])
    assert changed_in(plan) == {"a.md": feedback(NEW, "a")}
    assert [operation.kind for operation in plan.operations] == [OperationKind.REPAIR]
    assert not plan.needs_person


def test_a_path_above_the_lines_that_it_is_about_is_followed_too() -> None:
    old, new = "`lib/search.ex`:\n", "`lib/query/builder.ex`:\n"
    text = feedback(f"{old}\n- never edited by hand\n- made by the build", "a")
    plan = dream_over(with_index({"a.md": text}), extra=[moved(old=old, new=new)])
    assert (changed_in(plan), plan.refused) == ({"a.md": text.replace(old, new)}, ())


def test_a_file_of_invisible_signs_is_not_emptied() -> None:
    assert changed_in(dream_over(with_index({"a.md": feedback(OLD, "a"), "odd.md": "\u200b\u200c\u200d\n"}))) == {}


def test_a_pinned_topic_is_repaired_too() -> None:
    text = feedback(OLD, "a").replace("metadata:", "pinned: true\nmetadata:")
    plan = dream_over(with_index({"a.md": text}), extra=[moved(line=BODY_LINE + 1)])
    assert changed_in(plan) == {"a.md": text.replace(OLD, NEW)}


def test_a_description_is_not_made_of_words_between_two_links() -> None:
    index = "- [Push](push.md) — never to main\n\nSee [Push](push.md) and [the guide](https://example.com/).\n"
    plan = dream_over({"MEMORY.md": index, "push.md": "---\nname: push\ntype: feedback\n---\nNever push to main.\n"})
    assert "description: never to main\n" in plan.after[SCOPE / "push.md"]


def test_line_ends_stay_as_they_are() -> None:
    text = feedback(OLD, "a").replace("\n", "\r\n")
    plan = dream_over(with_index({"a.md": text}), extra=[moved(old=f"{OLD}\r\n", new=f"{NEW}\r\n")])
    assert changed_in(plan) == {"a.md": text.replace(OLD, NEW)}


def test_two_fixes_of_one_line_are_both_made() -> None:
    line = "Both `a/one.py` and `a/two.py` matter.\n"
    text = feedback(line.strip(), "a")
    fixes = [
        moved(old=line, new=line.replace("a/one", "b/one"), message="a/one.py moved"),
        moved(old=line, new=line.replace("a/two", "b/two"), message="a/two.py moved"),
    ]
    plan = dream_over(with_index({"a.md": text}), extra=fixes)
    assert changed_in(plan) == {"a.md": text.replace("a/one", "b/one").replace("a/two", "b/two")}


def test_many_fixes_of_one_file_have_a_reason_that_still_is_one_line() -> None:
    lines = [f"- Part {name} is in `src/some/long/path/of/parts/{name}.py`.\n" for name in "abcdefgh"]
    fixes = [
        moved(BODY_LINE + place, line, line.replace("some", "new"), f"`{line[:-2]}` moved to some other long path")
        for place, line in enumerate(lines)
    ]
    plan = dream_over(with_index({"a.md": feedback("".join(lines).strip(), "a")}), extra=fixes)
    assert [operation.reason for operation in plan.operations] == ["follows path-moved (8)"]


def test_a_reason_holds_no_mention_even_if_the_message_does() -> None:
    plan = dream_over(with_index({"a.md": feedback(OLD, "a")}), extra=[moved(message="`packages/@app/x.py` moved")])
    assert [operation.reason for operation in plan.operations] == ["follows path-moved (1)"]


def test_a_secret_leaves_topic_and_index_and_is_in_no_reason() -> None:
    key = make_key_id()
    index = f"- [a](a.md) — log in with {key}\n"
    plan = dream_over({"MEMORY.md": index, "a.md": feedback(f"Use {key} for the upload.", "a")})
    after = changed_in(plan)
    assert set(after) == {"MEMORY.md", "a.md"}
    assert not any(key in (text or "") for text in after.values())
    assert not any(key in operation.reason + repr(operation.evidence) for operation in plan.operations)
    assert "for the upload." in (after["a.md"] or "")


def test_invisible_characters_leave_and_the_words_stay() -> None:
    text = feedback("Deploy only on\u200b Mondays\U000e0041\U000e0042.", "a")
    plan = dream_over(with_index({"a.md": text}))
    assert changed_in(plan) == {"a.md": feedback("Deploy only on Mondays.", "a")}


def test_repairs_of_one_file_build_on_each_other() -> None:
    key = make_key_id()
    text = topic_text(f"{OLD}\nThe key is {key}.").replace("name: a-topic", "title: x")
    plan = dream_over(with_index({"a.md": text}), extra=[moved()])
    after = changed_in(plan)["a.md"] or ""
    assert (NEW in after, key in after, "name: a\n" in after) == (True, False, True)


def test_a_refused_repair_does_not_stop_the_others() -> None:
    scope = read(with_index({"a.md": "Use tabs in Go.\n", "b.md": "Use pnpm in the web folder.\n"}))
    proposals = run_phase(repair(scope, make_sources(scope), whole=True), scope, refuse=True)
    assert [item.file.name for item in proposals if isinstance(item, Operation)] == ["a.md", "b.md"]


def test_one_problem_in_many_places_is_one_question() -> None:
    plan = dream_over(
        {f"t{number}.md": f"Thing {number} holds.\n" for number in range(6)} | {"MEMORY.md": "See here.\n"}
    )
    (asked,) = (need.reason for need in plan.needs_person if "no frontmatter" in need.reason)
    assert "; 5 more of this kind: t1.md:1, t2.md:1, t3.md:1, t4.md:1, t5.md:1; begin the file" in asked


def test_a_head_below_blank_lines_is_not_doubled_but_asked_about() -> None:
    plan = dream_over(with_index({"a.md": "\n\n" + feedback(OLD, "a")}))
    assert (plan.operations, plan.refused) == ((), ())
    assert [need.reason.partition(";")[0] for need in plan.needs_person] == [
        "a.md:1: the frontmatter does not begin on the first line, so no client reads it"
    ]


def test_heads_are_not_added_where_people_do_without_them() -> None:
    bodies = {f"{name}.md": f"# {name}\n\nUse tabs in Go.\n" for name in "abcd"}
    assert changed_in(dream_over(with_index(bodies))) == {}
    few = {"a.md": bodies["a.md"], "b.md": feedback("Use spaces in Python.", "b")}
    assert list(changed_in(dream_over(with_index(few)))) == ["a.md"]


def test_a_topic_over_its_limit_is_not_made_larger() -> None:
    text = feedback(f"{OLD}\n" + "One more line of a long story.\n" * 700, "a")
    plan = dream_over(with_index({"a.md": text}), extra=[moved()])
    assert (changed_in(plan), plan.refused) == ({}, ())


def test_invisible_characters_in_code_are_left_to_people() -> None:
    text = feedback("A `\u200b` splits words.", "a")
    plan = dream_over(with_index({"a.md": text}))
    assert (changed_in(plan), plan.refused) == ({}, ())
    assert any("hidden character" in need.reason for need in plan.needs_person)
