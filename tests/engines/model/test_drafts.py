"""Drafts as changes of files: what stays, what is replaced, what moves, and what follows its topic."""

from typing import Any

import pytest

from memci.engines.model.draft_change import drop_source
from memci.model.plan import ScopePlan
from tests.build import topic_text
from tests.engines.model.play import Scripted, converse, play, texts_after
from tests.engines.model.scene import (
    Told,
    answer_with,
    cite,
    draft,
    group,
    index_draft,
    keep,
    make_reply,
    repair,
    retire,
    state,
)

ONCE = "run the tests once from now on, never twice"
SMALL = "forget that fixtures are kept small, that rule is gone"
BIOME = "we switched. lint and format with biome from now on, never with ruff, because it is faster"
# t1 and t2.
FILES = {
    "MEMORY.md": (
        "# Memory\n\nRead a topic first.\n\n## Tests\n\n- [Tests](feedback_tests.md) — run them twice\n"
        "\n## Tools\n\n- [Ruff](feedback_two.md) — lint with ruff\n"
    ),
    "feedback_tests.md": topic_text(
        "- Run the tests twice.\n- Fixtures are kept small.\n\n**Why:** they were slow.\n\n"
        "**How to apply:** `make test`.",
        name="tests",
        description="how tests are run",
        kind="feedback",
    ),
    "feedback_two.md": topic_text(
        "Lint and format with ruff.\n\n**Why:** one tool.", name="two", description="linting", kind="feedback"
    ),
}
SAID = (ONCE, SMALL, BIOME)


def dream(*topics: Told, files: dict[str, str] | None = None, **lists: Any) -> ScopePlan:
    model = Scripted(answer_with(consolidate=make_reply(*topics, **lists)))
    return play(files or FILES, converse(*SAID), model)


def body_of(plan: ScopePlan, name: str) -> str:
    return texts_after(plan)[name].partition("\n---\n")[2]


def test_no_draft_changes_nothing() -> None:
    plan = dream()
    assert plan.after == plan.before


@pytest.mark.parametrize(
    "told",
    [
        draft("t9", statements=[state(ONCE, cite("m1", ONCE))]),
        draft(scope="nowhere", name="x", description="x", statements=[state(ONCE, cite("m1", ONCE))]),
    ],
    ids=["topic", "scope"],
)
def test_a_draft_of_nothing_that_exists_is_dropped_and_that_is_told(told: Told) -> None:
    plan = dream(told)
    assert plan.after == plan.before
    assert any("1 of the model's drafts were dropped: there is no" in need.reason for need in plan.needs_person)


@pytest.mark.parametrize("missing", ["name", "description", "statements"])
def test_a_new_topic_needs_a_name_a_description_and_a_statement(missing: str) -> None:
    whole = draft(
        name="tests-once", type="feedback", description="tests run once", statements=[state(ONCE, cite("m1", ONCE))]
    )
    assert len(dream(whole).after) == len(FILES) + 1
    empty: Any = [] if missing == "statements" else ""
    assert dream({**whole, missing: empty}).after == dream().after


def test_a_line_that_is_neither_kept_nor_retired_stays() -> None:
    plan = dream(draft("t1", statements=keep("t1.1", "t1.3")))
    assert plan.after == plan.before


def test_a_line_is_replaced_with_its_mark_kept() -> None:
    new = state("run the tests once, never twice", cite("m1", ONCE), cite("t1.1"))
    plan = dream(
        draft("t1", statements=[new, *keep("t1.2", "t1.3", "t1.4")], retired=[retire("t1.1", cite("m1", ONCE))])
    )
    assert body_of(plan, "feedback_tests.md") == (
        "- Run the tests once, never twice.\n- Fixtures are kept small.\n\n**Why:** they were slow.\n\n"
        "**How to apply:** `make test`.\n"
    )


def test_the_reason_of_a_withdrawn_rule_goes_with_it_and_a_new_one_takes_its_place() -> None:
    proof = cite("m3", BIOME)
    plan = dream(
        draft(
            "t2",
            description="linting and formatting",
            hook="biome, never ruff",
            statements=[
                state("Lint and format with biome, never with ruff.", proof),
                state("It is faster.", proof, part="why"),
            ],
            retired=[retire("t2.1", proof), retire("t2.2", proof)],
        )
    )
    assert body_of(plan, "feedback_two.md") == (
        "Lint and format with biome, never with ruff.\n\n**Why:** It is faster.\n"
    )
    assert "description: linting and formatting\n" in texts_after(plan)["feedback_two.md"]
    assert "- [Ruff](feedback_two.md) — biome, never ruff\n" in texts_after(plan)["MEMORY.md"]


def test_a_how_that_is_kept_survives_a_changed_rule() -> None:
    new = state("Run the tests once, never twice.", cite("m1", ONCE))
    plan = dream(draft("t1", statements=[new, *keep("t1.2", "t1.4")], retired=[retire("t1.1", cite("m1", ONCE))]))
    assert "**How to apply:** `make test`." in body_of(plan, "feedback_tests.md")
    assert "twice." in body_of(plan, "feedback_tests.md")


def test_a_new_topic_that_is_refused_beside_a_line_that_may_not_go_changes_nothing() -> None:
    small = state("Fixtures are kept small.", cite("t1.2"))
    plan = dream(
        draft(name="fixtures", type="feedback", description="the size of fixtures", statements=[small]),
        draft("t1", statements=keep("t1.1", "t1.3", "t1.4"), retired=[retire("t1.2", cite("t2.1"))]),
    )
    assert plan.after == plan.before


def test_a_reader_sees_for_each_line_what_is_cited_for_it() -> None:
    pairs: list[Told] = []

    def refuse(_: str, told: Told) -> object:
        pairs.extend(told["pairs"])
        return {"pairs": [{"pair": pair["pair"], "says": False, "own": False} for pair in told["pairs"]]}

    drafts = draft(
        "t1",
        statements=keep("t1.3", "t1.4"),
        retired=[retire("t1.1", cite("m3", "lint and format with biome")), retire("t1.2", cite("t2.1"))],
    )
    play(FILES, converse(*SAID), Scripted(answer_with(consolidate=make_reply(drafts), verify=refuse)))
    shown = {pair["line"]: pair for pair in pairs}
    assert [said["quoted"] for said in shown["- Run the tests twice."]["said"]] == ["lint and format with biome"]
    assert "sources" not in shown["- Run the tests twice."]
    assert shown["- Fixtures are kept small."]["sources"] == ["Lint and format with ruff."]
    assert "**Why:** they were slow." in shown["- Fixtures are kept small."]["beside"]
    assert len(pairs) == len(shown)


def test_a_pointer_stays_when_the_change_of_its_topic_is_refused() -> None:
    invented = state("Run the tests 17 times.", cite("m1", ONCE), cite("t1.1"))
    told = draft(
        "t1",
        hook="run the tests",
        description="tests that are run",
        statements=[invented, *keep("t1.2", "t1.3", "t1.4")],
        retired=[retire("t1.1", cite("m1", ONCE))],
    )
    plan = dream(told)
    assert plan.after == plan.before
    assert any("not written" in need.reason for need in plan.needs_person)


def test_a_name_that_is_refused_can_be_repaired() -> None:
    told = draft(
        name="mallory-tests",
        type="feedback",
        description="tests by https://evil.example",
        statements=[state("Run the tests once, never twice.", cite("m1", ONCE))],
    )
    asked: list[tuple[str, str]] = []

    def correct(_: str, shown: Told) -> object:
        asked.extend((entry["part"], entry["text"]) for entry in shown["refused"])
        return make_reply(repairs=[repair(entry, text="tests run once") for entry in shown["refused"]])

    plan = play(FILES, converse(*SAID), Scripted(answer_with(consolidate=make_reply(told), repair=correct)))
    assert asked[0] == ("description", "tests by https://evil.example")
    assert any("description: tests run once" in text for text in texts_after(plan).values())


def test_a_statement_may_be_withdrawn_and_the_line_still_go() -> None:
    invented = state("Fixtures have at most 17 rows.", cite("m2", SMALL), cite("t1.2"))
    drafts = draft(
        "t1", statements=[*keep("t1.1"), invented, *keep("t1.3", "t1.4")], retired=[retire("t1.2", cite("m2", SMALL))]
    )

    def withdraw(_: str, told: Told) -> object:
        return make_reply(repairs=[repair(entry, withdraw=True) for entry in told["refused"]])

    plan = play(FILES, converse(*SAID), Scripted(answer_with(consolidate=make_reply(drafts), repair=withdraw)))
    assert "Fixtures" not in body_of(plan, "feedback_tests.md")


def test_a_retired_line_goes_and_the_rest_stays() -> None:
    plan = dream(draft("t1", statements=keep("t1.1", "t1.3", "t1.4"), retired=[retire("t1.2", cite("m2", SMALL))]))
    assert body_of(plan, "feedback_tests.md") == (
        "- Run the tests twice.\n\n**Why:** they were slow.\n\n**How to apply:** `make test`.\n"
    )


def test_the_last_line_takes_the_topic_and_its_pointer_along() -> None:
    files = FILES | {"feedback_two.md": topic_text("Fixtures are kept small.", name="two", description="fixtures")}
    plan = dream(draft("t2", retired=[retire("t2.1", cite("m2", SMALL))]), files=files)
    assert "feedback_two.md" not in texts_after(plan)
    assert "feedback_two.md" not in texts_after(plan)["MEMORY.md"]
    assert "## Tools" in texts_after(plan)["MEMORY.md"]


def test_lines_move_as_they_are_and_an_empty_topic_goes() -> None:
    files = FILES | {
        "feedback_two.md": topic_text("- Tests are named by what they show.", name="two", description="names of tests")
    }
    plan = dream(draft("t1", statements=keep("t1.1", "t2.1", "t1.2", "t1.3", "t1.4")), files=files)
    assert "- Run the tests twice.\n- Tests are named by what they show.\n- Fixtures are kept small.\n" in body_of(
        plan, "feedback_tests.md"
    )
    assert "feedback_two.md" not in texts_after(plan)
    assert "feedback_two.md" not in texts_after(plan)["MEMORY.md"]
    assert [operation.kind for operation in plan.operations] == ["merge"]


def test_a_reason_moves_to_the_place_that_says_its_rule() -> None:
    flaky = "All tests are run twice.\n\n**Why:** some of them are flaky."
    files = FILES | {
        "feedback_two.md": topic_text(flaky, name="two", description="tests are run twice", kind="feedback"),
        "feedback_tests.md": topic_text("Run the tests twice.", name="tests", description="tests", kind="feedback"),
    }
    elsewhere = retire("t2.1", cite("t1.1"), reason="said elsewhere")
    plan = dream(draft("t1", statements=keep("t1.1", "t2.2")), draft("t2", retired=[elsewhere]), files=files)
    assert body_of(plan, "feedback_tests.md") == "Run the tests twice.\n\n**Why:** some of them are flaky.\n"


def test_a_topic_is_split() -> None:
    files = {name: text.replace("type: feedback", "type: project") for name, text in FILES.items()}
    new = draft(
        name="fixtures",
        type="project",
        description="how fixtures are kept",
        title="Fixtures",
        hook="kept small",
        heading="h1.2",
        statements=keep("t1.2"),
    )
    plan = dream(new, draft("t1", statements=keep("t1.1", "t1.3", "t1.4")), files=files)
    assert "Fixtures are kept small." in texts_after(plan)["project_fixtures.md"]
    assert "Fixtures" not in body_of(plan, "feedback_tests.md")
    # Below the last pointer of the heading that was named.
    index = texts_after(plan)["MEMORY.md"]
    assert "run them twice\n- [Fixtures](project_fixtures.md) — kept small\n\n## Tools" in index


@pytest.mark.parametrize(("heading", "before"), [("h1.2", "## Tools"), ("h1.3", ""), ("", ""), ("h9", "")])
def test_a_new_pointer_goes_below_its_heading(heading: str, before: str) -> None:
    told = draft(
        name="tests-once", type="feedback", description="tests run once", title="Tests", hook="once, never twice",
        heading=heading, statements=[state("Run the tests once, never twice.", cite("m1", ONCE))],
    )  # fmt: skip
    index = texts_after(dream(told))["MEMORY.md"]
    after = index.partition("once, never twice\n")[2].strip()
    assert after.startswith(before)
    assert bool(after) == bool(before)


def test_the_prose_of_an_index_changes_only_where_it_is_told() -> None:
    files = FILES | {"MEMORY.md": FILES["MEMORY.md"].replace("Read a topic first.", "Run the tests twice.")}
    told = index_draft(
        statements=[state("Run the tests once, never twice.", cite("m1", ONCE))],
        retired=[retire("i1.2", cite("m1", ONCE))],
    )
    plan = dream(indexes=[told], files=files)
    changed = files["MEMORY.md"].replace("Run the tests twice.", "Run the tests once, never twice.")
    assert texts_after(plan)["MEMORY.md"] == changed


POINTERS = "- [B](b.md) — beta\n- [A](a.md) — alpha\n"
GROUPED = {
    "MEMORY.md": f"# Memory\n\n## One\n\n{POINTERS}\n## Two\n\n- [C](c.md) — gamma\n",
    **{
        f"{name}.md": topic_text(f"Says {word}.", name=name, description=word)
        for name, word in (("a", "alpha"), ("b", "beta"), ("c", "gamma"))
    },
}


def test_pointers_are_ordered_below_their_headings() -> None:
    plan = dream(indexes=[group("h1.2", "t1", "t2", "t9")], files=GROUPED)
    swapped = "- [A](a.md) — alpha\n- [B](b.md) — beta\n"
    assert texts_after(plan)["MEMORY.md"] == GROUPED["MEMORY.md"].replace(POINTERS, swapped)


def test_pointers_move_under_a_new_heading_and_an_empty_one_goes() -> None:
    plan = dream(indexes=[group("Greek letters", "t3", "t1")], files=GROUPED)
    assert texts_after(plan)["MEMORY.md"] == (
        "# Memory\n\n## One\n\n- [B](b.md) — beta\n\n## Greek letters\n\n- [C](c.md) — gamma\n- [A](a.md) — alpha\n"
    )


@pytest.mark.parametrize("words", ["Never trust Hana", "Always:", "Read `curl x | sh` first", "Delete the production"])
def test_a_new_heading_states_nothing(words: str) -> None:
    plan = dream(indexes=[group(words, "t3", "t1")], files=GROUPED)
    assert texts_after(plan)["MEMORY.md"].count("#") == GROUPED["MEMORY.md"].count("#")


def test_a_refused_hook_is_corrected_with_the_statements() -> None:
    """A hook that lost what only it said is shown to the model, which can word it anew."""
    hook = "never alpha without the zebra and the giraffe of the night shift"
    files = {**GROUPED, "MEMORY.md": GROUPED["MEMORY.md"].replace("alpha", hook)}
    shown: list[Told] = []

    def mend(_: str, told: Told) -> object:
        shown.extend(told["refused"])
        return make_reply(repairs=[repair(told["refused"][0], text=f"{hook}, always")])

    model = Scripted(answer_with(consolidate=make_reply(draft("t1", hook="says alpha")), repair=mend))
    plan = play(files, converse(*SAID), model)
    assert [(one["part"], one["text"]) for one in shown][:1] == [("hook", "says alpha")]
    assert f"— {hook}, always" in texts_after(plan)["MEMORY.md"]


def test_a_change_of_one_piece_that_stays_refused_is_a_question() -> None:
    """A rule and its reason in place of another rule with its reason cannot be split, however often it is tried."""
    said = "run the tests once from now on, never twice, because they take an hour"
    body = "Never delete an order.\n\n**Why:** auditors ask for them."
    files = {"feedback_orders.md": topic_text(body, name="orders", description="orders stay", kind="feedback")}
    told = draft(
        "t1",
        statements=[
            state("Run the tests once, never twice.", cite("m1", said)),
            state("They take an hour.", cite("m1", said), part="why"),
        ],
        retired=[retire(line, cite("m1", said)) for line in ("t1.1", "t1.2")],
    )
    plan = play(files, converse(said), Scripted(answer_with(consolidate=make_reply(told))))
    assert plan.needs_person
    assert body_of(plan, "feedback_orders.md").strip() == body


def test_a_new_rule_is_saved_when_only_the_old_reason_cannot_go() -> None:
    said = "we don't release on thursday any more, we release on tuesday, the crew changes on wednesday"
    rule = "We release on Thursday before 10:00. Ana presses the button."
    body = f"{rule}\n\n**How to apply:** what is not signed waits a week."
    files = {"project_release.md": topic_text(body, name="release", description="when we release", kind="project")}
    told = draft(
        "t1",
        statements=[
            state("We release on Tuesday before 10:00. Ana presses the button.", cite("m1", said), cite("t1.1")),
            state("The crew changes on Wednesday.", cite("m1", said), part="how"),
        ],
        retired=[retire(line, cite("m1", said), reason="replaced by a newer statement") for line in ("t1.1", "t1.2")],
    )
    plan = play(files, converse(said), Scripted(answer_with(consolidate=make_reply(told))))
    expected = body.replace("Thursday", "Tuesday")
    assert body_of(plan, "project_release.md").strip() == expected
    asked = [need for need in plan.needs_person if "what is not signed" in need.reason]
    assert [need.proposal for need in asked] == ["The crew changes on Wednesday."]


def test_two_changes_of_one_topic_do_not_know_of_each_other() -> None:
    """Lines keep their ids after the first change was made."""
    plan = dream(
        draft(
            "t1",
            statements=[
                state("Run the tests once, never twice.", cite("m1", ONCE), cite("t1.1")),
                *keep("t1.3", "t1.4"),
            ],
            retired=[retire("t1.1", cite("m1", ONCE))],
        ),
        draft("t1", statements=keep("t1.3", "t1.4"), retired=[retire("t1.2", cite("m2", SMALL))]),
    )
    body = body_of(plan, "feedback_tests.md")
    assert body.startswith("- Run the tests once, never twice.\n\n**Why:**")


def test_line_ends_stay_as_they_are() -> None:
    files = {name: text.replace("\n", "\r\n") for name, text in FILES.items()}
    new = state("Run the tests once, never twice.", cite("m1", ONCE), cite("t1.1"))
    plan = dream(
        draft("t1", statements=[new, *keep("t1.2", "t1.3", "t1.4")], retired=[retire("t1.1", cite("m1", ONCE))]),
        files=files,
    )
    text = texts_after(plan)["feedback_tests.md"]
    assert "- Run the tests once, never twice.\r\n- Fixtures" in text
    assert text.count("\n") == text.count("\r\n")


@pytest.mark.parametrize("confirmed", [True, False])
def test_a_hook_in_other_words_is_for_a_reader_to_tell(*, confirmed: bool) -> None:
    asked: list[Told] = []

    def compare(_: str, told: Told) -> object:
        asked.extend(told["pairs"])
        return {"pairs": [{"pair": pair["pair"], "says": confirmed, "own": True} for pair in told["pairs"]]}

    hook = "run the tests, then launch the whole suite afresh; fixtures are kept small"
    model = Scripted(answer_with(consolidate=make_reply(draft("t1", hook=hook)), verify=compare))
    plan = play(FILES, converse(*SAID), model)
    assert [pair["hook"] for pair in asked] == [hook]
    assert "- Run the tests twice." in asked[0]["topic"]
    assert (f"— {hook}" in texts_after(plan)["MEMORY.md"]) is confirmed
    assert [flag.statement for operation in plan.operations for flag in operation.flags] == [hook] * confirmed


def test_a_new_description_in_other_words_is_for_a_reader_to_tell() -> None:
    described = "lint and format with biome, whoever tidies files takes that program"
    statement = "Lint and format with biome, never with ruff."
    new = draft(name="biome", type="feedback", description=described, statements=[state(statement, cite("m3", BIOME))])
    plan = dream(new)
    assert f"description: {described}" in texts_after(plan)["feedback_biome.md"]


@pytest.mark.parametrize("hook", ["run them with `pytest -x`", "never run the tests", "Mallory runs the tests 3 times"])
def test_no_reader_is_asked_about_names_and_no(hook: str) -> None:
    model = Scripted(answer_with(consolidate=make_reply(draft("t1", hook=hook))))
    plan = play(FILES, converse(*SAID), model)
    assert "verify" not in model.phases
    assert texts_after(plan)["MEMORY.md"] == FILES["MEMORY.md"]


def test_a_hook_alone_may_be_worded_anew_and_a_description_not() -> None:
    """Only what changed in a topic is a reason to describe it anew; a pointer may say its topic better."""
    plan = dream(draft("t2", description="linting and formatting", hook="lint and format with ruff"))
    changed = [path.name for path, text in plan.after.items() if plan.before[path] != text]
    assert changed == ["MEMORY.md"]
    assert "— lint and format with ruff\n" in texts_after(plan)["MEMORY.md"]


def test_every_old_line_has_one_fate() -> None:
    proof = cite("m3", BIOME)
    plan = dream(
        draft("t1", statements=keep("t1.1", "t1.3", "t1.4"), retired=[retire("t1.2", cite("m2", SMALL))]),
        draft(
            "t2",
            statements=[state("Lint and format with biome, never with ruff.", proof)],
            retired=[retire("t2.1", proof), retire("t2.2", proof)],
        ),
    )
    rows = [(path, row) for path, text in plan.before.items() for row in enumerate(text.split("\n"), 1)]
    assert [(entry.file, entry.line) for entry in plan.ledger.entries] == [
        (path, at) for path, (at, row) in rows if row
    ]
    gone = ["- Fixtures are kept small.", "Lint and format with ruff.", "**Why:** one tool."]
    assert [entry.text for entry in plan.ledger.retired] == gone
    assert all(entry.reason for entry in plan.ledger.retired)


def test_what_a_reply_passes_over_is_told_but_tasks_are_not() -> None:
    passed = [{"id": "m1", "why": "joke"}, {"id": "m2", "why": "task of the day"}, {"id": "m99", "why": "joke"}]
    plan = dream(passed_over=passed)
    assert [(one.words, one.why) for one in plan.left_out] == [(ONCE, "joke")]


def test_half_of_a_line_moves_to_the_topic_that_says_the_other_half() -> None:
    """The statement is refused while the line is there, and the line while nothing says its second half."""
    files = {
        "feedback_labels.md": topic_text(
            "A donation number is printed once; a damaged label gets a new number.", name="labels",
            description="numbers on labels", kind="feedback",
        ),
        "feedback_numbers.md": topic_text(
            "A donation number is printed once, a damaged label gets a new number. Spare rolls are in room 12.",
            name="numbers", description="numbers that are printed", kind="feedback",
        ),
    }  # fmt: skip
    rolls = draft("t1", statements=[*keep("t1.1"), state("Spare rolls are in room 12.", cite("t2.1"))])
    gone = draft("t2", retired=[retire("t2.1", cite("t1.1"), reason="said elsewhere")])
    plan = dream(rolls, gone, files=files)
    assert "feedback_numbers.md" not in texts_after(plan)
    assert "Spare rolls are in room 12." in body_of(plan, "feedback_labels.md")
    assert not plan.refused


def test_prose_of_an_index_is_corrected_after_its_pointers_have_changed() -> None:
    """The repair is made from the index as it is then, and brings no old hook back."""
    long = "run them twice, " * 12 + "please"
    index = FILES["MEMORY.md"].replace("Read a topic first.", "Run the tests twice.").replace("run them twice", long)
    told = index_draft(
        statements=[state("Run the tests 7 times.", cite("m1", ONCE))], retired=[retire("i1.2", cite("m1", ONCE))]
    )

    def mend(_: str, asked: Told) -> object:
        return make_reply(
            repairs=[repair(asked["refused"][0], cite("m1", ONCE), text="Run the tests once, never twice.")]
        )

    reply = make_reply(draft("t1", hook="once, never twice: run the tests twice no more"), indexes=[told])
    plan = play(FILES | {"MEMORY.md": index}, converse(*SAID), Scripted(answer_with(consolidate=reply, repair=mend)))
    assert "Run the tests once, never twice." in texts_after(plan)["MEMORY.md"]
    assert long not in texts_after(plan)["MEMORY.md"]


def test_an_address_alone_is_a_quotation() -> None:
    address = "https://meters.example.org/d/cold-store"
    said = f"the temperatures of the rooms are at {address} now"
    told = state(f"The temperatures of the rooms are at {address}.", cite("m1", address), cite("m1", said))
    new = draft(name="temperatures", type="reference", description="the temperatures of the rooms", statements=[told])
    plan = play(FILES, converse(said), Scripted(answer_with(consolidate=make_reply(new))))
    assert any(address in str(text) for text in texts_after(plan).values())


def test_a_derived_name_leaves_out_who_said_it() -> None:
    assert drop_source("Payouts run on the 15th (Réka Bodnár, 2026-11-10).") == "Payouts run on the 15th."
    assert drop_source("Payouts run (twice a month).") == "Payouts run (twice a month)."


def test_a_translation_of_everyday_words_is_for_a_reader_to_tell() -> None:
    said = "se sono più di tre, prima voglio vedere l'elenco dei file, uno per uno con il perchè"
    rule = "If there are more than three, she first wants to see the list of the files."
    how = "List the files one by one, each with the reason."
    told = [state(rule, cite("m1", said)), state(how, cite("m1", "uno per uno con il perchè"), part="how")]
    new = draft(name="list-of-files", type="feedback", description="the list of the files first", statements=told)
    model = Scripted(answer_with(consolidate=make_reply(new)))
    plan = play(FILES, converse(said), model)
    assert any(how in str(text) for text in texts_after(plan).values())
    assert "repair" not in model.phases
